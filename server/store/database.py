"""Opens the database and hands out sessions. SQLite in a data folder is the default; tables are the same anywhere."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import create_engine, event, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.orm import Session

from server.observe.tracing import span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine

DATABASE = "haggle.db"
"""The database's file in a data folder."""

_MIGRATIONS = Path(__file__).with_name("migrations")
_FULL = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    }
)
_POSTGRES_FULL = "53100"
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_BUSY_SECONDS = 30
# How long a writer waits for another one. Each writes for milliseconds.
_WRITES = "haggle_writes"


class DatabaseError(Exception):
    """A database cannot be used; the message names it and says why."""


class Database:
    """The tables behind sessions. Safe to share between threads; each session belongs to one."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.info: dict[str, Any] = {}
        """What every session carries in its `info`, beside `writes`: whether its changes are kept."""

    @classmethod
    def in_folder(cls, folder: Path) -> Database:
        """Return the database of a data folder, made if it is not there, and brought to this version's form.

        Raises DatabaseError.
        """
        file = folder / DATABASE
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # It holds the keys of all games: nobody else reads it, not even for a moment.
            file.touch(mode=0o600)
        except OSError as error:
            raise DatabaseError(f"{folder} cannot keep games: {error.strerror}; name another folder") from error
        database = cls(f"sqlite:///{file}")
        try:
            database.upgrade()
        except DBAPIError as error:
            database.close()
            raise DatabaseError(f"{file}: {error.orig}; if it is damaged, restore a backup") from error
        except CommandError as error:
            database.close()
            raise DatabaseError(f"{file} was written by a newer version of Haggle; use that one") from error
        return database

    @classmethod
    def at(cls, url: str) -> Database:
        """Return the database at an address such as `postgresql://user:password@host/name`, in this version's form.

        Raises DatabaseError.
        """
        try:
            database = cls(_with_driver(url))
        except (ArgumentError, ImportError) as error:
            raise DatabaseError("HAGGLE_DATABASE_URL is no address of a PostgreSQL: postgresql://…") from error
        where = database.engine.url.render_as_string(hide_password=True)
        try:
            database.upgrade()
        except DBAPIError as error:
            database.close()
            raise DatabaseError(f"{where}: {str(error.orig).splitlines()[0]}") from error
        except CommandError as error:
            database.close()
            raise DatabaseError(f"{where} was written by a newer version of Haggle; use that one") from error
        return database

    def upgrade(self) -> None:
        """Bring the tables to this version's form; nothing happens where they have it."""
        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
        with self.engine.connect().execution_options(**{_WRITES: True}) as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """Give a session that sees one state of the database. What is changed in it is forgotten."""
        with (
            span("transaction", writes=False),
            Session(self.engine, expire_on_commit=False, info={**self.info, "writes": False}) as session,
        ):
            yield session

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """Give a session whose changes are committed together at the end, or not at all if an error passes."""
        with (
            span("transaction", writes=True),
            Session(
                self.engine.execution_options(**{_WRITES: True}),
                expire_on_commit=False,
                info={**self.info, "writes": True},
            ) as session,
            session.begin(),
        ):
            yield session

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def is_full(error: DBAPIError) -> bool:
    """Tell whether something was not written because there is no room on the disk."""
    return _code(error) in _FULL or getattr(error.orig, "sqlstate", None) == _POSTGRES_FULL


def is_busy(error: DBAPIError) -> bool:
    """Tell whether others wrote for so long that something did not get its turn."""
    return _code(error) in _BUSY


def _with_driver(url: str) -> str:
    """Name the driver for an address that PostgreSQL's own programs take."""
    for scheme in ("postgresql://", "postgres://"):
        if url.startswith(scheme):
            return f"postgresql+psycopg://{url.removeprefix(scheme)}"
    return url


def _code(error: DBAPIError) -> int:
    return int(getattr(error.orig, "sqlite_errorcode", 0))


def _engine(url: str) -> Engine:
    # A statement that fails is told in the log: without its values, since a game's key may be one of them.
    engine = create_engine(url, hide_parameters=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own type
    # The driver's own transactions start too late: a reader that turns into a writer would fail at once.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", f"busy_timeout={_BUSY_SECONDS * 1000}", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its turn at the start, where waiting works.
    writes = connection.get_execution_options().get(_WRITES)
    connection.execute(text("BEGIN IMMEDIATE" if writes else "BEGIN"))
