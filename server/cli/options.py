"""Options that several commands share."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console

from server.editions.registry import VARIABLE, editions_from
from server.observability.logs import STYLES
from server.observability.metrics import MetricsError, metrics_address
from server.web_app.instrumentation import ObservabilityConfig

if TYPE_CHECKING:
    from collections.abc import Callable


DATA_VARIABLE = "HAGGLE_DATA"
"""The environment variable for `--data`."""


Command = TypeVar("Command", bound="Callable[..., object]")


def plain_console(*, stderr: bool = False) -> Console:
    """Return a console for tables that shows names as they are, without markup and emoji codes."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def editions_option(command: Command) -> Command:
    """Add `--editions` to a command; the folder is used while the command runs."""
    return click.option(
        "--editions",
        type=click.Path(path_type=Path),
        expose_value=False,
        is_eager=True,
        callback=_use,
        help=f"Folder with your own editions, each in a folder. Default: the environment variable {VARIABLE}, if set.",
    )(command)


def folder_option(text: str, callback: Callable[..., Path] | None = None) -> Callable[[Command], Command]:
    """Return a decorator that adds `--data` to a command; `text` is its help, `callback` converts its value."""
    return click.option(
        "--data",
        type=click.Path(path_type=Path),
        default=Path(),
        show_default="here",
        envvar=DATA_VARIABLE,
        callback=callback,
        help=text,
    )


def file_option(name: str, variable: str, text: str) -> Callable[[Command], Command]:
    """Return a decorator that adds an option for a file, or None, with an environment variable."""
    return click.option(name, type=click.Path(path_type=Path), default=None, metavar="FILE", envvar=variable, help=text)


def _use(context: click.Context, _parameter: click.Parameter, folder: Path | None) -> None:
    context.with_resource(editions_from(folder))


def setting_of(value: str) -> tuple[str, int]:
    """Split NAME=NUMBER."""
    name, _, number = value.partition("=")
    try:
        return name.strip(), int(number)
    except ValueError:
        raise click.UsageError(f"'{value}' is not a setting: write NAME=NUMBER, such as blue_base=3") from None


def observability_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add options for logs, metrics and traces to a command, which gets the argument `observability`."""

    @click.option(
        "--log-format",
        type=click.Choice(STYLES),
        default=STYLES[0],
        show_default=True,
        envvar="HAGGLE_LOG",
        help="Format of the log: lines for people, or JSON for programs.",
    )
    @click.option(
        "--access-log/--no-access-log",
        default=False,
        envvar="HAGGLE_ACCESS_LOG",
        help="Log each request (of a worker: none) with its route, status, seconds and bytes, without address or path.",
    )
    @click.option(
        "--metrics",
        default="",
        metavar="[HOST:]PORT",
        envvar="HAGGLE_METRICS",
        help="Serve metrics for Prometheus on a separate port; only on this machine, unless an address is given.",
    )
    @click.option(
        "--trace/--no-trace",
        default=False,
        envvar="HAGGLE_TRACE",
        help="Send OpenTelemetry traces, configured by its own variables (OTEL_…).",
    )
    @wraps(command)
    def with_config(
        *args: Any,  # noqa: ANN401 - arguments of the command
        log_format: str,
        access_log: bool,
        metrics: str,
        trace: bool,
        **more: Any,  # noqa: ANN401 - arguments of the command
    ) -> None:
        try:
            address = metrics_address(metrics) if metrics else None
        except MetricsError as error:
            raise click.ClickException(str(error)) from None
        command(*args, observability=ObservabilityConfig(log_format, access_log, address, trace), **more)

    return with_config
