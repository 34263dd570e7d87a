"""The context of all services of games: database, photographs, clock, notifier and print runner."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import event, func, select
from sqlalchemy.exc import SQLAlchemyError

from server.db.types import database_time
from server.printing.print_runner import PrintRunner

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from server.db.session import Database
    from server.storage.photo_store import PhotoStore

_TIME = select(database_time())
_CHANNEL, _LISTEN = "haggle_photos", "LISTEN haggle_photos"

# Seconds between checks for the end, and between attempts to connect.
_TICK = 1.0


def now() -> datetime:
    """Return this machine's time."""
    return datetime.now(UTC)


class Notifier:
    """Wakes threads that wait for photographs to scan, in other processes by LISTEN and NOTIFY of PostgreSQL.

    A notification only saves time: those who wait also look for work every few seconds.
    """

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """The number of notifications so far. Read it before looking for work, then none is missed in `wait`."""
        return self._count

    def notify(self) -> None:
        """Wake all threads of this process that wait."""
        with self._condition:
            self._count += 1
            self._condition.notify_all()

    def notify_on_commit(self, session: Session) -> None:
        """Notify once a session is committed, also the processes that `listen`."""
        event.listen(session, "after_commit", lambda _: self.notify(), once=True)
        if session.get_bind().dialect.name == "postgresql":
            session.execute(select(func.pg_notify(_CHANNEL, "")))

    def wait(self, count: int, seconds: float) -> None:
        """Wait for a notification after the first `count`, for at most `seconds`."""
        with self._condition:
            self._condition.wait_for(lambda: self._count != count, seconds)

    def listen(self, database: Database, stop: threading.Event) -> None:
        """Pass on the notifications of other processes that share the database, until `stop` is set."""
        import psycopg  # noqa: PLC0415 - slow to load, and needed only with PostgreSQL

        while not stop.is_set():
            with contextlib.suppress(SQLAlchemyError, psycopg.Error), database.engine.connect() as pooled:
                connection = cast("psycopg.Connection[Any]", pooled.connection.driver_connection)
                # Closed at the end instead of returned to the pool.
                pooled.detach()
                connection.set_autocommit(True)
                connection.execute(_LISTEN)
                # Something may have been added before.
                self.notify()
                while not stop.is_set():
                    for _ in connection.notifies(timeout=_TICK, stop_after=1):
                        self.notify()
            stop.wait(_TICK)


@dataclass(frozen=True)
class AppContext:
    """The services that a server's games use. `clock` is this machine's; tests replace it."""

    database: Database
    photos: PhotoStore
    clock: Callable[[], datetime] = field(default=now)
    notifier: Notifier = field(default_factory=Notifier)
    print_runner: PrintRunner = field(init=False)

    def __post_init__(self) -> None:
        # `load_game` closes games by these clocks.
        self.database.info |= {"clock": self.clock, "time": self.time}
        object.__setattr__(self, "print_runner", PrintRunner(self.database, self.photos.files, self.clock))

    def time(self, session: Session | None = None) -> datetime:
        """Return the time by which games close and photographs are deleted: a shared database's, if there is one."""
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
