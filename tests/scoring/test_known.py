"""What somebody knows who holds some rule cards: the other rules are not there at all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from server.editions import load_edition
from server.editions.loader import read_edition
from server.scoring import Hand, score
from server.scoring.known import known_part
from tests.editions.harbour import written

if TYPE_CHECKING:
    from pathlib import Path

    from server.scoring import HandResult

EUROCG, SACKSON, TAROT = (load_edition(slug, "en") for slug in ("eurocg-2026", "sackson-1969", "tarot-fr"))


def counted(slug: str, *rules: int, **cards: int) -> HandResult:
    """Score a hand by what its own rule cards tell."""
    held = {kind.replace("_", "-"): number for kind, number in cards.items()} | {f"rule-{n}": 1 for n in rules}
    edition = {"eurocg": EUROCG, "sackson": SACKSON, "tarot": TAROT}[slug]
    return score(known_part(edition, held), [Hand("deck", held)], provisional=True).hands[0]


def unknown(result: HandResult) -> list[str | None]:
    """Return the kinds and rules whose lines are unknown."""
    return [line.kind or line.rule for line in result.lines if line.unknown]


@pytest.mark.parametrize("slug", ["eurocg-2026", "sackson-1969", "tarot-fr"])
def test_nothing_of_another_rule_is_left(slug: str) -> None:
    """A part of an edition has the wording, settings and tie-breaks of the held rules alone."""
    edition = load_edition(slug)
    part = known_part(edition, {"rule-4", "red"})
    assert [rule.key for rule in part.rules] == ["4"]
    assert not part.rulings
    assert not part.ties
    assert not part.settings
    gone = [rule for rule in edition.rules if rule.key != "4"]
    left = repr(replace(part, rules=(), deal=(), groups=(), phrases={}))
    assert not [rule.key for rule in gone if rule.text in left or f"'{rule.card}'" in left]


@pytest.mark.parametrize(("rule", "colour"), [(5, "red"), (6, "blue"), (7, "green"), (8, "orange")])
def test_what_a_card_does_not_state_is_unknown(rule: int, colour: str) -> None:
    """Neither the answer of a puzzle nor the organiser's value counts, and the rule's own line says so."""
    result = counted("eurocg", rule, **{colour: 3})
    assert unknown(result) == [colour, str(rule)]
    assert result.score == 0
    assert [line.text for line in result.lines] == [
        f"{colour.capitalize()}: 3. These rule cards do not state their base value.",
        "Not counted here: the card does not say all that is needed for it.",
    ]


_INFORMING = """\
[[rules]]
key = "6"
informs = true
puzzle = true
name = { en = "Fish", de = "Fisch" }
text = { en = "What a fish is worth: ask a cat.", de = "Was ein Fisch wert ist: Frag eine Katze." }

[[ties]]"""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("numbers = { points = 3 }", "numbers = { points = 3 }\npuzzle = true"), ["1"]),
        (("bringt {points} Punkte", "bringt mehr"), ["1"]),
        (("[[ties]]", _INFORMING), ["fish", "salt", "6"]),
    ],
    ids=["marked", "a number left out in one language", "informing"],
)
def test_a_puzzle_of_ones_own_is_unknown(tmp_path: Path, change: tuple[str, str], expected: list[str]) -> None:
    """A rule is one where its author says so, and where some language's wording leaves out a number of it."""
    edition = read_edition(written(tmp_path, change), "en")
    held = {kind: 1 for kind in ("fish", "salt", "rule-1", "rule-6") if kind in edition.kind_of}
    assert unknown(score(known_part(edition, held), [Hand("deck", held)]).hands[0]) == expected


def test_doubling_what_is_partly_unknown_is_unknown() -> None:
    """A pyramid doubles all that came before, also what a puzzle would bring."""
    rules = tuple(replace(rule, puzzle=rule.key == "10") for rule in SACKSON.rules)
    held = {
        "rule-1": 1,
        "rule-2": 1,
        "rule-3": 1,
        "rule-10": 1,
        "rule-11": 1,
        "yellow": 4,
        "white": 3,
        "red": 2,
        "blue": 1,
    }
    result = score(known_part(replace(SACKSON, rules=rules), held), [Hand("deck", held)], provisional=True).hands[0]
    assert unknown(result) == ["10", "11"]


def test_a_worth_that_no_held_rule_sets_is_unknown_and_not_zero() -> None:
    """The line says so, and the worths that are known count."""
    result = counted("eurocg", 9, yellow=3, green=2)
    assert unknown(result) == ["green"]
    assert result.score == 6
    assert [line.text for line in result.lines if line.unknown] == [
        "Green: 2. These rule cards do not state their base value."
    ]


def test_cards_without_worth_are_worth_nothing_for_sure() -> None:
    """A held rule that zeroes a colour settles what it brings, whatever its base value is."""
    result = counted("eurocg", 13, red=5)
    assert not unknown(result)
    assert [(line.void, line.voided_by) for line in result.lines if line.kind == "red"] == [(True, "13")]


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ((), ""),
        ((1,), "orange"),
        ((2,), ""),
        ((3,), ""),
        ((1, 2), "orange"),
        ((1, 3), "yellow blue red orange"),
        ((1, 2, 3), "yellow blue red orange white"),
    ],
)
def test_the_sheets_of_sackson_tell_worths_together(rules: tuple[int, ...], told: str) -> None:
    """A colour's worth is known to whoever holds all sheets that it follows from."""
    colours = ["yellow", "blue", "red", "orange", "white"]
    result = counted("sackson", *rules, **dict.fromkeys(colours, 1))
    assert [kind for kind in colours if kind not in unknown(result)] == told.split()


def test_what_multiplies_an_unknown_worth_is_unknown_too() -> None:
    """Rule 13 doubles white cards, and rule 11 the hand: with unknown worths neither can be told in points."""
    assert unknown(counted("sackson", 13, yellow=2, white=1)) == ["yellow", "white", "13"]
    assert unknown(counted("sackson", 11, yellow=4, white=3, red=2, blue=1))[-1] == "11"
    assert unknown(counted("sackson", 1, 2, 3, 11, 13, yellow=4, white=3, red=2, blue=1)) == []


def test_cards_that_all_know_the_worth_of_keep_it() -> None:
    """The plain worth of tarot cards stands on no rule card, so nobody needs one for it."""
    result = counted("tarot", 4, coeur_4=2, token_red=3)
    assert not unknown(result)
    assert [line.points for line in result.lines if line.kind] == [2, 3]
