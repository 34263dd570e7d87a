"""Opens the database and hands out sessions. SQLite in a data folder is the default; tables are the same anywhere."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import threading
import time
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sqlalchemy import URL, func, select
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from server.db import migrate
from server.db.engine import BUSY_SECONDS, POSTGRES, WRITES, new_engine
from server.db.errors import is_collision
from server.db.migrate import BrokenReferencesError, NewerFormError
from server.observability.tracing import span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from sqlalchemy import Executable, Row

    from server.db.migrate import SchemaStatus


class WriterQueue:
    """The turns of those who write to one database. Other processes are kept away by SQLite itself."""

    def __init__(self, seconds: float = BUSY_SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._writer: int | None = None

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and hold it until the block ends; TimeoutError, as where no connection is to be had.

        Within a turn SQLite decides.
        """
        me = threading.get_ident()
        if self._writer == me:
            yield
            return
        if not self._lock.acquire(timeout=self._seconds):
            raise PoolTimeoutError("others have been writing for too long")
        self._writer = me
        try:
            yield
        finally:
            self._writer = None
            self._lock.release()


T = TypeVar("T")

DATABASE = "haggle.db"
"""The database's file in a data folder."""
TRIES = 4
"""So often a transaction begins that others get in the way of."""

TURN_SECONDS = 5
"""How long a change of a game waits for others of the same game, on PostgreSQL. Less than `POOL_SECONDS`: so however
many wait for one game, changes of other games get a connection in time."""

_SNAPSHOT = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


class DatabaseError(Exception):
    """A database cannot be used; the message names it and says why."""


class Database:
    """The tables behind sessions. Safe to share between threads; each session belongs to one.

    On SQLite one session writes at a time. On PostgreSQL as many as like to: each sees what others have committed, one
    statement after the other, so whoever reads and then writes holds the game's row (`server.db.locks`), or waits
    for its turn (`advisory_lock`).
    """

    def __init__(self, url: str) -> None:
        """Take an address, of a PostgreSQL or as SQLAlchemy has it; nothing is connected yet."""
        self.engine = new_engine(url)
        self._readers = self.engine.execution_options(**_SNAPSHOT) if self.is_shared else self.engine
        self._writers = self.engine.execution_options(**{WRITES: True})
        self._turns = None if self.is_shared else WriterQueue()
        self.info: dict[str, Any] = {}
        """What every session carries in its `info`, beside `writes`: whether its changes are kept."""

    @property
    def is_shared(self) -> bool:
        """Whether machines share it: a PostgreSQL."""
        return self.engine.dialect.name == POSTGRES

    @property
    def where(self) -> str:
        """Where it is, for people: a file, or an address without its password and all that it says beside."""
        url = self.engine.url
        if not self.is_shared:
            return str(url.database)
        told = URL.create(POSTGRES, url.username, url.password, url.host, url.port, url.database)
        return told.render_as_string(hide_password=True)

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
        return cls(f"sqlite:///{file}").bring_up()

    @classmethod
    def at(cls, url: str) -> Database:
        """Return the database at an address such as `postgresql://user:password@host/name`, in this version's form.

        Raises DatabaseError.
        """
        return cls.named(url).bring_up()

    @classmethod
    def named(cls, url: str) -> Database:
        """Return the database at an address as it is, whatever its form. Raises DatabaseError."""
        # Not a word of the address: it may hold a password.
        wrong = "HAGGLE_DATABASE_URL is no address of a PostgreSQL: write postgresql://user:password@host/database"
        if not url.startswith(("postgresql:", "postgres:", "postgresql+psycopg:")):
            raise DatabaseError(wrong)
        try:
            database = cls(url)
        except ImportError as error:
            raise DatabaseError("psycopg, the driver for PostgreSQL, cannot be loaded: install it") from error
        except (ArgumentError, ValueError) as error:
            raise DatabaseError(wrong) from error
        at = database.engine.url
        if "@" in f"{at.host}{at.database}":
            # What follows the first @ of a password would be told as the name of a machine that is not there.
            raise DatabaseError("HAGGLE_DATABASE_URL has one @ too many: write @ in a password as %40")
        return database

    def schema_status(self) -> SchemaStatus:
        """Return in which form the tables are. Raises DatabaseError."""
        with self._usable():
            return migrate.schema_status(self.engine)

    def bring_up(self) -> Self:
        """Bring the tables to this version's form and return the database. Raises DatabaseError; it is closed then."""
        with self._usable():
            encoding = migrate.encoding(self.engine)
            if encoding == migrate.UTF8:
                self.upgrade()
                return self
        self.close()
        again = f"createdb --encoding {migrate.UTF8} --template template0 NAME"
        raise DatabaseError(
            f"{self.where} keeps texts as {encoding}, which has no room for all names: make it anew, {again}"
        )

    @contextlib.contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            self.close()
            raise DatabaseError(f"{self.where}: {_first_line(error)}; {self._advice}") from error
        except NewerFormError as error:
            self.close()
            raise DatabaseError(f"{self.where} was written by a newer version of Haggle; use that one") from error
        except BrokenReferencesError as error:
            self.close()
            advice = "go on with the version before, or restore a backup"
            raise DatabaseError(f"{self.where} was not upgraded, and is as it was: {error}; {advice}") from error

    @property
    def _advice(self) -> str:
        if self.is_shared:
            return "see whether it runs, and whether HAGGLE_DATABASE_URL is right"
        return "if it is damaged, restore a backup"

    def upgrade(self) -> bool:
        """Bring the tables to this version's form; tell whether anything was to be done.

        Raises NewerFormError and BrokenReferencesError.
        """
        return migrate.upgrade(self.engine)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """Give a session that sees one state of the database. What is changed in it is forgotten."""
        with (
            span("transaction", writes=False),
            Session(self._readers, expire_on_commit=False, info={**self.info, "writes": False}) as session,
        ):
            yield session

    def look(self, question: Executable, values: Mapping[str, Any] | None = None) -> Row[Any] | None:
        """Return the first row of an answer; without a session, which costs as much again."""
        with span("transaction", writes=False), self._readers.connect() as connection:
            return connection.execute(question, values).first()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """Give a session whose changes are committed together at the end, or not at all if an error passes."""
        with (
            span("transaction", writes=True),
            self._turns.turn() if self._turns else contextlib.nullcontext(),
            Session(self._writers, expire_on_commit=False, info={**self.info, "writes": True}) as session,
            session.begin(),
        ):
            yield session

    def run(self, work: Callable[[Session], T]) -> T:
        """Do work in a writing session and return what it returns; all of it anew where others got in its way."""
        for left in reversed(range(TRIES)):
            try:
                with self.writing() as session:
                    return work(session)
            except DBAPIError as error:
                if not left or not is_collision(error):
                    raise
                # Those who met begin anew one after the other.
                time.sleep(secrets.randbelow(100) / 1000)
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


TURN_OF_GAME = "change"
"""With a game's id: the turn of who changes anything of the game (`server.db.locks`)."""


def lock_changes_of_game(session: Session, game: str, *, beside: bool = False) -> None:
    """Take the advisory lock for changes of a game, waiting at most TURN_SECONDS."""
    if session.get_bind().dialect.name == POSTGRES:
        session.execute(select(func.set_config("lock_timeout", f"{TURN_SECONDS}s", True)))
    advisory_lock(session, TURN_OF_GAME, game, beside=beside)


def advisory_lock(session: Session, *what: str, beside: bool = False) -> None:
    """Make all others who name the same wait until this session's transaction ends; `beside`: not those who say so too.

    For what has no row yet that could be locked. To be called before anything is read that decides what is written.
    """
    if session.get_bind().dialect.name == POSTGRES:
        number = int.from_bytes(hashlib.sha256("\0".join(what).encode()).digest()[:8], signed=True)
        take = func.pg_advisory_xact_lock_shared if beside else func.pg_advisory_xact_lock
        session.execute(select(take(number)))


def _first_line(error: SQLAlchemyError) -> str:
    """Return what an engine says, as far as it fits into a line."""
    return str(getattr(error, "orig", error)).strip().partition("\n")[0].rstrip(".;:")
