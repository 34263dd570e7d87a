"""`haggle serve`: the server that keeps games."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

import click

from server.cli.network import addresses, terminal_code
from server.cli.options import editions_option, file_option, folder_option, observability_options
from server.db.session import DATABASE, DatabaseError
from server.games.lifecycle.repository import unusable_editions
from server.games.server_config import load_server_config, new_setup_code
from server.observability.logs import log_fields
from server.observability.metrics import MetricsError
from server.observability.tracing import TracingError
from server.printing.game_file import GAME_FILE
from server.scoring.errors import EditionError
from server.web_app.assets import AssetError
from server.web_app.server import HOST, PORT, CertificateError, ServeError, pair_of, serve_app
from server.web_app.settings import AppConfig, SettingError, app_config
from server.web_app.stores import open_context

if TYPE_CHECKING:
    from pathlib import Path

    from server.web_app.instrumentation import ObservabilityConfig

_REPORTED = (
    *(EditionError, AssetError, ServeError, DatabaseError),
    *(CertificateError, MetricsError, SettingError, TracingError),
)
_log = logging.getLogger("haggle.serve")


@click.command(name="serve")
@editions_option
@folder_option("Folder with the server's games; a new one starts a new server.")
@click.option(
    "--host",
    default=HOST,
    show_default=True,
    envvar="HAGGLE_HOST",
    help="Address to listen at; 0.0.0.0 lets in phones on the same network.",
)
@click.option(
    "--port",
    type=int,
    default=PORT,
    show_default=True,
    envvar="HAGGLE_PORT",
    help="Port to listen at; 0 for any free one.",
)
@click.option(
    "--proxy",
    type=click.IntRange(0, 10),
    default=0,
    show_default=True,
    envvar="HAGGLE_PROXIES",
    help="Number of reverse proxies in front of it whose word on callers' addresses is trusted.",
)
@file_option(
    "--tls-cert",
    "HAGGLE_TLS_CERT",
    "Serve https with this certificate (PEM, with the intermediate certificates).",
)
@file_option("--tls-key", "HAGGLE_TLS_KEY", "The certificate's key (PEM, without a password).")
@click.option(
    "--scanners",
    type=click.IntRange(0, 256),
    default=None,
    show_default="one per core",
    envvar="HAGGLE_SCANNERS",
    help="Number of pictures read at the same time; 0 leaves reading to haggle worker.",
)
@observability_options
def command(
    data: Path,
    host: str,
    port: int,
    proxy: int,
    *,
    tls_cert: Path | None,
    tls_key: Path | None,
    scanners: int | None,
    observability: ObservabilityConfig,
) -> None:
    """Serve games to phones, from the first envelope to the final ranking."""
    try:
        config, pair = app_config(data, proxies=proxy, scan_workers=scanners), pair_of(tls_cert, tls_key)
        scheme = "https" if pair else "http"
        if not config.database:
            check_folder(data)
        say = _log_start if observability.logs == "json" else _announce
        serve_app(
            config, host, port, announce=partial(say, config, host, scheme), pair=pair, observability=observability
        )
    except _REPORTED as error:
        raise click.ClickException(str(error)) from None


def check_folder(folder: Path) -> None:
    """Raise ServeError for a folder that holds other things, so that no server begins there by mistake."""
    if (folder / DATABASE).exists():
        return
    if (folder / GAME_FILE).exists() or (folder.is_file() and folder.suffix == ".json"):
        raise ServeError(
            f"{folder} is a printed game, not a server's folder: haggle games add {folder} --data DIR takes it into"
            " the games of a server, and haggle scan reads pictures of its cards without one"
        )
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise ServeError(
            f"{folder} does not hold a server's games ({DATABASE}): name a folder that does, or a new one to begin a"
            " server"
        )


def _log_start(config: AppConfig, host: str, scheme: str, port: int) -> None:
    """Log where the server listens. No code for the password: a log is read by many, and kept."""
    context = open_context(config)
    secured, unusable = load_server_config(context.database).password is not None, unusable_editions(context)
    context.close()
    _log.info("the server listens", extra=log_fields(scheme=scheme, host=host, port=port))
    if not secured:
        _log.warning("there is no organisers' password yet: set it with the command haggle password")
    for game, reason in unusable:
        _log.warning("a game cannot continue without its edition: %s", reason, extra=log_fields(game=game))


def _announce(config: AppConfig, host: str, scheme: str, port: int) -> None:
    here, data = _say_where(host, port, scheme), config.folder
    kept = "the database that the environment names" if config.database else data
    click.echo(f"Games are kept in {kept}. The organisers' desk is at {here}desk")
    context = open_context(config)
    code, unusable = new_setup_code(context), unusable_editions(context)
    context.close()
    for game, reason in unusable:
        click.echo(f"Warning: game {game} cannot continue without its edition: {reason}", err=True)
    if code:
        click.echo(
            f"\nThere is no organisers' password yet. To choose it, open {here}desk and use this code once:\n\n"
            f"    {code}\n\nor set it on this machine: haggle password --data {data}\n"
        )
    _say_phones(host, port, scheme)


def _say_where(host: str, port: int, scheme: str) -> str:
    here = addresses(host, port, scheme).here
    click.echo(f"Haggle is at {here} (Ctrl-C ends it)")
    return here


def _say_phones(host: str, port: int, scheme: str) -> None:
    where = addresses(host, port, scheme)
    if where.phone:
        click.echo(
            f"On a phone in the same network: {where.phone} or scan this code:\n\n{terminal_code(where.phone)}\n"
        )
    else:
        click.echo(where.unreachable)
