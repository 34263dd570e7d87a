"""The queue of photographs to scan: their order, their claims, and the results of scans."""

from __future__ import annotations

import json
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, exists, func, or_, select, update
from sqlalchemy.orm import aliased

from server.db.models import Envelope, Photo
from server.db.session import database_time
from server.games.events import publish_event
from server.games.photos.scan_pool import CRASHED
from server.workers.lease_queue import LEASE, MAX_ATTEMPTS, Queue, changed_rows, unfinished

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy.orm import Session

PENALTY = 30.0
"""Seconds by which a second of scanning delays an envelope's other photographs."""
RECENT = timedelta(minutes=5)
"""Age up to which scans count for the order."""


class PhotoState(StrEnum):
    """The states of a photograph."""

    WAITING = "waiting"
    SCANNING = "scanning"
    DONE = "done"
    FAILED = "failed"


class PhotoSource(StrEnum):
    """The senders of a photograph."""

    PLAYER = "player"
    ORGANISER = "organiser"


UNSCANNED = frozenset({PhotoState.WAITING, PhotoState.SCANNING})
"""The states of photographs that wait or are being scanned."""
UNREAD = unfinished(Photo, PhotoState.SCANNING)
"""The same as a condition."""
SCANS = Queue(Photo, PhotoState.SCANNING, (Photo.priority, Photo.turn, Photo.created, Photo.place, Photo.id))


def place_in_order(
    session: Session, game: str, envelope: int | None, *, playing: bool, at: datetime
) -> tuple[int, float]:
    """Return the priority and the turn of a new photograph of an envelope, None for the organisers'.

    While the game is `playing`, players wait for their photographs, so these come first. Within a priority the turn is
    the time of arrival, delayed by the use of the scanner: the seconds for which the envelope's photographs were
    scanned recently, plus a second for each that still waits.
    """
    source = PhotoSource.ORGANISER if envelope is None else PhotoSource.PLAYER
    mine = Photo.game == game, Photo.source == source, Photo.envelope == envelope
    used: float = session.scalar(select(func.count()).select_from(Photo).where(*mine, UNREAD)) or 0
    if envelope is not None:
        used += session.scalar(select(func.sum(Photo.seconds)).where(*mine, Photo.scanned > at - RECENT)) or 0
    return 0 if playing and envelope is not None else 1, at.timestamp() + PENALTY * used


def claim(session: Session, at: datetime, seconds: float = LEASE) -> Photo | None:
    """Claim the next photograph; None if there is none.

    While others wait, only one photograph of an envelope is scanned at a time.
    """
    other = aliased(Photo)
    same = other.game == Photo.game, other.source == Photo.source, other.envelope == Photo.envelope
    scanning = unfinished(other, PhotoState.SCANNING), other.state == PhotoState.SCANNING, other.lease > database_time()
    scanned_now = exists().where(*same, *scanning, other.id != Photo.id)
    photo = SCANS.claim(session, seconds, ~scanned_now) or SCANS.claim(session, seconds)
    if photo is not None:
        _announce(session, photo, at)
    return photo


def finish(
    session: Session, photo: Photo, reading: str, at: datetime, *, seconds: float = 0.0, size: int | None = None
) -> bool:
    """Store the result of a scan, as JSON, and the stored file's new `size`; return False if the claim was lost.

    `seconds` is the duration of the scan.
    """
    values = {"scan_result": json.loads(reading), "reason": None} | ({} if size is None else {"size": size})
    return _settle(session, photo, at, state=PhotoState.DONE, scanned=at, seconds=seconds, **values)


def fail(session: Session, photo: Photo, reason: str, at: datetime, *, seconds: float = 0.0, again: bool) -> bool:
    """Record a failed scan, to be tried `again` unless it was the last attempt; return False if the claim was lost."""
    if again and photo.attempts < MAX_ATTEMPTS:
        values = {"state": PhotoState.WAITING, "turn": Photo.turn + PENALTY * max(1.0, seconds)}
    else:
        values = {"state": PhotoState.FAILED, "scanned": at}
    return _settle(session, photo, at, alive=False, reason=reason, seconds=seconds, **values)


def put_back(session: Session, photo: Photo, at: datetime, pause: float = 0.0) -> bool:
    """Return a photograph to the queue without counting the attempt; return False if the claim was lost."""
    back = SCANS.release(session, photo, pause)
    if back:
        _announce(session, photo, at)
    return back


def give_up(session: Session, at: datetime) -> None:
    """Mark photographs as failed whose last attempt did not finish, since it ended or blocked its process."""
    for photo in SCANS.fail_expired(session, reason=CRASHED, scanned=at):
        _announce(session, photo, at)


def scan_again(session: Session, photo: Photo, at: datetime) -> None:
    """Put a scanned photograph into the queue again. One that waits or is being scanned stays as it is."""
    if photo.state in {PhotoState.DONE, PhotoState.FAILED}:
        photo.state, photo.attempts = PhotoState.WAITING, 0
        photo.reason = photo.scanned = None
        _announce(session, photo, at)


def _settle(
    session: Session,
    photo: Photo,
    at: datetime,
    *,
    seconds: float,
    alive: bool = True,
    **values: Any,  # noqa: ANN401 - the values of columns
) -> bool:
    """Settle a scan. One of more than a second delays the envelope's other photographs."""
    if not SCANS.finish(session, photo, alive=alive, seconds=seconds, **values):
        return False
    if photo.envelope is not None and seconds > 1:
        waiting = and_(Photo.game == photo.game, Photo.envelope == photo.envelope, Photo.state == PhotoState.WAITING)
        others = SCANS.unlocked_ids(waiting, Photo.id != photo.id)
        changed_rows(session, update(Photo).where(Photo.id.in_(others)).values(turn=Photo.turn + PENALTY * seconds))
    _announce(session, photo, at)
    return True


def _announce(session: Session, photo: Photo, at: datetime) -> None:
    publish_event(session, photo.game, at, "photos", photo.envelope)


_UPLOADED = select(Photo.created).where(Photo.id == bindparam("photo"), Photo.source == PhotoSource.ORGANISER)

# One statement, since photographs of the same envelope may be finished at the same time.
_RECEIVE = (
    update(Envelope)
    .where(
        Envelope.game == bindparam("of"),
        Envelope.number == bindparam("label"),
        or_(Envelope.received.is_(None), Envelope.received > _UPLOADED.scalar_subquery()),
        _UPLOADED.exists(),
    )
    .values(received=_UPLOADED.scalar_subquery())
)


def record_receipt(session: Session, game: str, photo: str, labels: Collection[int]) -> None:
    """Record when organisers received an envelope: the time of the first photograph with only its label.

    `labels` are the envelopes whose labels were read in the photograph.
    """
    if len(set(labels)) == 1:
        session.execute(_RECEIVE, {"of": game, "photo": photo, "label": next(iter(labels))})
