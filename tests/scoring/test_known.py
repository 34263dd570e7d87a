"""What somebody knows who holds some rule cards: the other rules are not there at all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from server.editions import load_edition
from server.scoring import Hand, score
from server.scoring.known import known_part

if TYPE_CHECKING:
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


def test_a_held_rule_keeps_its_setting() -> None:
    """The value that belongs to a held rule is known to its holder."""
    assert [setting.name for setting in known_part(EUROCG, {"rule-6"}).settings] == ["blue_base"]
    assert [line.points for line in counted("eurocg", 6, blue=3).lines] == [3]


def test_a_worth_that_no_held_rule_sets_is_unknown_and_not_zero() -> None:
    """The line says so, and the worths that are known count."""
    result = counted("eurocg", 5, red=3, green=2)
    assert unknown(result) == ["green"]
    assert result.score == 6
    assert [line.text for line in result.lines if line.unknown] == [
        "Green: 2. These rules do not tell their base value."
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
