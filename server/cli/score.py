"""`haggle score`: scores the hands of a game and explains every point, with no server."""

from __future__ import annotations

import json

import click

from server.cli.hands_file import read_game
from server.cli.options import editions_option
from server.cli.score_table import show
from server.editions import EditionError, load_edition
from server.scoring import score
from server.scoring.document import document_of


@click.command(name="score")
@editions_option
@click.argument("edition_name", metavar="EDITION")
@click.argument("file", metavar="[FILE|-]", default="-")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.option("--language", metavar="en|de|fr", help="Language of the breakdown; the edition's own if left out.")
@click.option(
    "--provisional/--final",
    default=None,
    help="Count each hand by itself, other hands unknown, or all as one game. "
    "If left out, a single hand is provisional unless the file has cancel choices.",
)
def command(edition_name: str, file: str, *, as_json: bool, language: str | None, provisional: bool | None) -> None:
    """Score the hands of a game and explain every point.

    FILE holds the hands as JSON, at most 1,000 of them; without it, or with -, they are read from standard input:

    {"hands": [{"player": "Ada", "cards": {"red": 4, "blue": 1, "rule-7": 1}}]}
    """
    try:
        edition = load_edition(edition_name, language)
        request = read_game(edition, file)
        # An author's rule may fail, and its sentence too, which is made only when it is shown.
        if provisional is None:
            provisional = request.provisional
        result = score(edition, request.hands, request.settings, request.active_rules, provisional=provisional)
        document = document_of(result)
    except EditionError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(json.dumps(document, indent=1))
    else:
        show(result)
