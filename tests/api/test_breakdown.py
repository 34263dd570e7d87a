"""The score of a deck as the page gets it: kinds of lines, elimination, and which wording the reader may see."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from server.api.breakdown import deck_result
from server.editions import load_edition

if TYPE_CHECKING:
    from server.api.models import DeckResultModel
    from server.api.service import Service


def result_of(
    edition: str, cards: dict[str, int], may_see: set[str] | None = None, language: str = "en"
) -> DeckResultModel:
    """Return the result of a deck in a game of an edition."""
    here = SimpleNamespace(edition=load_edition(edition, language), game=SimpleNamespace(settings={}))
    return deck_result(cast("Service", here), cards, may_see)


@pytest.mark.parametrize("edition", ["eurocg-2026", "sackson-1969", "tarot-fr"])
def test_lines_of_plain_worth_name_the_kinds_of_the_deck(edition: str) -> None:
    """One line for each kind with a worth of its own, in the edition's order, each with the points of that kind."""
    valued = [kind.slug for kind in load_edition(edition).kinds if kind.category in load_edition(edition).valued]
    deck = dict.fromkeys(reversed(valued[:5]), 1) | {"rule-4": 1}
    lines = [line for line in result_of(edition, deck).lines if line.rule is None]
    assert [line.kind for line in lines] == valued[:5]
    assert all(line.kind is None for line in result_of(edition, deck).lines if line.rule is not None)


@pytest.mark.parametrize(
    ("language", "word"), [("en", "Eliminated: "), ("de", "Ausgeschieden: "), ("fr", "Main éliminée\u00a0: ")]
)
def test_an_eliminated_deck_has_a_verdict_and_no_score(language: str, word: str) -> None:
    """Seven cards of a colour: no 0, but null and a sentence; six have a score and no verdict."""
    out = result_of("sackson-1969", {"red": 7}, language=language)
    assert (out.score, out.eliminated, [line.rule for line in out.lines]) == (None, True, ["9"])
    assert out.verdict
    assert out.verdict.startswith(word)
    within = result_of("sackson-1969", {"red": 6}, language=language)
    assert (within.score, within.eliminated, within.verdict) == ("36", False, None)


DECK = {"coeur-1": 1, "token-red": 1, "rule-8": 1, "rule-85": 1}


def test_in_practice_the_reader_sees_every_rule_that_a_line_names() -> None:
    """Also general rules that others may still bring into play."""
    result = result_of("tarot-fr", DECK)
    named = {line.rule for line in result.lines} | {line.worth_rule for line in result.lines}
    assert set(result.rules) == named - {None}
    assert "2" in result.rules


def test_wording_reaches_only_who_may_see_it() -> None:
    """Of the rules named by lines those in the given set, a rule that only sets a worth included; no other."""
    result = result_of("tarot-fr", DECK, {"8", "85", "31"})
    assert set(result.rules) == {"8", "85"}
    assert result_of("tarot-fr", DECK, set()).rules == {}
    texts = {rule.text for rule in load_edition("tarot-fr", "en").rules} - {rule.text for rule in result.rules.values()}
    assert not any(text in result.model_dump_json() for text in texts)
