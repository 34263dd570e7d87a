"""The cards of EuroCG 2026: kinds, wording, inks."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import server.editions
from tests.scoring.support import EUROCG

if TYPE_CHECKING:
    from server.scoring.edition import Kind, Rule

FILE = tomllib.loads(
    (Path(server.editions.__file__).parent / "eurocg_2026" / "edition.toml").read_text(encoding="utf-8")
)
RULE_TEXTS = {rule["key"]: rule["text"] | {"name": rule["name"]["en"]} for rule in FILE["rules"]}
# Rules may name other rules by number; all other numbers come from the rule's table.
REFERENCE = re.compile(r"\brules? \d+((, \d+)* and \d+)?")
NUMBER_WORDS = {"three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "nineteen"}


def test_kinds_stand_in_the_order_of_the_printed_codes() -> None:
    """Six colours, 23 rules, 24 extra specials: the order gives the numbers in the codes and never changes."""
    expected = ["red", "blue", "green", "orange", "yellow", "pink"]
    expected += [f"rule-{number}" for number in range(1, 24)]
    expected += [f"special-{number}" for number in range(1, 25)]
    assert [kind.slug for kind in EUROCG.kinds] == expected


def test_rule_cards_bear_their_numbers() -> None:
    """The number of `rule-7` is 7; other cards have none."""
    assert all(kind.number == int(kind.slug[5:]) for kind in EUROCG.kinds if kind.category == "rule")
    assert all(kind.number is None for kind in EUROCG.kinds if kind.category != "rule")


def test_each_player_starts_with_13_cards() -> None:
    """Ten colour cards, two different rules, one extra special."""
    assert [(deal.category, deal.each, deal.different) for deal in EUROCG.deal] == [
        ("colour", 10, False),
        ("rule", 2, True),
        ("special", 1, False),
    ]
    assert (EUROCG.players_min, EUROCG.players_max) == (23, 138)


@pytest.mark.parametrize("rule", EUROCG.rules, ids=lambda rule: rule.key)
def test_wording_takes_its_numbers_from_the_table(rule: Rule) -> None:
    """No digit and no number word stands in a rule's wording, except numbers of rules."""
    wording = REFERENCE.sub("", RULE_TEXTS[rule.key]["en"])
    assert not re.search(r"\d", wording)
    assert not set(re.findall(r"[a-z]+", wording.lower())) & NUMBER_WORDS


@pytest.mark.parametrize("rule", EUROCG.rules, ids=lambda rule: rule.key)
def test_wording_that_names_rules_names_those_that_it_touches(rule: Rule) -> None:
    """A rule that touches others says which, and names no others."""
    named = {number for match in REFERENCE.finditer(rule.text) for number in re.findall(r"\d+", match[0])}
    assert named == rule.touches


@pytest.mark.parametrize("kind", EUROCG.kinds, ids=lambda kind: kind.slug)
def test_texts_fit_their_cards(kind: Kind) -> None:
    """Rules take at most 330 characters and facts 220; colours have no text."""
    shortest, longest = {"colour": (0, 0), "rule": (1, 330), "special": (1, 220)}[kind.category]
    assert shortest <= len(kind.text) <= longest


def lightness(ink: str) -> float:
    """Return the CIE lightness of "#RRGGBB", 0 (black) to 100 (white)."""
    values = [int(ink[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return 116 * (0.2126 * red + 0.7152 * green + 0.0722 * blue) ** (1 / 3) - 16


def test_inks_differ_in_grey() -> None:
    """Any two inks are at least 8 steps of lightness apart, and all are darker than paper."""
    steps = sorted(lightness(kind.ink) for kind in EUROCG.kinds if kind.category == "colour")
    assert all(high - low >= 8 for low, high in pairwise(steps))
    assert steps[-1] < 90


def test_each_colour_has_a_symbol_of_its_own() -> None:
    """The colours are told apart by six drawings too."""
    symbols = [kind.symbol for kind in EUROCG.kinds if kind.category == "colour"]
    assert symbols == ["heart", "drop", "clover", "sun", "star", "flower"]


def test_titles_are_short_and_differ() -> None:
    """Every rule and every extra special has a title of at most five words, no two alike."""
    titles = [kind.name for kind in EUROCG.kinds]
    assert len(set(titles)) == len(titles)
    assert all(0 < len(title.split()) <= 5 for title in titles)


def test_facts_leave_out_what_the_puzzles_ask() -> None:
    """No extra special gives away the number of this workshop, or that Hagen was host in 1993."""
    facts = [kind.text for kind in EUROCG.kinds if kind.category == "special"]
    assert not [fact for fact in facts if re.search(r"\b(9th|42nd|42(?!%))\b", fact)]
    assert not [fact for fact in facts if "1993" in fact and "Hagen" in fact]


def test_nena_s_birthday_is_counted_right() -> None:
    """The years on the card lead from her birth to the workshop of 2026."""
    text = EUROCG.kind_of["special-11"].text
    born, years = re.search(r"March (\d{4}), (\d+) years", text).groups()
    assert int(born) + int(years) == 2026


def test_the_worths_of_the_puzzles() -> None:
    """Rules 5, 7 and 8 give 2, 3 and 3."""
    numbers = {key: EUROCG.rule_of[key].numbers for key in ("5", "7", "8")}
    assert numbers["5"]["workshop"] - numbers["5"]["minus"] == 2
    assert numbers["7"]["vertices"] == 3
    assert numbers["8"]["year"] % numbers["8"]["modulus"] == 3


def test_blue_base_is_the_organiser_s_to_confirm() -> None:
    """A whole number from 0, default 1, to be confirmed before results are published."""
    (setting,) = EUROCG.settings
    assert (setting.name, setting.minimum, setting.maximum, setting.default) == ("blue_base", 0, None, 1)
    assert setting.confirm
