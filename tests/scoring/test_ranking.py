"""Ranking: score, then the tie-breaks in order, then a shared place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.scoring import Hand, Result, score
from tests.scoring.support import EUROCG

NOON = datetime(2026, 3, 27, 12, tzinfo=UTC)


def ranked(*hands: tuple[str, int, datetime | None], active: list[int] | None = None) -> Result:
    """Rank hands without colour cards; by name, number of extra specials, and time.

    Every hand scores 0 for its specials as long as their number is neither prime nor 1 modulo 5.
    """
    return score(
        EUROCG, [Hand(name, {"special-1": specials}, time) for name, specials, time in hands], active_rules=active
    )


def places(result: Result) -> list[tuple[str, int, str | None]]:
    """Return name, rank and deciding tie-break of each hand."""
    return [(hand.hand.player, hand.rank, hand.decided_by) for hand in result.hands]


def test_the_higher_score_ranks_higher() -> None:
    """Score comes first, however many extra specials and however early."""
    result = ranked(("none", 0, NOON), ("prime", 2, None))
    assert places(result) == [("prime", 1, None), ("none", 2, None)]


def test_more_extra_specials_rank_higher_among_equal_scores() -> None:
    """Among equal scores extra specials decide, even against an earlier hand-in."""
    result = ranked(("early", 8, NOON - timedelta(hours=1)), ("rich", 9, NOON))
    assert places(result) == [("rich", 1, "extra-specials"), ("early", 2, "extra-specials")]


def test_the_earlier_hand_in_decides_last() -> None:
    """With equal scores and specials the earlier hand-in ranks higher, by the smallest difference."""
    result = ranked(("late", 8, NOON), ("early", 8, NOON - timedelta(microseconds=1)))
    assert places(result) == [("early", 1, "earlier-hand-in"), ("late", 2, "earlier-hand-in")]


def test_times_are_compared_as_instants() -> None:
    """13:00 in a zone two hours ahead is before 12:00 UTC."""
    ahead = datetime(2026, 3, 27, 13, tzinfo=timezone(timedelta(hours=2)))
    assert places(ranked(("utc", 0, NOON), ("ahead", 0, ahead)))[0][0] == "ahead"


def test_a_missing_time_ranks_as_the_latest() -> None:
    """A hand without a time loses to any time; two without share a place."""
    far = datetime(9999, 12, 31, tzinfo=UTC)
    result = ranked(("a", 0, None), ("b", 0, None), ("c", 0, far))
    assert places(result) == [("c", 1, "earlier-hand-in"), ("a", 2, "earlier-hand-in"), ("b", 2, "earlier-hand-in")]


def test_complete_ties_share_a_place_and_the_next_place_is_skipped() -> None:
    """Ranks go 1, 2, 2, 4; hands that share a place stay in the order in which they came."""
    result = ranked(("d", 0, None), ("c", 8, NOON), ("b", 8, NOON), ("a", 9, NOON))
    assert places(result) == [
        ("a", 1, "extra-specials"),
        ("c", 2, "extra-specials"),
        ("b", 2, "extra-specials"),
        ("d", 4, "extra-specials"),
    ]


def test_a_tie_that_nothing_parts_names_no_tie_break() -> None:
    """Two hands alike in everything share the first place."""
    assert places(ranked(("a", 0, NOON), ("b", 0, NOON))) == [("a", 1, None), ("b", 1, None)]


def test_the_tie_break_named_is_the_one_to_the_place_above() -> None:
    """In a group of equal scores each hand names what parts it from the place above, the first from that below."""
    result = ranked(("a", 9, NOON), ("b", 8, NOON), ("c", 8, NOON + timedelta(1)))
    assert [decided for _, _, decided in places(result)] == ["extra-specials", "extra-specials", "earlier-hand-in"]


def test_without_rule_15_extra_specials_decide_nothing() -> None:
    """An inactive rule breaks no ties."""
    result = ranked(("rich", 9, NOON), ("early", 8, NOON - timedelta(1)), active=[1])
    assert places(result) == [("early", 1, "earlier-hand-in"), ("rich", 2, "earlier-hand-in")]


def test_an_empty_deck_is_ranked() -> None:
    """A deck without cards scores 0 and has a place."""
    assert places(score(EUROCG, [Hand("empty")])) == [("empty", 1, None)]


def test_a_game_without_hands_has_an_empty_ranking() -> None:
    """No hands, no places, no failure."""
    assert score(EUROCG, []).hands == ()


@pytest.mark.parametrize("specials", [0, 4, 8, 9, 10])
def test_the_hands_of_this_module_score_nothing(specials: int) -> None:
    """The helper's promise: these numbers of extra specials bring no points."""
    assert ranked(("a", specials, None)).hands[0].score == 0


HANDS = st.lists(st.tuples(st.integers(0, 10), st.sampled_from([None, NOON, NOON + timedelta(1)])), max_size=12)


@settings(deadline=None)
@given(HANDS, st.data())
def test_the_order_of_hands_changes_no_rank(hands: list[tuple[int, datetime | None]], data: st.DataObject) -> None:
    """Seats can be shuffled: every player keeps rank and deciding tie-break."""
    named = [(f"p{i}", *hand) for i, hand in enumerate(hands)]
    shuffled = data.draw(st.permutations(named))
    assert sorted(places(ranked(*named)), key=str) == sorted(places(ranked(*shuffled)), key=str)


@settings(deadline=None)
@given(HANDS)
def test_a_rank_counts_the_better_hands(hands: list[tuple[int, datetime | None]]) -> None:
    """The rank of a hand is one more than the number of hands that are strictly better."""
    result = ranked(*[(f"p{i}", *hand) for i, hand in enumerate(hands)])
    far = datetime(9999, 12, 31, tzinfo=UTC)
    merit = {
        hand.hand.player: (hand.score, hand.hand.cards["special-1"], -(hand.hand.handed_in or far).timestamp())
        for hand in result.hands
    }
    for hand in result.hands:
        assert hand.rank == 1 + sum(other > merit[hand.hand.player] for other in merit.values())
