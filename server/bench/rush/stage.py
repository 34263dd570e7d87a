"""The game that the rush is about: made in a house, opened, with its deadline; and what its players hold."""

from __future__ import annotations

import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.play.adoption import adopt
from server.play.games import move
from server.play.house import SERVER, Actor, game_row
from server.play.installation import reset_password
from server.play.states import Act
from server.play.tokens import join_token
from server.store.games import save_game
from server.store.tables import Envelope

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from cardgen.cards import Game
    from server.play.house import House

_BENCH = Actor("organiser", "Bench")


@dataclass(frozen=True)
class Stage:
    """A game that is open: its id, the players' tokens by envelope, and the organisers' password."""

    game: str
    tokens: Mapping[int, str]
    password: str


def set_stage(house: House, printed: Game, password: str = "") -> Stage:
    """Take the printed game in and open it; Refusal `taken` where it is there already.

    Without a password the house gets a new one, which ends all organisers' sessions.
    """
    if not password:
        password = secrets.token_urlsafe(16)
        reset_password(house, password, SERVER)
    with tempfile.TemporaryDirectory() as folder:
        save_game(printed, Path(folder))
        with house.database.writing() as session:
            game = adopt(session, Path(folder), _BENCH, house.clock(), name="Deadline rush")
            game.confirmed = list(game.settings)
            move(session, game, Act.OPEN, _BENCH, house.clock())
    with house.database.reading() as session:
        row = game_row(session, printed.game)
        seats = session.execute(select(Envelope.number, Envelope.token).where(Envelope.game == row.id))
        tokens = {number: join_token(row.id, row.key, number, version) for number, version in seats}
    return Stage(row.id, tokens, password)


def set_deadline(house: House, game: str, deadline: datetime) -> None:
    """Say when the game ends."""
    with house.database.writing() as session:
        game_row(session, game).deadline = deadline
