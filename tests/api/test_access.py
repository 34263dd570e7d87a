"""Access to endpoints: each declares its callers and refuses all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from apiflask import APIBlueprint

from cardgen.payload import join_token
from server.api.auth import organiser, projector_token, public
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.web_app import factory
from server.web_app.settings import AppConfig
from tests.api.endpoints import endpoints, everything
from tests.context import ORIGIN, as_organiser, new_game
from tests.players import Player

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask

    from server.games.context import AppContext

KEY = {"Origin": ORIGIN, "Idempotency-Key": "once"}


def _tokens(context: AppContext, game: str) -> dict[str, str]:
    with context.database.reading() as session:
        row = load_game(session, game)
        return {
            "player": join_token(row.id, row.key, 1),
            "projector": projector_token(row.id, row.key),
            "revoked": join_token(row.id, row.key, 1, 7),
            "sealed": join_token(row.id, row.key, 99),
            "forged": join_token(row.id, b"another key" + row.key, 1),
            "cut": join_token(row.id, row.key, 1)[:-1],
            "label": f"E{row.id}0001",
        }


def test_every_endpoint_declares_its_callers(app: Flask) -> None:
    """Each has one access decorator, which the API description states as well."""
    assert {len(endpoint.access) for endpoint in endpoints(app)} == {1}
    words = {"organiser": "organisers", "player": "the player", "projector": "projector token", "public": "anybody"}
    described = {}
    for methods in app.test_client().get("/api/v1/openapi.json").get_json()["paths"].values():
        for operation in methods.values():
            (needed,) = operation.get("security", [{"public": []}])[0]
            assert words[needed] in operation["description"].rpartition("Who may call it: ")[2]
            described[operation["operationId"]] = needed
    assert len(described) == len(endpoints(app))
    assert set(described.values()) == set(words)


@pytest.mark.parametrize("decorators", [(), (public, organiser)])
def test_an_application_with_an_undeclared_endpoint_is_refused(
    decorators: tuple[Callable[..., Any], ...], context: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def view() -> str:
        return "secret"

    for decorator in decorators:
        view = decorator(view)
    blueprint = APIBlueprint("new", __name__)
    blueprint.get("/new")(view)
    monkeypatch.setattr(factory, "API_BLUEPRINTS", (*factory.API_BLUEPRINTS, blueprint))
    with pytest.raises(RuntimeError, match=r"new\.view"):
        factory.create_app(AppConfig(tmp_path / "data"), context)


def test_endpoints_refuse_other_callers(app: Flask, context: AppContext) -> None:
    game = new_game(context, State.PUBLISHED)
    tokens = {"nobody": None, "organiser": None, **_tokens(context, game)}
    clients = {name: app.test_client() for name in tokens} | {"organiser": as_organiser(app)}
    before = everything(context)
    answers = set()
    for endpoint in endpoints(app):
        for name, token in tokens.items():
            if endpoint.access[0] in {"public", name}:
                continue
            headers = KEY if token is None else {**KEY, "Authorization": f"Bearer {token}"}
            reply = clients[name].open(endpoint.url(game=game), method=endpoint.method, headers=headers)
            assert reply.status_code == 401, (endpoint, name)
            answers.add((endpoint.access, reply.get_data()))
    assert everything(context) == before
    assert len(answers) == len({who for who, _ in answers})


def test_organisers_change_data_only_from_our_own_origin(app: Flask, context: AppContext) -> None:
    game = new_game(context)
    client = as_organiser(app)
    before = everything(context)
    for endpoint in endpoints(app):
        if endpoint.access == ("organiser",) and endpoint.method != "GET":
            headers = {**KEY, "Origin": "https://evil.example"}
            reply = client.open(endpoint.url(game=game), method=endpoint.method, headers=headers)
            assert (reply.status_code, reply.json["type"]) == (403, "/problems/other-origin"), endpoint
    assert everything(context) == before


def test_decks_and_photos_of_others_look_missing(app: Flask, context: AppContext) -> None:
    """All endpoints give the same response for another player's deck or photo as for one that does not exist."""
    game = new_game(context)
    ada, bob = Player(app, context, game, 1), Player(app, context, game, 2)
    deck = ada.begin()
    photo = ada.photograph(deck, ada.hand)
    asked = [endpoint for endpoint in endpoints(app) if endpoint.access == ("player",) and "<" in endpoint.rule]
    assert len(asked) >= 9
    for endpoint in asked:
        form = endpoint.method == "POST" and endpoint.rule.endswith("/photos")
        body = {"content_type": "multipart/form-data"} if form else {"json": {"digest": "0" * 64}}
        theirs, nobodys = (
            bob.client.open(endpoint.url(**parts), method=endpoint.method, headers=KEY, **body)
            for parts in ({"deck": deck, "photo": photo}, {})
        )
        assert (theirs.status_code, theirs.data) == (404, nobodys.data), endpoint
        assert nobodys.status_code == 404, endpoint
