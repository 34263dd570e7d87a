"""The differences between SQLite and PostgreSQL: their engines, and times, which are always in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import DateTime, Float, create_engine, event, literal, make_url
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine
    from sqlalchemy.engine import Dialect, ExceptionContext
    from sqlalchemy.sql.compiler import SQLCompiler

WRITES = "haggle_writes"
"""The execution option of connections that write."""
POSTGRES = "postgresql"
BUSY_SECONDS = 30
"""Seconds that a writer waits for others, each of which writes for milliseconds."""
KEPT_CONNECTIONS, MORE_CONNECTIONS = 10, 20
"""Connections to PostgreSQL that a process keeps, and additional ones while it is busy. PostgreSQL allows 97 by
default, which is enough for two servers and three workers: a worker uses only a few."""
POOL_SECONDS = 10
"""Seconds that a request waits for one of these connections."""

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


def new_engine(url: str) -> Engine:
    """Return an engine without connecting. Raises ArgumentError, or ImportError if the driver is missing."""
    address = make_url(_with_driver(url))
    # Failed statements are logged without their values, since a game's key may be one of them.
    if address.get_backend_name() == POSTGRES:
        engine = create_engine(
            address,
            hide_parameters=True,
            pool_size=KEPT_CONNECTIONS,
            max_overflow=MORE_CONNECTIONS,
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
