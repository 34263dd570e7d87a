"""Points and sentences are written exactly, by whole templates."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.scoring import decimal
from tests.scoring.support import by_rule, deck, scored


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (0, "0"),
        (42, "42"),
        (-3, "-3"),
        (Fraction(55, 2), "27.5"),
        (Fraction(-1, 2), "-0.5"),
        (Fraction(-5, 2), "-2.5"),
        (Fraction(1, 8), "0.125"),
        (Fraction(1, 40), "0.025"),
        (Fraction(100), "100"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-7, 6), "-7/6"),
    ],
)
def test_points_are_written_exactly(points: int | Fraction, text: str) -> None:
    """Decimals where they are exact, else a fraction; never rounded."""
    assert decimal(points) == text


@settings(deadline=None)
@given(st.fractions(max_denominator=5000))
def test_written_points_read_back_as_the_same_number(points: Fraction) -> None:
    """Nothing is lost in writing."""
    assert Fraction(decimal(points)) == points


def test_a_moved_limit_is_shown_beside_the_printed_one() -> None:
    """Rule 13's line names the limit that counts and the one on the card, if they differ."""
    moved = by_rule(scored(deck(red=6, blue=1, green=1)), 13)
    unmoved = by_rule(scored(deck(red=6)), 13)
    assert [line.text for line in moved] == ["Red: cards 6, limit 5 (on the card: 4). Worth nothing."]
    assert [line.text for line in unmoved] == ["Red: cards 6, limit 4. Worth nothing."]


def test_what_moved_a_limit_says_from_where_to_where() -> None:
    """Rules 19 and 20 name the rules that they moved, with printed and effective limits."""
    result = scored(deck(red=2, blue=2, green=2))
    assert [line.text for line in by_rule(result, 19)] == [
        "Colours handed in: 3. Limit raised: rule 12 from 6 to 7, rule 13 from 4 to 5."
    ]
    assert [line.text for line in by_rule(result, 20)] == [
        "No colour has more cards than red (2). Limit raised: rule 14 from 5 to 7."
    ]


def test_rule_19_names_only_active_rules() -> None:
    """With rule 12 inactive, rule 19 moves rule 13 alone, and says so."""
    result = scored(deck(red=2, blue=2, green=2), active=[13, 19])
    assert [line.text for line in by_rule(result, 19)] == ["Colours handed in: 3. Limit raised: rule 13 from 4 to 5."]
