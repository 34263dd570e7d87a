"""`haggle demo`: a server with seeded games, on a data folder of its own."""

from __future__ import annotations

import contextlib
import signal
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.cli.network import addresses, terminal_code
from server.db.session import DatabaseError
from server.demo.seed import TITLES, DemoError
from server.demo.site import DemoConfig, serve_demo
from server.games.errors import DomainError
from server.scoring.errors import EditionError
from server.web_app.assets import AssetError
from server.web_app.server import HOST, PortTakenError, ServeError, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST_PORT = 8000
_PORTS_TO_TRY = 20


@click.command(name="demo")
@click.option(
    "--host", default=HOST, show_default=True, help="Address to listen at; 0.0.0.0 lets in phones on the same network."
)
@click.option("--port", type=click.IntRange(1, 65535), default=None, help="Port. Default: the first free from 8000 on.")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=None,
    help="Keep the demo in this folder, and continue with it the next time. Default: a temporary folder.",
)
@click.option(
    "--language", type=click.Choice(list(TITLES)), default="en", show_default=True, help="Language of the demo's games."
)
def command(host: str, port: int | None, data: Path | None, language: str) -> None:
    """Start a demo: a game that is being played, one with results, and pictures of decks to score."""
    try:
        port = _first_free(host) if port is None else free_port(host, port)
    except PortTakenError:
        raise click.ClickException(f"port {port} is taken by another program: name another one with --port") from None
    except ServeError as error:
        raise click.ClickException(str(error)) from None
    where = addresses(host, port)
    try:
        with _folder(data) as folder:
            config = DemoConfig(folder, where.here, where.phone, language)
            serve_demo(config, host, port, announce=partial(_announce, config, where.unreachable))
    except (AssetError, DatabaseError, DemoError, EditionError, DomainError, ServeError) as error:
        raise click.ClickException(str(error)) from error
    except BrokenPipeError:
        # Nobody reads the output any more.
        raise
    except OSError as error:
        raise click.ClickException(f"{error.filename or data}: {error.strerror}; the demo was not made") from error


@contextlib.contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    """Give the data folder: the one that is named, or a temporary one, which is always deleted at the end."""
    if data is not None:
        yield data.absolute()
        return
    before = {number: signal.signal(number, _stop) for number in _end_signals()}
    try:
        with tempfile.TemporaryDirectory(prefix="haggle-demo-", ignore_cleanup_errors=True) as made:
            yield Path(made) / "data"
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_signals() -> list[signal.Signals]:
    """Return the signals that end a program without a word. The server takes its own while it runs."""
    return [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None))]


def _stop(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


def _announce(config: DemoConfig, unreachable: str, _port: int) -> None:
    # Not the bare address, which shows a player who has opened an envelope that envelope.
    click.echo(f"\n  The demo:          {config.here}demo")
    click.echo(f"  Organisers' desk:  {config.here}demo/desk   (on this computer only)")
    if config.phone:
        click.echo(f"  On your phone:     {config.phone}demo   (same network; or scan this code)")
        click.echo(f"\n{terminal_code(f'{config.phone}demo')}\n")
    else:
        click.echo(f"  {unreachable}")
    click.echo("\n  Open it to be a player or the organiser, to watch the big screen, or to score a deck.")
    click.echo("  Ctrl-C stops the demo.\n")


def _first_free(host: str) -> int:
    """Return the first free port; ServeError if there is none, or where nobody can listen at this address."""
    for port in range(_FIRST_PORT, _FIRST_PORT + _PORTS_TO_TRY):
        with contextlib.suppress(PortTakenError):
            return free_port(host, port)
    raise ServeError(f"no free port from {_FIRST_PORT} to {_FIRST_PORT + _PORTS_TO_TRY - 1}: name one with --port")
