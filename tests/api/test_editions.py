"""Editions that organisers can choose for games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.editions import edition_names, load_edition
from server.editions.registry import editions_from
from server.games.lifecycle.repository import load_game, unusable_editions
from server.games.lifecycle.states import State
from server.games.results.versions import CountRequest, freeze, publish
from tests.api.endpoints import endpoints
from tests.context import ORGANISER, as_organiser, as_player, new_game
from tests.editions.harbour import written
from tests.played_game import fill
from tests.players import problem

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from server.games.context import AppContext

URL = "/api/v1/editions"
HANDS = [{"player": "Ada", "cards": {"fish": 2, "salt": 1}}]


def test_editions_are_listed_with_the_data_of_a_form(app: Flask) -> None:
    """Bounds and rules, without their texts, in the requested language if the edition has it."""
    client = as_organiser(app)
    body = client.get(URL).get_json()
    editions = {one["slug"]: one for one in body["editions"]}
    assert list(editions) == list(edition_names())
    assert all(one["printable"] for one in editions.values())
    eurocg = editions["eurocg-2026"]
    assert (eurocg["players_min"], eurocg["players_max"], eurocg["cards"], eurocg["rule_cards"]) == (23, 138, 13, 2)
    (blue,) = eurocg["settings"]
    assert (blue["name"], blue["minimum"], blue["maximum"], blue["confirm"]) == ("blue_base", 0, None, True)
    assert [rule["key"] for rule in eurocg["rules"] if rule["worth"]] == ["5", "6", "7", "8", "9", "10"]
    assert not any(rule.text in str(eurocg) for rule in load_edition("eurocg-2026").rules)
    german = {one["slug"]: one for one in client.get(f"{URL}?language=de").get_json()["editions"]}
    assert german["eurocg-2026"]["rules"][4]["name"] == load_edition("eurocg-2026", "de").rules[4].name
    assert client.get(f"{URL}?language=xx").get_json() == body
    assert client.get(f"{URL}?language=x").status_code == 422


def test_a_broken_edition_does_not_hide_others(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine" / "broken_one").mkdir(parents=True)
    (tmp_path / "mine" / "broken_one" / "edition.toml").write_text("slug = 3\n", encoding="utf-8")
    monkeypatch.setenv("HAGGLE_EDITIONS", str(tmp_path / "mine"))
    body = as_organiser(app).get(URL).get_json()["editions"]
    assert "broken-one" in edition_names()
    assert [one["slug"] for one in body] == [name for name in edition_names() if name != "broken-one"]


@pytest.mark.parametrize("published", [False, True])
def test_requests_for_a_game_without_its_edition_get_409(
    app: Flask, context: AppContext, tmp_path: Path, *, published: bool
) -> None:
    """No endpoint fails with 500, and other games and the list of games still work."""
    own = tmp_path / "own"
    written(own)
    organiser, refused = as_organiser(app), set()
    with editions_from(own):
        game = new_game(context, State.CLOSED if published else State.OPEN, edition="harbour")
        other = new_game(context)
        if published:
            fill(context, game, {"hands": HANDS})
            freeze(context, game, ORGANISER, CountRequest(override="a test"))
            with context.database.writing() as session:
                publish(session, load_game(session, game), None, ORGANISER, context.clock())
        assert unusable_editions(context) == []
        (own / "harbour").rename(tmp_path / "away")
        player = as_player(app, context, game, 1)
        for one in endpoints(app):
            if one.method != "GET" or not one.rule.startswith("/api/v1") or "events" in one.rule:
                continue
            for client in (organiser, player):
                with client.get(one.url(game=game, name="sheets.pdf")) as reply:
                    assert reply.status_code < 500, one.rule
                    if reply.status_code == 409 and problem(reply) == "409 no-edition":
                        refused.add(one.rule)
                        assert ("harbour" in reply.text) is (client is organiser)
        assert {"/api/v1/games/<string:game>", "/api/v1/me"} <= refused
        assert organiser.get("/api/v1/games").status_code == 200
        assert organiser.get(f"/api/v1/games/{other}").status_code == 200
        assert as_player(app, context, other, 1).get("/api/v1/me").status_code == 200
        ((broken, reason),) = unusable_editions(context)
        assert broken == game
        assert reason.startswith("unknown edition 'harbour'")
        (tmp_path / "away").rename(own / "harbour")
        assert organiser.get(f"/api/v1/games/{game}").status_code == 200
        assert unusable_editions(context) == []


def test_a_text_with_an_unknown_placeholder_prevents_the_count(app: Flask, context: AppContext, tmp_path: Path) -> None:
    written(tmp_path / "own", ("Gesalzene Fische: {pairs}", "Gesalzene Fische: {paare}"))
    with editions_from(tmp_path / "own"):
        game = new_game(context, State.CLOSED, edition="harbour", language="de")
        fill(context, game, {"hands": HANDS})
        asked = {"json": {"override": "a test"}, "headers": {"Idempotency-Key": "k"}}
        reply = as_organiser(app).post(f"/api/v1/games/{game}/results", **asked)
    assert problem(reply) == "409 no-edition"
    assert "rules.1.says.line" in (reply.json or {})["reason"]
