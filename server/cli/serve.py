"""`haggle serve`: a printed game for phones."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from server.app.assets import AssetError
from server.app.serving import HOST, PORT, ServeError, serve
from server.cli.address import addresses, terminal_code
from server.cli.options import editions_option
from server.editions import EditionError
from server.store.games import GameFileError


@click.command(name="serve")
@editions_option
@click.option(
    "--data", type=click.Path(path_type=Path), default=Path(), show_default="here", help="A printed game's folder."
)
@click.option(
    "--host", default=HOST, show_default=True, help="Address to listen at; 0.0.0.0 lets in phones of the same network."
)
@click.option("--port", type=int, default=PORT, show_default=True, help="Port to listen at; 0 for any free one.")
def command(data: Path, host: str, port: int) -> None:
    """Serve a printed game, so that phones can have their decks read.

    This version is for practice: it shows the full breakdown, rules and all, to whoever opens the page.
    """
    try:
        serve(data, host, port, announce=partial(_announce, host))
    except (GameFileError, EditionError, AssetError, ServeError) as error:
        raise click.ClickException(str(error)) from None


def _announce(host: str, port: int) -> None:
    where = addresses(host, port)
    click.echo(f"Haggle is at {where.here} (Ctrl-C ends it)")
    click.echo("Practice mode: whoever opens the page sees the full breakdown of a deck, rules included.")
    if where.phone:
        click.echo(
            f"On a phone in the same network: {where.phone} or scan this code:\n\n{terminal_code(where.phone)}\n"
        )
    else:
        click.echo(where.unreachable)
