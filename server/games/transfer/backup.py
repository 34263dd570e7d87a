"""Backups: all data of a server in one file, made while the server runs and restored while none runs.

The file is a ZIP archive with a note on its format, the database with all secrets as a file for SQLite, and the
photographs. It can be restored to another database engine or storage. It is written to a temporary file, which is
renamed when it is complete. The database is copied first, in one transaction, then the photographs that its rows name.
Photographs deleted in the meantime are marked as deleted in the copy.
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

from server.db.copy import copy_rows, lock_out_others
from server.db.errors import is_local_disk_full
from server.db.migrate import open_at, open_in_folder
from server.db.models import Game, Photo, ServerConfig
from server.db.session import DATABASE, Database, DatabaseError
from server.games.server_config import new_folder
from server.operating_system import replace_file
from server.storage.photo_store import FOLDER, SPOOL, PhotoStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from sqlalchemy.orm import Session

    Report = Callable[[int, int], object]

NOTE = "haggle-backup.json"
FORMAT = 1

_PIECE = 1_000_000
_MAX_NOTE = 10_000


class BackupError(Exception):
    """A backup cannot be made or restored; the message gives the reason in one line."""


class DataInUseError(Exception):
    """A server or a worker has the database open."""


@dataclass(frozen=True)
class DataLocation:
    """The place of a server's data. `database` and `photos` are addresses; an empty one means the folder."""

    folder: Path
    database: str = ""
    photos: str = ""

    def __str__(self) -> str:
        """Return the location for messages, without a password."""
        return "the database that HAGGLE_DATABASE_URL names" if self.database else str(self.folder)

    def check_exists(self) -> None:
        """Raise BackupError if there is no database."""
        if not self.database and not (self.folder / DATABASE).is_file():
            raise BackupError(f"{self.folder} holds no {DATABASE}: name a server's data folder with --data")

    def check_restorable(self) -> None:
        """Raise BackupError if the folder holds files that belong to no server, or to another one."""
        present = {found.name for found in self.folder.iterdir()} if self.folder.is_dir() else set()
        if self.database and (self.photos or not present):
            return
        if self.database and DATABASE in present:
            raise BackupError(f"{self.folder} has games of its own: name a new folder for the pictures")
        if self.folder.is_file() or any(
            name not in {FOLDER, SPOOL} and not name.startswith(DATABASE) for name in present
        ):
            raise BackupError(f"{self.folder} contains something other than a server's games: name a new folder")

    def has_data(self) -> bool:
        """Return whether a server has data here, which a restore would replace. Raises DatabaseError."""
        if not self.database:
            file = self.folder / DATABASE
            # A restore into a new folder that was killed leaves an empty file.
            return file.exists() and file.stat().st_size > 0
        with self._opened() as database, database.reading() as session:
            return any(session.scalar(select(one.id).limit(1)) is not None for one in (ServerConfig, Game))

    def count_expected_photos(self) -> int:
        """Return the number of photographs that should be stored, by the database. Raises DatabaseError."""
        with self._opened() as database, database.reading() as session:
            return session.scalar(select(func.count()).select_from(Photo).where(Photo.image_deleted_at.is_(None))) or 0

    @property
    def shared(self) -> bool:
        """True if photographs are stored apart from the database, where other servers may store theirs too."""
        return bool(self.database or self.photos)

    def own_folder(self) -> str | None:
        """Return the server's folder in a shared photo store; None without such a store or without data.

        Raises DatabaseError.
        """
        if not self.shared or not self.has_data():
            return None
        with self._opened() as database, database.reading() as session:
            return session.scalar(select(ServerConfig.folder)) or ""

    def store(self, own: str | None) -> PhotoStore:
        """Return the photo store; `own` is the server's folder in a shared one."""
        own = own or ""
        return PhotoStore.at(self.photos, own) if self.photos else PhotoStore.in_folder(self.folder, 0, own)

    def copy_to(self, file: Path) -> None:
        """Copy the database in one transaction into a new file for SQLite."""
        if not self.database:
            _copy_file(self.folder / DATABASE, file)
            return
        copy = open_in_folder(file.parent)
        try:
            with self._opened() as database, copy.writing() as session:
                copy_rows(database, session)
        finally:
            copy.close()

    @contextlib.contextmanager
    def closed_to_others(self) -> Iterator[Callable[[Path], None]]:
        """Keep servers and workers out, and give a function that replaces the database in one transaction.

        It takes a file for SQLite, of this version's form. Raises DataInUseError if a server or a worker is running.
        """
        if not self.database:
            with _exclusive(self.folder / DATABASE) as connection:
                yield lambda file: _copy(file, connection)
            return
        with self._opened() as database, database.writing() as session:
            if not lock_out_others(session):
                raise DataInUseError
            yield lambda file: _copy_file_rows(file, session)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Database]:
        database = open_at(self.database) if self.database else open_in_folder(self.folder)
        try:
            yield database
        finally:
            database.close()


def _copy_file(source: Path, target: Path) -> None:
    with (
        contextlib.closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as running,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        # All pages in one step, which keeps no writer waiting. Between steps, a commit would make SQLite begin again.
        running.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


@contextlib.contextmanager
def _exclusive(file: Path) -> Iterator[sqlite3.Connection]:
    """Give the only connection to a database, an empty one if there is none: until the end no other can be opened."""
    is_new = not file.exists()
    file.touch(mode=0o600)
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=0)) as connection:
            try:
                # What is locked stays locked until the connection is closed. SQLite leaves WAL mode, in which servers
                # open the database, only when no other connection is open, not even an idle one.
                for statement in ("locking_mode=EXCLUSIVE", "journal_mode=DELETE"):
                    connection.execute(f"PRAGMA {statement}")
                connection.execute("BEGIN EXCLUSIVE")
                connection.commit()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                    raise DataInUseError from error
                raise
            yield connection
    except BaseException:
        if is_new:
            file.unlink()
        raise


def _copy(source: Path, target: sqlite3.Connection) -> None:
    with contextlib.closing(sqlite3.connect(source)) as copy:
        copy.backup(target)


def _copy_file_rows(source: Path, target: Session) -> None:
    copy = Database(f"sqlite:///{source}")
    try:
        copy_rows(copy, target)
    finally:
        copy.close()


@dataclass(frozen=True)
class Backup:
    """Numbers of games and photographs in a backup, and of photographs deleted while it was made."""

    games: int
    photos: int
    gone: int


def _silent(_done: int, _of: int) -> None:
    """Ignore progress."""


def back_up(
    location: DataLocation, file: Path, at: datetime, *, overwrite: bool = False, report: Report = _silent
) -> Backup:
    """Write all data of a server, running or not, into a file. Raises BackupError.

    `report` is called with the number of photographs written so far, and their total.
    """
    location.check_exists()
    if file.exists() and not overwrite:
        raise BackupError(f"{file} exists already: name another file, or add --overwrite")
    try:
        with _beside(file) as partial, tempfile.TemporaryDirectory(dir=file.parent) as scratch:
            copy = Path(scratch) / DATABASE
            location.copy_to(copy)
            made = _write(partial, copy, location.store(location.own_folder()), at, report)
            if made.gone and not made.photos and location.count_expected_photos():
                raise BackupError(
                    f"none of the pictures is there; name their folder with --data: {location.folder} is not it"
                )
    except (sqlite3.Error, DBAPIError, DatabaseError, OSError) as error:
        if is_local_disk_full(error):
            # The data is only read: the full disk is the backup's.
            before = ", and the previous one is kept" if file.exists() else ""
            raise BackupError(f"{_full(file.parent, 'name a file')}; no backup was made{before}") from error
        if isinstance(error, OSError):
            raise BackupError(f"{error.filename or file}: {error.strerror or error}; no backup was made") from error
        raise BackupError(f"{location}: {_message_of(error)}; no backup was made") from error
    return made


def restore(file: Path, location: DataLocation, *, overwrite: bool = False, report: Report = _silent) -> Backup:
    """Restore a backup to a new location, or with `overwrite` replace the data there.

    Photographs are written first, then the database is replaced in one step, so that an interruption loses no data. No
    server may run, since it would delete photographs without rows. `report` as for `back_up`. Raises BackupError.
    """
    folder = location.folder
    fills = _temporary(location)
    try:
        location.check_restorable()
        if location.has_data() and not overwrite:
            raise BackupError(f"{location} holds games: name a new place, or add --overwrite to replace them")
        if not location.database:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with zipfile.ZipFile(file) as archive, tempfile.TemporaryDirectory(dir=fills) as scratch:
            note = _read_note(archive)
            with archive.open(DATABASE) as packed, (Path(scratch) / DATABASE).open("xb") as out:
                shutil.copyfileobj(packed, out, _PIECE)
            # Brings an old backup to this version's form, and shows that it can be used.
            database = open_in_folder(Path(scratch))
            rows, games = _stored_photos(database), _games(database)
            before, own = location.own_folder(), _renamed(database)
            database.close()
            photos, fills = location.store(own if location.shared else ""), folder
            with location.closed_to_others() as replace:
                for number, (game, photo) in enumerate(rows, start=1):
                    photos.put(game, photo, archive.read(_name(game, photo)))
                    report(number, len(rows))
                replace(Path(scratch) / DATABASE)
            _clear(location, before)
    except DataInUseError:
        raise BackupError(
            f"a server or a worker is running on {location}: stop them all, then restore; nothing was restored"
        ) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, RuntimeError) as error:
        raise BackupError(f"{file} is damaged, or no backup of Haggle; nothing was restored") from error
    except (DatabaseError, DBAPIError, sqlite3.Error, OSError) as error:
        if is_local_disk_full(error):
            other = "set TMPDIR to a folder" if location.database and fills != folder else "name a folder"
            raise BackupError(f"{_full(fills, other)}; nothing was restored") from error
        if isinstance(error, OSError):
            raise BackupError(f"{error.filename or file}: {error.strerror or error}; nothing was restored") from error
        raise BackupError(f"{location} or {file}: {_message_of(error)}; nothing was restored") from error
    return Backup(games, len(rows), int(note["gone"]))


def _renamed(database: Database) -> str:
    """Give a restored server a new folder for its files, so that it never touches those of the original server."""
    own = new_folder()
    with database.writing() as session:
        session.execute(update(ServerConfig).values(folder=own, storage_claimed_at=None))
    return own


def _clear(location: DataLocation, own: str | None) -> None:
    """Delete the files of a server that has been replaced, as far as possible now."""
    if own is None:
        return
    photos = location.store(own)
    with contextlib.suppress(OSError):
        if own:
            photos.files.delete([path for path, _ in photos.files.names()])
        for game, photo, _ in list(photos.names()):
            photos.delete(game, photo)


def _temporary(location: DataLocation) -> Path:
    """Return where a restore unpacks the database: beside a folder that takes its place."""
    return Path(tempfile.gettempdir()) if location.database else location.folder.parent


def _full(place: Path, other: str) -> str:
    """Say that the disk of a place is full, and what helps."""
    return f"the disk of {place.absolute()} is full: make room there, or {other} on another disk"


def _message_of(error: Exception) -> str:
    """Return an error in one line."""
    return str(error.orig if isinstance(error, DBAPIError) else error).partition("\n")[0]


def _write(file: Path, copy: Path, photos: PhotoStore, at: datetime, report: Report) -> Backup:
    """Write the archive: the database's copy and the photographs of its rows, as far as they are still there."""
    database = Database(f"sqlite:///{copy}")
    written = gone = 0
    try:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            rows = _stored_photos(database)
            for game, photo in rows:
                data = photos.get(game, photo)
                if data is None:
                    # It was deleted while this ran.
                    with database.writing() as session:
                        session.execute(update(Photo).where(Photo.id == photo).values(image_deleted_at=at))
                    gone += 1
                else:
                    archive.writestr(_name(game, photo), data)
                    written += 1
                report(written + gone, len(rows))
            games = _games(database)
            database.close()
            archive.write(copy, DATABASE, zipfile.ZIP_DEFLATED)
            note = {"format": FORMAT, "made": at.isoformat(), "games": games, "photos": written, "gone": gone}
            archive.writestr(NOTE, json.dumps(note))
    finally:
        database.close()
    return Backup(games, written, gone)


def _read_note(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Return a backup's note on its format. Raises ValueError for another file or a later format."""
    if archive.getinfo(NOTE).file_size > _MAX_NOTE:
        raise ValueError(NOTE)
    note = json.loads(archive.read(NOTE))
    if not isinstance(note, dict) or note.get("format") != FORMAT:
        raise ValueError(NOTE)
    return {"gone": 0, **note}


def _stored_photos(database: Database) -> list[tuple[str, str]]:
    """Return game and id of every photograph that should be stored."""
    with database.reading() as session:
        rows = session.execute(select(Photo.game, Photo.id).where(Photo.image_deleted_at.is_(None)).order_by(Photo.id))
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
        replace_file(partial, file)
    finally:
        partial.unlink(missing_ok=True)
