"""Options of commands that run for long: logs, metrics and traces."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from server.app.telling import Telling
from server.observe.logs import STYLES
from server.observe.metrics import MetricsError, metrics_address

if TYPE_CHECKING:
    from collections.abc import Callable


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
        help="Serve metrics for Prometheus at a port of its own; on this machine alone, unless an address is named.",
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
        trace: bool,
        **more: Any,  # noqa: ANN401 - the command's own
    ) -> None:
        try:
            address = metrics_address(metrics) if metrics else None
        except MetricsError as error:
            raise click.ClickException(str(error)) from None
        command(*args, telling=Telling(log_format, access_log, address, trace), **more)

    return gathered
