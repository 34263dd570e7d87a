"""Requests that nobody writes by accident get an answer that says what is wrong, never status 500."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.app.json_bodies import DEEPEST
from tests.api.house.endpoints import endpoints
from tests.house import as_organiser, as_player, new_game

if TYPE_CHECKING:
    from flask import Flask

    from server.play.house import House


@pytest.mark.parametrize("text", ["[" * 200_000, '{"name":' * 100_000, "[" * 900 + "]" * 900])
def test_json_that_is_nested_too_deep_is_no_request(app: Flask, house: House, text: str) -> None:
    """Every endpoint that reads JSON refuses to follow it."""
    game = new_game(house)
    clients = {"organiser": as_organiser(app), "player": as_player(app, house, game, 1), "anybody": as_organiser(app)}
    told = set()
    for endpoint in endpoints(app):
        client = clients.get(endpoint.who[0])
        if client is not None and endpoint.method in {"POST", "PUT", "PATCH"}:
            url = endpoint.url(game=game)
            headers = {"Idempotency-Key": "x", "If-Match": "x"}
            sent = client.open(url, method=endpoint.method, data=text, content_type="application/json", headers=headers)
            told.add(sent.status_code)
            assert sent.status_code < 500, (endpoint, sent.json)
    assert 400 in told


@pytest.mark.parametrize(("depth", "status"), [(DEEPEST, 422), (DEEPEST + 1, 400)])
def test_json_may_be_nested_to_a_depth(app: Flask, depth: int, status: int) -> None:
    """Up to the bound it is read, and told as what it is: not what the endpoint takes."""
    text = "[" * depth + "1" + "]" * depth
    told = as_organiser(app).post("/api/v1/session", data=f"{text}", content_type="application/json")
    assert told.status_code == status


@pytest.mark.parametrize("digits", ["9" * 10, "9" * 19, "9" * 25, "9" * 5000])
def test_numbers_without_end_name_nothing(app: Flask, house: House, digits: str) -> None:
    """A number of any length in an address, or in an item's key, is one that does not exist."""
    game = new_game(house)
    client = as_organiser(app)
    for key in (f"hand:red-001:{digits}", f"late:{digits}", f"hand:red-{digits}:1"):
        address = f"/api/v1/games/{game}/queue/{key}"
        sent = client.put(f"{address}/ruling", json={"do": "add", "reason": "x"}, headers={"If-Match": '"x"'})
        assert sent.status_code in {404, 405}, sent.json
        assert client.get(address).status_code in {404, 405}
    for endpoint in endpoints(app):
        if "<int:" in endpoint.rule and endpoint.method == "GET":
            parts = {piece.split(">")[0]: digits for piece in endpoint.rule.split("<int:")[1:]}
            assert client.get(endpoint.url(**{**parts, "game": game})).status_code == 404, endpoint
