"""Options and helpers of commands that use a server's data folder."""

from __future__ import annotations

import contextlib
import getpass
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from server.cli.options import folder_option
from server.db.session import DATABASE
from server.games.audit import LOCAL_SUFFIX, Actor
from server.games.errors import DomainError
from server.web_app.settings import app_config
from server.web_app.stores import open_checked, open_context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from server.games.context import AppContext
    from server.web_app.settings import AppConfig

Command = TypeVar("Command", bound="Callable[..., object]")


def data_option(command: Command) -> Command:
    """Add `--data` to a command; it defaults to the option before the subcommand."""
    return folder_option("The server's data folder.", _of_parent)(command)


def json_option(command: Command) -> Command:
    """Add `--json` to a command; it may be given before the subcommand too."""
    return click.option("--json", "as_json", is_flag=True, callback=_of_parent, help="Print JSON for programs.")(
        command
    )


def _of_parent(context: click.Context, parameter: click.Parameter, value: Any) -> Any:  # noqa: ANN401 - any option's
    """Return the value of an option, or that of the parent command."""
    name = parameter.name or ""
    # An option before the subcommand has precedence over the environment.
    named = context.get_parameter_source(name) not in {ParameterSource.DEFAULT, ParameterSource.ENVIRONMENT}
    if named or context.parent is None:
        return value
    return context.parent.params.get(name, value)


def reason_option(command: Command) -> Command:
    """Add `--reason` to a command."""
    return click.option("--reason", default="", help="The reason, for the audit log.")(command)


def existing_config(data: Path) -> AppConfig:
    """Return the configuration of a server. ClickException if its games should be in a data folder that has none."""
    config = app_config(data)
    if not config.database and not (data / DATABASE).is_file():
        raise click.ClickException(f"{data}: there is no {DATABASE}; name the server's data folder with --data")
    return config


@contextlib.contextmanager
def opened(data: Path, *, make: bool = False) -> Iterator[AppContext]:
    """Open a data folder, which a server may be using; errors end the command with one line.

    A folder without games is an error, unless `make` is set.
    """
    config = app_config(data) if make else existing_config(data)
    # With a shared database but photos in the folder, a command in another folder would look for photos there.
    apart = bool(config.database) and not config.photos
    context = open_checked(config, may_claim=make) if apart else open_context(config)
    try:
        yield context
    except DomainError as refusal:
        raise click.ClickException(str(refusal)) from None
    finally:
        context.close()


def machine_user() -> Actor:
    """Return the user of this machine, for the audit log."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        # The user has no name, as in some containers.
        name = "somebody"
    return Actor("organiser", f"{name[:60]}{LOCAL_SUFFIX}")


def amount(number: int | str, what: str) -> str:
    """Return a number with its noun, as in 1 card or 2.5 cards."""
    return f"{number} {what}{'' if str(number) == '1' else 's'}"


def show_json(document: dict[str, Any]) -> None:
    """Print a document as JSON, with times in ISO 8601."""
    click.echo(json.dumps(document, indent=1, ensure_ascii=False, default=_plain))


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    raise TypeError(f"{type(value).__name__} in a document")
