"""`haggle worker`: reads the pictures of a server's games, beside it or on another machine."""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click
from sqlalchemy import func, select

from server.cli.options import editions_option, folder_option, telling_options
from server.db.errors import DATABASE_FAILURES
from server.db.models import Photo
from server.db.session import DATABASE, DatabaseError
from server.games.photos.scan_queue import UNREAD
from server.observability.logs import fact
from server.observability.metrics import MetricsError
from server.observability.tracing import TracingError
from server.web_app.factory import open_checked
from server.web_app.instrumentation import NO_OBSERVABILITY
from server.web_app.server import BackgroundServices
from server.web_app.settings import SettingError, app_config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import FrameType

    from server.games.context import AppContext
    from server.web_app.factory import AppConfig
    from server.web_app.instrumentation import ObservabilityConfig


# Seconds between two looks whether the queue is empty.
_LOOK = 0.5


def work(
    config: AppConfig,
    *,
    once: bool = False,
    telling: ObservabilityConfig = NO_OBSERVABILITY,
    announce: Callable[[int], None] | None = None,
) -> bool:
    """Work until SIGTERM or Ctrl-C, or with `once` until nothing waits any more. Return whether it came to that end.

    `announce` is called when the work begins, with how many pictures are read side by side. Errors as `open_checked`,
    MetricsError, TracingError. What is in hand at the end is put back.
    """
    telling.check()
    telling.begin()
    context = open_checked(config, may_claim=False)
    busy = BackgroundServices(context, config)
    try:
        with stopped_by_signals() as stop:
            busy.start()
            telling.serve(context, busy.pool)
            if announce:
                announce(busy.pool.size if busy.pool else 0)
            while not stop.wait(_LOOK if once else None):
                if not unread(context):
                    return True
            return False
    finally:
        busy.close()


def unread(context: AppContext) -> int:
    """Return how many pictures wait or are being read, by whomever; 1 if the database cannot say."""
    try:
        with context.database.reading() as session:
            return session.scalar(select(func.count()).select_from(Photo).where(UNREAD)) or 0
    except DATABASE_FAILURES:
        return 1


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
    """Give what SIGTERM or Ctrl-C sets while the block lasts; a second one ends the process as usual."""
    stop = threading.Event()
    before: dict[signal.Signals, object] = {}

    def note(_number: int, _frame: FrameType | None) -> None:
        for number, handler in before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # what it was before
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        before[number] = signal.signal(number, note)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # what it was before


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
def command(data: Path, processes: int | None, once: bool, telling: ObservabilityConfig) -> None:  # noqa: FBT001 - click's own
    """Read pictures beside a server, or on another machine of the same PostgreSQL, Redis and S3.

    It serves no pages. Any number of workers and servers share the work. Ctrl-C or SIGTERM ends it: what it has in hand
    is put back, and read by others.
    """
    try:
        # Servers and workers may share a file of variables, where 0 tells servers to leave pictures to workers.
        config = app_config(data)
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
