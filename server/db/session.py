"""The database and its sessions: SQLite in a data folder by default, or PostgreSQL, with the same tables."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from opentelemetry import trace
from sqlalchemy import URL, DateTime, Float, create_engine, event, func, literal, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

from server.db.errors import is_collision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine import Dialect, ExceptionContext
    from sqlalchemy.sql.compiler import SQLCompiler

T = TypeVar("T")

DATABASE = "haggle.db"
"""The name of the database's file in a data folder."""
MAX_ATTEMPTS = 4
"""Attempts at a transaction that collides with others."""
WRITES = "haggle_writes"
"""The execution option of connections that write."""
POSTGRES = "postgresql"
BUSY_SECONDS = 30
"""Seconds that a writer waits for others, each of which writes for milliseconds."""
POOL_SIZE, MAX_OVERFLOW = 10, 20
"""Connections to PostgreSQL that a process keeps, and additional ones while it is busy. PostgreSQL allows 97 by
default, which is enough for two servers and three workers: a worker uses only a few."""
POOL_SECONDS = 10
"""Seconds that a request waits for one of these connections."""
LOCK_TIMEOUT = 5
"""Seconds that a change of a game waits for others of the same game, on PostgreSQL. Less than `POOL_SECONDS`, so that
changes of other games get a connection in time even if many wait for one game."""
GAME_LOCK = "change"
"""With a game's id, the key of the advisory lock for changes of the game."""

_SNAPSHOT = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
_CONNECT_SECONDS = 5
_SETTINGS = {
    # A statement that takes longer hangs, and would keep others waiting.
    "statement_timeout": "60s",
    "lock_timeout": "20s",
    "idle_in_transaction_session_timeout": "120s",
}

# From a database with the encoding SQL_ASCII, the driver would return bytes, and the check of the encoding would fail.
_TEXTS = {"client_encoding": "utf8"}

# A machine that disappears is noticed within half a minute.
_ALIVE = {"keepalives_idle": 20, "keepalives_interval": 5, "keepalives_count": 4, "tcp_user_timeout": 30_000}

_tracer = trace.get_tracer("haggle")

# Attributes of spans.
_READS, _WRITES = {"haggle.writes": False}, {"haggle.writes": True}


def now() -> datetime:
    """Return this machine's time."""
    return datetime.now(UTC)


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
        # The threads that write to an SQLite database take turns. Between processes, SQLite's own lock decides.
        self._turns = None if self.is_shared else threading.RLock()
        self.clock: Callable[[], datetime] = now
        """This machine's clock; tests replace it."""

    @property
    def is_shared(self) -> bool:
        """True for PostgreSQL, which several machines can share."""
        return self.engine.dialect.name == POSTGRES

    @property
    def location(self) -> str:
        """Its location for people: a file, or an address without password and options."""
        url = self.engine.url
        if not self.is_shared:
            return str(url.database)
        address = URL.create(POSTGRES, url.username, url.password, url.host, url.port, url.database)
        return address.render_as_string(hide_password=True)

    @classmethod
    def at(cls, url: str) -> Database:
        """Return the database at an address such as `postgresql://user:password@host/name`. Raises DatabaseError.

        The tables are not upgraded; `migrate.open_at` does that.
        """
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

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """Give a session that reads one snapshot. Its changes are rolled back."""
        with (
            _tracer.start_as_current_span("transaction", attributes=_READS),
            Session(self._readers, expire_on_commit=False, info={"database": self, "writes": False}) as session,
        ):
            yield session

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """Give a session whose changes are committed at the end, or rolled back on errors."""
        with (
            _tracer.start_as_current_span("transaction", attributes=_WRITES),
            self._turn(),
            Session(self._writers, expire_on_commit=False, info={"database": self, "writes": True}) as session,
            session.begin(),
        ):
            yield session

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait until no other thread writes; PoolTimeoutError after BUSY_SECONDS. A thread may nest blocks."""
        if self._turns is None:
            yield
            return
        if not self._turns.acquire(timeout=BUSY_SECONDS):
            raise PoolTimeoutError("others have been writing for too long")
        try:
            yield
        finally:
            self._turns.release()

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
        at: datetime = session.scalars(select(database_time())).one()
        return at

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


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


def new_engine(url: str) -> Engine:
    """Return an engine without connecting. Raises ArgumentError, or ImportError if the driver is missing."""
    address = make_url(_with_driver(url))
    # Failed statements are logged without their values, since a game's key may be one of them.
    if address.get_backend_name() == POSTGRES:
        engine = create_engine(
            address,
            hide_parameters=True,
            pool_size=POOL_SIZE,
            max_overflow=MAX_OVERFLOW,
            pool_timeout=POOL_SECONDS,
            # PostgreSQL may have been restarted since a connection was used.
            pool_pre_ping=True,
            connect_args=_arguments(address),
        )
        event.listen(engine, "handle_error", _shorten_error)
        return engine
    engine = create_engine(address, hide_parameters=True)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _with_driver(url: str) -> str:
    """Add the driver to an address in the form that PostgreSQL's programs accept."""
    for scheme in ("postgresql://", "postgres://"):
        if url.startswith(scheme):
            return f"postgresql+psycopg://{url.removeprefix(scheme)}"
    return url


def _arguments(address: URL) -> dict[str, Any]:
    """Return the connection's arguments, except those that the address sets."""
    given = address.query.get("options", "")
    settings = [f"-c {name}={value}" for name, value in _SETTINGS.items()]
    wanted = {"connect_timeout": _CONNECT_SECONDS, "application_name": "haggle", **_TEXTS, **_ALIVE}
    ours = {name: value for name, value in wanted.items() if name not in address.query}
    # The last one counts.
    options = " ".join([*settings, given if isinstance(given, str) else " ".join(given)]).strip()
    # Prepared statements would fail once in a server that runs while a newer one changes the types of columns.
    return {**ours, "options": options, "prepare_threshold": None}


def _shorten_error(context: ExceptionContext) -> None:
    """Keep only the first line of PostgreSQL's message: further lines quote rows, which contain secrets."""
    for error in (context.original_exception, context.sqlalchemy_exception):
        if error is not None and error.args:
            error.args = (str(error.args[0]).partition("\n")[0], *error.args[1:])


def _set_up_sqlite(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own type
    # The driver begins transactions too late: a reader that becomes a writer would fail at once.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", f"busy_timeout={BUSY_SECONDS * 1000}", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # SQLite waits for a lock only at the beginning of a transaction.
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


class UtcDateTime(TypeDecorator[datetime]):
    """A time with a zone, returned in UTC. ValueError for a time without a zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Return the value to store."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time in the database needs a zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - as above
        """Return a time with its zone, which SQLite does not store."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class database_time(FunctionElement[Any]):  # noqa: N801 - named like the SQL function that it stands for
    """The database's time, a number of seconds from now."""

    type = UtcDateTime()
    inherit_cache = True

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(literal(seconds, Float()))


@compiles(database_time, "postgresql")
def _postgresql_time(element: database_time, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401 - SQLAlchemy's signature
    return f"clock_timestamp() + make_interval(secs => {compiler.process(element.clauses, **options)})"


@compiles(database_time, "sqlite")
def _sqlite_time(element: database_time, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401 - SQLAlchemy's signature
    # In the format in which SQLAlchemy stores times, with six digits of a second.
    return f"strftime('%Y-%m-%d %H:%M:%f000', 'now', {compiler.process(element.clauses, **options)} || ' seconds')"
