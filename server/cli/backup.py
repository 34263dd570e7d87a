"""`haggle backup` and `haggle restore`: everything that a server keeps, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.play.backup import BackupError, back_up
from server.play.backup import restore as put_back
from server.play.house import now

if TYPE_CHECKING:
    from server.play.backup import Backup

_DATA = click.option(
    "--data", type=click.Path(path_type=Path), default=Path(), show_default="here", help="The server's data folder."
)


@click.command(name="backup")
@_DATA
@click.option("--overwrite", is_flag=True, help="Replace FILE if it is there.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def command(file: Path, data: Path, *, overwrite: bool) -> None:
    """Write everything that a server keeps into FILE, also while it runs.

    FILE holds the keys of all games and the hash of the organisers' password: keep it as you keep those.
    """
    try:
        made = back_up(data, file, now(), overwrite=overwrite)
    except BackupError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{file}: {_content(made)}")


@click.command(name="restore")
@_DATA
@click.option("--overwrite", is_flag=True, help="Replace the games that the folder holds. They are lost.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def restore(file: Path, data: Path, *, overwrite: bool) -> None:
    """Put back what haggle backup wrote into FILE.

    A server that runs on the folder goes on with what was restored; start it anew if the backup is another server's.
    """
    try:
        made = put_back(file, data, overwrite=overwrite)
    except BackupError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{data}: {_content(made)}")


def _content(made: Backup) -> str:
    said = f"games: {made.games}, photographs: {made.photos}"
    return f"{said} (deleted while the backup was made: {made.gone})" if made.gone else said
