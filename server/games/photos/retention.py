"""Deletes photographs when their retention period is over, and files without a row.

Only the image of a photograph is deleted. Its scan result stays, since the results of the game depend on it.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import and_, or_, select, update

from server.db.errors import DATABASE_FAILURES
from server.db.models import Game, Photo
from server.games.audit import SERVER, audit
from server.games.events import publish_event
from server.games.photos.image import HEAD, is_foreign
from server.games.photos.scan_queue import PhotoSource, PhotoState
from server.storage.base import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from server.games.context import AppContext

T = TypeVar("T")

ORPHAN_AGE = timedelta(hours=1)
"""Age from which on a file without a row is deleted. A row is inserted seconds after its file, or never."""
_BATCH = 200
_log = logging.getLogger(__name__)


def delete_expired_images(context: AppContext) -> int:
    """Delete the images whose retention period is over; return their number.

    Players' images are deleted `keep_hours` after the upload, once they are scanned; those of the organisers
    `keep_days` after the results were published. A failure in one game does not affect the others.
    """
    at, deleted = context.time(), 0
    with context.database.reading() as session:
        games = session.scalars(select(Game.id)).all()
    for game in games:
        try:
            deleted += _delete_expired_of_game(context, game, at)
        except (*DATABASE_FAILURES, StorageError):
            # The database or the storage does not work.
            raise
        except Exception:  # noqa: BLE001 - the other games are done all the same
            _log.exception("the photographs of game %s were not deleted", game)
    return deleted


def delete_unreadable_images(context: AppContext) -> int:
    """Delete the images that could not be scanned and still contain metadata; return their number.

    HEIC, TIFF and PDF files lose their metadata only when they are scanned. `bare` marks files without.
    """
    at, deleted = context.time(), 0
    with context.database.reading() as session:
        kept = Photo.image_deleted_at.is_(None), Photo.bare.is_(False)
        rows = session.execute(select(Photo.game, Photo.id).where(Photo.state == PhotoState.FAILED, *kept)).all()
    for game, photo in rows:
        head = context.photos.head(game, photo, HEAD)
        has_metadata = head is not None and is_foreign(head)
        with context.database.writing() as session:
            # Unless it is being scanned again. The row first: then a file that is left is an orphan.
            row = session.get(Photo, photo, with_for_update=True)
            if row is None or row.state != PhotoState.FAILED or row.image_deleted_at is not None:
                continue
            if not has_metadata:
                row.bare = True
                continue
            row.image_deleted_at = at
            audit(session, SERVER, "erase", game=game, at=at, subject=f"photo {photo}", reason="It could not be read.")
            publish_event(session, game, at, "photos", row.envelope)
        context.photos.delete(game, photo)
        deleted += 1
    return deleted


class OrphanCleanup:
    """Deletes files that have no row, or whose image is marked as deleted, and had none in its previous run either.

    If the clock has just jumped ahead, a file whose row is still to be inserted seems old.
    """

    def __init__(self) -> None:
        self._previous: frozenset[tuple[str, str]] = frozenset()

    def __call__(self, context: AppContext) -> int:
        """Delete orphans; return their number."""
        found = frozenset(_orphans(context))
        gone, self._previous = found & self._previous, found
        for game, files in groupby(sorted(gone), key=itemgetter(0)):
            for photos in _batches(photo for _, photo in files):
                context.photos.delete(game, *photos)
        return len(gone)


def _orphans(context: AppContext) -> Iterator[tuple[str, str]]:
    """Yield game and photograph of each old file without a row."""
    before = context.time() - ORPHAN_AGE
    context.photos.delete_partial(before)
    old = ((game, photo) for game, photo, modified in context.photos.names() if modified <= before)
    for files in _batches(old):
        kept = select(Photo.id).where(Photo.id.in_([photo for _, photo in files]), Photo.image_deleted_at.is_(None))
        with context.database.reading() as session:
            wanted = set(session.scalars(kept))
        yield from ((game, photo) for game, photo in files if photo not in wanted)


def _delete_expired_of_game(context: AppContext, game: str, at: datetime) -> int:
    with context.database.reading() as session:
        rule = session.execute(select(Game.keep_hours, Game.keep_days, Game.published).where(Game.id == game)).first()
    return _delete_due(context, game, at, _due(at, *rule)) if rule else 0


def _due(at: datetime, hours: int, days: int, published: datetime | None) -> ColumnElement[bool]:
    """Return the condition of a game's images whose retention period is over."""
    old = Photo.created <= at - timedelta(hours=hours)
    theirs = and_(Photo.source == PhotoSource.PLAYER, old, Photo.scanned.is_not(None))
    if published is None or published + timedelta(days=days) > at:
        return theirs
    return or_(theirs, Photo.source == PhotoSource.ORGANISER)


def _delete_due(context: AppContext, game: str, at: datetime, due: ColumnElement[bool]) -> int:
    with context.database.reading() as session:
        wanted = select(Photo.id).where(Photo.game == game, Photo.image_deleted_at.is_(None), due)
        photos = list(session.scalars(wanted))
    deleted = 0
    for some in _batches(photos):
        # The files first: if this process ends now, it is done again.
        context.photos.delete(game, *some)
        with context.database.writing() as session:
            # Another server may do the same at the same time.
            still = select(Photo.id).where(Photo.id.in_(some), Photo.image_deleted_at.is_(None)).order_by(Photo.id)
            mine = session.scalars(still.with_for_update()).all()
            if mine:
                session.execute(update(Photo).where(Photo.id.in_(mine)).values(image_deleted_at=at))
                audit(session, SERVER, "erase", game=game, at=at, subject=f"{len(mine)} photographs")
                publish_event(session, game, at, "photos")
                deleted += len(mine)
    return deleted


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(islice(rest, _BATCH)):
        yield some
