"""Opens databases and upgrades their tables to this version's schema.

All migrations run in one transaction, by one process at a time. They only add, so that servers of the previous
version can continue. Migration 0012 renames, so all servers have to stop before it.

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
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from server.db.errors import is_full, sqlstate
from server.db.models import Base
from server.db.session import DATABASE, POSTGRES, WRITES, Database, DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

_UTF8 = "UTF8"
_MIGRATIONS = Path(__file__).with_name("migrations")
_VERSION_TABLE = "alembic_version"
_MIGRATION_LOCK = 0x4861_6767_6C65

# Retries and seconds between them while others use the tables, and PostgreSQL's code for a lock that is taken.
_MAX_ATTEMPTS = 200
_PAUSE = 0.1
_NO_LOCK = "55P03"


@dataclass(frozen=True)
class SchemaStatus:
    """The schema version of the tables (None without tables), the newest one, and whether theirs can be upgraded."""

    version: str | None
    newest: str
    known: bool


def open_in_folder(folder: Path) -> Database:
    """Return the database of a data folder, which is created or upgraded if necessary. Raises DatabaseError."""
    file = folder / DATABASE
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # It contains the keys of all games, so others must not be able to read it even for a moment.
        file.touch(mode=0o600)
    except OSError as error:
        raise DatabaseError(f"{folder} cannot store games: {error.strerror}; name another folder") from error
    database = Database(f"sqlite:///{file}")
    upgrade(database)
    return database


def open_at(url: str) -> Database:
    """Return the database at an address of PostgreSQL, upgraded if necessary. Raises DatabaseError."""
    database = Database.at(url)
    upgrade(database)
    return database


def schema_status(database: Database) -> SchemaStatus:
    """Return the schema version of the tables without changing anything. Raises DatabaseError."""
    with _closed_on_errors(database), database.engine.connect() as connection:
        version = _schema_version(connection)
    return SchemaStatus(version, _known_versions()[-1], _is_known(version))


def upgrade(database: Database) -> bool:
    """Upgrade the tables; return whether they had an older schema. Raises DatabaseError after closing the database."""
    now = schema_status(database)
    with _closed_on_errors(database):
        _check_encoding(database)
        if not now.known:
            raise _newer_schema(database)
        if now.version == now.newest:
            return False
        for left in reversed(range(_MAX_ATTEMPTS)):
            try:
                with _transaction(database) as connection:
                    _lock_tables(connection)
                    version = _schema_version(connection)
                    if version == now.newest:
                        # Another process was faster.
                        return False
                    if not _is_known(version):
                        # It was one of a newer version.
                        raise _newer_schema(database)
                    run_migrations(connection)
            except OperationalError as error:
                if not left or sqlstate(error) != _NO_LOCK:
                    raise
                time.sleep(_PAUSE)
            else:
                break
    return True


@contextlib.contextmanager
def _closed_on_errors(database: Database) -> Iterator[None]:
    """Close the database on errors, and raise those of SQLAlchemy as DatabaseError."""
    try:
        yield
    except SQLAlchemyError as error:
        database.close()
        # The first line of the engine's message.
        reason = str(getattr(error, "orig", error)).strip().partition("\n")[0].rstrip(".;:")
        advice = "make room and try again" if is_full(error) else "if it is damaged, restore a backup"
        if database.is_shared:
            advice = "check that it is running and that HAGGLE_DATABASE_URL is correct"
        raise DatabaseError(f"{database.location}: {reason}; {advice}") from error
    except DatabaseError:
        database.close()
        raise


def _check_encoding(database: Database) -> None:
    """Raise DatabaseError unless a database stores text as UTF-8, as SQLite always does."""
    if not database.is_shared:
        return
    with database.engine.connect() as connection:
        encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != _UTF8:
        again = f"createdb --encoding {_UTF8} --template template0 NAME"
        raise DatabaseError(
            f"{database.location} stores text as {encoding}, which cannot store all names: create it again with {again}"
        )


def _newer_schema(database: Database) -> DatabaseError:
    return DatabaseError(f"{database.location} was written by a newer version of Haggle; use that one")


@contextlib.contextmanager
def _transaction(database: Database) -> Iterator[Connection]:
    """Give a connection in a transaction in which referenced tables can be replaced."""
    with database.engine.connect().execution_options(**{WRITES: True}) as connection:
        if database.is_shared:
            with connection.begin():
                yield connection
            return
        # SQLite ignores this pragma within a transaction, and SQLAlchemy begins one before each statement.
        driver = connection.connection.cursor()
        driver.execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                yield connection
                _check_references(database, connection)
        finally:
            driver.execute("PRAGMA foreign_keys=ON")


def _check_references(database: Database, connection: Connection) -> None:
    """Raise DatabaseError, which rolls all changes back, if rows refer to missing rows after the migrations."""
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        table, _, parent, _ = broken[0]
        raise DatabaseError(
            f"{database.location} was not upgraded and is unchanged: {len(broken)} rows, the first in {table}, refer to"
            f" rows of {parent} that are missing; continue with the previous version, or restore a backup"
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
