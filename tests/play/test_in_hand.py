"""What a process has in hand, and what of it is scanned."""

from __future__ import annotations

import threading
import time

import pytest

from server.jobs.queue import Claim
from server.play.in_hand import InHand
from tests.waiting import until

LIMIT = 60.0


def claim(number: int) -> Claim:
    """Return a claim of a picture."""
    return Claim(f"{number:032x}", "abcd", 1, 1, 1)


def taken(hand: InHand, number: int) -> bool:
    """Take a claim in hand; return whether it was claimed ahead."""
    told = list[bool]()

    def one(ahead: bool) -> Claim:  # noqa: FBT001 - as it is told
        told.append(ahead)
        return claim(number)

    assert hand.take(one) == claim(number)
    return told[0]


def test_one_more_is_ahead_where_all_places_are_taken() -> None:
    """What is over leaves its place, also if it never came to a scan."""
    hand = InHand(2)
    assert [taken(hand, number) for number in range(3)] == [False, False, True]
    assert hand.held() == {claim(number) for number in range(3)}
    hand.remove(claim(2))
    assert taken(hand, 3)
    hand.remove(claim(0))
    assert not taken(hand, 4)
    with hand.place(claim(4)):
        assert taken(hand, 5)
    # It was scanned, and what was read is being kept.
    assert not taken(hand, 6)
    hand.remove(claim(4))
    assert taken(hand, 7)


def test_who_claims_meanwhile_is_ahead() -> None:
    """Nobody has claimed anything yet, and still there is a place for the first one alone."""
    hand, told = InHand(1), list[bool]()

    def first(ahead: bool) -> Claim:  # noqa: FBT001 - as it is told
        told.append(ahead)
        told.append(taken(hand, 2))
        return claim(1)

    hand.take(first)
    assert told == [False, True]


def test_a_place_for_which_nothing_was_claimed_is_free() -> None:
    """Also where the claim went wrong."""
    hand = InHand(1)
    assert hand.take(lambda _: None) is None
    with pytest.raises(ZeroDivisionError):
        hand.take(lambda _: 1 // 0)  # type: ignore[arg-type,return-value]  # it returns nothing
    assert hand.held() == set()
    assert not taken(hand, 1)
    # One that was claimed ahead had no place to give back.
    assert hand.take(lambda _: None) is None
    assert taken(hand, 2)


def test_what_was_claimed_ahead_begins_with_the_next_place() -> None:
    """Not before that of the first one, which has yet to fetch its picture; and nothing claimed later goes before."""
    hand, order, over = InHand(1), list[int](), threading.Event()
    assert not taken(hand, 1)
    assert taken(hand, 2)

    def scan_second() -> None:
        with hand.place(claim(2)):
            order.append(2)
            assert over.wait(LIMIT)

    other = threading.Thread(target=scan_second)
    other.start()
    until(lambda: hand._waiting == 1)
    with hand.place(claim(1)):
        order.append(1)
    # Whether the other one has its place already or has yet to wake up.
    assert taken(hand, 3)
    until(lambda: order == [1, 2])
    over.set()
    other.join(LIMIT)
    assert not taken(hand, 4)


def test_nobody_waits_for_a_place_at_the_end() -> None:
    """A scan that hangs keeps no other thread from giving back what it has in hand."""
    hand = InHand(1)
    taken(hand, 1)
    taken(hand, 2)
    gone = threading.Event()

    def scan_second() -> None:
        with hand.place(claim(2)):
            gone.set()

    other = threading.Thread(target=scan_second)
    other.start()
    until(lambda: hand._waiting == 1)
    assert not gone.is_set()
    hand.close()
    assert gone.wait(LIMIT)
    other.join(LIMIT)


def test_what_was_claimed_ahead_is_noted_once_it_has_begun() -> None:
    """And no more: not what began at once, not before it begins, not twice, not what is over or about to be."""
    hand = InHand(1)
    assert [taken(hand, number) for number in range(3)] == [False, True, True]
    hand.begin(claim(0))
    assert hand.unnoted() == set()
    for number in (1, 2):
        hand.begin(claim(number))
    assert hand.unnoted() == {claim(1), claim(2)}
    assert hand.unnoted(claim(2)) == {claim(1)}
    hand.note([claim(1)])
    assert hand.unnoted() == {claim(2)}
    hand.remove(claim(2))
    assert hand.unnoted() == set()
    assert hand.held() == {claim(0), claim(1)}


def test_the_time_of_a_scan_begins_with_the_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wait for a process is not in it."""
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    hand = InHand(1)
    taken(hand, 1)
    now = 107.0
    assert hand.seconds(claim(1)) == 0
    hand.begin(claim(1))
    now = 109.5
    assert hand.seconds(claim(1)) == 2.5
