"""EuroCG's bonuses, below, at and above each number, with their sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.editions.eurocg_support import text
from tests.scoring.support import deck, points, scored

if TYPE_CHECKING:
    from server.scoring import Hand


# Rule 11: scarce blue


@pytest.mark.parametrize(
    ("hand", "gain"),
    [
        (deck(), 0),
        (deck(red=1), 0),
        (deck(blue=1), 11),
        (deck(blue=9), 11),
        (deck(blue=1, red=2), 11),
        (deck(blue=2, red=2), 2),
        (deck(blue=3, red=2), 0),
        (deck(blue=2, red=2, green=3), 2),
        (deck(blue=2, red=3, green=3), 11),
        (deck(blue=2, red=1, green=2), 0),
    ],
)
def test_rule_11_rewards_the_rarest_blue(hand: Hand, gain: int) -> None:
    """Blue as rarest colour handed in brings 2 if tied, 11 if alone; colours not handed in do not matter."""
    assert points(scored(hand), 11) == gain


def test_rule_11_says_which_case_it_was() -> None:
    """Alone, tied and only colour have their own sentences."""
    assert text(deck(blue=1, red=2), 11) == "Every other colour of the deck has more cards than blue (1)."
    assert (
        text(deck(blue=2, red=2), 11) == "No colour of the deck has fewer cards than blue (2), but another has as few."
    )
    assert text(deck(blue=2), 11) == "Blue is the only colour handed in."


# Rules 16 to 18 and 21 to 23: bonuses


@pytest.mark.parametrize(
    ("hand", "gain"),
    [
        (deck(), 0),
        (deck(red=3), 5),
        (deck(red=3, blue=3), 0),
        (deck(red=3, blue=2), 6),
        (deck(red=3, blue=2, pink=1), 9),
        (deck(red=3, blue=2, pink=2), 0),
        (deck(red=1, blue=2, pink=3, green=4, orange=5, yellow=6), 18),
    ],
)
def test_rule_16_rewards_different_counts(hand: Hand, gain: int) -> None:
    """One colour brings 5; several bring 3 each if no two counts are equal; none brings nothing."""
    assert points(scored(hand), 16) == gain


@pytest.mark.parametrize("total", range(13))
def test_rule_17_rewards_totals_of_1_modulo_5(total: int) -> None:
    """1, 6 and 11 cards bring 5 points, all other totals nothing."""
    assert points(scored(deck(specials=total)), 17) == (5 if total in {1, 6, 11} else 0)


def test_rules_17_and_21_count_cards_of_all_kinds() -> None:
    """Colour, rule and special cards make up the total: 11 is prime, and 1 modulo 5."""
    result = scored(deck(red=4, rules=[1, 2, 3], specials=4))
    assert (points(result, 17), points(result, 21)) == (5, 13)


def test_rule_18_wants_all_six_colours() -> None:
    """Six colours bring 12, five nothing."""
    six = {"red": 1, "blue": 1, "green": 1, "orange": 1, "yellow": 1, "pink": 1}
    assert points(scored(deck(**six)), 18) == 12
    for kind in six:
        assert points(scored(deck(**(six | {kind: 0}))), 18) == 0


PRIMES = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47}


@pytest.mark.parametrize("total", range(50))
def test_rule_21_rewards_prime_totals(total: int) -> None:
    """Prime totals bring 13; 0 and 1 are not prime."""
    assert points(scored(deck(specials=total)), 21) == (13 if total in PRIMES else 0)


@pytest.mark.parametrize(
    ("hand", "gain"),
    [
        (deck(red=3), 0),
        (deck(red=4), 8),
        (deck(red=5), 0),
        (deck(red=4, blue=4), 0),
        (deck(red=4, blue=5), 8),
        (deck(red=4, blue=4, green=4), 0),
        (deck(rules=[1, 1, 1, 1]), 0),
    ],
)
def test_rule_22_wants_one_colour_with_four_cards(hand: Hand, gain: int) -> None:
    """Exactly one colour with exactly four cards brings 8; rule cards are no colour."""
    assert points(scored(hand), 22) == gain


@pytest.mark.parametrize(
    ("hand", "gain"),
    [
        (deck(), 0),
        (deck(rules=[1]), 0),
        (deck(red=1), 11),
        (deck(red=2), 0),
        (deck(red=2, blue=2), 11),
        (deck(red=2, blue=9), 11),
        (deck(red=1, blue=2), 0),
        (deck(red=3, blue=3), 0),
        (deck(red=3, blue=3, green=4), 11),
    ],
)
def test_rule_23_compares_colours_with_the_rarest(hand: Hand, gain: int) -> None:
    """As many colours as cards of the rarest one bring 11; a deck without colours gets nothing."""
    assert points(scored(hand), 23) == gain
