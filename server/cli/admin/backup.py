"""`haggle backup` and `haggle restore`: everything that a server keeps, in one file."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from server.cli.options import folder_option
from server.db.session import now
from server.games.transfer.backup import BackupError, DataLocation, back_up
from server.games.transfer.backup import restore as put_back
from server.web_app.settings import app_config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from server.games.transfer.backup import Backup


_DATA = folder_option("The server's data folder.")


@click.command(name="backup")
@_DATA
@click.option("--overwrite", is_flag=True, help="Replace FILE if it exists.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def command(file: Path, data: Path, *, overwrite: bool) -> None:
    """Write everything that a server keeps into FILE, also while it runs.

    That includes the database and the pictures which the environment names (HAGGLE_DATABASE_URL, HAGGLE_PHOTOS_URL).

    FILE holds the keys of all games and the hash of the organisers' password: keep it as safe as those.
    """
    try:
        with _progress("pictures saved") as report:
            made = back_up(_location(data), file, now(), overwrite=overwrite, report=report)
    except BackupError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{file}: {_content(made)}")


@click.command(name="restore")
@_DATA
@click.option("--overwrite", is_flag=True, help="Replace the games that the folder holds. They are lost.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def restore(file: Path, data: Path, *, overwrite: bool) -> None:
    """Restore the backup FILE into a folder, or onto the engines that the environment names.

    Stop all servers and workers first: while one runs, nothing is restored.
    """
    try:
        with _progress("pictures restored") as report:
            made = put_back(file, _location(data), overwrite=overwrite, report=report)
    except BackupError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{_location(data)}: {_content(made)}")


def _location(data: Path) -> DataLocation:
    """Return the location of a server's data: the folder, or the addresses in the environment."""
    config = app_config(data)
    return DataLocation(config.folder, config.database, config.photos)


@contextlib.contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on a terminal while photographs are copied, and nothing elsewhere."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def _content(made: Backup) -> str:
    content = f"games: {made.games}, pictures: {made.photos}"
    return f"{content} (deleted while the backup was made: {made.gone})" if made.gone else content


__all__ = ["restore"]
