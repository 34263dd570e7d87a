"""EuroCG's rules on what cards are worth, below, at and above each number, with their sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.editions.eurocg_support import text, worth
from tests.scoring.support import EUROCG, by_rule, deck, scored

if TYPE_CHECKING:
    from server.scoring import Hand


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
