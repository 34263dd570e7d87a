"""Options that several commands share: the user's folder of editions, the data folder, a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from server.editions import editions_from
from server.editions.registry import VARIABLE

DATA_VARIABLE = "HAGGLE_DATA"
"""The variable that names the data folder where `--data` does not."""

if TYPE_CHECKING:
    from collections.abc import Callable

Command = TypeVar("Command", bound="Callable[..., object]")


def editions_option(command: Command) -> Command:
    """Give a command `--editions`; the folder holds for as long as the command runs."""
    return click.option(
        "--editions",
        type=click.Path(path_type=Path),
        expose_value=False,
        is_eager=True,
        callback=_use,
        help=f"Folder with editions of your own, a folder each. Default: the environment variable {VARIABLE}, if set.",
    )(command)


def folder_option(told: str, callback: Callable[..., Path] | None = None) -> Callable[[Command], Command]:
    """Return what gives a command `--data`; `told` is its help, `callback` what click does with its value."""
    return click.option(
        "--data",
        type=click.Path(path_type=Path),
        default=Path(),
        show_default="here",
        envvar=DATA_VARIABLE,
        callback=callback,
        help=told,
    )


def file_option(name: str, variable: str, told: str) -> Callable[[Command], Command]:
    """Return what gives a command an option that names a file, as a variable may; None: neither does."""
    return click.option(name, type=click.Path(path_type=Path), default=None, metavar="FILE", envvar=variable, help=told)


def _use(context: click.Context, _parameter: click.Parameter, folder: Path | None) -> None:
    context.with_resource(editions_from(folder))
