"""`haggle games export` and `import`: a whole game as one file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import BinaryIO

import click

from server.cli.admin.data_folder import data_option, json_option, machine_user, opened, show_json
from server.games.errors import DomainError
from server.games.transfer.game_archive import check_limits, export_game, import_game


@click.command(name="export", short_help="Write all of GAME into a file.")
@data_option
@click.argument("game")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--no-photos", is_flag=True, help="Leave out the pictures, but not what was read in them.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def export(data: Path, game: str, file: Path, *, no_photos: bool, force: bool) -> None:
    """Write all of GAME into FILE, a zip. It contains the game's key: keep it as a secret."""
    if file.exists() and not force:
        raise click.ClickException(f"{file} exists already; name another file, or replace it with --force")
    with opened(data) as context:
        # Beside its place first, so that a failure leaves nothing half written; readable by its owner alone.
        try:
            handle, partial = tempfile.mkstemp(prefix=f".{file.name}-", suffix=".partial", dir=file.parent)
        except OSError as error:
            raise click.ClickException(f"{file}: {error.strerror}") from None
        try:
            with os.fdopen(handle, "w+b") as out:
                name = export_game(context, game, out, photos=not no_photos)
                warning = _import_problem(out)
            Path(partial).replace(file)
        except OSError as error:
            raise click.ClickException(f"{file}: {error.strerror}; nothing was written") from None
        finally:
            Path(partial).unlink(missing_ok=True)
    click.echo(f"Game {name} is in {file}. It contains the game's key: anyone who has the file can make cards.")
    if warning:
        click.echo(f"Warning: haggle games import will refuse this file. {warning}", err=True)


def _import_problem(file: BinaryIO) -> str | None:
    """Return why a new archive cannot be imported, or None."""
    try:
        check_limits(file)
    except DomainError as error:
        return str(error)
    return None


@click.command(name="import", short_help="Import a game from an exported file.")
@data_option
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@json_option
def import_(data: Path, file: Path, *, as_json: bool) -> None:
    """Import a whole game from FILE, which haggle games export wrote: all of it, or nothing."""
    try:
        source = file.open("rb")
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from None
    with source, opened(data, make=True) as context:
        game = import_game(context, source, machine_user())
    if as_json:
        show_json({"game": game})
    else:
        click.echo(f"Game {game} has been imported, with everything that belongs to it.")
