"""Envelopes of the tarot edition worked out by hand: sets that count once, ties that all pay, and the ranking."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from server.editions import load_edition
from server.scoring import Hand, score

if TYPE_CHECKING:
    from tests.editions.cases import Cards

EDITION = load_edition("tarot-fr")
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ({"pique-6": 4, "atout-6": 4, "rule-21": 1}, 8 + 20),
        ({"pique-6": 4, "coeur-7": 4, "rule-21": 1, "rule-22": 1}, 8 + 20 + 20),
        ({"pique-valet": 3, "coeur-valet": 3, "rule-49": 1}, 6 + 16),
        ({"atout-1": 2, "atout-21": 2, "excuse": 2, "rule-94": 1}, 6 + 16),
        ({"pique-1": 2, "coeur-2": 2, "atout-3": 2, "rule-68": 1}, 6 + 10),
        ({"token-red": 8, "rule-70": 1}, 8 + 15),
    ],
)
def test_sets_count_once_a_rule_except_where_it_says_each(cards: Cards, points: int) -> None:
    """Two squares, brelans or groups of bouts bring what one brings; two runs bring twice as much as one."""
    (result,) = score(EDITION, [Hand("Ada", cards)], provisional=False).hands
    assert result.score == points


def test_all_who_tie_for_most_pay_and_nobody_with_nothing() -> None:
    """Rule 1 takes 15 from both who hold two tokens; rule 3 takes nothing where no envelope holds a tarot card."""
    hands = [
        Hand("Ada", {"token-red": 2}),
        Hand("Bob", {"token-blue": 1, "token-white": 1}),
        Hand("Eve", {"token-red": 1}),
        Hand("Fay", {"rule-1": 1, "rule-3": 1}),
    ]
    found = {hand.hand.player: hand.score for hand in score(EDITION, hands).hands}
    assert found == {"Ada": -13, "Bob": -13, "Eve": 1, "Fay": 20}


def test_equal_points_share_a_place_and_the_earlier_is_listed_first() -> None:
    """Half a point decides; where points are equal no time does, it only orders the list."""
    five = {"token-red": 2, "rule-85": 1}
    hands = [
        Hand("late", five, NOON + timedelta(minutes=1)),
        Hand("never", {"pique-1": 5}),
        Hand("early", {"coeur-1": 5}, NOON),
        Hand("half", {"coeur-1": 3, "token-red": 1, "rule-85": 1}, NOON + timedelta(hours=1)),
    ]
    found = [(h.hand.player, h.score, h.rank, h.decided_by) for h in score(EDITION, hands).hands]
    assert found == [
        ("half", Fraction(11, 2), 1, None),
        ("early", 5, 2, None),
        ("late", 5, 2, None),
        ("never", 5, 2, None),
    ]
