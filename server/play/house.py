"""What the life of games needs around it: the database, the photographs, a clock, and editions."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from cardgen.cards import Game as PrintedGame
from cardgen.cards import Geometry
from cardgen.payload import GAME_LENGTH
from server.editions import EditionError, load_edition
from server.jobs.bell import Bell
from server.jobs.press import Press
from server.jobs.queue import database_time
from server.play.actors import SERVER, Actor
from server.play.deadline import tick
from server.play.locking import held_game, hold
from server.play.refusals import not_found
from server.store.tables import Game

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from server.editions import Edition
    from server.store.database import Database
    from server.store.photos import PhotoStore

__all__ = ["SERVER", "Actor", "House", "edition_of", "game_row", "hold", "now", "printed_game"]

_TIME = select(database_time())


def now() -> datetime:
    """Return this machine's time."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class House:
    """One server's games. `clock` is this machine's; tests bring their own.

    `bell` rings when a photograph has come. `press` makes the prints that take long.
    """

    database: Database
    photos: PhotoStore
    clock: Callable[[], datetime] = field(default=now)
    bell: Bell = field(default_factory=Bell)
    press: Press = field(init=False)

    def __post_init__(self) -> None:
        # So that whoever reads a game's row reads it as it is at this time.
        self.database.info |= {"clock": self.clock, "time": self.time}
        object.__setattr__(self, "press", Press(self.database, self.photos.files, self.clock))

    def time(self, session: Session | None = None) -> datetime:
        """Return the time by which games close and pictures are deleted: that of a database that machines share."""
        if not self.database.is_shared or self.clock is not now:
            return self.clock()
        if session is None:
            with self.database.reading() as reading:
                return self.time(reading)
        at: datetime = session.scalars(_TIME).one()
        return at

    def close(self) -> None:
        """Close all connections."""
        self.database.close()


def game_row(session: Session, game: str, *, beside: bool = False) -> Game:
    """Return a game's row as it is now: one whose deadline has passed is closed. Refusal `not-found`.

    In a session that writes, all others who would change the game wait until the transaction ends; `beside`: only those
    who want it alone (`server.play.locking`).
    """
    known = len(game) == GAME_LENGTH and game.isascii() and game.isalnum()
    row = held_game(session, game.upper(), beside=beside) if known else None
    if row is None:
        raise not_found("game")
    tick(session, row, session.info.get("clock", now)())
    return row


def edition_of(row: Game, language: str | None = None) -> Edition:
    """Return the edition that a game is played with, in the game's language or another."""
    return load_edition(row.edition, language or row.language)


def unusable_editions(house: House) -> list[tuple[str, str]]:
    """Return the games whose edition is missing or wrong, by id, each with the reason."""
    found = []
    with house.database.reading() as session:
        for row in session.scalars(select(Game).order_by(Game.id)):
            try:
                edition_of(row)
            except EditionError as error:
                found.append((row.id, str(error)))
    return found


def printed_game(row: Game) -> PrintedGame:
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
