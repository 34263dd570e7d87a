"""A queue of jobs in a database table, such as photographs to scan and files to print, claimed under leases.

A claim writes a random token and the end of the lease into the row. Only the holder of the token may renew the claim or
finish the job, so a process whose lease has expired changes nothing. A row whose lease has expired can be claimed
again; after three attempts the job fails. All times of leases are the database's. Locked rows are skipped, not waited
for. A `Notifier` wakes those who wait for new jobs.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from sqlalchemy import and_, event, func, literal_column, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from server.db.models import Photo, PrintJob
from server.db.session import POSTGRES, database_time

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement, CursorResult
    from sqlalchemy.orm import InstrumentedAttribute, Session

    from server.db.session import Database

T = TypeVar("T", Photo, PrintJob)

LEASE = 20.0
"""Seconds until a lease expires unless it is renewed."""
MAX_ATTEMPTS = 3
"""Attempts after which an unfinished job has failed."""
_CHANNEL = "haggle_photos"

# Seconds between checks for the end, and between attempts to connect.
_TICK = 1.0

_EXECUTION_OPTIONS = {"synchronize_session": False, "populate_existing": True}


@dataclass(frozen=True)
class Queue(Generic[T]):
    """The jobs in a table. `working` is the state of claimed rows, `order` the order of claims."""

    table: type[T]
    working: str
    order: tuple[InstrumentedAttribute[Any], ...]

    def claim(self, session: Session, seconds: float, *where: ColumnElement[bool]) -> T | None:
        """Claim the first waiting job for a number of seconds and return its row; None if there is none."""
        table = self.table
        first = self.unlocked_ids(self._free(), table.attempts < MAX_ATTEMPTS, *where).order_by(*self.order).limit(1)
        values = {
            "state": self.working,
            "token": secrets.token_hex(16),
            "lease": database_time(seconds),
            "attempts": table.attempts + 1,
        }
        change = update(table).where(table.id == first.scalar_subquery()).values(values).returning(table)
        return cast("T | None", session.scalar(change, execution_options=_EXECUTION_OPTIONS))

    def has_waiting(self, session: Session) -> bool:
        """Return whether any job can be claimed."""
        return session.scalar(select(self.table.id).where(self._free()).limit(1)) is not None

    def renew(self, session: Session, tokens: Collection[str | None], seconds: float, **values: Any) -> None:  # noqa: ANN401 - the values of columns
        """Renew claims for a number of seconds, and update their rows.

        An expired claim is renewed too, unless the job has been claimed by another process since.
        """
        mine = self.unlocked_ids(self.table.token.in_(tokens), self.table.state == self.working)
        values["lease"] = database_time(seconds)
        changed_rows(session, update(self.table).where(self.table.id.in_(mine)).values(values))

    def holds(self, session: Session, job: T) -> bool:
        """Return whether a claim is valid: the job has been neither deleted nor claimed again."""
        mine = self.table.id == job.id, self.table.token == job.token
        return session.scalar(select(self.table.id).where(*mine)) is not None

    def finish(self, session: Session, job: T, *, alive: bool = True, **values: Any) -> bool:  # noqa: ANN401 - the values of columns
        """End a claim and update the row; return False, without an update, if the claim was lost.

        A process that is `alive` after it has lost its claim was only suspended or disconnected, so its attempt does
        not count.
        """
        table = self.table
        values = {"token": None, "lease": None, **values}
        if changed_rows(session, update(table).where(table.id == job.id, table.token == job.token).values(values)):
            return True
        if alive:
            begun = and_(table.id == job.id, table.state.in_(("waiting", self.working)), table.attempts > 0)
            changed_rows(session, update(table).where(begun).values(attempts=table.attempts - 1))
        return False

    def release(self, session: Session, job: T, pause: float = 0.0, **values: Any) -> bool:  # noqa: ANN401 - the values of columns
        """Return a job to the queue after a pause, without counting the attempt; False if the claim was lost."""
        values |= {"state": "waiting", "attempts": self.table.attempts - 1, "lease": database_time(pause)}
        return self.finish(session, job, **values)

    def fail_expired(self, session: Session, **values: Any) -> Sequence[T]:  # noqa: ANN401 - the values of columns
        """Mark jobs as failed whose last attempt has expired; return their rows."""
        table = self.table
        over = self.unlocked_ids(self._free(), table.attempts >= MAX_ATTEMPTS)
        values = {"state": "failed", "token": None, "lease": None, **values}
        change = update(table).where(table.id.in_(over)).values(values).returning(table)
        return session.scalars(change, execution_options=_EXECUTION_OPTIONS).all()

    def _free(self) -> ColumnElement[bool]:
        return and_(
            unfinished(self.table, self.working), or_(self.table.lease.is_(None), self.table.lease <= database_time())
        )

    def unlocked_ids(self, *where: ColumnElement[bool]) -> Any:  # noqa: ANN401 - a statement of one column
        """Return a statement that selects and locks the ids of rows that are not locked."""
        # SQLAlchemy omits the lock on SQLite, where only one session writes at a time.
        return select(self.table.id).where(*where).with_for_update(skip_locked=True).correlate(None)


def unfinished(table: type[Photo | PrintJob], working: str) -> ColumnElement[bool]:
    """Return the condition of unfinished jobs, exactly as in the partial indexes.

    The states are literals, because SQLite uses a partial index only if the statement contains its condition.
    """
    return table.state.in_([literal_column(f"'{word}'") for word in ("waiting", working)])


def changed_rows(session: Session, change: Any) -> int:  # noqa: ANN401 - any update
    """Execute an update and return the number of changed rows."""
    return cast("CursorResult[Any]", session.execute(change, execution_options=_EXECUTION_OPTIONS)).rowcount


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
        if session.get_bind().dialect.name == POSTGRES:
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
                connection.execute(f"LISTEN {_CHANNEL}")
                # Something may have been added before.
                self.notify()
                while not stop.is_set():
                    for _ in connection.notifies(timeout=_TICK, stop_after=1):
                        self.notify()
            stop.wait(_TICK)
