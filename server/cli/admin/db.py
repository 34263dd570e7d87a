"""`haggle db`: the schema version of a server's database, and its migration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from server.cli.admin.data_folder import data_option, existing_config, json_option, show_json
from server.db import migrate
from server.db.session import DATABASE, Database, DatabaseError

if TYPE_CHECKING:
    from pathlib import Path

    from server.db.migrate import SchemaStatus

_ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
_STATES = {
    "current": "up to date",
    "older": "older than {newest}; haggle db upgrade, or the next start of a server, migrates the tables",
    "newer": "newer than {newest} of this version of Haggle; use the version that made it",
    "empty": "no tables yet; haggle db upgrade, or the first start of a server, creates them",
}


@click.group(name="db")
@data_option
@json_option
def command(data: Path, *, as_json: bool) -> None:
    """Show the schema version of a server's database, or migrate it."""


@command.command(name="status")
@data_option
@json_option
def status(data: Path, *, as_json: bool) -> None:
    """Show the location and the schema version of the database, without changing it."""
    database = _existing_database(data)
    try:
        found = migrate.schema_status(database)
    except DatabaseError as error:
        raise click.ClickException(str(error)) from None
    finally:
        database.close()
    engine, state = database.engine.dialect.name, state_of(found)
    if as_json:
        document = {"engine": engine, "where": database.location, "form": found.version, "newest": found.newest}
        show_json({**document, "state": state})
        return
    click.echo(f"{_ENGINES[engine]}, {database.location}")
    click.echo(f"Schema version {found.version or 'none'}: {_STATES[state].format(newest=found.newest)}.")


@command.command(name="upgrade")
@data_option
@json_option
def upgrade(data: Path, *, as_json: bool) -> None:
    """Migrate the tables to this version's schema.

    Servers do the same when they start. Make a backup first.
    """
    database = _existing_database(data)
    try:
        before = migrate.schema_status(database)
        migrate.upgrade(database)
        now = migrate.schema_status(database)
    except DatabaseError as error:
        raise click.ClickException(str(error)) from None
    finally:
        database.close()
    if as_json:
        show_json({"before": before.version, "form": now.version})
    elif before.version == now.version:
        click.echo(f"{database.location} is at schema version {now.version} already.")
    else:
        click.echo(f"{database.location}: migrated from schema version {before.version or 'none'} to {now.version}.")


def state_of(status: SchemaStatus) -> str:
    """Return the state of the tables: current, older, newer or empty."""
    if status.version is None:
        return "empty"
    if not status.known:
        return "newer"
    return "current" if status.version == status.newest else "older"


def _existing_database(data: Path) -> Database:
    """Return the database of the environment or of a data folder, without migrating it."""
    config = existing_config(data)
    try:
        return Database.at(config.database) if config.database else Database(f"sqlite:///{data / DATABASE}")
    except DatabaseError as error:
        raise click.ClickException(str(error)) from None
