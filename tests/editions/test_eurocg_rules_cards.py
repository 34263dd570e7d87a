"""EuroCG's rules on rule cards and specials, below, at and above each number, with their sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.editions.eurocg_support import text
from tests.scoring.support import by_rule, deck, points, scored

if TYPE_CHECKING:
    from server.scoring import Hand


# Rules 2, 3 and 4: rule cards


@pytest.mark.parametrize(
    ("hand", "gain"),
    [
        (deck(red=4, blue=1, rules=[7]), 3),
        (deck(red=4, blue=4, rules=[7]), 3),
        (deck(red=1, rules=[7]), 0),
        (deck(red=7, rules=[7]), 0),
        (deck(red=8, rules=[7]), 7),
        (deck(rules=[7]), 0),
        (deck(rules=[6]), 6),
        (deck(rules=[8]), 1),
        (deck(rules=[8], specials=3), 1),
        (deck(red=4), 0),
        (deck(red=4, rules=[7, 7]), 0),
        (deck(red=4, rules=[7, 7, 7]), 0),
    ],
)
def test_rule_2_takes_one_card_modulo_the_highest_count(hand: Hand, gain: int) -> None:
    """Exactly one rule card counts its number modulo the highest count of a colour, without colours modulo 7."""
    assert points(scored(hand), 2) == gain


def test_rule_2_shows_its_sum() -> None:
    """The sentence shows number, divisor and remainder."""
    assert text(deck(red=4, rules=[7]), 2) == "The only rule card bears 7: 7 mod 4 = 3."


@pytest.mark.parametrize(
    ("rules", "gain"),
    [
        ([], 0),
        ([23], 0),
        ([2, 23], 0),
        ([2, 11, 23], 3),
        ([2, 2, 23], 3),
        ([1, 5, 9], 8),
        ([1, 5, 10], 0),
        ([1, 5, 11], 1),
        ([7, 7, 7], 0),
        ([1, 2, 3, 4], 0),
        ([1, 2, 3, 4, 6], 5),
    ],
)
def test_rule_3_takes_the_span_of_an_odd_number_modulo_9(rules: list[int], gain: int) -> None:
    """Three, five and more odd numbers of rule cards count largest minus smallest modulo 9; one does not."""
    assert points(scored(deck(rules=rules)), 3) == gain


def test_rule_3_shows_its_sum() -> None:
    """The sentence shows how many cards, both numbers and the remainder."""
    expected = "Rule cards: 3, an odd number. Largest 23, smallest 2: (23 − 2) mod 9 = 3."  # noqa: RUF001 - a minus sign
    assert text(deck(rules=[2, 11, 23]), 3) == expected


@pytest.mark.parametrize(("cards", "gain"), [(0, 0), (1, 0), (2, 2), (3, 0), (4, 4), (5, 0)])
def test_rule_4_gives_one_for_each_of_an_even_number(cards: int, gain: int) -> None:
    """Copies count; no rule card at all is even, and gives nothing."""
    assert points(scored(deck(rules=[9] * cards)), 4) == gain


# Rule 14: too many rule cards


@pytest.mark.parametrize(
    ("cards", "gain", "voided"), [(4, 4, False), (5, 4, False), (6, 6, True), (7, 4, True), (8, 8, True)]
)
def test_rule_14_starts_above_5_rule_cards(cards: int, gain: int, voided: bool) -> None:  # noqa: FBT001 - a column
    """Six rule cards bring nothing, five do; the void line keeps what it would have been."""
    hand = deck(rules=[1, *[5] * (cards - 1)])
    result = scored(hand)
    (line,) = by_rule(result, 4 if cards % 2 == 0 else 3)
    assert (line.points, line.void, line.voided_by) == (gain, voided, "14" if voided else None)
    assert line.text.endswith("Void by rule 14.") == voided
    assert [(void.points, void.text) for void in by_rule(result, 14)] == (
        [(0, f"Rule cards: {cards}, limit 5. Rule cards bring no points.")] if voided else []
    )


def test_rule_14_says_nothing_where_it_takes_nothing() -> None:
    """Seven equal rule cards bring nothing anyway, so rule 14 has no line."""
    assert by_rule(scored(deck(rules=[5] * 7)), 14) == []


# Rule 15: extra specials


def test_rule_15_gives_no_points() -> None:
    """Extra specials are worth 0 and have no line."""
    result = scored(deck(specials=4))
    assert result.score == 0
    assert [line.rule for line in result.lines] == ["6"]
