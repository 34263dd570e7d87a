"""Accepts photographs: stores the file first and inserts its row second, so that no row lacks its picture."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import secrets
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from server.db.models import Photo
from server.db.session import advisory_lock
from server.games.audit import audit
from server.games.errors import DomainError
from server.games.events import publish_event
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, State
from server.games.photos.image import ImageError, strip
from server.games.photos.scan_queue import PhotoSource, PhotoState, place_in_order
from server.storage.base import DISK_FULL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from server.games.audit import Actor
    from server.games.context import AppContext

MAX_PER_DECK = 30
"""Photographs of one deck."""
MAX_PER_PLAYER = 300
"""Photographs of all decks of an envelope."""
MAX_PER_GAME = 10_000
"""Photographs by the organisers of a game."""
RETRY_SECONDS = 10
"""Seconds after which to try again while the storage does not work."""

_MAX_NAME = 200
_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PhotoTarget:
    """The place to which a photograph belongs.

    A player's has an `envelope` and a `deck`; an organiser's has neither, and may have a `batch`. `place` is its
    position, None for the next one. `name` is the file's name, shown to people.
    """

    game: str
    envelope: int | None = None
    deck: str | None = None
    batch: str | None = None
    place: int | None = None
    name: str = ""

    @property
    def source(self) -> PhotoSource:
        """The role of the photographer."""
        return PhotoSource.ORGANISER if self.envelope is None else PhotoSource.PLAYER


@dataclass
class StoredFile:
    """A stored photograph that may not have a row yet. `digest` is of the file as it was uploaded.

    Once its row is `inserted`, `known` is true if the game had a photograph of the same file already.
    """

    game: str
    id: str
    digest: str
    size: int
    inserted: bool = False
    known: bool = False


def accept(context: AppContext, target: PhotoTarget, data: bytes, actor: Actor) -> Photo:
    """Store a photograph and insert its row, or return the row of the same file. Raises DomainError."""
    with store_file(context, target.game, data) as file, context.database.writing() as session:
        load_game(session, target.game)
        return insert_row(context, session, file, target, actor, context.clock())


@contextlib.contextmanager
def store_file(context: AppContext, game: str, data: bytes, digest: str | None = None) -> Iterator[StoredFile]:
    """Store a photograph without its metadata; `insert_row` has to be called within the block, else it is deleted.

    `digest` is that of `file_digest`, if the caller knows it. Storing takes time: do not call this in a transaction.
    Raises DomainError `disk-full` or `busy`, or with a reason of `scanner.PhotoError`.
    """
    try:
        stripped = strip(data)
    except ImageError as error:
        raise DomainError(error.reason, str(error)) from None
    file = StoredFile(game.upper(), secrets.token_hex(16), digest or file_digest(data), len(stripped))
    try:
        context.photos.put(file.game, file.id, stripped)
    except OSError as error:
        raise storage_problem(error) from error
    # The block may wait long for its transaction.
    del data, stripped
    try:
        yield file
    finally:
        if not file.inserted:
            # Files that cannot be deleted now are swept later.
            with contextlib.suppress(OSError):
                context.photos.delete(file.game, file.id)


def file_digest(data: bytes) -> str:
    """Return the SHA-256 of an uploaded file in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def insert_row(
    context: AppContext, session: Session, file: StoredFile, target: PhotoTarget, actor: Actor, at: datetime
) -> Photo:
    """Insert the row of a stored photograph, so that it is scanned; or return the row of the same file.

    A file is the same within its deck or batch. For a player's photograph, the caller has locked the envelope or the
    game. Raises DomainError `wrong-state` or `too-many-photos`.
    """
    act = Act.PHOTOGRAPH if target.source == PhotoSource.PLAYER else Act.RECEIVE
    game = load_game(session, target.game, act, shared=True)
    if target.source == PhotoSource.ORGANISER:
        # Their positions and their limit are those of the whole game.
        advisory_lock(session, "pictures", game.id)
    same_source = (Photo.game == game.id) & (Photo.source == target.source)
    copies = session.scalars(select(Photo).where(same_source, Photo.digest == file.digest)).all()
    for photo in copies:
        # One that could not be read and was deleted for it (`retention.delete_unreadable_images`) is scanned again.
        is_deleted = photo.state == PhotoState.FAILED and photo.image_deleted_at is not None
        if (photo.deck, photo.batch) == (target.deck, target.batch) and not is_deleted:
            return photo
    place = _next_place(session, target, same_source)
    playing = game.state in {State.PRINTED, State.OPEN}
    priority, turn = place_in_order(session, game.id, target.envelope, playing=playing, at=at)
    photo = Photo(
        id=file.id,
        game=game.id,
        source=target.source,
        envelope=target.envelope,
        deck=target.deck,
        batch=target.batch,
        place=place,
        name=_printable(target.name),
        digest=file.digest,
        size=file.size,
        priority=priority,
        turn=turn,
        created=at,
    )
    session.add(photo)
    session.flush()
    file.inserted, file.known = True, bool(copies)
    if target.source == PhotoSource.ORGANISER:
        subject, after = f"photo {photo.id}", {"name": photo.name}
        audit(session, actor, "receive", game=game.id, at=at, subject=subject, after=after)
    publish_event(session, game.id, at, "photos", target.envelope)
    context.notifier.notify_on_commit(session)
    return photo


def disk_full() -> DomainError:
    """Return the error for a full disk."""
    return DomainError(
        "disk-full",
        "The server's disk is full, so nothing was saved. Tell the organiser, and send it again once there is room.",
    )


def storage_problem(error: OSError) -> DomainError:
    """Log why the storage of photographs does not work, and return the error for the client."""
    _log.error("photographs: %s", error.strerror or error)
    if error.errno in DISK_FULL:
        return disk_full()
    message = "The storage for pictures does not answer. Nothing was changed: try again in a few seconds."
    return DomainError("busy", message, retry=RETRY_SECONDS)


def _next_place(session: Session, target: PhotoTarget, same_source: ColumnElement[bool]) -> int:
    """Return the position of another photograph. Raises DomainError `too-many-photos`."""
    group = (Photo.deck == target.deck) & (Photo.batch == target.batch)
    if target.envelope is None:
        if _count(session, same_source) >= MAX_PER_GAME:
            raise _too_many(MAX_PER_GAME, "this game")
        last = select(func.max(Photo.place)).where(same_source, group)
        return (session.scalar(last) or 0) + 1 if target.place is None else target.place
    total, in_deck, last_place = session.execute(
        select(func.count(), func.count().filter(group), func.max(Photo.place).filter(group)).where(
            same_source, Photo.envelope == target.envelope
        )
    ).one()
    for count, most, what in ((total, MAX_PER_PLAYER, "your envelope"), (in_deck, MAX_PER_DECK, "a deck")):
        if count >= most:
            raise _too_many(most, what)
    return (last_place or 0) + 1 if target.place is None else target.place


def _count(session: Session, *where: ColumnElement[bool]) -> int:
    return session.scalar(select(func.count()).select_from(Photo).where(*where)) or 0


def _too_many(most: int, what: str) -> DomainError:
    message = f"There are {most} pictures of {what} already, and no more are taken."
    return DomainError("too-many-photos", message, {"most": most})


def _printable(name: str) -> str:
    """Return a file's name without folders, and without characters that are invisible or reverse the text."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(char for char in last if unicodedata.category(char) not in _UNPRINTABLE)[:_MAX_NAME].strip()
