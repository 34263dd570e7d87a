"""What a process has in hand, and what of it is scanned."""

from __future__ import annotations

import time

import pytest

from server.jobs.queue import Claim
from server.play.in_hand import InHand


def claim(number: int) -> Claim:
    """Return a claim of a picture."""
    return Claim(f"{number:032x}", "abcd", 1, 1, 1)


@pytest.mark.parametrize(("held", "full", "once_free"), [(1, False, False), (2, True, False), (3, True, True)])
def test_one_more_waits_where_all_places_are_taken(held: int, full: bool, once_free: bool) -> None:  # noqa: FBT001 - a case
    """What is over leaves its place to it."""
    hand = InHand(2)
    for number in range(held):
        hand.add(claim(number), ahead=False)
    assert hand.held() == {claim(number) for number in range(held)}
    assert hand.is_full() == full
    assert hand.is_full(claim(0)) == once_free
    hand.remove(claim(0))
    assert hand.is_full() == once_free


def test_what_was_claimed_ahead_is_noted_once_it_has_begun() -> None:
    """And no more: not what began at once, not before it begins, not twice, not what is over or about to be."""
    hand = InHand(1)
    for number, ahead in enumerate((False, True, True)):
        hand.add(claim(number), ahead=ahead)
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
    hand.add(claim(1), ahead=True)
    now = 107.0
    assert hand.seconds(claim(1)) == 0
    hand.begin(claim(1))
    now = 109.5
    assert hand.seconds(claim(1)) == 2.5
