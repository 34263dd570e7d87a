"""Wakes threads that wait for work: in this process, and in others over PostgreSQL's LISTEN and NOTIFY.

A wake-up only saves time. Whoever waits also looks for work now and then.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import event, func, select
from sqlalchemy.exc import SQLAlchemyError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.session import Database

_CHANNEL, _LISTEN = "haggle_photos", "LISTEN haggle_photos"

# Seconds between two looks whether to stop, and between two tries to connect.
_TICK = 1.0


class Notifier:
    """Counts how often it was rung, so that no ring is missed between looking for work and waiting for it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """How often it was rung. To be read before looking for work."""
        return self._count

    def notify(self) -> None:
        """Wake all who wait in this process."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def notify_after_commit(self, session: Session) -> None:
        """Wake all who wait once a session is committed, in this process and in those that `listen`."""
        event.listen(session, "after_commit", lambda _: self.notify(), once=True)
        if session.get_bind().dialect.name == "postgresql":
            session.execute(select(func.pg_notify(_CHANNEL, "")))

    def wait(self, count: int, seconds: float) -> None:
        """Wait until it has been rung more than `count` times, so many seconds at most."""
        with self._changed:
            self._changed.wait_for(lambda: self._count != count, seconds)

    def listen(self, database: Database, stop: threading.Event) -> None:
        """Ring whenever another process that shares the database has rung, until `stop` is set."""
        import psycopg  # noqa: PLC0415 - a laptop needs no driver for it

        while not stop.is_set():
            with contextlib.suppress(SQLAlchemyError, psycopg.Error), database.engine.connect() as pooled:
                connection = cast("psycopg.Connection[Any]", pooled.connection.driver_connection)
                # Closed at the end, and not given to others.
                pooled.detach()
                connection.set_autocommit(True)
                connection.execute(_LISTEN)
                # Something may have come before.
                self.notify()
                while not stop.is_set():
                    for _ in connection.notifies(timeout=_TICK, stop_after=1):
                        self.notify()
            stop.wait(_TICK)
