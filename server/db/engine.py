"""The two engines that tables lie in, and how we speak to each: SQLite in a data folder, and PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event, make_url

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine
    from sqlalchemy.engine import ExceptionContext

WRITES = "haggle_writes"
"""Option of a connection that is going to write."""
POSTGRES = "postgresql"
BUSY_SECONDS = 30
"""How long a writer waits for others: each writes for milliseconds."""
KEPT_CONNECTIONS, MORE_CONNECTIONS = 10, 20
"""Connections to a PostgreSQL that a process keeps, and those that it opens beside them while it is busy. Two servers
and three workers have room in a PostgreSQL as it comes, which takes 97: a worker never uses more than a few."""
POOL_SECONDS = 10
"""How long a request waits for one of these connections."""

_CONNECT_SECONDS = 5
_SETTINGS = {
    # Nothing of ours takes so long: what does hangs, and would keep others waiting.
    "statement_timeout": "60s",
    "lock_timeout": "20s",
    "idle_in_transaction_session_timeout": "120s",
}

# A database that says nothing of its texts would hand them out as bytes, before it could be told that it will not do.
_TEXTS = {"client_encoding": "utf8"}

# A machine that is gone without a word is noticed within half a minute.
_ALIVE = {"keepalives_idle": 20, "keepalives_interval": 5, "keepalives_count": 4, "tcp_user_timeout": 30_000}


def new_engine(url: str) -> Engine:
    """Return an engine; nothing is connected yet. Raises ArgumentError, and ImportError where its driver is missing."""
    address = make_url(_with_driver(url))
    # A statement that fails is told in the log: without its values, since a game's key may be one of them.
    if address.get_backend_name() == POSTGRES:
        engine = create_engine(
            address,
            hide_parameters=True,
            pool_size=KEPT_CONNECTIONS,
            max_overflow=MORE_CONNECTIONS,
            pool_timeout=POOL_SECONDS,
            # PostgreSQL may have been started anew since a connection was used.
            pool_pre_ping=True,
            connect_args=_arguments(address),
        )
        event.listen(engine, "handle_error", _say_less)
        return engine
    engine = create_engine(address, hide_parameters=True)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _with_driver(url: str) -> str:
    """Name the driver for an address that PostgreSQL's own programs take."""
    for scheme in ("postgresql://", "postgres://"):
        if url.startswith(scheme):
            return f"postgresql+psycopg://{url.removeprefix(scheme)}"
    return url


def _arguments(address: URL) -> dict[str, Any]:
    """Return how to connect, but for what the address says itself."""
    said = address.query.get("options", "")
    settings = [f"-c {name}={value}" for name, value in _SETTINGS.items()]
    wanted = {"connect_timeout": _CONNECT_SECONDS, "application_name": "haggle", **_TEXTS, **_ALIVE}
    ours = {name: value for name, value in wanted.items() if name not in address.query}
    # What comes last counts.
    options = " ".join([*settings, said if isinstance(said, str) else " ".join(said)]).strip()
    # Nothing is kept prepared: in a server that runs while a newer one changes columns' types, it would fail once.
    return {**ours, "options": options, "prepare_threshold": None}


def _say_less(context: ExceptionContext) -> None:
    """Leave of what PostgreSQL says of an error the first line: those after it quote the row, and its secrets."""
    for error in (context.original_exception, context.sqlalchemy_exception):
        if error is not None and error.args:
            error.args = (str(error.args[0]).partition("\n")[0], *error.args[1:])


def _set_up_sqlite(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own type
    # The driver's own transactions start too late: a reader that turns into a writer would fail at once.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", f"busy_timeout={BUSY_SECONDS * 1000}", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its turn at the start, where waiting works.
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
