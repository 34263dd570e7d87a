"""Ranking: score, then the tie-breaks in order, then a shared place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.scoring import Hand, score
from tests.scoring.support import EUROCG

NOON = datetime(2026, 3, 27, 12, tzinfo=UTC)
NEVER = datetime(9999, 12, 31, tzinfo=UTC)
AHEAD = datetime(2026, 3, 27, 13, tzinfo=timezone(timedelta(hours=2)))
"""An hour before noon, in a zone two hours ahead."""
MOMENT = timedelta(microseconds=1)
HandIn = tuple[str, int, datetime | None]


def ranked(*hands: HandIn, active: list[int] | None = None) -> list[tuple[str, int, str | None]]:
    """Rank hands of extra specials; return name, rank and deciding tie-break of each.

    A hand scores nothing as long as the number of its specials is neither prime nor 1 modulo 5.
    """
    made = [Hand(name, {"special-1": specials}, time) for name, specials, time in hands]
    return [(hand.hand.player, hand.rank, hand.decided_by) for hand in score(EUROCG, made, active_rules=active).hands]


SPECIALS, EARLIER = "extra-specials", "earlier-hand-in"


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        pytest.param([], [], id="no hands"),
        pytest.param([("empty", 0, None)], [("empty", 1, None)], id="an empty deck has a place"),
        pytest.param(
            [("many", 9, NOON), ("prime", 2, None)], [("prime", 1, None), ("many", 2, None)], id="score comes first"
        ),
        pytest.param(
            [("early", 8, NOON - MOMENT), ("rich", 9, NOON)], [("rich", 1, SPECIALS), ("early", 2, SPECIALS)], id="rich"
        ),
        pytest.param(
            [("late", 8, NOON), ("early", 8, NOON - MOMENT)],
            [("early", 1, EARLIER), ("late", 2, EARLIER)],
            id="the earlier by any difference",
        ),
        pytest.param(
            [("noon", 0, NOON), ("ahead", 0, AHEAD)],
            [("ahead", 1, EARLIER), ("noon", 2, EARLIER)],
            id="instants, not clocks",
        ),
        pytest.param(
            [("a", 0, None), ("b", 0, None), ("c", 0, NEVER)],
            [("c", 1, EARLIER), ("a", 2, EARLIER), ("b", 2, EARLIER)],
            id="no time is the latest",
        ),
        pytest.param(
            [("d", 0, None), ("c", 8, NOON), ("b", 8, NOON), ("a", 9, NOON)],
            [("a", 1, SPECIALS), ("c", 2, SPECIALS), ("b", 2, SPECIALS), ("d", 4, SPECIALS)],
            id="a shared place skips the next",
        ),
        pytest.param([("a", 0, NOON), ("b", 0, NOON)], [("a", 1, None), ("b", 1, None)], id="nothing parts them"),
        pytest.param(
            [("a", 9, NOON), ("b", 8, NOON), ("c", 8, NOON + MOMENT)],
            [("a", 1, SPECIALS), ("b", 2, SPECIALS), ("c", 3, EARLIER)],
            id="each names what parts it from the place above",
        ),
    ],
)
def test_hands_rank_by_score_then_tie_breaks(hands: list[HandIn], expected: list[tuple[str, int, str | None]]) -> None:
    assert ranked(*hands) == expected


def test_an_inactive_rule_breaks_no_tie() -> None:
    found = ranked(("rich", 9, NOON), ("early", 8, NOON - MOMENT), active=[1])
    assert found == [("early", 1, EARLIER), ("rich", 2, EARLIER)]


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 10), st.sampled_from([None, NOON, NOON + MOMENT])), max_size=12), st.data())
def test_ranks_do_not_depend_on_the_order_of_hands(
    hands: list[tuple[int, datetime | None]], data: st.DataObject
) -> None:
    named = [(f"p{index}", *hand) for index, hand in enumerate(hands)]
    found = ranked(*named)
    assert sorted(ranked(*data.draw(st.permutations(named))), key=str) == sorted(found, key=str)
    worth = {0: 0, 1: 5, 2: 13, 3: 13, 4: 0, 5: 13, 6: 5, 7: 13, 8: 0, 9: 0, 10: 0}
    merit = {name: (worth[specials], specials, NEVER - (time or NEVER)) for name, specials, time in named}
    assert {name: rank for name, rank, _ in found} == {
        name: 1 + sum(other > merit[name] for other in merit.values()) for name in merit
    }
