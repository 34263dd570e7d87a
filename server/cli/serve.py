"""`haggle serve`: a server that keeps games, or a printed game to practise with."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from server.app.assets import AssetError
from server.app.house import HouseConfig, open_house
from server.app.serving import HOST, PORT, ServeError, serve, serve_house
from server.app.settings import house_config
from server.cli.address import addresses, terminal_code
from server.cli.options import editions_option
from server.editions import EditionError
from server.play.installation import new_setup_code
from server.store.database import DATABASE, DatabaseError
from server.store.games import GAME_FILE, GameFileError


@click.command(name="serve")
@editions_option
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=Path(),
    show_default="here",
    help="The folder that keeps the server's games (a new one begins a new server), or a printed game's folder.",
)
@click.option(
    "--host", default=HOST, show_default=True, help="Address to listen at; 0.0.0.0 lets in phones of the same network."
)
@click.option("--port", type=int, default=PORT, show_default=True, help="Port to listen at; 0 for any free one.")
@click.option(
    "--proxy",
    type=click.IntRange(0, 10),
    default=0,
    show_default=True,
    help="How many reverse proxies stand before it, whose word on callers' addresses is taken.",
)
def command(data: Path, host: str, port: int, proxy: int) -> None:
    """Serve games to phones.

    A folder that haggle print wrote is served for practice: it shows the full breakdown, rules and all, to whoever
    opens the page. Any other folder keeps games from the first envelope to the final ranking.
    """
    try:
        config = house_config(data, proxies=proxy)
        if not config.database and is_printed_game(data):
            serve(data, host, port, announce=partial(_announce_practice, host))
        else:
            if not config.database:
                check_folder(data)
            serve_house(config, host, port, announce=partial(_announce, config, host))
    except (GameFileError, EditionError, AssetError, ServeError, DatabaseError) as error:
        raise click.ClickException(str(error)) from None


def is_printed_game(folder: Path) -> bool:
    """Tell whether a folder holds one printed game and no server's games."""
    return (folder.is_file() or (folder / GAME_FILE).exists()) and not (folder / DATABASE).exists()


def check_folder(folder: Path) -> None:
    """Raise ServeError for a folder that holds other things, so that no server begins there by mistake."""
    if folder.is_dir() and not (folder / DATABASE).exists() and any(folder.iterdir()):
        raise ServeError(
            f"{folder} holds neither a server's games ({DATABASE}) nor a printed game ({GAME_FILE}):"
            " name one that does, or a new folder to begin a server"
        )


def _announce_practice(host: str, port: int) -> None:
    _say_where(host, port)
    click.echo("Practice mode: whoever opens the page sees the full breakdown of a deck, rules included.")
    _say_phones(host, port)


def _announce(config: HouseConfig, host: str, port: int) -> None:
    here, data = _say_where(host, port), config.folder
    kept = "the database that the environment names" if config.database else data
    click.echo(f"Games are kept in {kept}. The organisers' desk is at {here}desk")
    house = open_house(config)
    code = new_setup_code(house)
    house.database.close()
    if code:
        click.echo(
            f"\nThere is no organisers' password yet. To choose it, open {here}desk and use this code once:\n\n"
            f"    {code}\n\nor set it on this machine: haggle password --data {data}\n"
        )
    _say_phones(host, port)


def _say_where(host: str, port: int) -> str:
    here = addresses(host, port).here
    click.echo(f"Haggle is at {here} (Ctrl-C ends it)")
    return here


def _say_phones(host: str, port: int) -> None:
    where = addresses(host, port)
    if where.phone:
        click.echo(
            f"On a phone in the same network: {where.phone} or scan this code:\n\n{terminal_code(where.phone)}\n"
        )
    else:
        click.echo(where.unreachable)
