"""Where a server keeps its games, as backups see it: a data folder, or a database and a store that machines share."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from server.store.copying import copy_rows, keep_out
from server.store.database import DATABASE, Database
from server.store.photos import FOLDER, SPOOL, PhotoStore
from server.store.tables import Game, Installation, Photo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy.orm import Session


class InUseError(Exception):
    """A server or a worker has the database open."""


@dataclass(frozen=True)
class Kept:
    """A server's games. `database` and `photos` are addresses; an empty one means the folder."""

    folder: Path
    database: str = ""
    photos: str = ""

    def __str__(self) -> str:
        """Name the place for people, without a password."""
        return "the database that HAGGLE_DATABASE_URL names" if self.database else str(self.folder)

    @property
    def missing(self) -> str:
        """Say what is wrong if no games can be here; empty if they can."""
        if self.database or (self.folder / DATABASE).is_file():
            return ""
        return f"{self.folder} holds no {DATABASE}: name a server's data folder with --data"

    @property
    def filled(self) -> bool:
        """Whether a server has begun here: a restore would replace what it has. Raises DatabaseError."""
        if not self.database:
            file = self.folder / DATABASE
            # A restore into a new folder that was killed leaves an empty file.
            return file.exists() and file.stat().st_size > 0
        with self._opened() as database, database.reading() as session:
            return any(session.scalar(select(one.id).limit(1)) is not None for one in (Installation, Game))

    @property
    def wanted(self) -> int:
        """How many pictures the database says are there now. Raises DatabaseError."""
        with self._opened() as database, database.reading() as session:
            return session.scalar(select(func.count()).select_from(Photo).where(Photo.erased.is_(None))) or 0

    @property
    def strange(self) -> str:
        """Say what keeps a restore from this folder; empty if nothing does."""
        there = {found.name for found in self.folder.iterdir()} if self.folder.is_dir() else set()
        if self.database and (self.photos or not there):
            return ""
        if self.database and DATABASE in there:
            return f"{self.folder} has games of its own: name a new folder for the pictures"
        if self.folder.is_file() or any(
            name not in {FOLDER, SPOOL} and not name.startswith(DATABASE) for name in there
        ):
            return f"{self.folder} holds other things than a server's games: name a new folder"
        return ""

    @property
    def shared(self) -> bool:
        """Whether photographs lie apart from their database, where others may keep theirs too."""
        return bool(self.database or self.photos)

    @property
    def own(self) -> str | None:
        """The installation's folder for photographs, where it has one beside others; None if nothing is kept here.

        Raises DatabaseError.
        """
        if not self.shared or not self.filled:
            return None
        with self._opened() as database, database.reading() as session:
            return session.scalar(select(Installation.folder)) or ""

    def store(self, own: str | None) -> PhotoStore:
        """Return the photographs in an installation's folder."""
        own = own or ""
        return PhotoStore.at(self.photos, own) if self.photos else PhotoStore.in_folder(self.folder, 0, own)

    def copy_to(self, file: Path) -> None:
        """Write the database as of one moment into a new file for SQLite."""
        if not self.database:
            _copy_file(self.folder / DATABASE, file)
            return
        copy = Database.in_folder(file.parent)
        try:
            with self._opened() as database, copy.writing() as session:
                copy_rows(database, session)
        finally:
            copy.close()

    @contextlib.contextmanager
    def closed_to_others(self) -> Iterator[Callable[[Path], None]]:
        """Keep servers and workers out, and give a function that replaces the database in one transaction.

        It takes a file for SQLite, of this version's form. Raises InUseError if a server or a worker is running.
        """
        if not self.database:
            with _exclusive(self.folder / DATABASE) as connection:
                yield lambda file: _copy(file, connection)
            return
        with self._opened() as database, database.writing() as session:
            if not keep_out(session):
                raise InUseError
            yield lambda file: _copy_file_rows(file, session)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Database]:
        database = Database.at(self.database) if self.database else Database.in_folder(self.folder)
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
                    raise InUseError from error
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
