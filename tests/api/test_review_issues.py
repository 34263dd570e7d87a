"""Structured data of issues, which pages use in other languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from server.games.lifecycle.repository import edition_of_game, load_game
from tests.context import as_organiser, new_game
from tests.players import dealt, problem
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from server.games.context import AppContext


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return as_organiser(app)


def _items(client: FlaskClient, game: str, kind: str) -> list[dict[str, Any]]:
    reply = client.get(f"/api/v1/games/{game}/queue", query_string={"kind": kind, "standing": "all"})
    return list((reply.json or {})["items"])


def test_an_issue_has_its_case(context: AppContext, client: FlaskClient) -> None:
    """Issues have reasons of unread regions, texts of strange codes, reasons of suggestions, and what settled them."""
    game = new_game(context)
    first, second, third = (dealt(context, game, envelope) for envelope in (1, 2, 3))
    strange = reading(first, [1], doubts=["glare"], strangers=[("foreign", "a poster")])
    add_photo(context, game, strange, batch="t", place=1)
    add_photo(context, game, reading(second), batch="t", place=2)
    add_photo(context, game, reading(), batch="u")
    assert [item["case"] for item in _items(client, game, "doubt")] == ["glare"]
    assert [item["says"] for item in _items(client, game, "foreign")] == ["a poster"]
    (loose,) = _items(client, game, "no-label")
    assert (loose["case"], [idea["how"] for idea in loose["suggestions"]]) == ("none", ["before"])
    assert [item["case"] for item in _items(client, game, "nothing")] == ["no-label"]
    add_photo(context, game, reading(third))
    add_photo(context, game, reading(third, [3]))
    assert "elsewhere" in [item["settled_by"] for item in _items(client, game, "no-label")]


def test_a_photo_has_its_file_name_and_decision(context: AppContext, client: FlaskClient) -> None:
    game = new_game(context)
    photo = add_photo(context, game, reading(dealt(context, game, 1)), digest="d" * 64)
    address = f"/api/v1/games/{game}/photos/{photo}"
    seen = client.get(address).json or {}
    assert (seen["digest"], seen["decided"]) == ("d" * 64, None)
    assert seen["piles"] == [{"label": None, "cards": list(range(len(seen["seen"])))}]
    body = {"do": "ignore", "reason": "A test."}
    assert client.patch(address, json=body, headers={"If-Match": seen["revision"]}).status_code == 200
    assert (client.get(address).json or {})["decided"] == "ignore"


def test_codes_and_kinds_have_structured_data(context: AppContext, client: FlaskClient) -> None:
    """A short code and a wrong character are different errors; kinds have the order of the edition."""
    game_url = f"/api/v1/games/{(game := new_game(context))}"
    for code, why in {"0A": "length", "00-00-0": "check", "ZZ-ZZ-Z": "check"}.items():
        reply = client.get(f"{game_url}/cards/{code}")
        assert (problem(reply), (reply.json or {})["why"]) == ("422 wrong-code", why)
    kinds = (client.get(f"{game_url}/kinds").json or {})["kinds"]
    with context.database.reading() as session:
        assert [kind["slug"] for kind in kinds] == [
            kind.slug for kind in edition_of_game(load_game(session, game)).kinds
        ]
    assert all(kind["name"] for kind in kinds)
