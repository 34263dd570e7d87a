"""Loads games: their rows as they are now, their editions, and the games as they were printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from cardgen.cards import Geometry, PrintedGame
from cardgen.payload import GAME_LENGTH
from server.db.locks import lock_game
from server.db.models import Game
from server.editions import load_edition
from server.games.context import now
from server.games.errors import not_found
from server.games.lifecycle.deadline import tick
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.games.context import AppContext
    from server.scoring.edition import Edition


def load_game(session: Session, game: str, *, beside: bool = False) -> Game:
    """Return a game's row as it is now: one whose deadline has passed is closed. Refusal `not-found`.

    In a session that writes, all others who would change the game wait until the transaction ends; `beside`: only those
    who want it alone (`server.db.locks`).
    """
    known = len(game) == GAME_LENGTH and game.isascii() and game.isalnum()
    row = lock_game(session, game.upper(), beside=beside) if known else None
    if row is None:
        raise not_found("game")
    tick(session, row, session.info.get("clock", now)())
    return row


def edition_of_game(row: Game, language: str | None = None) -> Edition:
    """Return the edition that a game is played with, in the game's language or another."""
    return load_edition(row.edition, language or row.language)


def unusable_editions(context: AppContext) -> list[tuple[str, str]]:
    """Return the games whose edition is missing or wrong, by id, each with the reason."""
    found = []
    with context.database.reading() as session:
        for row in session.scalars(select(Game).order_by(Game.id)):
            try:
                edition_of_game(row)
            except EditionError as error:
                found.append((row.id, str(error)))
    return found


def printed_game_of(row: Game) -> PrintedGame:
    """Return the game as printer and scanner know it. It holds the key."""
    return PrintedGame(
        game=row.id,
        edition=row.edition,
        key=row.key,
        kinds=tuple(row.kinds),
        players=row.players,
        seed=row.seed,
        settings=dict(row.settings),
        geometry=Geometry(**row.geometry),
    )
