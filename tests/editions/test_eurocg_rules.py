"""Each rule of EuroCG 2026 below, at and above each of its numbers, with the sentence that it writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.scoring.support import EUROCG, by_rule, deck, points, scored

if TYPE_CHECKING:
    from server.scoring import Hand


def text(hand: Hand, rule: int) -> str:
    """Return the sentence of a rule that wrote exactly one line."""
    (line,) = by_rule(scored(hand), rule)
    return line.text


def worth(hand: Hand, kind: str, settings: dict[str, int] | None = None) -> tuple[int, str | None]:
    """Return the points of a colour's line and the rule that voided it."""
    name = EUROCG.kind_of[kind].name
    (line,) = [line for line in by_rule(scored(hand, settings), None) if line.text.startswith(f"{name}:")]
    assert line.void == (line.voided_by is not None)
    return int(line.points), line.voided_by


# Rule 1: more than 19 cards


@pytest.mark.parametrize(("specials", "voided_by"), [(13, None), (14, None), (15, "1"), (16, "1")])
def test_rule_1_starts_above_19_cards(specials: int, voided_by: str | None) -> None:
    """19 cards of all kinds are allowed, 20 make the most frequent colour worthless."""
    assert worth(deck(green=3, orange=1, rules=[9], specials=specials), "green") == (9, voided_by)
    assert worth(deck(green=3, orange=1, rules=[9], specials=specials), "orange") == (3, None)


def test_rule_1_takes_all_colours_that_tie_for_most() -> None:
    """Two colours with equally many cards both lose their worth, a third keeps it."""
    hand = deck(green=3, orange=3, red=2, specials=12)
    assert [worth(hand, kind)[1] for kind in ("green", "orange", "red")] == ["1", "1", None]
    assert text(hand, 1) == "Cards handed in: 20, limit: 19. Worth nothing, as most frequent: Green, Orange."


def test_rule_1_is_not_moved_by_rule_19() -> None:
    """Three colours move the limits of rules 12 and 13 only."""
    hand = deck(green=3, orange=2, red=1, specials=14)
    assert by_rule(scored(hand), 19)
    assert worth(hand, "green")[1] == "1"


def test_rule_1_leaves_a_deck_without_colours_alone() -> None:
    """20 cards without a colour have no most frequent colour."""
    assert by_rule(scored(deck(specials=20)), 1) == []


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


# Rules 5 to 10: base values


@pytest.mark.parametrize(
    ("hand", "kind", "value"),
    [
        (deck(red=1), "red", 2),
        (deck(red=4), "red", 8),
        (deck(blue=3), "blue", 3),
        (deck(green=2), "green", 6),
        (deck(orange=2), "orange", 6),
        (deck(yellow=2), "yellow", 0),
        (deck(yellow=2, green=3), "yellow", 6),
        (deck(yellow=2, orange=3), "yellow", 6),
        (deck(yellow=2, green=5, orange=1), "yellow", 8),
        (deck(yellow=2, green=1, orange=5), "yellow", 8),
        (deck(yellow=2, green=3, orange=3), "yellow", 0),
        (deck(pink=2), "pink", 0),
        (deck(pink=2, red=3), "pink", 6),
        (deck(pink=2, red=4), "pink", 0),
        (deck(pink=2, red=5), "pink", 2),
        (deck(pink=2, blue=3), "pink", 6),
        (deck(pink=2, blue=7, red=1), "pink", 4),
        (deck(pink=2, blue=4), "pink", 0),
    ],
)
def test_rules_5_to_10_set_the_worth_of_colours(hand: Hand, kind: str, value: int) -> None:
    """Each colour counts its cards times its base value."""
    assert worth(hand, kind) == (value, None)


@pytest.mark.parametrize("base", [0, 1, 4, 100])
def test_rule_6_takes_the_organiser_s_value(base: int) -> None:
    """Blue is worth what the setting says, and the line says whose value it is."""
    result = scored(deck(blue=3), {"blue_base": base})
    assert worth(deck(blue=3), "blue", {"blue_base": base}) == (3 * base, None)
    assert by_rule(result, None)[0].text == (
        f"Blue: 3 × {base} = {3 * base}. "  # noqa: RUF001 - a multiplication sign on purpose
        f"Base value by rule 6: {base}, set by the organiser."
    )
    assert by_rule(result, 6) == []


def test_rule_6_marks_its_value_without_blue_cards_too() -> None:
    """A deck without blue has a line of no points that marks the value as the organiser's."""
    (line,) = by_rule(scored(deck(red=1), {"blue_base": 5}), 6)
    assert (line.points, line.void) == (0, False)
    assert line.text == "No blue cards. Their base value would be 5, set by the organiser."


@pytest.mark.parametrize(
    ("rule", "kind"), [(5, "red"), (6, "blue"), (7, "green"), (8, "orange"), (9, "yellow"), (10, "pink")]
)
def test_without_its_rule_a_colour_is_worth_nothing(rule: int, kind: str) -> None:
    """A colour whose base rule is inactive counts 0, and its line says why."""
    hand = deck(red=1, blue=3, green=2, orange=1, yellow=1, pink=1)
    active = [number for number in range(1, 24) if number != rule]
    name = EUROCG.kind_of[kind].name
    (line,) = [line for line in by_rule(scored(hand, active=active), None) if line.text.startswith(name)]
    assert (line.points, line.void) == (0, False)
    assert line.text.endswith("No active rule sets their base value, so they count 0.")


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


# Rules 12 and 13: too much of a colour


@pytest.mark.parametrize("kind", ["green", "orange", "yellow", "pink", "red"])
@pytest.mark.parametrize(("count", "zeroed"), [(5, False), (6, False), (7, True), (8, True)])
def test_rule_12_starts_above_6_cards(kind: str, count: int, zeroed: bool) -> None:  # noqa: FBT001 - a column of the table
    """Seven cards of a colour other than blue are worth nothing, six are."""
    result = scored(deck(**{kind: count}))
    assert bool(by_rule(result, 12)) == zeroed
    if kind != "red":
        assert worth(deck(**{kind: count}), kind)[1] == ("12" if zeroed else None)


def test_rule_12_looks_at_each_colour_by_itself() -> None:
    """Two colours above the limit have a line each."""
    lines = by_rule(scored(deck(green=7, pink=8)), 12)
    assert [line.text for line in lines] == [
        "Green: cards 7, limit 6. Worth nothing.",
        "Pink: cards 8, limit 6. Worth nothing.",
    ]


@pytest.mark.parametrize("count", [7, 19])
def test_rule_12_spares_blue(count: int) -> None:
    """Blue may be as many as it likes."""
    assert worth(deck(blue=count), "blue") == (count, None)


@pytest.mark.parametrize(("red", "voided_by"), [(3, None), (4, None), (5, "13"), (6, "13"), (7, "12")])
def test_rule_13_starts_above_4_red(red: int, voided_by: str | None) -> None:
    """Five red cards are worth nothing; from seven on rule 12 says so too, and is named first."""
    assert worth(deck(red=red), "red") == (2 * red, voided_by)


def test_all_rules_that_zeroed_a_colour_are_named() -> None:
    """Rules 1, 12 and 13 at once: the first voids the line, the sentence names all three."""
    (line,) = by_rule(scored(deck(red=20)), None)
    assert (line.void, line.voided_by) == (True, "1")
    assert line.text.endswith("Worth nothing by rule 1, rule 12, rule 13.")


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


# Rules 19 and 20: thresholds


@pytest.mark.parametrize(
    ("colours", "acts"), [({"red": 1, "blue": 1}, False), ({"red": 1, "blue": 1, "pink": 1}, True)]
)
def test_rule_19_wants_exactly_three_colours(colours: dict[str, int], acts: bool) -> None:  # noqa: FBT001 - a column
    """Two colours or four do not raise the limits, three do."""
    assert bool(by_rule(scored(deck(**colours)), 19)) == acts
    assert by_rule(scored(deck(red=1, blue=1, pink=1, green=1)), 19) == []


@pytest.mark.parametrize(
    ("hand", "acts"),
    [
        (deck(), False),
        (deck(rules=[1]), False),
        (deck(red=1), True),
        (deck(red=2, blue=2), True),
        (deck(red=2, blue=1), True),
        (deck(red=1, blue=2), False),
        (deck(blue=2), False),
    ],
)
def test_rule_20_wants_red_among_the_most(hand: Hand, acts: bool) -> None:  # noqa: FBT001 - a column of the table
    """Red handed in, and no colour with more cards than red; equal counts will do."""
    assert bool(by_rule(scored(hand), 20)) == acts
