"""The queue of jobs: rows of photographs to scan and of files to print, each claimed under a lease.

A claim writes a random token and the end of the lease into the row. Only whoever has the token may renew the claim or
settle the job, so a process that was taken for dead changes nothing. A row whose lease has ended can be claimed again,
as if it waited; after three attempts it fails. All times of leases are the database's. Rows that are locked by others
are skipped, so nobody waits for them.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from sqlalchemy import Float, and_, exists, func, insert, literal, literal_column, or_, select, update
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import aliased
from sqlalchemy.sql.functions import FunctionElement

from server.jobs.scan_worker import CRASHED
from server.store.changes import note_change
from server.store.database import take_turn
from server.store.tables import Chore, Photo, PrintJob
from server.store.times import Instant

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, CursorResult
    from sqlalchemy.orm import InstrumentedAttribute, Session
    from sqlalchemy.sql.compiler import SQLCompiler

T = TypeVar("T", Photo, PrintJob)

LEASE = 20.0
"""Seconds that a claim holds unless it is renewed."""
TRIES = 3
"""Attempts after which a job has failed if none of them finished."""
PENALTY = 30.0
"""Seconds by which a second of scanning moves an envelope's pictures back behind those of others."""
LATELY = timedelta(minutes=5)
"""How long the seconds of a scan count."""


class PhotoState(StrEnum):
    """The states of a photograph."""

    WAITING = "waiting"
    SCANNING = "scanning"
    DONE = "done"
    FAILED = "failed"


class database_time(FunctionElement[Any]):  # noqa: N801 - named like the SQL function that it stands for
    """The database's time, a number of seconds from now."""

    type = Instant()
    inherit_cache = True

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(literal(seconds, Float()))


@compiles(database_time, "postgresql")
def _postgresql_time(element: database_time, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401 - SQLAlchemy's signature
    return f"clock_timestamp() + make_interval(secs => {compiler.process(element.clauses, **options)})"


@compiles(database_time, "sqlite")
def _sqlite_time(element: database_time, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401 - SQLAlchemy's signature
    # In the form in which SQLAlchemy keeps times: with six digits of a second.
    return f"strftime('%Y-%m-%d %H:%M:%f000', 'now', {compiler.process(element.clauses, **options)} || ' seconds')"


@dataclass(frozen=True)
class Queue(Generic[T]):
    """The leased rows of a table: `working` is the state of those that are claimed, `order` that of claims."""

    table: type[T]
    working: str
    order: tuple[InstrumentedAttribute[Any], ...]

    def claim(self, session: Session, seconds: float, *where: ColumnElement[bool]) -> T | None:
        """Claim the first job that waits, for so many seconds, and return its row; None if none can be claimed."""
        table = self.table
        first = self.unlocked(self._free(), table.attempts < TRIES, *where).order_by(*self.order).limit(1)
        values = {
            "state": self.working,
            "token": secrets.token_hex(16),
            "lease": database_time(seconds),
            "attempts": table.attempts + 1,
        }
        change = update(table).where(table.id == first.scalar_subquery()).values(values).returning(table)
        return cast("T | None", session.scalar(change, execution_options=_PLAIN))

    def waits(self, session: Session) -> bool:
        """Tell whether any job can be claimed."""
        return session.scalar(select(self.table.id).where(self._free()).limit(1)) is not None

    def renew(self, session: Session, tokens: Collection[str | None], seconds: float, **values: Any) -> None:  # noqa: ANN401 - the values of columns
        """Let claims hold for so many seconds from now, and change their rows.

        Those whose lease has ended hold again, if nobody else has claimed the job since.
        """
        mine = self.unlocked(self.table.token.in_(tokens), self.table.state == self.working)
        values["lease"] = database_time(seconds)
        _rows(session, update(self.table).where(self.table.id.in_(mine)).values(values))

    def holds(self, session: Session, job: T) -> bool:
        """Tell whether a claim holds: nobody has deleted the job or claimed it since."""
        mine = self.table.id == job.id, self.table.token == job.token
        return session.scalar(select(self.table.id).where(*mine)) is not None

    def settle(self, session: Session, job: T, *, alive: bool = True, **values: Any) -> bool:  # noqa: ANN401 - the values of columns
        """End a claim and change the row; False if the claim was lost, and the row stays as it is.

        A process that is still `alive` when it has lost its claim was only taken for dead, while it was asleep or cut
        off: its attempt does not count.
        """
        table = self.table
        values = {"token": None, "lease": None, **values}
        if _rows(session, update(table).where(table.id == job.id, table.token == job.token).values(values)):
            return True
        if alive:
            begun = and_(table.id == job.id, table.state.in_(("waiting", self.working)), table.attempts > 0)
            _rows(session, update(table).where(begun).values(attempts=table.attempts - 1))
        return False

    def put_back(self, session: Session, job: T, pause: float = 0.0, **values: Any) -> bool:  # noqa: ANN401 - the values of columns
        """Give a job back that is not to blame, to be claimed again after a pause; False if the claim was lost."""
        values |= {"state": "waiting", "attempts": self.table.attempts - 1, "lease": database_time(pause)}
        return self.settle(session, job, **values)

    def give_up(self, session: Session, **values: Any) -> Sequence[T]:  # noqa: ANN401 - the values of columns
        """Mark jobs as failed whose last attempt did not finish; return their rows."""
        table = self.table
        over = self.unlocked(self._free(), table.attempts >= TRIES)
        values = {"state": "failed", "token": None, "lease": None, **values}
        change = update(table).where(table.id.in_(over)).values(values).returning(table)
        return session.scalars(change, execution_options=_PLAIN).all()

    def _free(self) -> ColumnElement[bool]:
        return and_(
            open_in(self.table, self.working), or_(self.table.lease.is_(None), self.table.lease <= database_time())
        )

    def unlocked(self, *where: ColumnElement[bool]) -> Any:  # noqa: ANN401 - a statement of one column
        """Return what selects and locks the ids of rows that nobody else has locked."""
        # On SQLite, where one session writes at a time, SQLAlchemy leaves the lock out.
        return select(self.table.id).where(*where).with_for_update(skip_locked=True).correlate(None)


_PLAIN = {"synchronize_session": False, "populate_existing": True}


def open_in(table: type[Photo | PrintJob], working: str) -> ColumnElement[bool]:
    """Return the condition of jobs that are not settled, as the partial indexes have it.

    The words are in the statement's own text: SQLite takes a partial index only where it sees the index's condition.
    """
    return table.state.in_([literal_column(f"'{word}'") for word in ("waiting", working)])


UNREAD = open_in(Photo, PhotoState.SCANNING)
"""The condition of photographs that wait or are being scanned."""
SCANS = Queue(Photo, PhotoState.SCANNING, (Photo.priority, Photo.turn, Photo.created, Photo.place, Photo.id))
PRINTS = Queue(PrintJob, "working", (PrintJob.created, PrintJob.id))


def take_chore(session: Session, name: str, token: str, seconds: float) -> bool:
    """Take a periodic task for so many seconds, or go on with it; False while another process has it."""
    free = or_(Chore.token == token, Chore.lease <= database_time())
    values = {"token": token, "lease": database_time(seconds)}
    if _rows(session, update(Chore).where(Chore.name == name, free).values(values)):
        return True
    # Of two that begin at once the second sees the first.
    take_turn(session, "chore", name)
    if session.get(Chore, name) is not None:
        return False
    session.execute(insert(Chore).values(name=name, **values))
    return True


def place_in_order(
    session: Session, game: str, envelope: int | None, *, played: bool, at: datetime
) -> tuple[int, float]:
    """Return the priority and the turn of a picture of an envelope (None: of the organisers) that comes now.

    Players of a game that is being `played` stand and wait, so theirs come first. Among the others, and among them, a
    picture has its turn when it came, or later the more its envelope uses the scanner: the seconds for which pictures
    of the envelope were scanned lately, and a second for each that still waits.
    """
    source = "organiser" if envelope is None else "player"
    mine = Photo.game == game, Photo.source == source, Photo.envelope == envelope
    used: float = session.scalar(select(func.count()).select_from(Photo).where(*mine, UNREAD)) or 0
    if envelope is not None:
        used += session.scalar(select(func.sum(Photo.seconds)).where(*mine, Photo.scanned > at - LATELY)) or 0
    return 0 if played and envelope is not None else 1, at.timestamp() + PENALTY * used


def claim(session: Session, at: datetime, seconds: float = LEASE) -> Photo | None:
    """Claim the photograph whose turn it is; None if none can be claimed.

    While others wait, one photograph of an envelope is scanned at a time.
    """
    other = aliased(Photo)
    same = other.game == Photo.game, other.source == Photo.source, other.envelope == Photo.envelope
    scanning = open_in(other, PhotoState.SCANNING), other.state == PhotoState.SCANNING, other.lease > database_time()
    scanned_now = exists().where(*same, *scanning, other.id != Photo.id)
    photo = SCANS.claim(session, seconds, ~scanned_now) or SCANS.claim(session, seconds)
    if photo is not None:
        _tell(session, photo, at)
    return photo


def finish(
    session: Session, photo: Photo, reading: str, at: datetime, *, seconds: float = 0.0, size: int | None = None
) -> bool:
    """Keep what was read in a photograph, as JSON, and the stored file's new `size`; False if the claim was lost.

    `seconds` is how long the scan took.
    """
    values = {"reading": json.loads(reading), "reason": None} | ({} if size is None else {"size": size})
    return _settle(session, photo, at, state=PhotoState.DONE, scanned=at, seconds=seconds, **values)


def fail(session: Session, photo: Photo, reason: str, at: datetime, *, seconds: float = 0.0, again: bool) -> bool:
    """Note that a scan failed: it is tried `again` unless that was the last attempt. False if the claim was lost."""
    if again and photo.attempts < TRIES:
        values = {"state": PhotoState.WAITING, "turn": Photo.turn + PENALTY * max(1.0, seconds)}
    else:
        values = {"state": PhotoState.FAILED, "scanned": at}
    return _settle(session, photo, at, alive=False, reason=reason, seconds=seconds, **values)


def put_back(session: Session, photo: Photo, at: datetime, pause: float = 0.0) -> bool:
    """Give a photograph back that is not to blame, to be claimed again after a pause. False if the claim was lost."""
    back = SCANS.put_back(session, photo, pause)
    if back:
        _tell(session, photo, at)
    return back


def give_up(session: Session, at: datetime) -> None:
    """Mark photographs as failed whose last scan did not finish: each ended or blocked its process."""
    for photo in SCANS.give_up(session, reason=CRASHED, scanned=at):
        _tell(session, photo, at)


def scan_again(session: Session, photo: Photo, at: datetime) -> None:
    """Let a photograph be scanned afresh, as if it had just come in. One that waits or is being scanned goes on."""
    if photo.state in {PhotoState.DONE, PhotoState.FAILED}:
        photo.state, photo.attempts = PhotoState.WAITING, 0
        photo.reason = photo.scanned = None
        _tell(session, photo, at)


def _settle(
    session: Session,
    photo: Photo,
    at: datetime,
    *,
    seconds: float,
    alive: bool = True,
    **values: Any,  # noqa: ANN401 - the values of columns
) -> bool:
    """Settle a scan. One that took more than its second moves the envelope's other pictures back."""
    if not SCANS.settle(session, photo, alive=alive, seconds=seconds, **values):
        return False
    if photo.envelope is not None and seconds > 1:
        waiting = and_(Photo.game == photo.game, Photo.envelope == photo.envelope, Photo.state == PhotoState.WAITING)
        others = SCANS.unlocked(waiting, Photo.id != photo.id)
        _rows(session, update(Photo).where(Photo.id.in_(others)).values(turn=Photo.turn + PENALTY * seconds))
    _tell(session, photo, at)
    return True


def _tell(session: Session, photo: Photo, at: datetime) -> None:
    note_change(session, photo.game, "photos", photo.envelope, at)


def _rows(session: Session, change: Any) -> int:  # noqa: ANN401 - any update
    return cast("CursorResult[Any]", session.execute(change, execution_options=_PLAIN)).rowcount
