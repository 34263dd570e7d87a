"""The context of all services of games: database, photographs, clock and notifier."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.db.types import database_time
from server.printing.print_runner import PrintRunner
from server.workers.notifier import Notifier

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from server.db.session import Database
    from server.storage.photo_store import PhotoStore

_TIME = select(database_time())


def now() -> datetime:
    """Return this machine's time."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class AppContext:
    """One server's games. `clock` is this machine's; tests bring their own.

    `bell` rings when a photograph has come. `press` makes the prints that take long.
    """

    database: Database
    photos: PhotoStore
    clock: Callable[[], datetime] = field(default=now)
    bell: Notifier = field(default_factory=Notifier)
    press: PrintRunner = field(init=False)

    def __post_init__(self) -> None:
        # So that whoever reads a game's row reads it as it is at this time.
        self.database.info |= {"clock": self.clock, "time": self.time}
        object.__setattr__(self, "press", PrintRunner(self.database, self.photos.files, self.clock))

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
