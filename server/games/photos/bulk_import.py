"""Imports a folder of organisers' photographs. Files that were imported before are skipped.

A few threads read and store files ahead; rows are inserted in the order of the folder, several in a transaction. Memory
does not grow with the number of files.
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

from scanner.image.load import printable
from server.db.errors import is_full
from server.db.models import Photo
from server.games.errors import DomainError
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act
from server.games.photos.scan_queue import PhotoSource, PhotoState
from server.games.photos.upload import PhotoTarget, disk_full, file_digest, insert_rows, store_file

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from scanner.image.load import Folder
    from server.games.audit import Actor
    from server.games.context import AppContext
    from server.games.photos.upload import StoredFile

THREADS = 6
"""Files that are read and stored at a time."""
ROWS_PER_TRANSACTION = 32
FATAL = frozenset({"disk-full", "wrong-state", "not-found", "too-many-photos", "not-kept"})
"""Reasons that apply to all other files too."""

# Files that may be read before their turn, so that a slow one does not stop the threads.
_AHEAD = 5 * THREADS


@dataclass(frozen=True)
class FileOutcome:
    """The result of a file: the id of its photograph, `fresh` if it is new; or the `reason` why it was not imported.

    `file` is its printable name. `reason` is the slug of a DomainError or `unreadable`, `message` a sentence.
    """

    file: str
    photo: str | None = None
    fresh: bool = False
    reason: str = ""
    message: str = ""


@dataclass(frozen=True)
class _ReadFile:
    """A file that was read, by its printable name: its outcome, or a stored file until `held` is closed."""

    file: str
    outcome: FileOutcome | None = None
    kept: StoredFile | None = None
    held: contextlib.ExitStack | None = None


def batch_of(folder: Folder) -> str:
    """Return the batch for a folder. It is always the same, so that a file is imported only once."""
    return f"folder-{hashlib.sha256(str(folder.place.resolve()).encode(errors='replace')).hexdigest()[:16]}"


def known_photos(context: AppContext, game: str) -> dict[str, str]:
    """Return the ids of a game's organisers' photographs by digest. Raises DomainError unless it accepts more."""
    with context.database.reading() as session:
        row = load_game(session, game, Act.RECEIVE)
        return dict(_photos(session, row.id))


def _photos(session: Session, game: str, *which: ColumnElement[bool]) -> Iterator[tuple[str, str]]:
    """Yield digest and id of each photograph by a game's organisers."""
    # One that failed and was deleted for it is imported again.
    there = or_(Photo.state != PhotoState.FAILED, Photo.image_deleted_at.is_(None))
    found = select(Photo.digest, Photo.id).where(
        Photo.game == game, Photo.source == PhotoSource.ORGANISER, there, *which
    )
    for row in session.execute(found):
        yield row.digest, row.id


def import_folder(context: AppContext, game: str, folder: Folder, actor: Actor, most: int) -> Generator[FileOutcome]:
    """Import a folder, and yield the outcome of each file in order. Files may have `most` bytes.

    A FATAL outcome is the last one. If the caller stops early, only the files that were yielded are imported.
    """
    known = known_photos(context, game)
    read = partial(_read, context, game, folder, known, most)
    files, pending = iter(enumerate(folder.pictures, 1)), deque[tuple[int, "Future[_ReadFile]"]]()
    with ThreadPoolExecutor(THREADS, thread_name_prefix="haggle-bulk") as pool:
        try:
            while True:
                pending.extend((place, pool.submit(read, file)) for place, file in islice(files, _AHEAD - len(pending)))
                if not pending:
                    return
                # The next file, and those after it that are ready.
                pending[0][1].result()
                batch: list[tuple[int, _ReadFile]] = []
                while pending and pending[0][1].done() and len(batch) < ROWS_PER_TRANSACTION:
                    batch.append((pending[0][0], pending[0][1].result()))
                    pending.popleft()
                    if _is_fatal(batch[-1][1].outcome):
                        break
                for outcome in _insert(context, game, batch_of(folder), batch, actor):
                    yield outcome
                    if _is_fatal(outcome):
                        return
        finally:
            for _, future in pending:
                future.cancel()
            pool.shutdown()
            for _, future in pending:
                if not future.cancelled() and future.exception() is None and (held := future.result().held):
                    held.close()


def _read(context: AppContext, game: str, folder: Folder, known: Mapping[str, str], most: int, file: str) -> _ReadFile:
    """Read a file and store it, unless it was imported before."""
    name = printable(file)
    held = contextlib.ExitStack()
    try:
        data = _bytes_of(folder.place / file, most)
        digest = file_digest(data)
        if photo := known.get(digest):
            return _ReadFile(name, FileOutcome(name, photo))
        return _ReadFile(name, None, held.enter_context(_store(context, game, data, digest)), held)
    except DomainError as refusal:
        return _ReadFile(name, _refused(name, refusal))


def _bytes_of(file: Path, most: int) -> bytes:
    """Return the content of a file. Raises DomainError if it cannot be read or has more than `most` bytes."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            # A pipe or a device might never end.
            raise DomainError("unreadable", "It is not a file.")
        with file.open("rb") as opened:
            # One byte too many shows that it is too large, even if it is growing.
            data = opened.read(most + 1)
    except OSError as error:
        raise DomainError("unreadable", f"It cannot be read: {error.strerror or error}.") from None
    if len(data) > most:
        said = f"A picture may have at most {most / 1e6:.0f} MB. Save it as JPEG, or with fewer pixels."
        raise DomainError("too-many-bytes", said)
    return data


@contextlib.contextmanager
def _store(context: AppContext, game: str, data: bytes, digest: str) -> Iterator[StoredFile]:
    """Store a file. Raises DomainError, `not-kept` if the storage does not work."""
    try:
        with store_file(context, game, data, digest) as kept:
            # Frees its memory while it waits for its row.
            del data
            yield kept
    except OSError as error:
        said = f"The storage for pictures refuses it: {error.strerror or error}."
        raise DomainError("not-kept", said) from None


def _insert(
    context: AppContext, game: str, batch: str, files: Sequence[tuple[int, _ReadFile]], actor: Actor
) -> list[FileOutcome]:
    """Insert the rows of stored files in one transaction; return the outcomes, up to a FATAL one."""
    try:
        with context.database.writing() as session:
            return _insert_in(context, session, game, batch, files, actor)
    except DomainError as refusal:
        return [_refused(files[0][1].file, refusal)]
    except DBAPIError as error:
        if not is_full(error):
            raise
        for _, one in files:
            if one.kept is not None:
                one.kept.inserted = False
        return [_refused(files[0][1].file, disk_full())]
    finally:
        for _, one in files:
            if one.held is not None:
                one.held.close()


def _insert_in(
    context: AppContext, session: Session, game: str, batch: str, files: Sequence[tuple[int, _ReadFile]], actor: Actor
) -> list[FileOutcome]:
    known = _ids_by_digest(session, game, [one.kept.digest for _, one in files if one.kept])
    outcomes: list[FileOutcome] = []
    fresh: list[tuple[StoredFile, PhotoTarget]] = []
    for place, one in files:
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


def _ids_by_digest(session: Session, game: str, digests: Sequence[str]) -> dict[str, str]:
    """Return the ids of photographs with these digests, uploaded meanwhile. Raises DomainError `not-found`."""
    if not digests:
        return {}
    # The exclusive lock on the game shows everything that others have uploaded.
    return dict(_photos(session, load_game(session, game).id, Photo.digest.in_(digests)))


def _is_fatal(outcome: FileOutcome | None) -> bool:
    return outcome is not None and outcome.reason in FATAL


def _refused(file: str, refusal: DomainError) -> FileOutcome:
    return FileOutcome(file, reason=refusal.slug, message=str(refusal))
