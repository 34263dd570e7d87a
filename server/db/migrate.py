"""Brings the tables to this version's form: all steps in one transaction, and one process at a time.

A step only adds, so that servers of the version before go on meanwhile. Step 0012 renames: before it all servers stop.

To change a column on SQLite, Alembic copies the table, drops it and renames the copy. Were foreign keys enforced, the
drop would delete all rows that refer to the table, so they are off while the steps run, and checked before the commit.

Alembic takes the steps. To load it takes a third of a second, so who has none to take does without.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text
from sqlalchemy.exc import OperationalError

from server.db.engine import POSTGRES, WRITES
from server.db.errors import sqlstate
from server.db.models import Base

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine

UTF8 = "UTF8"

_MIGRATIONS = Path(__file__).with_name("migrations")
_NOTED_IN = "alembic_version"
_TURN = 0x4861_6767_6C65

# Retries and seconds between them while others use the tables, and PostgreSQL's code for a lock that is taken.
_TRIES = 200
_PAUSE = 0.1
_NO_LOCK = "55P03"


class NewerFormError(Exception):
    """The tables are of a form that this version does not know."""


class BrokenReferencesError(Exception):
    """After the steps, rows would refer to rows that are not there; the message says which. All was rolled back."""


@dataclass(frozen=True)
class SchemaStatus:
    """In which form tables are (None: there are none), the newest that this version knows, and if it knows theirs."""

    form: str | None
    newest: str
    known: bool


def schema_status(engine: Engine) -> SchemaStatus:
    """Look in which form the tables are; nothing is changed."""
    with engine.connect() as connection:
        form = _form(connection)
    return SchemaStatus(form, _forms()[-1], _known(form))


def encoding(engine: Engine) -> str:
    """Return how a database keeps texts. With SQLite it is always the one that has room for all."""
    if engine.dialect.name != POSTGRES:
        return UTF8
    with engine.connect() as connection:
        return str(connection.scalar(text("SHOW server_encoding")))


def upgrade(engine: Engine) -> bool:
    """Bring the tables to this version's form; tell whether anything was to be done.

    Raises NewerFormError and BrokenReferencesError.
    """
    now = schema_status(engine)
    if not now.known:
        raise NewerFormError
    if now.form == now.newest:
        return False
    for left in reversed(range(_TRIES)):
        try:
            with _transaction(engine) as connection:
                _take_turn(connection)
                form = _form(connection)
                if form == now.newest:
                    # Somebody else was faster.
                    return False
                if not _known(form):
                    # And of a newer version.
                    raise NewerFormError
                run_migrations(connection)
        except OperationalError as error:
            if not left or sqlstate(error) != _NO_LOCK:
                raise
            time.sleep(_PAUSE)
        else:
            break
    return True


@contextlib.contextmanager
def _transaction(engine: Engine) -> Iterator[Connection]:
    """Give a connection in a transaction in which tables that others refer to can be replaced."""
    with engine.connect().execution_options(**{WRITES: True}) as connection:
        if engine.dialect.name == POSTGRES:
            with connection.begin():
                yield connection
            return
        # Within a transaction SQLite ignores this pragma, and SQLAlchemy begins one before each statement.
        driver = connection.connection.cursor()
        driver.execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                yield connection
                _check_references(connection)
        finally:
            driver.execute("PRAGMA foreign_keys=ON")


def _check_references(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        table, _, parent, _ = broken[0]
        raise BrokenReferencesError(
            f"{len(broken)} rows, the first in {table}, refer to rows of {parent} that are missing"
        )


def run_migrations(connection: Connection, form: str = "head") -> None:
    """Bring the tables behind a connection to a form, within its transaction."""
    from alembic import command  # noqa: PLC0415 - most processes find the tables as they want them, and load faster
    from alembic.config import Config  # noqa: PLC0415 - likewise

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, form)
    _order_texts(connection)


def _take_turn(connection: Connection) -> None:
    """Lock all tables, or fail at once, so that nobody waits for a lock behind an upgrade that waits for another.

    On SQLite a writer is alone anyway.
    """
    if connection.dialect.name != POSTGRES:
        return
    # A large table takes its time.
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    connection.execute(text("SET LOCAL lock_timeout = 0"))
    connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": _TURN})
    if tables := inspect(connection).get_table_names():
        connection.execute(text(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE NOWAIT"))


def _order_texts(connection: Connection) -> None:
    """Let PostgreSQL order all texts by their characters' numbers, as SQLite does, whatever its cluster's language."""
    if connection.dialect.name != POSTGRES:
        return
    found = connection.execute(
        text(
            "SELECT table_name, column_name, data_type, character_maximum_length FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND data_type IN ('character varying', 'text')"
            " AND collation_name IS DISTINCT FROM 'C' ORDER BY table_name, column_name"
        )
    )
    changes: dict[str, list[str]] = {}
    for table, column, kind, length in found:
        if table in Base.metadata.tables:
            as_is = kind if length is None else f"{kind}({length})"
            changes.setdefault(table, []).append(f'ALTER COLUMN "{column}" TYPE {as_is} COLLATE "C"')
    for table, columns in changes.items():
        connection.execute(text(f'ALTER TABLE "{table}" {", ".join(columns)}'))


def _form(connection: Connection) -> str | None:
    """Return the form of the tables, where Alembic notes it; None if there are no tables."""
    if not inspect(connection).has_table(_NOTED_IN):
        return None
    noted: str | None = connection.scalar(text(f"SELECT version_num FROM {_NOTED_IN}"))  # noqa: S608 - our own name
    return noted


def _known(form: str | None) -> bool:
    """Tell whether this version can go on from a form; from none it makes the tables."""
    return form is None or form in _forms()


def _forms() -> tuple[str, ...]:
    """Return the forms that this version knows, the newest last: a step's file begins with the form it leads to."""
    return tuple(sorted(file.name.partition("_")[0] for file in (_MIGRATIONS / "versions").glob("[0-9]*.py")))
