"""`haggle db`: in which form a server's tables are, and how they come to this version's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from server.cli.admin.data_folder import data_option, json_option, show_json
from server.db.session import DATABASE, Database, DatabaseError
from server.web_app.settings import app_config

if TYPE_CHECKING:
    from pathlib import Path

    from server.db.migrate import SchemaStatus

_ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
_STATES = {
    "current": "this version's",
    "older": "older than this version's, {newest}: haggle db upgrade, or the next start of a server, brings it there",
    "newer": "made by a newer version of Haggle than this one, whose form is {newest}: use that version",
    "empty": "there are no tables yet: haggle db upgrade, or the first start of a server, makes them",
}


@click.group(name="db")
@data_option
@json_option
def command(data: Path, *, as_json: bool) -> None:
    """Look at the tables in which a server keeps its games, or bring them to this version's form."""


@command.command(name="status")
@data_option
@json_option
def status(data: Path, *, as_json: bool) -> None:
    """Say where the tables are and in which form. Nothing is changed."""
    database = _there(data)
    try:
        found = database.schema_status()
    except DatabaseError as error:
        raise click.ClickException(str(error)) from None
    finally:
        database.close()
    engine, state = database.engine.dialect.name, state_of(found)
    if as_json:
        document = {"engine": engine, "where": database.where, "form": found.form, "newest": found.newest}
        show_json({**document, "state": state})
        return
    click.echo(f"{_ENGINES[engine]}, {database.where}")
    click.echo(f"Form {found.form or 'none'}: {_STATES[state].format(newest=found.newest)}.")


@command.command(name="upgrade")
@data_option
@json_option
def upgrade(data: Path, *, as_json: bool) -> None:
    """Bring the tables to this version's form, also while servers run on them. Done twice it changes nothing.

    A server does the same when it starts. Make a backup before.
    """
    database = _there(data)
    try:
        before = database.schema_status()
        database.bring_up()
        now = database.schema_status()
    except DatabaseError as error:
        raise click.ClickException(str(error)) from None
    finally:
        database.close()
    if as_json:
        show_json({"before": before.form, "form": now.form})
    elif before.form == now.form:
        click.echo(f"{database.where}: in this version's form already, {now.form}.")
    else:
        click.echo(f"{database.where}: brought from form {before.form or 'none'} to this version's, {now.form}.")


def state_of(status: SchemaStatus) -> str:
    """Return how the tables stand to this version: current, older, newer or empty."""
    if status.form is None:
        return "empty"
    if not status.known:
        return "newer"
    return "current" if status.form == status.newest else "older"


def _there(data: Path) -> Database:
    """Return the database that the environment names, or a data folder's, as it is."""
    config = app_config(data)
    if not config.database and not (data / DATABASE).is_file():
        raise click.ClickException(f"{data}: there is no {DATABASE}; name the server's data folder with --data")
    try:
        return Database.named(config.database) if config.database else Database(f"sqlite:///{data / DATABASE}")
    except DatabaseError as error:
        raise click.ClickException(str(error)) from None
