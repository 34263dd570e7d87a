"""The database and its sessions: SQLite in a data folder by default, or PostgreSQL, with the same tables."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sqlalchemy import URL, func, select
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from server.db import migrate
from server.db.dialects import BUSY_SECONDS, POSTGRES, WRITES, database_time, new_engine
from server.db.errors import is_collision
from server.db.migrate import BrokenReferencesError, NewerSchemaError
from server.observability.tracing import span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from sqlalchemy import Executable, Row

    from server.db.migrate import SchemaStatus


def now() -> datetime:
    """Return this machine's time."""
    return datetime.now(UTC)


class WriterQueue:
    """A queue of the threads that write to an SQLite database. Between processes, SQLite's own lock decides."""

    def __init__(self, seconds: float = BUSY_SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._writer: int | None = None

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until no other thread writes; PoolTimeoutError after too long. A thread may nest blocks."""
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
"""The name of the database's file in a data folder."""
MAX_ATTEMPTS = 4
"""Attempts at a transaction that collides with others."""

LOCK_TIMEOUT = 5
"""Seconds that a change of a game waits for others of the same game, on PostgreSQL. Less than `POOL_SECONDS`, so that
changes of other games get a connection in time even if many wait for one game."""

_TIME = select(database_time())
_SNAPSHOT = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


class DatabaseError(Exception):
    """A database cannot be used. The message contains its address and the reason."""


class Database:
    """A database. Threads may share it, but not its sessions.

    On SQLite one session writes at a time. On PostgreSQL sessions write at the same time in isolation level READ
    COMMITTED, so a transaction that reads and then writes has to lock the game (`lock_changes_of_game`) or take
    an `advisory_lock` first.

    The `info` of a session has its `database`, and `writes`: whether its changes are committed.
    """

    def __init__(self, url: str) -> None:
        """Create a database from an address of PostgreSQL or SQLAlchemy, without connecting."""
        self.engine = new_engine(url)
        self._readers = self.engine.execution_options(**_SNAPSHOT) if self.is_shared else self.engine
        self._writers = self.engine.execution_options(**{WRITES: True})
        self._turns = None if self.is_shared else WriterQueue()
        self.clock: Callable[[], datetime] = now
        """This machine's clock; tests replace it."""

    @property
    def is_shared(self) -> bool:
        """True for PostgreSQL, which several machines can share."""
        return self.engine.dialect.name == POSTGRES

    @property
    def where(self) -> str:
        """Its location for people: a file, or an address without password and options."""
        url = self.engine.url
        if not self.is_shared:
            return str(url.database)
        address = URL.create(POSTGRES, url.username, url.password, url.host, url.port, url.database)
        return address.render_as_string(hide_password=True)

    @classmethod
    def in_folder(cls, folder: Path) -> Database:
        """Return the database of a data folder, which is created or upgraded if necessary.

        Raises DatabaseError.
        """
        file = folder / DATABASE
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # It contains the keys of all games, so others must not be able to read it even for a moment.
            file.touch(mode=0o600)
        except OSError as error:
            raise DatabaseError(f"{folder} cannot store games: {error.strerror}; name another folder") from error
        return cls(f"sqlite:///{file}").bring_up()

    @classmethod
    def at(cls, url: str) -> Database:
        """Return the database at an address such as `postgresql://user:password@host/name`, upgraded if necessary.

        Raises DatabaseError.
        """
        return cls.named(url).bring_up()

    @classmethod
    def named(cls, url: str) -> Database:
        """Return the database at an address without upgrading it. Raises DatabaseError."""
        # The message does not quote the address, which may contain a password.
        wrong = "HAGGLE_DATABASE_URL is not a PostgreSQL address: write postgresql://user:password@host/database"
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
            # The part of the password after its first @ would be shown as a host name.
            raise DatabaseError("HAGGLE_DATABASE_URL has one @ too many: write @ in a password as %40")
        return database

    def schema_status(self) -> SchemaStatus:
        """Return the schema version of the tables. Raises DatabaseError."""
        with self._usable():
            return migrate.schema_status(self.engine)

    def bring_up(self) -> Self:
        """Upgrade the tables and return the database. Raises DatabaseError after closing it."""
        with self._usable():
            encoding = migrate.encoding(self.engine)
            if encoding == migrate.UTF8:
                self.upgrade()
                return self
        self.close()
        again = f"createdb --encoding {migrate.UTF8} --template template0 NAME"
        raise DatabaseError(
            f"{self.where} stores text as {encoding}, which cannot store all names: create it again with {again}"
        )

    @contextlib.contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            self.close()
            raise DatabaseError(f"{self.where}: {_first_line(error)}; {self._advice}") from error
        except NewerSchemaError as error:
            self.close()
            raise DatabaseError(f"{self.where} was written by a newer version of Haggle; use that one") from error
        except BrokenReferencesError as error:
            self.close()
            advice = "continue with the previous version, or restore a backup"
            raise DatabaseError(f"{self.where} was not upgraded and is unchanged: {error}; {advice}") from error

    @property
    def _advice(self) -> str:
        if self.is_shared:
            return "check that it is running and that HAGGLE_DATABASE_URL is correct"
        return "if it is damaged, restore a backup"

    def upgrade(self) -> bool:
        """Upgrade the tables; return whether they had an older schema.

        Raises NewerSchemaError and BrokenReferencesError.
        """
        return migrate.upgrade(self.engine)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """Give a session that reads one snapshot. Its changes are rolled back."""
        with (
            span("transaction", writes=False),
            Session(self._readers, expire_on_commit=False, info={"database": self, "writes": False}) as session,
        ):
            yield session

    def fetch_first(self, question: Executable, values: Mapping[str, Any] | None = None) -> Row[Any] | None:
        """Return the first row of a query, without the cost of a session."""
        with span("transaction", writes=False), self._readers.connect() as connection:
            return connection.execute(question, values).first()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """Give a session whose changes are committed at the end, or rolled back on errors."""
        with (
            span("transaction", writes=True),
            self._turns.turn() if self._turns else contextlib.nullcontext(),
            Session(self._writers, expire_on_commit=False, info={"database": self, "writes": True}) as session,
            session.begin(),
        ):
            yield session

    def run(self, work: Callable[[Session], T]) -> T:
        """Return the result of a function that is called with a writing session, and again after collisions."""
        for left in reversed(range(MAX_ATTEMPTS)):
            try:
                with self.writing() as session:
                    return work(session)
            except DBAPIError as error:
                if not left or not is_collision(error):
                    raise
                # A random pause keeps the transactions from colliding again.
                time.sleep(secrets.randbelow(100) / 1000)
        raise AssertionError("unreachable")

    def time(self, session: Session | None = None) -> datetime:
        """Return the time by which games close and photographs are deleted: a shared database's own."""
        if not self.is_shared or self.clock is not now:
            return self.clock()
        if session is None:
            with self.reading() as reading:
                return self.time(reading)
        at: datetime = session.scalars(_TIME).one()
        return at

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


GAME_LOCK = "change"
"""With a game's id, the key of the advisory lock for changes of the game."""


def lock_changes_of_game(session: Session, game: str, *, shared: bool = False) -> None:
    """Take the advisory lock for changes of a game, waiting at most LOCK_TIMEOUT."""
    if session.get_bind().dialect.name == POSTGRES:
        session.execute(select(func.set_config("lock_timeout", f"{LOCK_TIMEOUT}s", True)))
    advisory_lock(session, GAME_LOCK, game, shared=shared)


def advisory_lock(session: Session, *what: str, shared: bool = False) -> None:
    """Take a lock by its name until the transaction ends, or share it with others that give `shared`.

    For things without a row that could be locked. Take it before reading anything on which the changes depend.
    """
    if session.get_bind().dialect.name == POSTGRES:
        number = int.from_bytes(hashlib.sha256("\0".join(what).encode()).digest()[:8], signed=True)
        take = func.pg_advisory_xact_lock_shared if shared else func.pg_advisory_xact_lock
        session.execute(select(take(number)))


def _first_line(error: SQLAlchemyError) -> str:
    """Return the first line of an engine's message."""
    return str(getattr(error, "orig", error)).strip().partition("\n")[0].rstrip(".;:")
