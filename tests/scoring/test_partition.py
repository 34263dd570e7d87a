"""Cards sorted into sets so that they bring most."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.scoring import EditionError, best_sets

KINDS = "abcd"


@pytest.mark.parametrize(
    ("cards", "sets", "times"),
    [
        ({}, [("ab", 3)], (0,)),
        ({"a": 2, "b": 1}, [("ab", 3)], (1,)),
        # The first set would take the card that the two others need.
        ({"a": 1, "b": 1, "c": 1, "d": 1}, [("bc", 5), ("ab", 3), ("cd", 3)], (0, 1, 1)),
        # Equal either way: the first set counts.
        ({"a": 1, "b": 1, "c": 1}, [("ab", 3), ("bc", 3)], (1, 0)),
        ({"a": 9_000}, [("a", 1)], (9_000,)),
        ({"a": 1}, [], ()),
    ],
)
def test_the_best_way_is_found(cards: dict[str, int], sets: list[tuple[str, int]], times: tuple[int, ...]) -> None:
    """Where sets share cards, greed is not enough; sets that share nothing may be many."""
    assert best_sets(cards, sets) == times


@given(
    st.fixed_dictionaries({kind: st.integers(0, 3) for kind in KINDS}),
    st.lists(st.tuples(st.sets(st.sampled_from(KINDS), min_size=1).map(sorted), st.integers(1, 9)), max_size=4),
)
def test_no_other_way_brings_more(cards: dict[str, int], sets: list[tuple[list[str], int]]) -> None:
    """Against all ways there are: the same points, and no card used twice."""
    times = best_sets(cards, sets)

    def fits(way: tuple[int, ...]) -> bool:
        used = {kind: sum(n for n, (kinds, _) in zip(way, sets, strict=True) if kind in kinds) for kind in KINDS}
        return all(used[kind] <= cards[kind] for kind in KINDS)

    def worth(way: tuple[int, ...]) -> int:
        return sum(n * points for n, (_, points) in zip(way, sets, strict=True))

    assert fits(times)
    assert worth(times) == max(worth(way) for way in product(range(4), repeat=len(sets)) if fits(way))


def test_too_many_ways_are_refused() -> None:
    """One line instead of an hour."""
    with pytest.raises(EditionError, match="3000 cards are too many to be sorted into sets exactly"):
        best_sets(dict.fromkeys("abc", 1000), [("ab", 1), ("bc", 1), ("ca", 1)])
