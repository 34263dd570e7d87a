"""A whole server in one file: taken while it runs, and put back into a new folder or in the place of what is there.

The file is a zip: a note of what it is, the database with all secrets, and the photographs. It is written beside its
place and takes it when it is whole. The database is copied first, as of one moment, by the engine's own means; then
the photographs that its rows name. A picture that is deleted meanwhile is marked as deleted in the copy, too.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, update
from sqlalchemy.exc import DBAPIError

from server.store.database import DATABASE, Database, DatabaseError
from server.store.photos import FOLDER, PhotoStore
from server.store.tables import Game, Photo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

NOTE = "haggle-backup.json"
FORMAT = 1
_BUSY_SECONDS = 60
_PAGES = 256
# Of the database, copied at a time; writers have their turn in between.
_PIECE = 1_000_000
_MOST_NOTE = 10_000


class BackupError(Exception):
    """A backup cannot be made or put back; the message says why in one line."""


@dataclass(frozen=True)
class Backup:
    """What a backup holds: games, photographs, and pictures that were deleted while it was made."""

    games: int
    photos: int
    gone: int


def back_up(folder: Path, file: Path, at: datetime, *, overwrite: bool = False) -> Backup:
    """Write everything of a data folder into a file, whether a server runs on it or not. Raises BackupError."""
    if not (folder / DATABASE).is_file():
        raise BackupError(f"{folder} holds no {DATABASE}: name a server's data folder with --data")
    if file.exists() and not overwrite:
        raise BackupError(f"{file} is there already: name another file, or add --overwrite")
    try:
        with _beside(file) as partial, tempfile.TemporaryDirectory(dir=file.parent) as scratch:
            copy = Path(scratch) / DATABASE
            _copy_database(folder / DATABASE, copy)
            made = _write(partial, copy, folder, at)
    except OSError as error:
        raise BackupError(f"{file}: {error.strerror}; no backup was made") from error
    except (sqlite3.Error, DBAPIError) as error:
        raise BackupError(f"{folder / DATABASE}: {_said(error)}; no backup was made") from error
    return made


def restore(file: Path, folder: Path, *, overwrite: bool = False) -> Backup:
    """Put a backup into a new folder, or in place of what a data folder holds, whether a server runs on it or not.

    The photographs come first, then the database in one step: whatever ends this in between, what was there is there.
    Raises BackupError, above all for a folder that holds games, unless they are to be overwritten.
    """
    there = {found.name for found in folder.iterdir()} if folder.is_dir() else set()
    if DATABASE in there and not overwrite:
        raise BackupError(f"{folder} holds games: name a new folder, or add --overwrite to lose what it holds")
    if folder.is_file() or any(name != FOLDER and not name.startswith(DATABASE) for name in there):
        raise BackupError(f"{folder} holds other things than a server's games: name a new folder")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with zipfile.ZipFile(file) as archive, tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            note = _note(archive)
            with archive.open(DATABASE) as packed, (Path(scratch) / DATABASE).open("xb") as out:
                shutil.copyfileobj(packed, out, _PIECE)
            # Brings an old backup to this version's form, and shows that it can be used.
            database = Database.in_folder(Path(scratch))
            rows, games = _kept_photos(database), _games(database)
            database.close()
            photos = PhotoStore.in_folder(folder, reserve=0)
            for game, photo in rows:
                photos.put(game, photo, archive.read(_name(game, photo)))
            _replace_database(Path(scratch) / DATABASE, folder / DATABASE)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, RuntimeError) as error:
        raise BackupError(f"{file} is damaged, or no backup of Haggle; nothing was restored") from error
    except (DatabaseError, DBAPIError, sqlite3.Error) as error:
        raise BackupError(f"{file}: its database cannot be used ({_said(error)}); nothing was restored") from error
    except OSError as error:
        raise BackupError(f"{error.filename or file}: {error.strerror}; nothing was restored") from error
    return Backup(games, len(rows), int(note["gone"]))


def _said(error: Exception) -> str:
    """Return an error in one line."""
    return str(error.orig if isinstance(error, DBAPIError) else error)


def _copy_database(source: Path, target: Path) -> None:
    with (
        contextlib.closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as running,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        running.backup(copy, pages=_PAGES)
        copy.execute("PRAGMA journal_mode=DELETE")


def _replace_database(source: Path, target: Path) -> None:
    """Put a database in the place of another in one transaction; whoever has that one open sees it change."""
    target.touch(mode=0o600)
    with (
        contextlib.closing(sqlite3.connect(source)) as copy,
        contextlib.closing(sqlite3.connect(target, timeout=_BUSY_SECONDS)) as running,
    ):
        copy.backup(running, pages=-1)
        running.execute("PRAGMA journal_mode=WAL")


def _write(file: Path, copy: Path, folder: Path, at: datetime) -> Backup:
    """Write the archive: the database's copy and the photographs of its rows, as far as they are still there."""
    database, photos = Database(f"sqlite:///{copy}"), PhotoStore.in_folder(folder)
    kept = gone = 0
    try:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for game, photo in _kept_photos(database):
                data = photos.get(game, photo)
                if data is None:
                    # It was deleted while this ran.
                    with database.writing() as session:
                        session.execute(update(Photo).where(Photo.id == photo).values(erased=at))
                    gone += 1
                else:
                    archive.writestr(_name(game, photo), data)
                    kept += 1
            games = _games(database)
            database.close()
            archive.write(copy, DATABASE, zipfile.ZIP_DEFLATED)
            note = {"format": FORMAT, "made": at.isoformat(), "games": games, "photos": kept, "gone": gone}
            archive.writestr(NOTE, json.dumps(note))
    finally:
        database.close()
    return Backup(games, kept, gone)


def _note(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Return what a backup says of itself; ValueError if it is none, or one of a later form."""
    if archive.getinfo(NOTE).file_size > _MOST_NOTE:
        raise ValueError(NOTE)
    note = json.loads(archive.read(NOTE))
    if not isinstance(note, dict) or note.get("format") != FORMAT:
        raise ValueError(NOTE)
    return {"gone": 0, **note}


def _kept_photos(database: Database) -> list[tuple[str, str]]:
    """Return game and id of every photograph whose picture should be there."""
    with database.reading() as session:
        rows = session.execute(select(Photo.game, Photo.id).where(Photo.erased.is_(None)).order_by(Photo.id))
        return [(game, photo) for game, photo in rows]


def _games(database: Database) -> int:
    with database.reading() as session:
        return session.scalar(select(func.count()).select_from(Game)) or 0


def _name(game: str, photo: str) -> str:
    return f"{FOLDER}/{game}/{photo}.jpg"


@contextlib.contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """Give a place beside a file, readable by its owner alone, that takes the file's place when all went well."""
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}-", suffix=".partial", dir=file.parent)
    os.close(descriptor)
    partial = Path(name)
    try:
        yield partial
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)
