"""Numbers that appear out of order are seen once each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.play.numbering import PATIENCE, Numbering


def test_a_lower_number_that_comes_later_is_seen_once() -> None:
    """It is waited for; once it has come it is not new any more."""
    seen = Numbering(10)
    assert seen.see([11, 13]) == {11, 13}
    assert seen.missing == [12]
    assert seen.see([12]) == {12}
    assert seen.see([11, 12, 13]) == set()
    assert (seen.position, seen.missing) == (13, [])


def test_what_is_missing_at_the_start_may_still_come() -> None:
    """Among the recent numbers a gap is waited for; what lies before them is not."""
    seen = Numbering(10, [7, 8, 10])
    assert seen.missing == [9]
    assert seen.see([9]) == {9}


def test_a_number_that_never_comes_is_given_up() -> None:
    """After its time nobody looks for it any more."""
    time = [0.0]
    seen = Numbering(1, clock=lambda: time[0])
    seen.see([3])
    time[0] = PATIENCE - 1
    assert seen.missing == [2]
    time[0] = PATIENCE
    assert seen.missing == []


def test_who_was_away_hears_of_what_came_late_alone() -> None:
    """A lower number counts as missed by those who saw a higher one before it came."""
    seen = Numbering(10)
    seen.see([11, 13])
    seen.see([12, 14])
    assert seen.late_since(13) == [12]
    assert seen.late_since(11) == []
    assert seen.late_since(14) == []


@given(st.permutations(range(1, 40)), st.lists(st.integers(1, 8), min_size=40, max_size=40))
def test_each_number_is_seen_exactly_once(order: list[int], sizes: list[int]) -> None:
    """In whatever order and portions they come, and however often they are looked at."""
    seen, there, found = Numbering(), set[int](), list[int]()
    for size in sizes:
        there.update(order[:size])
        del order[:size]
        wanted = [number for number in there if number > seen.position or number in seen.missing]
        found.extend(seen.see(wanted))
    assert sorted(found) == list(range(1, 40))
