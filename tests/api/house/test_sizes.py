"""The size of a game's cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.cards import SIZES
from server.api.house.games_models import Size
from server.play.house import game_row, printed_game
from tests.house import as_organiser, new_game

if TYPE_CHECKING:
    from flask import Flask

    from server.play.house import House


def test_a_size_is_chosen_by_its_name(app: Flask, house: House) -> None:
    """That of a game which was printed elsewhere, with cards of another size, has none, and stays as it is."""
    assert set(Size.__args__) == set(SIZES)
    game = new_game(house, size="mini")
    address, client = f"/api/v1/games/{game}", as_organiser(app)
    assert client.get(address).json["size"] == "mini"
    with house.database.writing() as session:
        row = game_row(session, game)
        assert printed_game(row).geometry == SIZES["mini"]
        row.geometry = row.geometry | {"width": 60.0}
    assert client.get(address).json["size"] == ""
    assert client.patch(address, json={"tries": 1}).status_code == 200
    with house.database.reading() as session:
        assert game_row(session, game).geometry["width"] == 60.0
