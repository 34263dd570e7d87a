"""`haggle password`: sets the organisers' password."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from server.cli.admin.data_folder import existing_config
from server.cli.options import folder_option
from server.games.audit import SERVER
from server.games.errors import DomainError
from server.games.server_config import reset_password
from server.web_app.stores import open_context

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO


@click.command(name="password")
@folder_option("The server's data folder.")
def command(data: Path) -> None:
    """Set the organisers' password, which ends all their sessions. It is asked for, or read from standard input."""
    config = existing_config(data)
    # Python sets the stream to None if the caller has closed it, despite its type.
    typed: TextIO | None = sys.stdin
    if typed is None:
        raise click.ClickException("standard input is closed; the new password is read from there")
    if typed.isatty():
        password = click.prompt("New password", hide_input=True, confirmation_prompt=True)
    else:
        password = typed.readline().rstrip("\r\n")
    context = open_context(config)
    try:
        reset_password(context, password, SERVER)
    except DomainError as refusal:
        raise click.ClickException(str(refusal)) from None
    finally:
        context.database.close()
    click.echo("The password is set. All sessions have ended: sign in again.")
