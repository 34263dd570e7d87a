"""Upgrades of the tables to this version's schema: all migrations in one transaction, by one process at a time.

Migrations only add, so that servers of the previous version can continue. Migration 0012 renames, so all servers have
to stop before it.

To change a column on SQLite, Alembic copies the table, drops it and renames the copy. With foreign keys enforced, the
drop would delete all rows that refer to the table, so they are off during migrations, and checked before the commit.

Alembic is imported only for migrations, since that takes a third of a second.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text
from sqlalchemy.exc import OperationalError

from server.db.dialects import POSTGRES, WRITES
from server.db.errors import sqlstate
from server.db.models import Base

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine

UTF8 = "UTF8"

_MIGRATIONS = Path(__file__).with_name("migrations")
_VERSION_TABLE = "alembic_version"
_MIGRATION_LOCK = 0x4861_6767_6C65

# Retries and seconds between them while others use the tables, and PostgreSQL's code for a lock that is taken.
_MAX_ATTEMPTS = 200
_PAUSE = 0.1
_NO_LOCK = "55P03"


class NewerSchemaError(Exception):
    """The tables have a schema version that this version of Haggle does not know."""


class BrokenReferencesError(Exception):
    """After the migrations, rows would refer to missing rows; the message says which. All changes were rolled back."""


@dataclass(frozen=True)
class SchemaStatus:
    """The schema version of the tables (None without tables), the newest one, and whether theirs can be upgraded."""

    version: str | None
    newest: str
    known: bool


def schema_status(engine: Engine) -> SchemaStatus:
    """Return the schema version of the tables without changing anything."""
    with engine.connect() as connection:
        version = _schema_version(connection)
    return SchemaStatus(version, _known_versions()[-1], _is_known(version))


def encoding(engine: Engine) -> str:
    """Return the encoding of a database, which is always UTF-8 for SQLite."""
    if engine.dialect.name != POSTGRES:
        return UTF8
    with engine.connect() as connection:
        return str(connection.scalar(text("SHOW server_encoding")))


def upgrade(engine: Engine) -> bool:
    """Upgrade the tables; return whether they had an older schema.

    Raises NewerSchemaError and BrokenReferencesError.
    """
    now = schema_status(engine)
    if not now.known:
        raise NewerSchemaError
    if now.version == now.newest:
        return False
    for left in reversed(range(_MAX_ATTEMPTS)):
        try:
            with _transaction(engine) as connection:
                _lock_tables(connection)
                version = _schema_version(connection)
                if version == now.newest:
                    # Another process was faster.
                    return False
                if not _is_known(version):
                    # It was one of a newer version.
                    raise NewerSchemaError
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
    """Give a connection in a transaction in which referenced tables can be replaced."""
    with engine.connect().execution_options(**{WRITES: True}) as connection:
        if engine.dialect.name == POSTGRES:
            with connection.begin():
                yield connection
            return
        # SQLite ignores this pragma within a transaction, and SQLAlchemy begins one before each statement.
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


def run_migrations(connection: Connection, revision: str = "head") -> None:
    """Migrate the tables to a revision within the transaction of a connection."""
    from alembic import command  # noqa: PLC0415 - most processes need no migration and start faster without it
    from alembic.config import Config  # noqa: PLC0415 - likewise

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
    _order_texts(connection)


def _lock_tables(connection: Connection) -> None:
    """Lock all tables, or fail at once, so that nobody waits for an upgrade that itself waits for locks.

    SQLite has only one writer at a time anyway.
    """
    if connection.dialect.name != POSTGRES:
        return
    # Large tables take long.
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    connection.execute(text("SET LOCAL lock_timeout = 0"))
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
    if tables := inspect(connection).get_table_names():
        connection.execute(text(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE NOWAIT"))


def _order_texts(connection: Connection) -> None:
    """Set the collation of all texts on PostgreSQL to code points, as on SQLite, whatever the cluster's locale."""
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


def _schema_version(connection: Connection) -> str | None:
    """Return the schema version of the tables from Alembic's table; None if there are no tables."""
    if not inspect(connection).has_table(_VERSION_TABLE):
        return None
    query = f"SELECT version_num FROM {_VERSION_TABLE}"  # noqa: S608 - our own name
    version: str | None = connection.scalar(text(query))
    return version


def _is_known(version: str | None) -> bool:
    """Return whether this version of Haggle can upgrade from a schema version."""
    return version is None or version in _known_versions()


def _known_versions() -> tuple[str, ...]:
    """Return the known schema versions, the newest last: file names of migrations begin with them."""
    return tuple(sorted(file.name.partition("_")[0] for file in (_MIGRATIONS / "versions").glob("[0-9]*.py")))
