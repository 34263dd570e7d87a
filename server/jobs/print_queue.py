"""The rows of print jobs: they are the queue of all processes together, and say what is kept.

A job is `waiting` until a process claims it in one conditional update, then `working` under a lease that the process
renews. A lease that ran out puts it back; after the second try it is `failed`, where people see it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, select, update

from server.store.database import take_turn
from server.store.tables import PrintJob

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from server.store.database import Database

MOST_WAITING = 6
"""Jobs that are not done yet, of all processes together."""
MOST_KEPT = 12
"""Files that are kept; the oldest goes first."""
MOST_BYTES = 4_000_000_000
"""Of all kept files together."""
LEASE = timedelta(seconds=30)
"""How long a claim holds unless it is renewed."""
TRIES = 2
"""So often a job is begun."""

_WAITING, _WORKING, _DONE, _FAILED = "waiting", "working", "done", "failed"
_OPEN = (_WAITING, _WORKING)
_BROKEN = "The server stopped in the middle of this. Print it again."


class PressError(Exception):
    """No job can be taken now; the message says why in one line."""


def enter(database: Database, job: PrintJob) -> PrintJob:
    """Write a job's row; return it, or the one that makes or has made the same. PressError."""
    alike = (PrintJob.game == job.game) & (PrintJob.name == job.name) & (PrintJob.what == job.what)
    with database.writing() as session:
        # Of two that come at once the second sees the first.
        take_turn(session, "print jobs")
        same = session.scalar(select(PrintJob).where(alike, PrintJob.state != _FAILED).limit(1))
        if same is not None:
            return same
        open_ = select(func.count()).select_from(PrintJob).where(PrintJob.state.in_(_OPEN))
        if (session.scalar(open_) or 0) >= MOST_WAITING:
            raise PressError("Much is being printed right now. Wait until some of it is done, or cancel it.")
        session.add(job)
    return job


def of_game(database: Database, game: str) -> list[PrintJob]:
    """Return a game's jobs, the newest first."""
    newest = (PrintJob.created.desc(), PrintJob.id.desc())
    with database.reading() as session:
        return list(session.scalars(select(PrintJob).where(PrintJob.game == game).order_by(*newest)))


def claim(database: Database, at: datetime) -> PrintJob | None:
    """Claim the job that waits longest, or return None if none waits."""
    oldest = select(PrintJob).where(PrintJob.state == _WAITING).order_by(PrintJob.created, PrintJob.id).limit(1)
    while True:
        with database.reading() as session:
            job = session.scalar(oldest)
        if job is None:
            return None
        free = (PrintJob.id == job.id) & (PrintJob.state == _WAITING) & (PrintJob.attempts == job.attempts)
        values = {"state": _WORKING, "attempts": job.attempts + 1, "lease": at + LEASE, "done": 0, "of": 0}
        if _changed(database, free, values):
            for name, value in values.items():
                setattr(job, name, value)
            return job


def is_held(database: Database, job: PrintJob) -> bool:
    """Tell whether a claim still holds: nobody has cancelled the job, nor taken it over."""
    with database.reading() as session:
        return session.scalar(select(PrintJob.id).where(_mine(job))) is not None


def tell(database: Database, job: PrintJob, done: int, number: int, until: datetime) -> bool:
    """Say how far a claimed job is, and renew its lease; False if the claim was lost."""
    return _changed(database, _mine(job), {"done": done, "of": number, "lease": until})


def settle(database: Database, job: PrintJob, values: dict[str, Any]) -> bool:
    """Note how a claimed job ended; False if the claim was lost."""
    state = _FAILED if values.get("problem") else _DONE
    return _changed(database, _mine(job), {"state": state, "lease": None, **values})


def put_back(database: Database, job: PrintJob) -> None:
    """Give a claimed job back as it was, for another process or a later time."""
    _changed(database, _mine(job), {"state": _WAITING, "lease": None, "attempts": job.attempts - 1, "done": 0, "of": 0})


def put_gone_back(database: Database, at: datetime, keep: timedelta) -> bool:
    """Put jobs back whose process is gone; after the last try they have failed. Tell whether any waits now."""
    with database.reading() as session:
        gone = session.scalars(select(PrintJob).where(PrintJob.state == _WORKING, PrintJob.lease < at)).all()
        waits = session.scalar(select(PrintJob.id).where(PrintJob.state == _WAITING).limit(1)) is not None
    for job in gone:
        again = job.attempts < TRIES
        values = {"state": _WAITING} if again else {"state": _FAILED, "problem": _BROKEN, "until": at + keep}
        # One that was renewed meanwhile goes on.
        moved = _changed(database, _mine(job) & (PrintJob.lease < at), {"lease": None, **values})
        waits = waits or (moved and again)
    return waits


def due(database: Database, at: datetime) -> list[PrintJob]:
    """Return the jobs that are to go: kept long enough, and the oldest of too many or too large ones."""
    newest = (PrintJob.created.desc(), PrintJob.id.desc())
    with database.reading() as session:
        ended = session.scalars(select(PrintJob).where(PrintJob.state.not_in(_OPEN)).order_by(*newest)).all()
    found, room = [], MOST_BYTES
    for place, job in enumerate(ended):
        room -= job.bytes or 0
        if place >= MOST_KEPT or room < 0 or (job.until is not None and at >= job.until):
            found.append(job)
    return found


def drop(database: Database, jobs: Iterable[str]) -> None:
    """Forget jobs. Whoever makes one of them sees it soon and stops."""
    with database.writing() as session:
        session.execute(delete(PrintJob).where(PrintJob.id.in_(list(jobs))))


def every(database: Database) -> list[PrintJob]:
    """Return all jobs of all games."""
    with database.reading() as session:
        return list(session.scalars(select(PrintJob)))


def _mine(job: PrintJob) -> ColumnElement[bool]:
    return (PrintJob.id == job.id) & (PrintJob.state == _WORKING) & (PrintJob.attempts == job.attempts)


def _changed(database: Database, where: ColumnElement[bool], values: dict[str, Any]) -> bool:
    """Change a job's row and tell whether it was as expected."""
    with database.writing() as session:
        result: Any = session.execute(
            update(PrintJob).where(where).values(**values), execution_options={"synchronize_session": False}
        )
        return bool(result.rowcount)
