"""`haggle worker`: reads the pictures of a server's games, beside it or on another machine."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from server.app.settings import SettingError, house_config
from server.app.working import work
from server.cli.options import editions_option, folder_option
from server.cli.telling_options import telling_options
from server.observe.logs import fact
from server.observe.metrics import MetricsError
from server.observe.tracing import TracingError
from server.store.database import DATABASE, DatabaseError

if TYPE_CHECKING:
    from pathlib import Path

    from server.app.telling import Telling

_REFUSED = (DatabaseError, MetricsError, SettingError, TracingError)
_log = logging.getLogger("haggle.worker")


@click.command(name="worker")
@editions_option
@folder_option("The server's data folder.")
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    default=None,
    show_default="one a core",
    help="How many pictures are read side by side, each in a process of its own.",
)
@click.option("--once", is_flag=True, help="End when no picture waits any more.")
@telling_options
def command(data: Path, processes: int | None, once: bool, telling: Telling) -> None:  # noqa: FBT001 - click's own
    """Read pictures beside a server, or on another machine of the same PostgreSQL, Redis and S3.

    It serves no pages. Any number of workers and servers share the work. Ctrl-C or SIGTERM ends it: what it has in hand
    is put back, and read by others.
    """
    try:
        # Servers and workers may share a file of variables, where 0 tells servers to leave pictures to workers.
        config = house_config(data)
        config = replace(config, scan_workers=processes or config.scan_workers or None)
        if not config.database and not (data / DATABASE).is_file():
            raise click.ClickException(f"{data}: there is no {DATABASE}; name the server's data folder with --data")
        kept = "the database that the environment names" if config.database else str(data)
        told = telling.logs == "json"
        announce = partial(_log_start if told else _say_start, kept)
        empty = work(config, once=once, telling=telling, announce=announce)
    except _REFUSED as error:
        raise click.ClickException(str(error)) from None
    end = "No picture waits any more." if empty else "Ended. What was in hand is read by others, or by the next worker."
    _log.info("the worker ends") if told else click.echo(end)


def _say_start(kept: str, places: int) -> None:
    click.echo(f"Reading the pictures of the games in {kept}, {places} at a time (Ctrl-C ends it).")


def _log_start(_kept: str, places: int) -> None:
    _log.info("the worker reads", extra=fact(places=places))
