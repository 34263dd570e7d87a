"""Bounds how many writers of one thing hold a connection each while they wait for each other, so that others go on.

A process has so many connections to a PostgreSQL and no more. Whoever writes to a game waits for others of that game
with one of them in hand. If hundreds did, nobody would get one for another game.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy.exc import TimeoutError as PoolTimeoutError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

MOST = 10
"""So many writers of one game have a connection at a time: a third of a process's connections."""
SECONDS = 15.0
"""How long the others of that game wait for one of these to end."""

_VISIT = "visit"


class CrowdError(PoolTimeoutError):
    """Too many others write to the same game. As where there is no connection: what was asked for was not begun."""

    def __init__(self, game: str) -> None:
        super().__init__("too many write to one game at a time")
        self.game = game


@dataclass
class _Places:
    free: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(MOST))
    users: int = 0


class Crowds:
    """The writers of each game, in one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._places: dict[str, _Places] = {}

    def enter(self, game: str, seconds: float) -> bool:
        """Take one of a game's places, waiting so long at most; False if none became free."""
        with self._lock:
            places = self._places.setdefault(game, _Places())
            places.users += 1
        if places.free.acquire(timeout=seconds):
            return True
        self._forget(game, places)
        return False

    def leave(self, game: str) -> None:
        """Give a place back."""
        places = self._places[game]
        places.free.release()
        self._forget(game, places)

    def _forget(self, game: str, places: _Places) -> None:
        with self._lock:
            places.users -= 1
            if not places.users:
                del self._places[game]


class Visit:
    """The places of one transaction, and of those in which it is begun anew if it is `repeatable`."""

    def __init__(self, crowds: Crowds, *, repeatable: bool = False) -> None:
        self._crowds = crowds
        self._repeatable = repeatable
        self._games: set[str] = set()

    def enter(self, game: str, *, connected: bool) -> None:
        """Take a place of a game, unless it is taken; CrowdError.

        Who has a connection waits for no place, since who has one may wait for a connection: what is repeatable is to
        begin anew with a place, `wait`; the rest goes on without.
        """
        if game in self._games:
            return
        if self._crowds.enter(game, 0.0 if connected else SECONDS):
            self._games.add(game)
        elif self._repeatable or not connected:
            raise CrowdError(game)

    def wait(self, game: str) -> None:
        """Wait for a place without a connection; CrowdError."""
        self.enter(game, connected=False)

    def leave(self) -> None:
        """Give all places back."""
        while self._games:
            self._crowds.leave(self._games.pop())


def carry(visit: Visit | None) -> dict[str, Visit | None]:
    """Return what a session carries in its `info` whose places are those of a visit."""
    return {_VISIT: visit}


def join_crowd(session: Session, game: str, *, connected: bool) -> None:
    """Take a place of a game for a session, before it waits for its turn; CrowdError."""
    visit: Visit | None = session.info.get(_VISIT)
    if visit is not None:
        visit.enter(game, connected=connected)
