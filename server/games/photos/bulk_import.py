"""Imports a folder of organisers' photographs. Files that were imported before are skipped.

A few threads read and store files; then their rows are inserted in one transaction, in the order of the folder. Memory
does not grow with the number of files.
"""

from __future__ import annotations

import contextlib
import hashlib
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
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
from server.games.photos.upload import PhotoTarget, StoredFile, disk_full, file_digest, insert_row, store_file

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from scanner.image.load import Folder
    from server.games.audit import Actor
    from server.games.context import AppContext

THREADS = 6
"""Files that are read and stored at a time."""
ROWS_PER_TRANSACTION = 32
FATAL = frozenset({"disk-full", "busy", "wrong-state", "not-found", "too-many-photos"})
"""Reasons that apply to all other files too."""


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
    """A file that was read, by its place in the folder and its printable name: stored, or its outcome."""

    place: int
    file: str
    result: StoredFile | FileOutcome


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

    A FATAL outcome is the last one. If the caller stops early, only files of the last transaction are imported without
    having been yielded.
    """
    known = known_photos(context, game)
    files = iter(enumerate(folder.pictures, 1))
    with ThreadPoolExecutor(THREADS, thread_name_prefix="haggle-bulk") as pool:
        while some := list(islice(files, ROWS_PER_TRANSACTION)):
            # At its end, stored files that have no row are deleted.
            with contextlib.ExitStack() as held:
                read = list(pool.map(partial(_read, context, game, folder, known, most, held), some))
                outcomes = _insert(context, game, batch_of(folder), read, actor)
            for outcome in outcomes:
                yield outcome
                if outcome.reason in FATAL:
                    return


def _read(
    context: AppContext,
    game: str,
    folder: Folder,
    known: Mapping[str, str],
    most: int,
    held: contextlib.ExitStack,
    file: tuple[int, str],
) -> _ReadFile:
    """Read a file and store it, unless it was imported before."""
    place, path = file
    name = printable(path)
    try:
        data = _bytes_of(folder.place / path, most)
        digest = file_digest(data)
        if photo := known.get(digest):
            return _ReadFile(place, name, FileOutcome(name, photo))
        return _ReadFile(place, name, held.enter_context(store_file(context, game, data, digest)))
    except DomainError as refusal:
        return _ReadFile(place, name, _refused(name, refusal))


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


def _insert(context: AppContext, game: str, batch: str, files: Sequence[_ReadFile], actor: Actor) -> list[FileOutcome]:
    """Insert the rows of stored files in one transaction; return the outcomes, up to a FATAL one."""
    stored = [one.result for one in files if isinstance(one.result, StoredFile)]
    outcomes: list[FileOutcome] = []
    try:
        with context.database.writing() as session:
            # The exclusive lock on the game shows everything that others have uploaded.
            row = load_game(session, game)
            known = dict(_photos(session, row.id, Photo.digest.in_([one.digest for one in stored])))
            for one in files:
                outcomes.append(_insert_one(context, session, one, PhotoTarget(row.id, batch=batch), known, actor))
                if outcomes[-1].reason in FATAL:
                    break
    except DomainError as refusal:
        return [_refused(files[0].file, refusal)]
    except DBAPIError as error:
        if not is_full(error):
            raise
        for file in stored:
            file.inserted = False
        return [_refused(files[0].file, disk_full())]
    return outcomes


def _insert_one(
    context: AppContext, session: Session, file: _ReadFile, target: PhotoTarget, known: dict[str, str], actor: Actor
) -> FileOutcome:
    """Insert the row of a file, unless it is known; return the outcome."""
    stored = file.result
    if isinstance(stored, FileOutcome):
        return stored
    if photo := known.get(stored.digest):
        return FileOutcome(file.file, photo)
    try:
        target = replace(target, place=file.place, name=file.file)
        insert_row(context, session, stored, target, actor, context.clock())
    except DomainError as refusal:
        return _refused(file.file, refusal)
    known[stored.digest] = stored.id
    return FileOutcome(file.file, stored.id, fresh=True)


def _refused(file: str, refusal: DomainError) -> FileOutcome:
    return FileOutcome(file, reason=refusal.slug, message=str(refusal))
