"""Takes a whole folder of organisers' pictures in, and follows how far they are read. What was done is not done again.

Files are read, stripped and kept by a few threads; their rows are written in the folder's order, several at a time. So
the memory that is taken does not depend on how many files there are.
"""

from __future__ import annotations

import contextlib
import hashlib
import stat
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from sqlalchemy import or_, select
from sqlalchemy.exc import DBAPIError

from scanner.image.folder import printable
from server.db.errors import is_full
from server.db.models import Photo
from server.games.errors import DomainError
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, allow
from server.games.photos.scan_queue import PhotoState
from server.games.photos.upload import PhotoTarget, disk_full, file_digest, insert_rows, store_file

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from scanner.image.folder import Folder
    from server.games.audit import Actor
    from server.games.context import AppContext
    from server.games.photos.upload import StoredFile

THREADS = 6
"""Files that are read and kept side by side: enough to keep a disk busy."""
TOGETHER = 32
"""Rows that are written in one transaction at most."""
HALTS = frozenset({"disk-full", "wrong-state", "not-found", "too-many-photos", "not-kept"})
"""Reasons for which no other file would fare better."""

# Files in hand, so that no thread waits for one that takes long.
_AHEAD = 5 * THREADS


@dataclass(frozen=True)
class FileOutcome:
    """What became of a file: its picture's id, and whether that came in just now; or why it was not taken.

    `file` is its name as it may be printed. `reason` is a slug as of a refusal, or `unreadable`; `message` says it in a
    sentence.
    """

    file: str
    photo: str | None = None
    fresh: bool = False
    reason: str = ""
    message: str = ""


@dataclass(frozen=True)
class _Read:
    """A file that was looked at, by its printable name: an outcome, or what is kept of it until `held` is closed."""

    file: str
    outcome: FileOutcome | None = None
    kept: StoredFile | None = None
    held: contextlib.ExitStack | None = None


def batch_of(folder: Folder) -> str:
    """Return the batch of a folder's pictures: the same each time, so that a file in it is one picture."""
    return f"folder-{hashlib.sha256(str(folder.place.resolve()).encode(errors='replace')).hexdigest()[:16]}"


def known_pictures(context: AppContext, game: str) -> dict[str, str]:
    """Return the organisers' pictures that a game has, by their files' digests. Refusal unless it takes more."""
    with context.database.reading() as session:
        row = load_game(session, game)
        allow(row, Act.RECEIVE)
        return dict(_there(session, row.id))


def _there(session: Session, game: str, *which: ColumnElement[bool]) -> Iterator[tuple[str, str]]:
    """Yield digest and id of each picture of a game's organisers, or of those that it is asked for."""
    # One that failed and was deleted for it is taken again, as when it is sent again.
    there = or_(Photo.state != PhotoState.FAILED, Photo.image_deleted_at.is_(None))
    found = select(Photo.digest, Photo.id).where(Photo.game == game, Photo.source == "organiser", there, *which)
    for row in session.execute(found):
        yield row.digest, row.id


def take_in(context: AppContext, game: str, folder: Folder, actor: Actor, most: int) -> Generator[FileOutcome]:
    """Take a folder's pictures in, and yield what becomes of each, in order. Files have `most` bytes at most.

    It ends early with an outcome of HALTS. Left in the middle, what was yielded is kept, and of the rest nothing.
    """
    known = known_pictures(context, game)
    read = partial(_read, context, game, folder, known, most)
    files, hands = iter(enumerate(folder.pictures, 1)), deque[tuple[int, "Future[_Read]"]]()
    with ThreadPoolExecutor(THREADS, thread_name_prefix="haggle-bulk") as pool:
        try:
            while True:
                hands.extend((place, pool.submit(read, file)) for place, file in islice(files, _AHEAD - len(hands)))
                if not hands:
                    return
                # The one whose turn it is, and those after it that are ready too.
                hands[0][1].result()
                some: list[tuple[int, _Read]] = []
                while hands and hands[0][1].done() and len(some) < TOGETHER:
                    some.append((hands[0][0], hands[0][1].result()))
                    hands.popleft()
                    if _halts(some[-1][1].outcome):
                        break
                for outcome in _entered(context, game, batch_of(folder), some, actor):
                    yield outcome
                    if _halts(outcome):
                        return
        finally:
            for _, hand in hands:
                hand.cancel()
            pool.shutdown()
            for _, hand in hands:
                if not hand.cancelled() and hand.exception() is None and (held := hand.result().held):
                    held.close()


def _read(context: AppContext, game: str, folder: Folder, known: Mapping[str, str], most: int, file: str) -> _Read:
    """Read a file and keep it, unless it is there already."""
    name = printable(file)
    held = contextlib.ExitStack()
    try:
        data = _bytes_of(folder.place / file, most)
        digest = file_digest(data)
        if photo := known.get(digest):
            return _Read(name, FileOutcome(name, photo))
        return _Read(name, None, held.enter_context(_keep(context, game, data, digest)), held)
    except DomainError as refusal:
        return _Read(name, _refused(name, refusal))


def _bytes_of(file: Path, most: int) -> bytes:
    """Return what is in a file; Refusal if it cannot be read or has more than `most` bytes."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            # A pipe or a device might never end.
            raise DomainError("unreadable", "It is no file.")
        with file.open("rb") as opened:
            # A byte more than is taken says that it is too large, also of a file that grows.
            data = opened.read(most + 1)
    except OSError as error:
        raise DomainError("unreadable", f"It cannot be read: {error.strerror or error}.") from None
    if len(data) > most:
        said = f"A picture may have at most {most / 1e6:.0f} MB. Save it as JPEG, or with fewer pixels."
        raise DomainError("too-many-bytes", said)
    return data


@contextlib.contextmanager
def _keep(context: AppContext, game: str, data: bytes, digest: str) -> Iterator[StoredFile]:
    """As `keep`; Refusal too where the place for pictures does not answer."""
    try:
        with store_file(context, game, data, digest) as kept:
            # What waits for its row takes no memory.
            del data
            yield kept
    except OSError as error:
        said = f"The place for pictures does not take it: {error.strerror or error}."
        raise DomainError("not-kept", said) from None


def _entered(
    context: AppContext, game: str, batch: str, some: Sequence[tuple[int, _Read]], actor: Actor
) -> list[FileOutcome]:
    """Write the rows of files that are kept, all in one transaction; return what became of each, to one of HALTS."""
    try:
        with context.database.writing() as session:
            return _written(context, session, game, batch, some, actor)
    except DomainError as refusal:
        return [_refused(some[0][1].file, refusal)]
    except DBAPIError as error:
        if not is_full(error):
            raise
        for _, one in some:
            if one.kept is not None:
                one.kept.inserted = False
        return [_refused(some[0][1].file, disk_full())]
    finally:
        for _, one in some:
            if one.held is not None:
                one.held.close()


def _written(
    context: AppContext, session: Session, game: str, batch: str, some: Sequence[tuple[int, _Read]], actor: Actor
) -> list[FileOutcome]:
    known = _known(session, game, [one.kept.digest for _, one in some if one.kept])
    outcomes: list[FileOutcome] = []
    fresh: list[tuple[StoredFile, PhotoTarget]] = []
    for place, one in some:
        if one.kept is None or (there := known.get(one.kept.digest)):
            outcomes.append(one.outcome or FileOutcome(one.file, there))
        else:
            known[one.kept.digest] = one.kept.id
            fresh.append((one.kept, PhotoTarget(game, batch=batch, place=place, name=one.file)))
            outcomes.append(FileOutcome(one.file, one.kept.id, fresh=True))
    if refusal := insert_rows(context, session, game, fresh, actor, context.clock()) if fresh else None:
        left = next(kept.id for kept, _ in fresh if not kept.inserted)
        place = next(place for place, outcome in enumerate(outcomes) if outcome.photo == left)
        outcomes[place:] = [_refused(outcomes[place].file, refusal)]
    return outcomes


def _known(session: Session, game: str, digests: Sequence[str]) -> dict[str, str]:
    """Return which of these files the desk has sent since the command began. Refusal `not-found`."""
    if not digests:
        return {}
    # Who has the game's row alone sees all that others have sent.
    return dict(_there(session, load_game(session, game).id, Photo.digest.in_(digests)))


def _halts(outcome: FileOutcome | None) -> bool:
    return outcome is not None and outcome.reason in HALTS


def _refused(file: str, refusal: DomainError) -> FileOutcome:
    return FileOutcome(file, reason=refusal.slug, message=str(refusal))
