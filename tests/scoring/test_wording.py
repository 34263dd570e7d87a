"""Texts of lines: exact points, adjusted numbers, and players' names."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import load_edition
from server.scoring import Hand, decimal, score
from tests.scoring.support import by_rule, deck, scored


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (0, "0"),
        (-3, "-3"),
        (Fraction(55, 2), "27.5"),
        (Fraction(-1, 2), "-0.5"),
        (Fraction(1, 40), "0.025"),
        (Fraction(100), "100"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-7, 6), "-7/6"),
    ],
)
def test_points_are_decimals_where_those_are_exact(points: int | Fraction, text: str) -> None:
    assert decimal(points) == text


@settings(max_examples=50)
@given(st.fractions(max_denominator=5000))
def test_written_points_read_back_as_the_same_number(points: Fraction) -> None:
    assert Fraction(decimal(points)) == points


@pytest.mark.parametrize(
    ("rule", "hand", "active", "text"),
    [
        (13, deck(red=6), None, "Red: cards 6, limit 4. Worth nothing."),
        (13, deck(red=6, blue=1, green=1), None, "Red: cards 6, limit 5 (on the card: 4). Worth nothing."),
        (
            19,
            deck(red=2, blue=2, green=2),
            None,
            "Colours handed in: 3. Limit raised: rule 12 from 6 to 7, rule 13 from 4 to 5.",
        ),
        (19, deck(red=2, blue=2, green=2), [13, 19], "Colours handed in: 3. Limit raised: rule 13 from 4 to 5."),
        (20, deck(red=2), None, "No colour has more cards than red (2). Limit raised: rule 14 from 5 to 7."),
    ],
)
def test_a_moved_limit_is_shown_beside_the_printed_one(
    rule: int, hand: Hand, active: list[int] | None, text: str
) -> None:
    assert [line.text for line in by_rule(scored(hand, active=active), rule)] == [text]


@pytest.mark.parametrize(
    ("slug", "hands"),
    [
        ("sackson-1969", [Hand("Bo", {"blue": 6}), Hand("Cy", {"blue": 5}), Hand("Ada", {"blue": 1})]),
        ("tarot-fr", [Hand("Ada", {"rule-4": 1, "coeur-4": 3}), Hand("Bo", {"rule-11": 1}, cancels=("4",))]),
    ],
)
def test_lines_use_the_names_known_to_the_reader(slug: str, hands: list[Hand]) -> None:
    edition = load_edition(slug, "en")
    result = score(edition, hands)
    plain = [line.text for hand in result.hands for line in hand.lines_in(edition)]
    lines = [line.text for hand in result.hands for line in hand.lines_in(edition, {"Bo": "a player"})]
    assert any("Bo" in text for text in plain)
    assert lines == [text.replace("Bo", "a player") for text in plain]
