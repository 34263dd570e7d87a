"""EuroCG 2026: worked decks, sentences, effects of rules on each other, and its cards."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from typing import Any

import pytest

from server.editions.registry import folder_of
from server.scoring import Hand
from tests.scoring.support import EUROCG, by_rule, deck, scored

ALL = [int(rule.key) for rule in EUROCG.rules]
SEVEN_RULES = " ".join(f"rule-{number} 1" for number in range(4, 11))


def counts(text: str) -> dict[str, int]:
    """Return the numbers of a text such as "red 4 blue 1"."""
    words = text.split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


# Deck, score, points of the cards by kind, points by rule, and what was void: kinds or rules, by which rule.
DECKS = [
    ("", 0, "", "", ""),
    ("special-1 4", 0, "", "", ""),
    ("rule-23 1", 7, "", "2 2 17 5", ""),
    ("red 4 blue 1 rule-7 1", 42, "red 8 blue 1", "2 3 11 11 16 6 17 5 22 8", ""),
    (
        "red 4 blue 2 green 3 orange 1 yellow 5 pink 1 rule-1 1 rule-2 1 rule-3 1 rule-4 1 special-1 1",
        *(53, "red 8 blue 2 green 9 orange 3 pink 2", "4 4 17 5 18 12 22 8", "yellow 1"),
    ),
    (
        "red 5 green 7 blue 2 rule-2 1 rule-11 1 rule-23 1 special-1 1",
        56,
        "red 10 green 21 blue 2",
        "3 3 11 11 16 9",
        "",
    ),
    (f"red 3 blue 3 pink 2 special-1 2 {SEVEN_RULES}", 28, "red 6 blue 3 pink 0", "3 6 21 13", ""),
    (f"red 2 blue 3 pink 2 special-1 2 {SEVEN_RULES}", 14, "red 4 blue 3 pink 2", "17 5", "3 14"),
    ("blue 17 special-1 3", 16, "", "11 11 16 5", "blue 1"),
    ("green 6 orange 6 yellow 6 rule-1 2", 2, "", "4 2", "green 1 orange 1 yellow 1"),
    (
        "orange 7 green 6 blue 4 rule-3 1 rule-20 1 special-1 1",
        52,
        "green 18 blue 4",
        "4 2 11 11 16 9 22 8",
        "orange 1",
    ),
    # Two colours that tie for most lose their worth by rule 1, a third keeps it; the first of several rules is named.
    ("green 3 orange 3 red 2 special-1 12", 4, "red 4", "", "green 1 orange 1"),
    ("red 7", 18, "", "16 5 21 13", "red 12"),
]


@pytest.mark.parametrize(("deck", "score", "cards", "rules", "voids"), DECKS)
def test_a_worked_deck_has_its_score_and_lines(deck: str, score: int, cards: str, rules: str, voids: str) -> None:
    """As computed by hand, line by line; no other line has points."""
    result = scored(Hand("Ada", counts(deck)))
    assert result.score == score
    assert {x.kind: x.points for x in result.lines if x.kind and not x.void} == counts(cards)
    assert {x.rule: x.points for x in result.lines if x.rule and x.points and not x.void} == counts(rules)
    assert {x.kind or x.rule: int(x.voided_by or 0) for x in result.lines if x.void} == counts(voids)


@pytest.mark.parametrize(
    ("rule", "hand", "texts"),
    [
        (
            1,
            deck(green=3, orange=3, specials=14),
            ["Cards handed in: 20, limit: 19. Worth nothing, as most frequent: Green, Orange."],
        ),
        (2, deck(red=4, rules=[7]), ["The only rule card is number 7: 7 mod 4 = 3."]),
        (3, deck(rules=[2, 11, 23]), ["Rule cards: 3, an odd number. Largest 23, smallest 2: (23 − 2) mod 9 = 3."]),  # noqa: RUF001 - a minus sign
        (11, deck(blue=1, red=2), ["Every other colour of the deck has more cards than blue (1)."]),
        (11, deck(blue=2, red=2), ["No colour of the deck has fewer cards than blue (2), but another has as few."]),
        (11, deck(blue=2), ["Blue is the only colour handed in."]),
        (
            12,
            deck(green=7, pink=8),
            ["Green: cards 7, limit 6. Worth nothing.", "Pink: cards 8, limit 6. Worth nothing."],
        ),
        (14, deck(rules=[1, 5, 5, 5, 5, 5]), ["Rule cards: 6, limit 5. Rule cards bring no points."]),
    ],
)
def test_lines_of_rules_explain_their_points(rule: int, hand: Hand, texts: list[str]) -> None:
    assert [line.text for line in by_rule(scored(hand), rule)] == texts


def test_all_rules_that_zeroed_a_colour_are_named() -> None:
    (line,) = by_rule(scored(deck(red=20)), None)
    assert (line.void, line.voided_by) == (True, "1")
    assert line.text.endswith("Worth nothing by rule 1, rule 12, rule 13.")


@pytest.mark.parametrize("base", [0, 1, 4, 100])
def test_rule_6_uses_the_organisers_value(base: int) -> None:
    """Also in a deck without blue."""
    (line,) = by_rule(scored(deck(blue=3), {"blue_base": base}), None)
    assert line.points == 3 * base
    assert line.text == f"Blue: 3 × {base} = {3 * base}. Base value by rule 6: {base}, set by the organiser."  # noqa: RUF001 - a multiplication sign
    (line,) = by_rule(scored(deck(red=1), {"blue_base": base}), 6)
    assert (line.points, line.void) == (0, False)
    assert line.text == f"No blue cards. Their base value would be {base}, set by the organiser."
    (setting,) = EUROCG.settings
    assert (setting.name, setting.minimum, setting.maximum, setting.default) == ("blue_base", 0, None, 1)
    assert setting.confirm


@pytest.mark.parametrize(
    ("rule", "kind"), [(5, "red"), (6, "blue"), (7, "green"), (8, "orange"), (9, "yellow"), (10, "pink")]
)
def test_a_colour_without_its_rule_is_worthless(rule: int, kind: str) -> None:
    result = scored(deck(red=1, blue=3, green=2, orange=1, yellow=1, pink=1), active=[n for n in ALL if n != rule])
    (line,) = [line for line in result.lines if line.kind == kind]
    assert (line.points, line.void) == (0, False)
    assert line.text.endswith("No active rule sets their base value, so they count 0.")


@pytest.mark.parametrize(
    ("rule", "hand", "points", "void"),
    [
        (2, deck(red=3, rules=[8]), 2, None),
        (3, deck(rules=[1, 2, 3, 4, 5]), 4, None),
        (3, deck(rules=[1, 2, 3, 4, 5, 6, 7]), 6, "14"),
        (4, deck(rules=[1, 2, 3, 4]), 4, None),
        (4, deck(rules=[1, 2, 3, 4, 5, 6]), 6, "14"),
    ],
)
def test_rule_14_voids_points_of_rule_cards(rule: int, hand: Hand, points: int, void: str | None) -> None:
    (line,) = by_rule(scored(hand), rule)
    assert (line.points, line.voided_by) == (points, void)
    assert line.text.endswith("Void by rule 14.") == (void is not None)


def test_rules_touch_those_that_they_declare() -> None:
    """The cases show rules 12, 13 and 14 at the limits that 19 and 20 leave them, the test above what 14 voids."""
    declared = {(rule.key, touched) for rule in EUROCG.rules for touched in rule.touches}
    assert declared == {("19", "12"), ("19", "13"), ("20", "14"), ("14", "2"), ("14", "3"), ("14", "4")}


@pytest.mark.parametrize(
    ("inactive", "red", "four"), [(None, False, False), (19, True, False), (20, False, True), (14, False, False)]
)
def test_an_inactive_rule_touches_nothing(inactive: int | None, red: bool, four: bool) -> None:  # noqa: FBT001 - columns
    hand = deck(red=5, green=1, blue=1, rules=[1, 2, 3, 4, 5, 7])
    result = scored(hand, active=[n for n in ALL if n != inactive])
    assert not [line for line in result.lines if line.rule == str(inactive)]
    assert (by_rule(result, None)[0].void, by_rule(result, 4)[0].void) == (red, four)


# Cards


def test_kinds_are_in_the_order_of_the_printed_codes() -> None:
    """The order gives the numbers in the codes and never changes; rule cards bear their numbers, others none."""
    expected: list[tuple[str, int | None]] = [
        (kind, None) for kind in ("red", "blue", "green", "orange", "yellow", "pink")
    ]
    expected += [(f"rule-{number}", number) for number in range(1, 24)]
    expected += [(f"special-{number}", None) for number in range(1, 25)]
    assert [(kind.slug, kind.number) for kind in EUROCG.kinds] == expected


def test_each_player_starts_with_13_cards() -> None:
    """Ten colour cards, two different rules, one extra special."""
    dealt = [(deal.category, deal.each, deal.different) for deal in EUROCG.deal]
    assert dealt == [("colour", 10, False), ("rule", 2, True), ("special", 1, False)]
    assert (EUROCG.players_min, EUROCG.players_max) == (23, 138)


# Rules may name other rules by number; all other numbers come from the rule's table.
REFERENCE = re.compile(r"\brules? \d+((, \d+)* and \d+)?")
NUMBER_WORDS = {"three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "nineteen"}


def test_texts_use_numbers_and_rules_of_the_table() -> None:
    file = tomllib.loads((folder_of("eurocg-2026") / "edition.toml").read_text(encoding="utf-8"))
    for rule in file["rules"]:
        wording = REFERENCE.sub("", rule["text"]["en"])
        assert not set(re.findall(r"[a-z]+|\d", wording.lower())) & (NUMBER_WORDS | set("0123456789")), rule["key"]
    for rule in EUROCG.rules:
        named = {number for match in REFERENCE.finditer(rule.text) for number in re.findall(r"\d+", match[0])}
        assert named == rule.touches, rule.key


def test_texts_fit_their_cards() -> None:
    """Titles of at most five words, no two alike; facts of at most 220 characters; colours have no text."""
    for kind in EUROCG.kinds:
        shortest, longest = {"colour": (0, 0), "rule": (1, 330), "special": (1, 220)}[kind.category]
        assert shortest <= len(kind.text) <= longest, kind.slug
        assert 0 < len(kind.name.split()) <= 5, kind.slug
    assert len({kind.name for kind in EUROCG.kinds}) == len(EUROCG.kinds)


def lightness(ink: str) -> float:
    """Return the CIE lightness of "#RRGGBB", 0 (black) to 100 (white)."""
    values = [int(ink[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return 116 * (0.2126 * red + 0.7152 * green + 0.0722 * blue) ** (1 / 3) - 16


def test_colours_differ_in_grey_and_by_symbol() -> None:
    """Any two inks are at least 8 steps of lightness apart, and all are darker than paper."""
    colours = [kind for kind in EUROCG.kinds if kind.category == "colour"]
    steps = sorted(lightness(kind.ink) for kind in colours)
    assert all(high - low >= 8 for low, high in pairwise(steps))
    assert steps[-1] < 90
    assert [kind.symbol for kind in colours] == ["heart", "drop", "clover", "sun", "star", "flower"]


def test_facts_are_correct_and_reveal_no_solutions() -> None:
    """No extra special gives away the number of this workshop, or that Hagen was host in 1993."""
    for kind in EUROCG.kinds:
        if kind.category == "special":
            assert not re.search(r"\b(9th|42nd|42(?!%))\b", kind.text), kind.slug
            assert not ("1993" in kind.text and "Hagen" in kind.text), kind.slug
    born, years = re.search(r"March (\d{4}), (\d+) years", EUROCG.kind_of["special-11"].text).groups()
    assert int(born) + int(years) == 2026
    numbers: dict[str, Any] = {key: EUROCG.rule_of[key].numbers for key in ("5", "7", "8")}
    assert numbers["5"]["workshop"] - numbers["5"]["minus"] == 2
    assert numbers["7"]["vertices"] == 3
    assert numbers["8"]["year"] % numbers["8"]["modulus"] == 3
