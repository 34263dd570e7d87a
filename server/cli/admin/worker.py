"""`haggle worker`: reads photos for a server, on the same or another machine."""

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

from server.cli.admin.data_folder import existing_config
from server.cli.options import editions_option, folder_option, observability_options
from server.db.errors import DATABASE_FAILURES
from server.db.models import Photo
from server.db.session import DatabaseError
from server.games.photos.scan_queue import UNREAD
from server.observability.logs import log_fields
from server.observability.metrics import MetricsError
from server.observability.tracing import TracingError
from server.web_app.instrumentation import NO_OBSERVABILITY
from server.web_app.server import BackgroundServices
from server.web_app.settings import SettingError
from server.web_app.stores import open_checked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from server.games.context import AppContext
    from server.web_app.instrumentation import ObservabilityConfig
    from server.web_app.settings import AppConfig


_LOOK = 0.5
"""Seconds between two looks at the queue with `once`, and for a signal that came just before the wait began."""


def work(
    config: AppConfig,
    *,
    once: bool = False,
    observability: ObservabilityConfig = NO_OBSERVABILITY,
    announce: Callable[[int], None] | None = None,
) -> bool:
    """Work until SIGTERM or Ctrl-C, or with `once` until the queue is empty; return whether it is.

    `announce` is called at the beginning with the number of photos that are read at the same time. Photos being read at
    the end go back to the queue. Raises MetricsError, TracingError and the errors of `open_checked`.
    """
    observability.check()
    observability.begin()
    context = open_checked(config, may_claim=False)
    services = BackgroundServices(context, config)
    try:
        with stopped_by_signals() as stop:
            services.start()
            observability.serve(context, services.pool)
            if announce:
                announce(services.pool.size if services.pool else 0)
            while not stop.wait(_LOOK):
                if once and not unread(context):
                    return True
            return False
    finally:
        services.close()


def unread(context: AppContext) -> int:
    """Return the number of photos that wait or are being read; 1 if the database does not answer."""
    try:
        with context.database.reading() as session:
            return session.scalar(select(func.count()).select_from(Photo).where(UNREAD)) or 0
    except DATABASE_FAILURES:
        return 1


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
    """Give an event that SIGTERM or Ctrl-C sets; a second signal ends the process as usual."""
    stop = threading.Event()
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def end(*_: object) -> None:
        for number, handler in before.items():
            signal.signal(number, handler)
        stop.set()

    for number in before:
        signal.signal(number, end)
    try:
        yield stop
    finally:
        end()


_REPORTED = (DatabaseError, MetricsError, SettingError, TracingError)
_log = logging.getLogger("haggle.worker")


@click.command(name="worker")
@editions_option
@folder_option("The server's data folder.")
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    default=None,
    show_default="one per core",
    help="Number of pictures read at the same time, each in a process of its own.",
)
@click.option("--once", is_flag=True, help="Stop when no pictures are waiting.")
@observability_options
def command(data: Path, processes: int | None, once: bool, observability: ObservabilityConfig) -> None:  # noqa: FBT001 - click's own
    """Run scan workers, beside a server or on another machine with the same PostgreSQL, Redis and S3.

    It serves no pages. Any number of workers and servers share the work. Ctrl-C or SIGTERM ends it; unfinished photos
    go back to the queue.
    """
    try:
        # Servers and workers may share a file of variables, in which 0 means that only workers read.
        config = existing_config(data)
        config = replace(config, scan_workers=processes or config.scan_workers or None)
        kept = "the database that the environment names" if config.database else str(data)
        as_json = observability.logs == "json"
        announce = partial(_log_start if as_json else _say_start, kept)
        empty = work(config, once=once, observability=observability, announce=announce)
    except _REPORTED as error:
        raise click.ClickException(str(error)) from None
    end = "No pictures are waiting." if empty else "Stopped. Other workers, or the next one, read what is unfinished."
    _log.info("the worker ends") if as_json else click.echo(end)


def _say_start(kept: str, slots: int) -> None:
    click.echo(f"Reading the pictures of the games in {kept}, {slots} at a time (Ctrl-C stops it).")


def _log_start(_kept: str, slots: int) -> None:
    _log.info("the worker reads", extra=log_fields(slots=slots))
