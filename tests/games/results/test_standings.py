"""Standings in the reader's language, without hidden names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from server.db.models import Game, ResultVersion
from server.games.context import AppContext
from server.games.lifecycle.repository import load_game
from server.games.results import standings
from server.games.results.standings import RankedHand, rules_of, standings_for
from server.games.results.versions import load_version
from tests.played_game import EDITIONS, counted_game, recorded_result

CHANGED = pytest.mark.parametrize("changed", [False, True], ids=["the edition as it was", "the edition has changed"])


def _counted(context: AppContext, edition: str = "eurocg-2026", **draft: Any) -> tuple[Game, ResultVersion]:  # noqa: ANN401 - any field
    game = counted_game(context, edition, **draft)
    with context.database.reading() as session:
        return load_game(session, game), load_version(session, game, 1)


def _without_kinds(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return lines as a version stores them; the kind of a line is added when it is shown."""
    return [{name: value for name, value in line.items() if name != "kind"} for line in lines]


def _texts(shown: Iterable[RankedHand]) -> list[str]:
    return [line["text"] for standing in shown for line in standing.lines]


def _forget(monkeypatch: pytest.MonkeyPatch, *, changed: bool = False) -> None:
    monkeypatch.setattr(standings, "_cache", type(standings._cache)())
    if changed:
        monkeypatch.setattr(standings, "_count", lambda *_: None)


@pytest.mark.parametrize("edition", EDITIONS)
def test_points_are_the_same_in_every_language(edition: str, context: AppContext) -> None:
    row, version = _counted(context, edition)
    document = recorded_result(edition)
    for language in ("en", "de", "fr"):
        result = standings_for(row, version, language)
        assert result.language == language
        for hand, standing in zip(document["hands"], result.standings, strict=True):
            assert (standing.player, standing.score, standing.rank) == (hand["player"], hand["score"], hand["rank"])
            assert [line["points"] for line in standing.lines] == [line["points"] for line in hand["lines"]]
            if language == row.language:
                assert _without_kinds(standing.lines) == hand["lines"]
    assert standings_for(row, version, "xx").language == row.language


@CHANGED
def test_a_hidden_name_is_not_shown(context: AppContext, monkeypatch: pytest.MonkeyPatch, *, changed: bool) -> None:
    _forget(monkeypatch, changed=changed)
    row, version = _counted(context, "sackson-1969")
    number = next(s.envelope for s in standings_for(row, version).standings if s.player == "Second blue")
    result = standings_for(row, version, hidden={number})
    assert [s.envelope for s in result.standings if s.player is None] == [number]
    assert not any("Second blue" in text for text in _texts(result.standings))
    assert any("a player (5)" in text for text in _texts(result.standings))


@CHANGED
def test_default_names_are_in_the_readers_language(
    context: AppContext, monkeypatch: pytest.MonkeyPatch, *, changed: bool
) -> None:
    row, version = _counted(context, "sackson-1969", language="de")
    number = next(s.envelope for s in standings_for(row, version).standings if s.player == "Second blue")
    whole = json.dumps([version.inputs, version.document]).replace("Second blue", f"Umschlag {number}")
    version.inputs, version.document = json.loads(whole)
    _forget(monkeypatch, changed=changed)
    for language, called in (("fr", "Enveloppe"), ("en", "Envelope"), ("de", "Umschlag")):
        result = standings_for(row, version, language)
        spoken = "Umschlag" if changed else called
        assert [s.player for s in result.standings if s.envelope == number] == [f"{spoken} {number}"]
        assert any(f"{spoken} {number}" in text for text in _texts(result.standings))
        assert called == "Umschlag" or changed or not any("Umschlag" in text for text in _texts(result.standings))
        hidden = standings_for(row, version, language, hidden={number})
        assert not any(f"{spoken} {number}" in str(standing) for standing in hidden.standings)


def test_results_do_not_change_with_the_edition(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    row, version = _counted(context)
    hands = [{**hand, "score": "1000"} for hand in version.document["hands"]]
    version.document = {**version.document, "hands": hands}
    _forget(monkeypatch)
    result = standings_for(row, version, "fr")
    assert result.language == "en"
    assert {standing.score for standing in result.standings} == {"1000"}
    assert _without_kinds(result.standings[0].lines) == version.document["hands"][0]["lines"]


def test_rules_without_effect_are_included(context: AppContext) -> None:
    row, version = _counted(context, active_rules=["1", "5", "6"])
    rules = rules_of(standings_for(row, version, "de").edition, version.inputs["game"])
    assert len(rules) == 23
    assert [rule["key"] for rule in rules if rule["active"]] == ["1", "5", "6"]
    assert all(rule["text"] and rule["name"] for rule in rules)
