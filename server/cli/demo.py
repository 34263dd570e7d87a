"""`haggle demo`: a printed game, photographs of decks, and the page that reads and scores them."""

from __future__ import annotations

from pathlib import Path

import click

from server.app import AppConfig
from server.app.assets import AssetError
from server.app.serving import ServeError, serve
from server.cli.address import addresses, is_free, terminal_code
from server.jobs.printing import PrintError
from server.studio.demo import demo_folder

_FOLDER = Path(__file__).resolve().parents[2] / ".haggle" / "demo"
_ALL = "0.0.0.0"  # noqa: S104 - phones in the same network are who the demo is for; it holds no secret of anyone
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
    port = port or next((p for p in range(8000, 8000 + _PORTS_TO_TRY) if is_free(host, p)), None)
    if port is None:
        raise click.ClickException(f"no free port from 8000 to {7999 + _PORTS_TO_TRY}: name one with --port")
    if not is_free(host, port):
        raise click.ClickException(f"port {port} is taken by another program: name another one with --port")
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
    except (AssetError, ServeError) as error:
        raise click.ClickException(str(error)) from error
