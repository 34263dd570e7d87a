"""`haggle demo`: a printed game, photographs of decks, and the page that reads and scores them."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from server.app import AppConfig
from server.app.assets import AssetError
from server.app.serving import PortTakenError, ServeError, free_port, serve
from server.cli.address import addresses, terminal_code
from server.editions import EditionError
from server.jobs.printing import PrintError
from server.studio.demo import demo_folder

_FOLDER = Path(__file__).resolve().parents[2] / ".haggle" / "demo"
_ALL = "0.0.0.0"  # noqa: S104 - phones in the same network are who the demo is for; it holds no secret of anyone
_FIRST_PORT = 8000
_PORTS_TO_TRY = 20


@click.command(name="demo")
@click.option(
    "--host", default=_ALL, show_default=True, help="Address to listen on; 127.0.0.1 keeps the demo to this machine."
)
@click.option("--port", type=click.IntRange(1, 65535), default=None, help="Port. Default: the first free from 8000 on.")
@click.option(
    "--data", type=click.Path(path_type=Path), default=_FOLDER, help="Folder for the demo game. Default: .haggle/demo."
)
def command(host: str, port: int | None, data: Path) -> None:
    """Start a demo: a EuroCG game of 24 players, already printed, with photographs of decks to try."""
    try:
        port = _first_free(host) if port is None else free_port(host, port)
    except PortTakenError:
        raise click.ClickException(f"port {port} is taken by another program: name another one with --port") from None
    except ServeError as error:
        raise click.ClickException(str(error)) from None
    where = addresses(host, port)
    shown = where.phone or where.here
    try:
        game = demo_folder(data, click.echo, join=shown)
    except PrintError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"\n{terminal_code(shown)}\n")
    click.echo(f"  On this machine:   {where.here}")
    if where.phone:
        click.echo(f"  On your phone:     {where.phone}   (same network; or scan the code above)")
    else:
        click.echo(f"  {where.unreachable}")
    click.echo(f"  Printed sheets:    {data / 'sheets.pdf'}")
    click.echo("\n  Open the page, tap a sample photograph, or take one of a printed page or of the screen.")
    click.echo("  Ctrl-C stops the demo.\n")
    try:
        serve(AppConfig(game=game, folder=data, demo=True), host, port)
    except (AssetError, EditionError, ServeError) as error:
        raise click.ClickException(str(error)) from error


def _first_free(host: str) -> int:
    """Return the first free port; ServeError if there is none, or where nobody can listen at this address."""
    for port in range(_FIRST_PORT, _FIRST_PORT + _PORTS_TO_TRY):
        with contextlib.suppress(PortTakenError):
            return free_port(host, port)
    raise ServeError(f"no free port from {_FIRST_PORT} to {_FIRST_PORT + _PORTS_TO_TRY - 1}: name one with --port")
