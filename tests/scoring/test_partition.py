"""Cards sorted into the sets that bring the most points."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.scoring import EditionError, best_sets
from server.scoring.partition import TriesLeft

KINDS = "abcd"


@pytest.mark.parametrize(
    ("cards", "sets", "times"),
    [
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
    assert best_sets(cards, sets) == times


@settings(max_examples=50)
@given(
    st.fixed_dictionaries({kind: st.integers(0, 3) for kind in KINDS}),
    st.lists(st.tuples(st.sets(st.sampled_from(KINDS), min_size=1).map(sorted), st.integers(1, 9)), max_size=4),
)
def test_no_other_way_brings_more_and_no_card_is_used_twice(
    cards: dict[str, int], sets: list[tuple[list[str], int]]
) -> None:
    ways = {
        way: sum(n * points for n, (_, points) in zip(way, sets, strict=True))
        for way in product(range(4), repeat=len(sets))
        if all(sum(n for n, (held, _) in zip(way, sets, strict=True) if kind in held) <= cards[kind] for kind in KINDS)
    }
    assert ways[best_sets(cards, sets)] == max(ways.values())


def test_too_many_ways_are_refused() -> None:
    with pytest.raises(EditionError, match="3000 cards are too many to be sorted into sets exactly"):
        best_sets(dict.fromkeys("abc", 1000), [("ab", 1), ("bc", 1), ("ca", 1)])


def test_the_tries_of_a_game_are_limited() -> None:
    left = TriesLeft(25)
    cards, sets = dict.fromkeys("abc", 4), [("ab", 1), ("bc", 1)]
    for _ in range(5):
        assert best_sets(cards, sets, left) == (4, 0)
    with pytest.raises(EditionError, match="more than 25 tries in a game; use best_sets less often"):
        best_sets(cards, sets, left)
