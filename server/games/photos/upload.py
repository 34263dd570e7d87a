"""Takes photographs in: the file is kept first, then its row is written. So no row is ever without its picture."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import secrets
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, literal, or_, select

from server.db.models import Photo, table_of
from server.db.session import advisory_lock
from server.games.audit import audit, publish_event
from server.games.errors import DomainError
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, State, allow
from server.games.photos.image import PictureError, strip
from server.games.photos.scan_queue import PENALTY, PhotoState, place_in_order
from server.storage.photo_store import NO_ROOM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Executable
    from sqlalchemy.orm import Session

    from server.games.audit import Actor
    from server.games.context import AppContext

MOST_IN_DECK = 30
"""Photographs of one deck."""
MOST_OF_PLAYER = 300
"""Photographs of all decks of an envelope together."""
MOST_IN_GAME = 10_000
"""Photographs that organisers take of one game."""

AWAY = 10
"""Seconds after which to try again where photographs cannot be kept or looked at."""

_LONGEST_NAME = 200
_UNREADABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_log = logging.getLogger(__name__)

_MINE = (Photo.game == bindparam("game")) & (Photo.source == bindparam("source"))

# What lies in the same deck, or in the same batch.
_BESIDE = Photo.deck.is_not_distinct_from(bindparam("deck")) & Photo.batch.is_not_distinct_from(bindparam("batch"))

# One that failed and was deleted for it (`retention.erase_unread`) is sent again to be read after all.
_THERE = or_(Photo.state != PhotoState.FAILED, Photo.image_deleted_at.is_(None))

_SAME = (
    select(Photo.id, (_BESIDE & _THERE).label("beside"))
    .where(_MINE, Photo.digest == bindparam("digest"))
    .order_by((_BESIDE & _THERE).desc())
    .limit(1)
)

# All from an index, however many there are.
_NUMBER = select(func.count(), literal(0)).select_from(Photo).where(_MINE)

_LAST = func.max(Photo.place).filter(_BESIDE)
_OF_GAME = select(func.count(), _LAST).select_from(Photo).where(_MINE)
_OF_PLAYER = (
    select(func.count(), func.count().filter(_BESIDE), _LAST)
    .select_from(Photo)
    .where(_MINE, Photo.envelope == bindparam("envelope"))
)

# All in one question each, made once: each is a way to the database and back, while others wait.
_ENTER = insert(table_of(Photo))


@dataclass(frozen=True)
class PhotoTarget:
    """Where a photograph belongs.

    A player's has an `envelope` and a `deck`; an organiser's has neither, and may have a `batch`. `place` is its place
    in their order, None for the next one. `name` is the file's, for people.
    """

    game: str
    envelope: int | None = None
    deck: str | None = None
    batch: str | None = None
    place: int | None = None
    name: str = ""

    @property
    def source(self) -> str:
        """Who took it."""
        return "organiser" if self.envelope is None else "player"


@dataclass
class StoredFile:
    """A photograph whose file is kept, and whose row is still to be written. `digest` is of the file as it came.

    When it is `entered`, `known` says whether the same file is another picture of the game already, whoever's deck or
    batch that is in.
    """

    game: str
    id: str
    digest: str
    size: int
    entered: bool = False
    known: bool = False


def accept(context: AppContext, where: PhotoTarget, data: bytes, actor: Actor) -> Photo:
    """Keep a photograph and write its row; Refusal. The same file again gives the row that is there."""
    with store_file(context, where.game, data) as kept, context.database.writing() as session:
        load_game(session, where.game)
        return insert_row(context, session, kept, where, actor, context.clock())


@contextlib.contextmanager
def store_file(context: AppContext, game: str, data: bytes, digest: str | None = None) -> Iterator[StoredFile]:
    """Keep a picture's file without its metadata, until `enter` writes its row within the block.

    `digest` is what `digest_of` gives for it, where the caller knows. Not to be called inside a transaction: files take
    their time. If no row is written, the file goes again. Refusal: the reasons of `scanner.PhotoError`, `disk-full`.
    """
    try:
        stripped = strip(data)
    except PictureError as error:
        raise DomainError(error.reason, str(error)) from None
    kept = StoredFile(game.upper(), secrets.token_hex(16), digest or file_digest(data), stripped.size)
    put(context, kept.game, kept.id, *stripped.pieces)
    # Its row may come much later.
    del data, stripped
    try:
        yield kept
    finally:
        if not kept.entered:
            # What cannot be deleted now is swept later.
            with contextlib.suppress(OSError):
                context.photos.delete(kept.game, kept.id)


def file_digest(data: bytes) -> str:
    """Return what names a file as it came: SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def put(context: AppContext, game: str, photo: str, *data: bytes | memoryview) -> None:
    """Keep a photograph's file; Refusal `disk-full` where there is no room, `busy` where its place does not answer."""
    try:
        context.photos.put(game, photo, *data)
    except OSError as error:
        raise no_place(error) from error


def insert_row(
    context: AppContext, session: Session, kept: StoredFile, where: PhotoTarget, actor: Actor, at: datetime
) -> Photo:
    """Write a kept photograph's row, so that it will be scanned, or return the row of the same file.

    The same file is one photograph within a deck, and within a batch. Who enters a player's holds the envelope, or the
    game alone. Refusal `wrong-state` and `too-many-photos`.
    """
    game = load_game(session, where.game, shared=True)
    if where.source == "organiser":
        # Their places and their number are those of the whole game.
        advisory_lock(session, "pictures", game.id)
    allow(game, Act.PHOTOGRAPH if where.source == "player" else Act.RECEIVE)
    beside = {"game": game.id, "source": where.source, "deck": where.deck, "batch": where.batch}
    found = session.execute(_SAME, {**beside, "digest": kept.digest}).first()
    same = session.get(Photo, found.id) if found and found.beside else None
    if same is not None:
        return same
    last = _bound(session, where, beside)
    row = _row(game.id, kept, where, last + 1 if where.place is None else where.place, at)
    played = game.state in {State.PRINTED, State.OPEN}
    row["priority"], row["turn"] = place_in_order(session, game.id, where.envelope, played=played, at=at)
    _write(context, session, [row], actor)
    kept.entered, kept.known = True, found is not None
    return Photo(**row)


def insert_rows(
    context: AppContext,
    session: Session,
    game: str,
    some: Sequence[tuple[StoredFile, PhotoTarget]],
    actor: Actor,
    at: datetime,
) -> DomainError | None:
    """Write the rows of organisers' kept photographs of a game, all at once; what is returned refuses the next one.

    None of them may be there yet, and each brings its place. Those that are not `entered` have no row.
    """
    row = load_game(session, game, shared=True)
    advisory_lock(session, "pictures", row.id)
    try:
        allow(row, Act.RECEIVE)
    except DomainError as refusal:
        return refusal
    there, _ = session.execute(_NUMBER, {"game": row.id, "source": "organiser"}).one()
    taken = some[: max(0, MOST_IN_GAME - there)]
    if taken:
        rows = [_row(row.id, kept, where, where.place or 0, at) for kept, where in taken]
        priority, turn = place_in_order(session, row.id, None, played=False, at=at)
        for number, one in enumerate(rows):
            one["priority"], one["turn"] = priority, turn + PENALTY * number
        _write(context, session, rows, actor)
        for kept, _ in taken:
            kept.entered = True
    return None if taken == some else _too_many(MOST_IN_GAME, "this game")


def _row(game: str, kept: StoredFile, where: PhotoTarget, place: int, at: datetime) -> dict[str, Any]:
    return {
        "id": kept.id,
        "game": game,
        "source": where.source,
        "envelope": where.envelope,
        "deck": where.deck,
        "batch": where.batch,
        "place": place,
        "name": _readable(where.name),
        "digest": kept.digest,
        "size": kept.size,
        "state": PhotoState.WAITING,
        "attempts": 0,
        "created": at,
    }


def _write(context: AppContext, session: Session, rows: Sequence[dict[str, Any]], actor: Actor) -> None:
    """Write the rows of photographs of one game and one source, and tell of them."""
    session.flush()
    session.execute(_ENTER, rows)
    game, at, envelope = (rows[0][name] for name in ("game", "created", "envelope"))
    if envelope is None:
        for row in rows:
            audit(session, game, actor, at, "receive", f"photo {row['id']}", after={"name": row["name"]})
    publish_event(session, game, at, "photos", envelope)
    context.notifier.notify_on_commit(session)


def disk_full() -> DomainError:
    """Return the refusal where there is no room for more."""
    return DomainError(
        "disk-full",
        "The server's disk is full, so nothing was kept. Tell the organiser, and send it again once there is room.",
    )


def no_place(error: OSError) -> DomainError:
    """Return the refusal where photographs cannot be kept or looked at; the log tells whoever runs the server why."""
    _log.error("photographs: %s", error.strerror or error)
    if error.errno in NO_ROOM:
        return disk_full()
    said = "The place where pictures are kept does not answer. Nothing was changed: try again in a few seconds."
    return DomainError("busy", said, retry=AWAY)


def _bound(session: Session, where: PhotoTarget, beside: Mapping[str, str | None]) -> int:
    """Refuse more photographs than a deck, a player or a game may have; return the last place in the order of these.

    0 for that where a photograph brings its place.
    """
    question: Executable
    if where.envelope is not None:
        question, bounds = _OF_PLAYER, [(MOST_OF_PLAYER, "your envelope"), (MOST_IN_DECK, "a deck")]
    elif where.place is None:
        question, bounds = _OF_GAME, [(MOST_IN_GAME, "this game")]
    else:
        question, bounds = _NUMBER, [(MOST_IN_GAME, "this game")]
    *there, last = session.execute(question, {**beside, "envelope": where.envelope}).one()
    for number, (most, what) in zip(there, bounds, strict=False):
        if number >= most:
            raise _too_many(most, what)
    return int(last or 0)


def _too_many(most: int, what: str) -> DomainError:
    said = f"There are {most} pictures of {what} already, and no more are taken."
    return DomainError("too-many-photos", said, {"most": most})


def _readable(name: str) -> str:
    """Return a file's name without its folders, and without characters that hide or turn what follows."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(char for char in last if unicodedata.category(char) not in _UNREADABLE)[:_LONGEST_NAME].strip()
