"""The queue of photographs to scan. Their rows are the queue: whatever ends a process, nothing is forgotten.

A photograph is `waiting` until one claims it in one conditional update, then `scanning` under a lease that the claimer
renews. A lease that ran out puts it back. After the third try it is `failed`, where people see it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import and_, bindparam, case, func, or_, select, update

from server.store.tables import Change, Game, Photo
from server.store.times import Instant

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from server.store.database import Database

LEASE = timedelta(seconds=20)
"""How long a claim holds unless it is renewed."""
TRIES = 3
"""So many scans of a photograph may end badly."""
FAIR = timedelta(minutes=1)
"""So long what was scanned for a player counts when it is asked whose turn it is."""

_PLAYED = ("printed", "open")
# States of a game in which players stand and wait.


class PhotoState(StrEnum):
    """Where a photograph stands."""

    WAITING = "waiting"
    SCANNING = "scanning"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class Claim:
    """The right to scan a photograph. `attempt` tells it from the claims of others, before and after."""

    photo: str
    game: str
    envelope: int | None
    attempt: int


class Candidate(NamedTuple):
    """A photograph whose turn it is, as long as nobody else claims it."""

    photo: str
    game: str
    envelope: int | None
    attempts: int


def candidate(database: Database, at: datetime) -> Candidate | None:
    """Return the photograph whose turn it is, or None if none waits. Nothing is claimed, and nobody is kept waiting."""
    with database.reading() as session:
        found = session.execute(_turn(), {"since": at - FAIR}).first()
    return None if found is None else Candidate(*found)


def take(session: Session, one: Candidate, at: datetime, lease: timedelta = LEASE) -> Claim | None:
    """Claim a candidate in a writing session; None if another was faster. Nobody is waited for."""
    waits = (Photo.id == one.photo) & (Photo.state == PhotoState.WAITING) & (Photo.attempts == one.attempts)
    # One that another has in hand is that one's: what else this session writes does not wait for it.
    if session.scalar(select(Photo.id).where(waits).with_for_update(skip_locked=True)) is None:
        return None
    values = {"state": PhotoState.SCANNING, "lease": at + lease, "attempts": one.attempts + 1}
    if not _touched(session, update(Photo).where(waits).values(**values)):
        return None
    mine = Claim(one.photo, one.game, one.envelope, one.attempts + 1)
    _tell(session, mine, at)
    return mine


def claim(database: Database, at: datetime, lease: timedelta = LEASE) -> Claim | None:
    """Claim the photograph whose turn it is, or return None if none waits."""
    while (one := candidate(database, at)) is not None:
        with database.writing() as session:
            if mine := take(session, one, at, lease):
                return mine
    return None


@cache
def _turn() -> Select[str, str, int | None, int]:
    """Return what selects the photograph whose turn it is. What was scanned after `since` counts as scanned lately.

    While a game is played its players stand and wait, so theirs come first; after that, organisers and players take
    turns. Then come those that were tried less often, then envelopes for which less was scanned just now, so that
    nobody waits for another one's sixty pictures, then the oldest.
    """
    since = bindparam("since", type_=Instant)
    settled = Photo.state.in_((PhotoState.DONE, PhotoState.FAILED)) & (Photo.scanned > since)
    # What is tried again has been scanned too.
    lately = or_(settled, Photo.state.in_((PhotoState.SCANNING, PhotoState.WAITING)) & (Photo.attempts > 0))
    scans = func.sum(Photo.attempts).label("scans")
    of_source = select(Photo.game, Photo.source, scans).where(lately).group_by(Photo.game, Photo.source).subquery()
    of_envelope = (
        select(Photo.game, Photo.envelope, scans)
        .where(lately, Photo.source == "player")
        .group_by(Photo.game, Photo.envelope)
        .subquery()
    )
    first = (Photo.source == "player") & Game.state.in_(_PLAYED)
    return (
        select(Photo.id, Photo.game, Photo.envelope, Photo.attempts)
        .join(Game, Game.id == Photo.game)
        .outerjoin(of_source, and_(of_source.c.game == Photo.game, of_source.c.source == Photo.source))
        .outerjoin(of_envelope, and_(of_envelope.c.game == Photo.game, of_envelope.c.envelope == Photo.envelope))
        .where(Photo.state == PhotoState.WAITING)
        .order_by(
            case((first, 0), else_=1),
            Photo.attempts,
            case((first, 0), else_=func.coalesce(of_source.c.scans, 0)),
            func.coalesce(of_envelope.c.scans, 0),
            Photo.created,
            Photo.place,
            Photo.id,
        )
        .limit(1)
    )


def renew(database: Database, claims: Collection[Claim], until: datetime) -> None:
    """Let claims hold until then. One that was lost stays lost."""
    if claims:
        held = or_(*((Photo.id == one.photo) & (Photo.attempts == one.attempt) for one in claims))
        with database.writing() as session:
            session.execute(update(Photo).where(Photo.state == PhotoState.SCANNING, held).values(lease=until))


def finish(session: Session, mine: Claim, reading: dict[str, Any], at: datetime, size: int | None = None) -> bool:
    """Keep what was read (and the stored file's new `size`). False if the claim was lost: another one scans it."""
    values = {"state": PhotoState.DONE, "lease": None, "reason": None, "reading": reading, "scanned": at}
    return _settle(session, mine, at, values if size is None else {**values, "size": size})


def fail(session: Session, mine: Claim, reason: str, at: datetime, *, final: bool) -> bool:
    """Note that a scan failed: it is tried again, unless that was the last try or would change nothing (`final`)."""
    over = final or mine.attempt >= TRIES
    state = PhotoState.FAILED if over else PhotoState.WAITING
    return _settle(
        session, mine, at, {"state": state, "lease": None, "reason": reason, "scanned": at if over else None}
    )


def put_back(session: Session, mine: Claim, at: datetime) -> bool:
    """Give a photograph back as it was before the claim, which was through no fault of its own."""
    return _settle(session, mine, at, {"state": PhotoState.WAITING, "lease": None, "attempts": mine.attempt - 1})


def put_gone_back(database: Database, gone: Mapping[Claim, datetime | None], at: datetime) -> int:
    """Put photographs back whose claimer is gone (`server.jobs.leases`), and return how many.

    `gone` says how long each claim's lease was seen to be: one that was renewed meanwhile holds. After the last try
    they have failed.
    """
    seen = or_(*((Photo.id == one.photo) & (Photo.lease == lease) for one, lease in gone.items()))
    with database.writing() as session:
        # One that is being renewed, or put back by others, is theirs.
        same = select(Photo.id).where(Photo.state == PhotoState.SCANNING, seen).with_for_update(skip_locked=True)
        still = set(session.scalars(same))
        return sum(fail(session, one, "crashed", at, final=False) for one in gone if one.photo in still)


def scan_again(session: Session, photo: Photo, at: datetime) -> None:
    """Let a photograph be scanned afresh, as if it had just come in. One that waits or is being scanned goes on."""
    if photo.state in {PhotoState.DONE, PhotoState.FAILED}:
        photo.state, photo.attempts, photo.reason, photo.scanned = PhotoState.WAITING, 0, None, None
        session.add(Change(game=photo.game, topic="photos", envelope=photo.envelope, at=at))


def _settle(session: Session, mine: Claim, at: datetime, values: dict[str, Any]) -> bool:
    """Change a photograph's row if the claim still holds."""
    held = (Photo.id == mine.photo) & (Photo.state == PhotoState.SCANNING) & (Photo.attempts == mine.attempt)
    if not _touched(session, update(Photo).where(held).values(**values)):
        return False
    _tell(session, mine, at)
    return True


def _touched(session: Session, change: Any) -> bool:  # noqa: ANN401 - an update of any table
    """Make a change and tell whether it met a row."""
    result: Any = session.execute(change, execution_options={"synchronize_session": False})
    return bool(result.rowcount)


def _tell(session: Session, mine: Claim, at: datetime) -> None:
    session.add(Change(game=mine.game, topic="photos", envelope=mine.envelope, at=at))
