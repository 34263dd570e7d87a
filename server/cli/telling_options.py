"""Options of commands that run for long: what they tell of themselves, to logs, to Prometheus and to a tracer."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from server.app.telling import Telling
from server.cli.options import file_option
from server.observe.listening import ListeningError, ear_of
from server.observe.logs import STYLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def telling_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options; it gets what they mean as one argument `telling`."""

    @click.option(
        "--log-format",
        type=click.Choice(STYLES),
        default=STYLES[0],
        show_default=True,
        envvar="HAGGLE_LOG",
        help="How the log is written: lines for people, or JSON for programs.",
    )
    @click.option(
        "--access-log/--no-access-log",
        default=False,
        envvar="HAGGLE_ACCESS_LOG",
        help="Log each request too: route, status, seconds, bytes. Never an address or a path.",
    )
    @click.option(
        "--metrics",
        default="",
        metavar="[HOST:]PORT",
        envvar="HAGGLE_METRICS",
        help="Tell figures for Prometheus at a port of its own; on this machine alone, unless an address is named.",
    )
    @file_option(
        "--metrics-token", "HAGGLE_METRICS_TOKEN_FILE", "File with the token that whoever asks for figures shows."
    )
    @click.option(
        "--trace/--no-trace",
        default=False,
        envvar="HAGGLE_TRACE",
        help="Send traces by OpenTelemetry, where its own variables say.",
    )
    @wraps(command)
    def gathered(
        *args: Any,  # noqa: ANN401 - the command's own
        log_format: str,
        access_log: bool,
        metrics: str,
        metrics_token: Path | None,
        trace: bool,
        **more: Any,  # noqa: ANN401 - the command's own
    ) -> None:
        try:
            ear = ear_of(metrics, metrics_token) if metrics else None
        except ListeningError as error:
            raise click.ClickException(str(error)) from None
        command(*args, telling=Telling(log_format, access_log, ear, trace), **more)

    return gathered
