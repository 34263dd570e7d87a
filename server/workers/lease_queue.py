"""The queue of jobs: rows of photographs to scan and of files to print, each claimed under a lease.

A claim writes a random token and the end of the lease into the row. Only whoever has the token may renew the claim or
settle the job, so a process that was taken for dead changes nothing. A row whose lease has ended can be claimed again,
as if it waited; after three attempts it fails. All times of leases are the database's. Rows that are locked by others
are skipped, so nobody waits for them.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from sqlalchemy import and_, insert, literal_column, or_, select, update

from server.db.models import PeriodicTask, Photo, PrintJob
from server.db.session import take_turn
from server.db.types import database_time

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement, CursorResult
    from sqlalchemy.orm import InstrumentedAttribute, Session

T = TypeVar("T", Photo, PrintJob)

LEASE = 20.0
"""Seconds that a claim holds unless it is renewed."""
TRIES = 3
"""Attempts after which a job has failed if none of them finished."""


@dataclass(frozen=True)
class Queue(Generic[T]):
    """The leased rows of a table: `working` is the state of those that are claimed, `order` that of claims."""

    table: type[T]
    working: str
    order: tuple[InstrumentedAttribute[Any], ...]

    def claim(self, session: Session, seconds: float, *where: ColumnElement[bool]) -> T | None:
        """Claim the first job that waits, for so many seconds, and return its row; None if none can be claimed."""
        table = self.table
        first = self.unlocked_ids(self._free(), table.attempts < TRIES, *where).order_by(*self.order).limit(1)
        values = {
            "state": self.working,
            "token": secrets.token_hex(16),
            "lease": database_time(seconds),
            "attempts": table.attempts + 1,
        }
        change = update(table).where(table.id == first.scalar_subquery()).values(values).returning(table)
        return cast("T | None", session.scalar(change, execution_options=_PLAIN))

    def has_waiting(self, session: Session) -> bool:
        """Tell whether any job can be claimed."""
        return session.scalar(select(self.table.id).where(self._free()).limit(1)) is not None

    def renew(self, session: Session, tokens: Collection[str | None], seconds: float, **values: Any) -> None:  # noqa: ANN401 - the values of columns
        """Let claims hold for so many seconds from now, and change their rows.

        Those whose lease has ended hold again, if nobody else has claimed the job since.
        """
        mine = self.unlocked_ids(self.table.token.in_(tokens), self.table.state == self.working)
        values["lease"] = database_time(seconds)
        changed_rows(session, update(self.table).where(self.table.id.in_(mine)).values(values))

    def holds(self, session: Session, job: T) -> bool:
        """Tell whether a claim holds: nobody has deleted the job or claimed it since."""
        mine = self.table.id == job.id, self.table.token == job.token
        return session.scalar(select(self.table.id).where(*mine)) is not None

    def finish(self, session: Session, job: T, *, alive: bool = True, **values: Any) -> bool:  # noqa: ANN401 - the values of columns
        """End a claim and change the row; False if the claim was lost, and the row stays as it is.

        A process that is still `alive` when it has lost its claim was only taken for dead, while it was asleep or cut
        off: its attempt does not count.
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
        """Give a job back that is not to blame, to be claimed again after a pause; False if the claim was lost."""
        values |= {"state": "waiting", "attempts": self.table.attempts - 1, "lease": database_time(pause)}
        return self.finish(session, job, **values)

    def fail_expired(self, session: Session, **values: Any) -> Sequence[T]:  # noqa: ANN401 - the values of columns
        """Mark jobs as failed whose last attempt did not finish; return their rows."""
        table = self.table
        over = self.unlocked_ids(self._free(), table.attempts >= TRIES)
        values = {"state": "failed", "token": None, "lease": None, **values}
        change = update(table).where(table.id.in_(over)).values(values).returning(table)
        return session.scalars(change, execution_options=_PLAIN).all()

    def _free(self) -> ColumnElement[bool]:
        return and_(
            unfinished(self.table, self.working), or_(self.table.lease.is_(None), self.table.lease <= database_time())
        )

    def unlocked_ids(self, *where: ColumnElement[bool]) -> Any:  # noqa: ANN401 - a statement of one column
        """Return what selects and locks the ids of rows that nobody else has locked."""
        # On SQLite, where one session writes at a time, SQLAlchemy leaves the lock out.
        return select(self.table.id).where(*where).with_for_update(skip_locked=True).correlate(None)


_PLAIN = {"synchronize_session": False, "populate_existing": True}


def unfinished(table: type[Photo | PrintJob], working: str) -> ColumnElement[bool]:
    """Return the condition of jobs that are not settled, as the partial indexes have it.

    The words are in the statement's own text: SQLite takes a partial index only where it sees the index's condition.
    """
    return table.state.in_([literal_column(f"'{word}'") for word in ("waiting", working)])


def claim_task(session: Session, name: str, token: str, seconds: float) -> bool:
    """Take a periodic task for so many seconds, or go on with it; False while another process has it."""
    free = or_(PeriodicTask.token == token, PeriodicTask.lease <= database_time())
    values = {"token": token, "lease": database_time(seconds)}
    if changed_rows(session, update(PeriodicTask).where(PeriodicTask.name == name, free).values(values)):
        return True
    # Of two that begin at once the second sees the first.
    take_turn(session, "chore", name)
    if session.get(PeriodicTask, name) is not None:
        return False
    session.execute(insert(PeriodicTask).values(name=name, **values))
    return True


def changed_rows(session: Session, change: Any) -> int:  # noqa: ANN401 - any update
    """Execute a change and return the number of its rows."""
    return cast("CursorResult[Any]", session.execute(change, execution_options=_PLAIN)).rowcount
