"""The size of a game's cards: chosen with the game, and the same for ever once cards are dealt."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image

from cardgen.cards import SIZES
from cardgen.layout import grid
from cardgen.setup import PLAIN
from server.api.house.games_models import Size
from server.api.house.once import HEADER
from server.play.house import game_row, printed_game
from server.play.states import State
from tests.house import ORIGIN, as_organiser, new_game

if TYPE_CHECKING:
    from flask import Flask

    from server.play.house import House

GAME = {"name": "Small cards", "edition": "eurocg-2026", "players": 24}


def test_the_size_is_chosen_until_cards_are_dealt(app: Flask, house: House) -> None:
    """Its sheets hold as many as fit; afterwards it cannot change."""
    client = as_organiser(app)
    headers = {"Origin": ORIGIN, HEADER: "a"}
    made = client.post("/api/v1/games", json=GAME | {"size": "mini"}, headers=headers).get_json()
    assert made["size"] == "mini"
    address = f"/api/v1/games/{made['id']}"
    with house.database.reading() as session:
        assert printed_game(game_row(session, made["id"])).geometry == SIZES["mini"]
    sheet = client.get(f"{address}/sample/sheet.png?width=300")
    assert sheet.status_code == 200, sheet.get_json()
    assert Image.open(io.BytesIO(sheet.data)).width == 300
    assert client.patch(address, json={"size": "bridge"}, headers=headers).get_json()["size"] == "bridge"
    client.post(f"{address}/runs", json={"spare": 0}, headers=headers | {HEADER: "b"})
    pages = client.get(f"{address}/runs/1/pages").get_json()["parts"][0]["pages"]
    assert pages == -(-24 * 13 // grid(PLAIN, SIZES["bridge"]).size)
    refused = client.patch(address, json={"size": "poker"}, headers=headers)
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/wrong-state")


def test_a_size_without_a_name_stays_as_it_is(app: Flask, house: House) -> None:
    """Of a game that was printed elsewhere, with cards of another size."""
    client = as_organiser(app)
    game = new_game(house, State.DRAFT)
    with house.database.writing() as session:
        row = game_row(session, game)
        row.geometry = row.geometry | {"width": 60.0}
    told = client.get(f"/api/v1/games/{game}").get_json()
    assert told["size"] == ""
    changed = client.patch(f"/api/v1/games/{game}", json={"players": 30}, headers={"Origin": ORIGIN})
    assert changed.status_code == 200
    with house.database.reading() as session:
        assert game_row(session, game).geometry["width"] == 60.0


def test_every_size_can_be_asked_for() -> None:
    """Of those that cards have a name for."""
    assert set(Size.__args__) == set(SIZES)
