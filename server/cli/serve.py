"""`haggle serve`: a printed game for phones."""

from __future__ import annotations

from pathlib import Path

import click

from server.app.assets import AssetError
from server.app.serving import HOST, PORT, ServeError, serve
from server.cli.options import editions_option
from server.editions import EditionError
from server.store.games import GameFileError


@click.command(name="serve")
@editions_option
@click.option("--data", type=click.Path(path_type=Path), required=True, help="A printed game's folder.")
@click.option("--host", default=HOST, show_default=True, help="Address to listen at; 0.0.0.0 for the whole network.")
@click.option("--port", type=int, default=PORT, show_default=True, help="Port to listen at; 0 for any free one.")
def command(data: Path, host: str, port: int) -> None:
    """Serve a printed game, so that phones can have their decks read.

    This version is for practice: it shows the full breakdown, rules and all, to whoever opens the page.
    """
    try:
        serve(data, host, port, announce=_announce)
    except (GameFileError, EditionError, AssetError, ServeError) as error:
        raise click.ClickException(str(error)) from None


def _announce(address: str) -> None:
    click.echo(f"Haggle is at {address} (Ctrl-C ends it)")
    click.echo("Practice mode: whoever opens the page sees the full breakdown of a deck, rules included.")
