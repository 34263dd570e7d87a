"""What readers see of a count: their language, and only the names that they may know."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from server.play import standings
from server.play.house import game_row
from server.play.standings import rules_of, tell
from server.play.versions import version_row
from tests.played import EDITIONS, counted_game, recorded_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from server.play.house import House


def _without_kinds(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return lines as a version keeps them: whose worth a line tells is added when it is shown."""
    return [{name: value for name, value in line.items() if name != "kind"} for line in lines]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_language_tells_the_same_points(edition: str, language: str, house: House) -> None:
    """Lines, points, ranks and scores are those of the version; the sentences are in the reader's language."""
    game = counted_game(house, edition)
    with house.database.reading() as session:
        row, version = game_row(session, game), version_row(session, game, 1)
    told = tell(row, version, language)
    assert told.language == language
    document = recorded_result(edition)
    for hand, standing in zip(document["hands"], told.standings, strict=True):
        assert (standing.player, standing.score, standing.rank) == (hand["player"], hand["score"], hand["rank"])
        assert [line["points"] for line in standing.lines] == [line["points"] for line in hand["lines"]]
        if language == row.language:
            assert _without_kinds(standing.lines) == hand["lines"]


def test_a_language_that_the_edition_lacks_falls_back_to_the_games(house: House) -> None:
    """Nobody is left without a result because of a language."""
    game = counted_game(house, "tarot-fr", language="de")
    with house.database.reading() as session:
        assert tell(game_row(session, game), version_row(session, game, 1), "xx").language == "de"


@pytest.mark.parametrize("changed", [False, True])
def test_a_hidden_player_stands_nowhere_by_name(changed: bool, house: House, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001 - a parameter
    """Neither in the ranking nor in the sentences of others, even where the edition has changed since."""
    if changed:
        monkeypatch.setattr(standings, "_count", lambda *_: None)
    game = counted_game(house, "sackson-1969")
    with house.database.reading() as session:
        row, version = game_row(session, game), version_row(session, game, 1)
    standings._results.clear()
    number = next(s.envelope for s in tell(row, version).standings if s.player == "Second blue")
    told = tell(row, version, hidden={number})
    assert [s.envelope for s in told.standings if s.player is None] == [number]
    texts = [line["text"] for standing in told.standings for line in standing.lines]
    assert not any("Second blue" in text for text in texts)
    assert any("a player (5)" in text for text in texts)


@pytest.mark.parametrize("changed", [False, True])
def test_a_player_without_a_name_is_called_in_the_readers_language(
    house: House, monkeypatch: pytest.MonkeyPatch, *, changed: bool
) -> None:
    """In the ranking and in the sentences of others, even where the edition has changed since. Others keep theirs."""
    game = counted_game(house, "sackson-1969", language="de")
    with house.database.reading() as session:
        row, version = game_row(session, game), version_row(session, game, 1)
    number = next(s.envelope for s in tell(row, version).standings if s.player == "Second blue")
    whole = json.dumps([version.inputs, version.document]).replace("Second blue", f"Umschlag {number}")
    version.inputs, version.document = json.loads(whole)
    standings._results.clear()
    if changed:
        monkeypatch.setattr(standings, "_count", lambda *_: None)
    for language, called in (("fr", "Enveloppe"), ("en", "Envelope"), ("de", "Umschlag")):
        told = tell(row, version, language)
        spoken = "Umschlag" if changed else called
        assert [s.player for s in told.standings if s.envelope == number] == [f"{spoken} {number}"]
        texts = [line["text"] for standing in told.standings for line in standing.lines]
        assert any(f"{spoken} {number}" in text for text in texts)
        assert called == "Umschlag" or changed or not any("Umschlag" in text for text in texts)
        hidden = tell(row, version, language, hidden={number})
        assert not any(f"{spoken} {number}" in str(standing) for standing in hidden.standings)
    standings._results.clear()


def test_a_version_of_rules_that_have_changed_is_shown_as_it_was_kept(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A count that gives other points now is not shown: the kept sentences are, in the game's language."""
    game = counted_game(house)
    with house.database.reading() as session:
        row, version = game_row(session, game), version_row(session, game, 1)
    version.document = {
        **version.document,
        "hands": [{**hand, "score": "1000"} for hand in version.document["hands"]],
    }
    monkeypatch.setattr(standings, "_results", type(standings._results)())
    told = tell(row, version, "fr")
    assert told.language == "en"
    assert {standing.score for standing in told.standings} == {"1000"}
    assert _without_kinds(told.standings[0].lines) == version.document["hands"][0]["lines"]


def test_all_rules_are_told_with_those_that_did_not_count(house: House) -> None:
    """Every rule of the edition with its wording, and whether it was active."""
    game = counted_game(house, active_rules=["1", "5", "6"])
    with house.database.reading() as session:
        row, version = game_row(session, game), version_row(session, game, 1)
    rules = rules_of(tell(row, version, "de").edition, version.inputs["game"])
    assert len(rules) == 23
    assert [rule["key"] for rule in rules if rule["active"]] == ["1", "5", "6"]
    assert all(rule["text"] and rule["name"] for rule in rules)
