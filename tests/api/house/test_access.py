"""Every endpoint says who may call it, and nobody else gets anything from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.play.house import game_row
from server.play.states import State
from server.play.tokens import join_token, projector_token
from tests.api.house.endpoints import Endpoint, endpoints, everything
from tests.house import ORIGIN, as_organiser, new_game

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

    from server.play.house import House

WHO = {"organiser", "player", "projector", "anybody"}
SAID = {"organiser": "organisers", "player": "player", "projector": "projector", "anybody": "anybody"}


def _tokens(house: House, game: str) -> dict[str, str]:
    with house.database.reading() as session:
        row = game_row(session, game)
        return {
            "player": join_token(row.id, row.key, 1),
            "projector": projector_token(row.id, row.key),
            "revoked": join_token(row.id, row.key, 1, 7),
            "sealed": join_token(row.id, row.key, 99),
            "forged": join_token(row.id, b"another key" + row.key, 1),
            "cut": join_token(row.id, row.key, 1)[:-1],
            "label": f"E{row.id}0001",
        }


def _call(app: Flask, endpoint: Endpoint, game: str, token: str | None = None) -> TestResponse:
    headers = {"Origin": ORIGIN, "Idempotency-Key": "once"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    return app.test_client().open(endpoint.url(game=game), method=endpoint.method, headers=headers)


def test_every_endpoint_says_who_may_call_it(app: Flask) -> None:
    """Each has one decorator that decides, and its description names the same people."""
    found = endpoints(app)
    assert found
    for endpoint in found:
        assert len(endpoint.who) == 1, endpoint
        assert endpoint.who[0] in WHO, endpoint
        said = endpoint.description.rpartition("Who may call it: ")[2].lower()
        assert SAID[endpoint.who[0]] in said, endpoint


@pytest.mark.parametrize("state", [State.OPEN, State.PUBLISHED])
def test_nobody_gets_in_where_somebody_else_may(app: Flask, house: House, state: State) -> None:
    """Without the right credentials every endpoint answers alike, changes nothing and tells of nothing."""
    game = new_game(house, state)
    tokens = _tokens(house, game)
    right = {"player": {"player"}, "projector": {"projector"}, "organiser": set()}
    before = everything(house)
    answers = set()
    for endpoint in endpoints(app):
        if endpoint.who == ("anybody",):
            continue
        for name, token in {"nobody": None, **tokens}.items():
            if name in right[endpoint.who[0]]:
                continue
            told = _call(app, endpoint, game, token)
            assert told.status_code == 401, (endpoint, name)
            answers.add((endpoint.who, told.get_data()))
    assert everything(house) == before
    assert len(answers) == len({who for who, _ in answers})


def test_an_organiser_is_no_player(app: Flask, house: House) -> None:
    """An organiser's session opens no player's or projector's endpoint: those go by their own tokens."""
    game = new_game(house)
    client = as_organiser(app)
    for endpoint in endpoints(app):
        if endpoint.who[0] in {"player", "projector"}:
            told = client.open(endpoint.url(game=game), method=endpoint.method)
            assert told.status_code == 401, endpoint


def test_changes_by_an_organiser_need_our_own_page(app: Flask, house: House) -> None:
    """Signed in, but from another site's page: every change is refused and nothing is touched."""
    game = new_game(house)
    client = as_organiser(app)
    before = everything(house)
    for endpoint in endpoints(app):
        if endpoint.who == ("organiser",) and endpoint.method != "GET":
            headers = {"Origin": "https://evil.example", "Idempotency-Key": "once"}
            told = client.open(endpoint.url(game=game), method=endpoint.method, headers=headers)
            assert (told.status_code, told.json["type"]) == (403, "/problems/other-origin"), endpoint
    assert everything(house) == before


def test_what_is_not_there_looks_like_what_is_not_yours(app: Flask, house: House) -> None:
    """A player who tries the ids of another player's things, or of none at all, is told the same."""
    game = new_game(house)
    client = app.test_client()
    headers = {"Authorization": f"Bearer {_tokens(house, game)['player']}", "Idempotency-Key": "once"}
    for endpoint in endpoints(app):
        if endpoint.who == ("player",) and "<" in endpoint.rule and endpoint.method == "GET":
            told = client.open(endpoint.url(), method="GET", headers=headers)
            assert told.status_code == 404, endpoint
