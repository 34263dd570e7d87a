"""Notification of threads that wait for work, in this process and, with PostgreSQL's LISTEN and NOTIFY, in others.

Notifications only save time: waiting threads also poll for work.
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

_TICK = 1.0
"""Seconds between checks for the end, and between attempts to connect."""


class Notifier:
    """A condition with a counter, so that no notification is missed between polling and waiting."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """The number of notifications. Read it before polling for work."""
        return self._count

    def notify(self) -> None:
        """Wake all waiting threads of this process."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def notify_after_commit(self, session: Session) -> None:
        """Wake all waiting threads, of listening processes too, once a session is committed."""
        event.listen(session, "after_commit", lambda _: self.notify(), once=True)
        if session.get_bind().dialect.name == "postgresql":
            session.execute(select(func.pg_notify(_CHANNEL, "")))

    def wait(self, count: int, seconds: float) -> None:
        """Wait until there were more than `count` notifications, at most for a number of seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._count != count, seconds)

    def listen(self, database: Database, stop: threading.Event) -> None:
        """Forward notifications of other processes that share the database, until `stop` is set."""
        import psycopg  # noqa: PLC0415 - not needed with SQLite

        while not stop.is_set():
            with contextlib.suppress(SQLAlchemyError, psycopg.Error), database.engine.connect() as pooled:
                connection = cast("psycopg.Connection[Any]", pooled.connection.driver_connection)
                # Detached, so that it is closed afterwards and not reused.
                pooled.detach()
                connection.set_autocommit(True)
                connection.execute(_LISTEN)
                # There may have been notifications before.
                self.notify()
                while not stop.is_set():
                    for _ in connection.notifies(timeout=_TICK, stop_after=1):
                        self.notify()
            stop.wait(_TICK)
