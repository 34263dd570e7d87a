"""What the desk says of items in its own languages stands in facts beside the English sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from server.play.house import edition_of, game_row
from tests.house import as_organiser, as_player, new_game
from tests.players import dealt
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from server.play.house import House


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return a client that is signed in as an organiser."""
    return as_organiser(app)


def _items(client: FlaskClient, game: str, kind: str) -> list[dict[str, Any]]:
    told = client.get(f"/api/v1/games/{game}/queue", query_string={"kind": kind, "standing": "all"})
    return list((told.json or {})["items"])


def test_an_item_tells_which_case_it_is(house: House, client: FlaskClient) -> None:
    """Why a place was not read, what a strange code says, why a card is dead, and why a suggestion is made."""
    game = new_game(house)
    first, second = dealt(house, game, 1), dealt(house, game, 2)
    add_photo(
        house, game, reading(first, [1], doubts=["glare"], strangers=[("foreign", "a poster")]), batch="t", place=1
    )
    add_photo(house, game, reading(second), batch="t", place=2)
    add_photo(house, game, reading(), batch="u")
    assert [item["case"] for item in _items(client, game, "doubt")] == ["glare"]
    assert [item["says"] for item in _items(client, game, "foreign")] == ["a poster"]
    (loose,) = _items(client, game, "no-label")
    assert (loose["case"], [idea["how"] for idea in loose["suggestions"]]) == ("none", ["before"])
    assert [item["case"] for item in _items(client, game, "nothing")] == ["no-label"]


def test_what_settled_an_item_is_told_as_a_fact(house: House, client: FlaskClient) -> None:
    """A picture without a label whose cards another picture shows is settled by it."""
    game = new_game(house)
    cards = dealt(house, game, 1)
    add_photo(house, game, reading(cards))
    add_photo(house, game, reading(cards, [1]))
    assert [item["settled_by"] for item in _items(client, game, "no-label")] == ["elsewhere"]


def test_a_picture_tells_its_file_and_what_was_decided(house: House, client: FlaskClient) -> None:
    """A page can tell that a file is there already, and which pictures were set aside."""
    game = new_game(house)
    photo = add_photo(house, game, reading(dealt(house, game, 1)), digest="d" * 64)
    address = f"/api/v1/games/{game}/photos/{photo}"
    seen = client.get(address).json or {}
    assert (seen["digest"], seen["decided"]) == ("d" * 64, None)
    assert seen["piles"] == [{"label": None, "cards": list(range(len(seen["seen"])))}]
    body = {"do": "ignore", "reason": "A test."}
    assert client.patch(address, json=body, headers={"If-Match": seen["revision"]}).status_code == 200
    assert (client.get(address).json or {})["decided"] == "ignore"


@pytest.mark.parametrize(("code", "why"), [("0A", "length"), ("00-00-0", "check"), ("ZZ-ZZ-Z", "check")])
def test_a_wrong_code_says_what_is_wrong(house: House, client: FlaskClient, code: str, why: str) -> None:
    """Too short is another mistake than a wrong character."""
    told = client.get(f"/api/v1/games/{new_game(house)}/cards/{code}")
    assert (told.status_code, (told.json or {})["type"], (told.json or {})["why"]) == (422, "/problems/wrong-code", why)


def test_kinds_are_for_organisers(app: Flask, house: House, client: FlaskClient) -> None:
    """They have names and looks in the order of the edition; a player gets none."""
    game = new_game(house)
    kinds = (client.get(f"/api/v1/games/{game}/kinds").json or {})["kinds"]
    with house.database.reading() as session:
        assert [kind["slug"] for kind in kinds] == [kind.slug for kind in edition_of(game_row(session, game)).kinds]
    assert all(kind["name"] for kind in kinds)
    assert as_player(app, house, game, 1).get(f"/api/v1/games/{game}/kinds").status_code == 401
