"""The queue of photographs to scan. Their rows are the queue: whatever ends a process, nothing is forgotten.

A photograph is `waiting` until one claims it in one conditional update, then `scanning` under a lease that the claimer
renews. A lease that ran out puts it back. After the third scan that ended badly it is `failed`, where people see it.

Claims are counted (`attempts`), and so are the scans that they came to (`begun`): a picture that was in hand, ahead of
its scan, where a server was killed is not to blame for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import bindparam, or_, select, update
from sqlalchemy.types import UserDefinedType

from server.jobs.whose_turn import first_at_once, first_of_all
from server.store.changes import note_change
from server.store.tables import Photo, table_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from sqlalchemy import Update
    from sqlalchemy.orm import Session

    from server.store.database import Database

LEASE = timedelta(seconds=20)
"""How long a claim holds unless it is renewed."""
TRIES = 3
"""So many scans of a photograph may end badly."""
CLAIMS = 4 * TRIES
"""So many claims may, whatever they came to: what ends a server before it can note the scan is not tried for ever."""
_TOPIC = "photos"
FAIR = timedelta(minutes=1)
"""So long what was scanned for a player counts when it is asked whose turn it is."""


class PhotoState(StrEnum):
    """Where a photograph stands."""

    WAITING = "waiting"
    SCANNING = "scanning"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class Claim:
    """The right to scan a photograph. `attempt` tells it from the claims of others, before and after.

    `scan` is how many scans were begun with this one, or without it where it is known not to have begun.
    """

    photo: str
    game: str
    envelope: int | None
    attempt: int
    scan: int

    @property
    def is_last(self) -> bool:
        """Whether there is no other try."""
        return self.scan >= TRIES or self.attempt >= CLAIMS


class _Written(UserDefinedType[str]):
    """JSON that comes as a text: it goes into a column as it is."""

    cache_ok = True


_PHOTOS = table_of(Photo)
_SAME = _PHOTOS.c.id == bindparam("photo"), _PHOTOS.c.attempts == bindparam("attempt")
_WAITS = (*_SAME, _PHOTOS.c.state == PhotoState.WAITING)
_HELD = (*_SAME, _PHOTOS.c.state == PhotoState.SCANNING)
# What a statement is made of costs more than to run it, so these are made once. What they set comes with the values.
_SETTLE = update(_PHOTOS).where(*_HELD)
_FINISH = _SETTLE.values(reading=bindparam("text", type_=_Written()))
# One that another has in hand is that one's: what else a session writes does not wait for it.
_TAKE = update(_PHOTOS).where(_PHOTOS.c.id.in_(select(_PHOTOS.c.id).where(*_WAITS).with_for_update(skip_locked=True)))
# Its lease may be being renewed.
_BEGIN = update(_PHOTOS).where(_PHOTOS.c.id.in_(select(_PHOTOS.c.id).where(*_HELD).with_for_update(skip_locked=True)))


class Candidate(NamedTuple):
    """A photograph whose turn it is, as long as nobody else claims it."""

    photo: str
    game: str
    envelope: int | None
    attempts: int
    begun: int


def candidate(database: Database, at: datetime, but: Collection[str] = ()) -> Candidate | None:
    """Return the photograph whose turn it is, or None if none waits. Nothing is claimed, and nobody is kept waiting.

    `but` are ids of photographs that are not meant.
    """
    since = {"since": at - FAIR}
    if but:
        found = database.look(first_of_all(but=True), {**since, "but": list(but)})
    else:
        found = database.look(first_at_once(), since) or database.look(first_of_all(), since)
    return None if found is None else Candidate._make(found)


def take(
    session: Session, one: Candidate, at: datetime, lease: timedelta = LEASE, *, ahead: bool = False
) -> Claim | None:
    """Claim a candidate in a writing session; None if another was faster. Nobody is waited for.

    `ahead`: its scan begins later, and is noted then (`note_begun`).
    """
    mine = Claim(one.photo, one.game, one.envelope, one.attempts + 1, one.begun + 1)
    begun = one.begun if ahead else mine.scan
    values = {"state": PhotoState.SCANNING, "lease": at + lease, "attempts": mine.attempt, "begun": begun}
    if not _touched(session, _TAKE, one.photo, one.attempts, values):
        return None
    _tell(session, mine, at)
    return mine


def claim(
    database: Database, at: datetime, lease: timedelta = LEASE, *, ahead: bool = False, but: Collection[str] = ()
) -> Claim | None:
    """Claim the photograph whose turn it is, or return None if none waits; `ahead` as for `take`, `but` as before."""
    while (one := candidate(database, at, but)) is not None:
        with database.writing() as session:
            if mine := take(session, one, at, lease, ahead=ahead):
                return mine
    return None


def renew(database: Database, claims: Collection[Claim], until: datetime, begun: Collection[Claim] = ()) -> set[Claim]:
    """Let claims hold until then. One that was lost stays lost. `begun` as for `note_begun`."""
    if not claims:
        return set()
    held = or_(*((Photo.id == one.photo) & (Photo.attempts == one.attempt) for one in claims))
    with database.writing() as session:
        session.execute(update(Photo).where(Photo.state == PhotoState.SCANNING, held).values(lease=until))
        return note_begun(session, begun)


def note_begun(session: Session, claims: Collection[Claim]) -> set[Claim]:
    """Note that scans began of what was claimed ahead; return the claims of which it is noted. Nobody is waited for."""
    return {one for one in claims if _touched(session, _BEGIN, one.photo, one.attempt, {"begun": one.scan})}


def finish(session: Session, mine: Claim, reading: str, at: datetime, size: int | None = None) -> bool:
    """Keep what was read, as JSON (and the stored file's new `size`).

    False if the claim was lost: another one scans it.
    """
    values: dict[str, Any] = {"state": PhotoState.DONE, "lease": None, "reason": None, "text": reading}
    values |= {"scanned": at, "begun": mine.scan} | ({} if size is None else {"size": size})
    return _settle(session, mine, at, values, _FINISH)


def fail(session: Session, mine: Claim, reason: str, at: datetime, *, final: bool) -> bool:
    """Note that a scan failed: it is tried again, unless that was the last try or would change nothing (`final`)."""
    over = final or mine.is_last
    state = PhotoState.FAILED if over else PhotoState.WAITING
    values = {"state": state, "lease": None, "reason": reason, "scanned": at if over else None, "begun": mine.scan}
    return _settle(session, mine, at, values)


def put_back(session: Session, mine: Claim, at: datetime) -> bool:
    """Give a photograph back as it was before the claim, which was through no fault of its own."""
    before = {"attempts": mine.attempt - 1, "begun": mine.scan - 1}
    return _settle(session, mine, at, {"state": PhotoState.WAITING, "lease": None, **before})


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
        photo.state, photo.attempts, photo.begun = PhotoState.WAITING, 0, None
        photo.reason = photo.scanned = None
        note_change(session, photo.game, _TOPIC, photo.envelope, at)


def _settle(session: Session, mine: Claim, at: datetime, values: dict[str, Any], change: Update = _SETTLE) -> bool:
    """Change a photograph's row if the claim still holds."""
    if not _touched(session, change, mine.photo, mine.attempt, values):
        return False
    _tell(session, mine, at)
    return True


def _touched(session: Session, change: Update, photo: str, attempt: int, values: dict[str, Any]) -> bool:
    """Make a change and tell whether it met a row."""
    result: Any = session.execute(change, {"photo": photo, "attempt": attempt, **values})
    return bool(result.rowcount)


def _tell(session: Session, mine: Claim, at: datetime) -> None:
    note_change(session, mine.game, _TOPIC, mine.envelope, at)
