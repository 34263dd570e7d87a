"""`haggle score`: scores the hands of a game and explains every point, with no server."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.cli.options import editions_option
from server.cli.score_table import show
from server.editions import EditionError, load_edition
from server.scoring import score
from server.scoring.document import document_of
from server.scoring.mistakes import WireError
from server.scoring.strict_json import MAX_BYTES
from server.scoring.wire import read_request

if TYPE_CHECKING:
    from typing import BinaryIO


@click.command(name="score")
@editions_option
@click.argument("edition_name", metavar="EDITION")
@click.argument("file", metavar="[FILE|-]", default="-")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.option("--language", metavar="en|de|fr", help="Language of the breakdown; the edition's own if left out.")
@click.option(
    "--provisional/--final",
    default=None,
    help="Take other hands as unknown or not. A single hand without cancel choices is provisional if left out.",
)
def command(edition_name: str, file: str, *, as_json: bool, language: str | None, provisional: bool | None) -> None:
    """Score the hands of a game and explain every point.

    FILE holds the hands as JSON; without it, or with -, they are read from standard input:

    {"hands": [{"player": "Ada", "cards": {"red": 4, "blue": 1, "rule-7": 1}}]}
    """
    try:
        edition = load_edition(edition_name, language)
        request = read_request(edition, _read(file))
        # An author's rule may fail, and its sentence too, which is made only when it is shown.
        result = score(edition, request.hands, request.settings, request.active_rules, provisional=provisional)
        document = document_of(result)
    except (EditionError, WireError) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(json.dumps(document, indent=1))
    else:
        show(result)


def _read(file: str) -> bytes:
    """Return the start of a file, one byte more than is allowed at most."""
    if file == "-":
        if sys.stdin.isatty():
            click.echo("haggle: type the hands as JSON, then press Ctrl-D", err=True)
        return _read_some(sys.stdin.buffer)
    try:
        with Path(file).open("rb") as stream:
            return _read_some(stream)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a file name"
        raise click.ClickException(f"{file}: {reason}; give a JSON file of hands, or - for standard input") from None


def _read_some(stream: BinaryIO) -> bytes:
    return stream.read(MAX_BYTES + 1)
