"""What is deleted, and when: photographs by the game's own rule, files that belong to nothing, and answers of old.

What was read in a photograph stays, since results rest on it; the picture goes.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import and_, delete, or_, select, update

from server.db.errors import DATABASE_FAILURES
from server.db.models import EndedSession, Game, IdempotentResponse, Photo
from server.games.audit import SERVER, audit, publish_event
from server.games.events import prune
from server.games.photos.heartbeat import delete_old_heartbeats
from server.games.photos.image import HEAD, is_foreign
from server.games.photos.scan_queue import PhotoState
from server.storage.base import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from server.games.context import AppContext

T = TypeVar("T")

ORPHANS = timedelta(hours=1)
"""Age from which on a file that no row knows is deleted. Its row is written seconds after it, or never."""
ANSWERS = timedelta(days=2)
"""How long the answers to requests are kept for those who send them again."""
SESSIONS = timedelta(days=14)
"""Lifetime of an organiser's session, and how long an ended one is remembered."""
_BATCH = 200
_log = logging.getLogger(__name__)


def erase_due(context: AppContext) -> int:
    """Delete the pictures whose time is over, and return how many.

    A player's own go `keep_hours` after they came, once they are read; those of hand-ins go `keep_days` after the
    results were published, and stay as long as they are not. Exactly at that time they go. A game with which this
    fails keeps no other game's pictures.
    """
    at, erased = context.time(), 0
    with context.database.reading() as session:
        games = session.scalars(select(Game.id)).all()
    for game in games:
        try:
            erased += _erase_of_game(context, game, at)
        except (*DATABASE_FAILURES, StorageError):
            # The database itself, or the place of all pictures: the other games have to wait as well.
            raise
        except Exception:  # noqa: BLE001 - whatever is wrong with one game, the next has its turn
            _log.exception("the pictures of game %s were not deleted", game)
    return erased


def erase_unread(context: AppContext) -> int:
    """Delete the files of pictures that could not be read and still hold what their camera wrote; return how many.

    Only a scan takes the metadata out of HEIC, TIFF and PDF. The rows stay, so that people see what failed and why. A
    file that holds none is looked at once.
    """
    at, erased = context.time(), 0
    with context.database.reading() as session:
        kept = Photo.image_deleted_at.is_(None), Photo.bare.is_(False)
        rows = session.execute(select(Photo.game, Photo.id).where(Photo.state == PhotoState.FAILED, *kept)).all()
    for game, photo in rows:
        head = context.photos.head(game, photo, HEAD)
        bare = head is None or not is_foreign(head)
        with context.database.writing() as session:
            # One that is read once more meanwhile keeps its file. The row first: a file of an erased one is swept.
            row = session.get(Photo, photo, with_for_update=True)
            if row is None or row.state != PhotoState.FAILED or row.image_deleted_at is not None:
                continue
            if bare:
                row.bare = True
                continue
            row.image_deleted_at = at
            audit(session, game, SERVER, at, "erase", f"photo {photo}", reason="It could not be read.")
            publish_event(session, game, at, "photos", row.envelope)
        context.photos.delete(game, photo)
        erased += 1
    return erased


def sweep(context: AppContext) -> int:
    """Delete files that belong to no photograph, or to one whose picture was deleted; return how many."""
    return _delete(context, _orphans(context))


class Sweeper:
    """Sweeps files that belonged to nothing at its look before, too.

    By its time alone a file that was kept a moment ago, and whose row is being written, looks old to a clock that has
    just jumped ahead.
    """

    def __init__(self) -> None:
        self._before: frozenset[tuple[str, str]] = frozenset()

    def __call__(self, context: AppContext) -> int:
        """Look once more; delete, and return how many files that were."""
        found = frozenset(_orphans(context))
        gone, self._before = found & self._before, found
        return _delete(context, sorted(gone))


def forget_old(context: AppContext) -> None:
    """Delete old answers to requests, ended sessions, and changes that nobody waits for."""
    at = context.time()
    with context.database.writing() as session:
        session.execute(delete(IdempotentResponse).where(IdempotentResponse.at < at - ANSWERS))
        session.execute(delete(EndedSession).where(EndedSession.at < at - SESSIONS))
        prune(session, at)
        delete_old_heartbeats(session, at)


def _orphans(context: AppContext) -> Iterator[tuple[str, str]]:
    """Yield game and photograph of each old file that belongs to nothing."""
    before = context.time() - ORPHANS
    context.photos.delete_partial(before)
    old = ((game, photo) for game, photo, modified in context.photos.names() if modified <= before)
    for files in _batches(old):
        kept = select(Photo.id).where(Photo.id.in_([photo for _, photo in files]), Photo.image_deleted_at.is_(None))
        with context.database.reading() as session:
            wanted = set(session.scalars(kept))
        yield from ((game, photo) for game, photo in files if photo not in wanted)


def _delete(context: AppContext, files: Iterable[tuple[str, str]]) -> int:
    swept = 0
    for some in _batches(files):
        gone: dict[str, list[str]] = {}
        for game, photo in some:
            gone.setdefault(game, []).append(photo)
        for game, photos in gone.items():
            context.photos.delete(game, *photos)
            swept += len(photos)
    return swept


def _erase_of_game(context: AppContext, game: str, at: datetime) -> int:
    with context.database.reading() as session:
        rule = session.execute(select(Game.keep_hours, Game.keep_days, Game.published).where(Game.id == game)).first()
    return _erase(context, game, at, _due(at, *rule)) if rule else 0


def _due(at: datetime, hours: int, days: int, published: datetime | None) -> ColumnElement[bool]:
    """Return which pictures of a game have had their time."""
    old = Photo.created <= at - timedelta(hours=hours)
    theirs = and_(Photo.source == "player", old, Photo.scanned.is_not(None))
    if published is None or published + timedelta(days=days) > at:
        return theirs
    return or_(theirs, Photo.source == "organiser")


def _erase(context: AppContext, game: str, at: datetime, due: ColumnElement[bool]) -> int:
    with context.database.reading() as session:
        wanted = select(Photo.id).where(Photo.game == game, Photo.image_deleted_at.is_(None), due)
        photos = list(session.scalars(wanted))
    erased = 0
    for some in _batches(photos):
        # The files first: if this ends in between, the rows tell that it has still to be done.
        context.photos.delete(game, *some)
        with context.database.writing() as session:
            # Another server may do the same: each row is told of once.
            still = select(Photo.id).where(Photo.id.in_(some), Photo.image_deleted_at.is_(None)).order_by(Photo.id)
            mine = session.scalars(still.with_for_update()).all()
            if mine:
                session.execute(update(Photo).where(Photo.id.in_(mine)).values(image_deleted_at=at))
                audit(session, game, SERVER, at, "erase", f"{len(mine)} photographs")
                publish_event(session, game, at, "photos")
                erased += len(mine)
    return erased


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(islice(rest, _BATCH)):
        yield some
