"""Copies of all rows from one database to another, also between engines: a consistent snapshot in one transaction."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, Text, bindparam, cast, delete, func, insert, select, table, text
from sqlalchemy.sql import column

from server.db.models import Base, GameEvent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Column, Connection, Table
    from sqlalchemy.orm import Session

    from server.db.session import Database

_BATCH = 500
"""Rows in memory at a time; the largest are results, of about a megabyte."""
_MAX_ATTEMPTS, _PAUSE = 10, 0.2

# All processes of Haggle use this application name (`server.db.session`) and keep a connection open.
_OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND application_name = current_setting('application_name')
"""
_SEQUENCES = table("sqlite_sequence", column("name"), column("seq"))


def copy_rows(source: Database, target: Session) -> None:
    """Replace all rows of a database by those of another one with the same schema."""
    with source.reading() as reading:
        rows, out = _snapshot(reading), target.connection()
        given = max(_highest_event(rows), _highest_event(out))
        for one in reversed(Base.metadata.sorted_tables):
            out.execute(delete(one))
        for one in Base.metadata.sorted_tables:
            into = insert(one).values({column.name: _bound(column, out) for column in one.columns})
            for batch in _batches(one, rows):
                out.execute(into, batch)
        _set_sequences(out, given)


def _snapshot(session: Session) -> Connection:
    """Return a connection that reads one snapshot."""
    if session.get_bind().dialect.name == "sqlite":
        return session.connection()
    options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    connection = session.connection(execution_options=options)
    _lift_timeouts(connection)
    return connection


def lock_out_others(session: Session) -> bool:
    """Lock all tables on PostgreSQL until the transaction ends; return False if another process uses the database."""
    connection = session.connection()
    for left in reversed(range(_MAX_ATTEMPTS)):
        if not connection.scalar(text(_OTHERS)):
            break
        if not left:
            return False
        # A connection that has just been closed is still listed for a moment.
        time.sleep(_PAUSE)
        connection.execute(text("SELECT pg_stat_clear_snapshot()"))
    names = ", ".join(one.name for one in Base.metadata.sorted_tables)
    connection.execute(text(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE"))
    _lift_timeouts(connection)
    return True


def _lift_timeouts(connection: Connection) -> None:
    """Lift the timeouts, which are meant for requests."""
    for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
        connection.execute(text(f"SET LOCAL {limit} = 0"))


def _batches(one: Table, rows: Connection) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a table. JSON is read as text, so that it is copied exactly, including null."""
    columns = [cast(column, Text).label(column.name) if _is_json(column) else column for column in one.columns]
    found = rows.execute(select(*columns), execution_options={"yield_per": _BATCH})
    for batch in found.mappings().partitions(_BATCH):
        yield [dict(row) for row in batch]


def _bound(one: Column[Any], connection: Connection) -> Any:  # noqa: ANN401 - SQLAlchemy's own expressions
    """Return the parameter for a column's value."""
    if not _is_json(one):
        return bindparam(one.name, type_=one.type)
    written = bindparam(one.name, type_=Text)
    # SQLite stores JSON as text, and a cast would convert it to a number.
    return written if connection.dialect.name == "sqlite" else cast(written, JSON)


def _is_json(one: Column[Any]) -> bool:
    return isinstance(one.type, JSON)


def _highest_event(connection: Connection) -> int:
    """Return the highest id of events so far, including deleted ones, so that none is used again."""
    if connection.dialect.name == "sqlite":
        query = select(_SEQUENCES.c.seq).where(_SEQUENCES.c.name == GameEvent.__tablename__)
    else:
        query = select(text(f"last_value FROM {_sequence(GameEvent.__tablename__, connection)}"))
    return max(connection.scalar(query) or 0, connection.scalar(select(func.max(GameEvent.id))) or 0)


def _set_sequences(connection: Connection, given: int) -> None:
    """Set the sequences of ids behind the copied rows, and that of events behind `given`."""
    if connection.dialect.name == "sqlite":
        values = {"name": GameEvent.__tablename__, "seq": given}
        connection.execute(delete(_SEQUENCES).where(_SEQUENCES.c.name == GameEvent.__tablename__))
        connection.execute(insert(_SEQUENCES).values(values))
        return
    for one in Base.metadata.sorted_tables:
        key = one.autoincrement_column
        if key is not None and (sequence := _sequence(one.name, connection)):
            highest = connection.scalar(select(func.max(key))) or 0
            highest = max(highest, given) if one.name == GameEvent.__tablename__ else highest
            # Sequences begin at 1; the flag says whether that value is used.
            connection.execute(select(func.setval(sequence, max(highest, 1), highest > 0)))


def _sequence(name: str, connection: Connection) -> str | None:
    return connection.scalar(select(func.pg_get_serial_sequence(name, "id")))
