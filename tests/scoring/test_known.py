"""Editions reduced to the rule cards that a player has, without information about other rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from server.editions import load_edition
from server.editions.loader import read_edition
from server.scoring import Hand, score
from server.scoring.edition import known_edition
from tests.editions.harbour import written

if TYPE_CHECKING:
    from pathlib import Path

    from server.scoring import Edition, HandResult

EUROCG, SACKSON, TAROT = (load_edition(slug, "en") for slug in ("eurocg-2026", "sackson-1969", "tarot-fr"))
COLOURS = ["yellow", "blue", "red", "orange", "white"]
PYRAMID = {"yellow": 4, "white": 3, "red": 2, "blue": 1}


def counted(edition: Edition, *rules: int, **cards: int) -> HandResult:
    """Score a hand by its own rule cards."""
    held = {kind.replace("_", "-"): number for kind, number in cards.items()} | {f"rule-{n}": 1 for n in rules}
    return score(known_edition(edition, held), [Hand("deck", held)], provisional=True).hands[0]


def unknown(result: HandResult) -> list[str | None]:
    """Return the kinds and rules whose lines are unknown."""
    return [line.kind or line.rule for line in result.lines if line.unknown]


@pytest.mark.parametrize("edition", [EUROCG, SACKSON, TAROT], ids=lambda edition: edition.slug)
def test_other_rules_are_removed(edition: Edition) -> None:
    part = known_edition(edition, {"rule-4", "red"})
    assert [rule.key for rule in part.rules] == ["4"]
    assert (part.rulings, part.ties, part.settings) == ((), (), ())
    left = repr(replace(part, rules=(), deal=(), groups=(), phrases={}))
    for rule in edition.rules:
        assert rule.key == "4" or not (rule.text in left or f"'{rule.card}'" in left), rule.key


@pytest.mark.parametrize(("rule", "colour"), [(5, "red"), (6, "blue"), (7, "green"), (8, "orange")])
def test_solutions_of_puzzles_and_settings_are_not_used(rule: int, colour: str) -> None:
    result = counted(EUROCG, rule, **{colour: 3})
    assert (unknown(result), result.score) == ([colour, str(rule)], 0)
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
def test_puzzles_of_custom_editions_are_unknown(tmp_path: Path, change: tuple[str, str], expected: list[str]) -> None:
    edition = read_edition(written(tmp_path, change), "en")
    held = {kind: 1 for kind in ("fish", "salt", "rule-1", "rule-6") if kind in edition.kind_of}
    assert unknown(score(known_edition(edition, held), [Hand("deck", held)]).hands[0]) == expected


PUZZLE_10 = replace(SACKSON, rules=tuple(replace(rule, puzzle=rule.key == "10") for rule in SACKSON.rules))


@pytest.mark.parametrize(
    ("edition", "rules", "cards", "missing", "points"),
    [
        pytest.param(EUROCG, (9,), {"yellow": 3, "green": 2}, ["green"], 6, id="no held rule tells a worth"),
        pytest.param(EUROCG, (13,), {"red": 5}, [], 0, id="what is worthless is known whatever its worth"),
        pytest.param(SACKSON, (13,), {"yellow": 2, "white": 1}, ["yellow", "white", "13"], 0, id="a multiple"),
        pytest.param(SACKSON, (11,), PYRAMID, ["yellow", "blue", "red", "white", "11"], 0, id="a doubling"),
        pytest.param(SACKSON, (1, 2, 3, 11, 13), PYRAMID, [], 74, id="all worths known"),
        pytest.param(PUZZLE_10, (1, 2, 3, 10, 11), PYRAMID, ["10", "11"], 54, id="a doubling of a puzzle"),
        pytest.param(TAROT, (4,), {"coeur_4": 2, "token_red": 3}, [], 15, id="a worth that all know"),
    ],
)
def test_worths_that_other_rules_reveal_are_unknown_and_not_zero(
    edition: Edition, rules: tuple[int, ...], cards: dict[str, int], missing: list[str], points: int
) -> None:
    result = counted(edition, *rules, **cards)
    assert (unknown(result), result.score) == (missing, points)


@pytest.mark.parametrize(
    ("rules", "known"),
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
def test_the_sheets_of_sackson_reveal_worths_together(rules: tuple[int, ...], known: str) -> None:
    result = counted(SACKSON, *rules, **dict.fromkeys(COLOURS, 1))
    assert [kind for kind in COLOURS if kind not in unknown(result)] == known.split()
