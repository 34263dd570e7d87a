"""The size of a game's cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.cards import SIZES
from server.api.organiser.games import Size
from server.games.lifecycle.repository import load_game, printed_game_of
from tests.context import as_organiser, new_game

if TYPE_CHECKING:
    from flask import Flask

    from server.games.context import AppContext


def test_a_size_is_chosen_by_its_name(app: Flask, context: AppContext) -> None:
    """That of a game which was printed elsewhere, with cards of another size, has none, and stays as it is."""
    assert set(Size.__args__) == set(SIZES)
    game = new_game(context, size="mini")
    address, client = f"/api/v1/games/{game}", as_organiser(app)
    assert client.get(address).json["size"] == "mini"
    with context.database.writing() as session:
        row = load_game(session, game)
        assert printed_game_of(row).geometry == SIZES["mini"]
        row.geometry = row.geometry | {"width": 60.0}
    assert client.get(address).json["size"] == ""
    assert client.patch(address, json={"tries": 1}).status_code == 200
    with context.database.reading() as session:
        assert load_game(session, game).geometry["width"] == 60.0
