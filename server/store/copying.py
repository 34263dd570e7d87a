"""Copies all rows from one database into another, whatever engines they are on, as of one moment and in one step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, Text, bindparam, cast, delete, func, insert, select, table, text
from sqlalchemy.sql import column

from server.store.database import TURN_OF_GAME, take_turn
from server.store.tables import Base, Change, Game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Column, Connection, Table
    from sqlalchemy.orm import Session

    from server.store.database import Database

_BATCH = 500
# Rows in hand at a time; the largest are results, of about a megabyte.
_SEQUENCES = table("sqlite_sequence", column("name"), column("seq"))


def copy_rows(source: Database, target: Database) -> None:
    """Put all rows of one database in the place of those of another, which has the same form.

    Whoever reads the target sees all of the old rows or all of the new ones. Who writes to it waits meanwhile.
    """
    with source.reading() as reading, target.writing() as writing:
        rows, out = _snapshot(reading), writing.connection()
        _keep_out(writing)
        given = max(_given(rows), _given(out))
        for one in reversed(Base.metadata.sorted_tables):
            out.execute(delete(one))
        for one in Base.metadata.sorted_tables:
            into = insert(one).values({column.name: _bound(column, out) for column in one.columns})
            for batch in _batches(one, rows):
                out.execute(into, batch)
        _go_on(out, given)


def _snapshot(session: Session) -> Connection:
    """Return a connection that sees one moment, however long it reads."""
    if session.get_bind().dialect.name == "sqlite":
        return session.connection()
    options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    connection = session.connection(execution_options=options)
    _take_time(connection)
    return connection


def _keep_out(session: Session) -> None:
    """Let nobody else write until the transaction ends. On SQLite that is so from its start."""
    connection = session.connection()
    if connection.dialect.name == "sqlite":
        return
    _take_time(connection)
    # Who would change a game looks at it in this turn: afterwards, when what has come in its place is there.
    for game in session.scalars(select(Game.id).order_by(Game.id)).all():
        take_turn(session, TURN_OF_GAME, game)
    # In the order of their dependence, in which others take them too.
    names = ", ".join(one.name for one in Base.metadata.sorted_tables)
    connection.execute(text(f"LOCK TABLE {names} IN EXCLUSIVE MODE"))


def _take_time(connection: Connection) -> None:
    """Lift the limits that hold for a request."""
    for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
        connection.execute(text(f"SET LOCAL {limit} = 0"))


def _batches(one: Table, rows: Connection) -> Iterator[list[dict[str, Any]]]:
    """Yield a table's rows. JSON is text here, so that it arrives as it was written, null and all."""
    columns = [cast(column, Text).label(column.name) if _is_json(column) else column for column in one.columns]
    found = rows.execute(select(*columns), execution_options={"yield_per": _BATCH})
    for batch in found.mappings().partitions(_BATCH):
        yield [dict(row) for row in batch]


def _bound(one: Column[Any], connection: Connection) -> Any:  # noqa: ANN401 - SQLAlchemy's own expressions
    """Return how a column's value goes in."""
    if not _is_json(one):
        return bindparam(one.name, type_=one.type)
    written = bindparam(one.name, type_=Text)
    # To SQLite JSON is text, and a cast would make a number of it.
    return written if connection.dialect.name == "sqlite" else cast(written, JSON)


def _is_json(one: Column[Any]) -> bool:
    return isinstance(one.type, JSON)


def _given(connection: Connection) -> int:
    """Return the highest number that a change has ever got: whoever watches live goes on from there."""
    if connection.dialect.name == "sqlite":
        query = select(_SEQUENCES.c.seq).where(_SEQUENCES.c.name == Change.__tablename__)
    else:
        query = select(text(f"last_value FROM {_sequence(Change.__tablename__, connection)}"))
    return max(connection.scalar(query) or 0, connection.scalar(select(func.max(Change.id))) or 0)


def _go_on(connection: Connection, given: int) -> None:
    """Let numbers go on behind those that rows have, and those of changes behind the highest one given."""
    if connection.dialect.name == "sqlite":
        values = {"name": Change.__tablename__, "seq": given}
        connection.execute(delete(_SEQUENCES).where(_SEQUENCES.c.name == Change.__tablename__))
        connection.execute(insert(_SEQUENCES).values(values))
        return
    for one in Base.metadata.sorted_tables:
        key = one.autoincrement_column
        if key is not None and (sequence := _sequence(one.name, connection)):
            highest = connection.scalar(select(func.max(key))) or 0
            highest = max(highest, given) if one.name == Change.__tablename__ else highest
            # The flag says whether the number was given already; none is lower than 1.
            connection.execute(select(func.setval(sequence, max(highest, 1), highest > 0)))


def _sequence(name: str, connection: Connection) -> str | None:
    return connection.scalar(select(func.pg_get_serial_sequence(name, "id")))
