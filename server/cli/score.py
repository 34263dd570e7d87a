"""`haggle score`: scores the hands of a game and explains every point, with no server."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table
from rich.text import Text

from server.cli.options import editions_option, plain_console
from server.editions import load_edition
from server.scoring import score
from server.scoring.breakdown import number_text
from server.scoring.errors import EditionError, InputError
from server.scoring.request_schema import MAX_BYTES, JsonError, parse_request, read_json
from server.scoring.request_validation import readable_name
from server.scoring.result import result_document

if TYPE_CHECKING:
    from typing import BinaryIO, TextIO

    from server.scoring import HandResult, Line, Result
    from server.scoring.edition import Edition
    from server.scoring.request_schema import ScoreRequest


_OF_HAND = re.compile(r"hands\[(\d+)\]\.?(.*)", re.DOTALL)


def read_game(edition: Edition, file: str) -> ScoreRequest:
    """Return the hands in a file (- is standard input); the error names the file, the player and the place."""
    data = read_hands(file)
    source = "standard input" if file == "-" else file
    try:
        document = read_json(data)
    except JsonError as error:
        raise click.ClickException(f"{source}: {error}") from None
    try:
        return parse_request(edition, document)
    except InputError as error:
        place = _in_words(document, error.place)
        raise click.ClickException(f"{source}: {place}: {error.message}") from None


def _in_words(document: object, place: str) -> str:
    """Name a place for people: the player and the number of the hand, from 1, instead of its index."""
    match = _OF_HAND.fullmatch(place)
    if match is None or not isinstance(document, dict):
        return place
    number, rest = int(match[1]), match[2]
    hand = document["hands"][number]
    name = readable_name(hand.get("player")) if isinstance(hand, dict) else ""
    whose = f"{name} (hand {number + 1})" if name else f"hand {number + 1}"
    return f"{whose}: {rest}" if rest else whose


def read_hands(file: str) -> bytes:
    """Return the start of a file (- is standard input), one byte more than is allowed at most."""
    if file == "-":
        return _read_standard_input()
    try:
        with Path(file).open("rb") as stream:
            return _read_some(stream)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a file name"
        raise click.ClickException(f"{file}: {reason}; give a JSON file of hands, or - for standard input") from None


def _read_standard_input() -> bytes:
    # Despite its type, the stream is None if the caller has closed it.
    stream: TextIO | None = sys.stdin
    try:
        if stream is None:
            raise OSError  # noqa: TRY301 - as when reading it fails
        if stream.isatty():
            click.echo("haggle: type the hands as JSON, then press Ctrl-D", err=True)
        return _read_some(stream.buffer)
    except (OSError, ValueError):
        raise click.ClickException("standard input cannot be read; give a JSON file of hands") from None


def _read_some(stream: BinaryIO) -> bytes:
    return stream.read(MAX_BYTES + 1)


_VOID = "dim strike"


def show(result: Result) -> None:
    """Print the ranking, then the breakdown of every hand, then what the organiser must confirm."""
    console = plain_console()
    phrases = result.edition.phrases
    console.print(Text(result.edition.title, style="bold"))
    if not result.hands:
        console.print(phrases["no_hands"])
    else:
        console.print(_ranking(result))
    for hand in result.hands:
        console.print()
        console.print(Text(phrases["hand"].format(player=hand.hand.player, score=_score(hand)), style="bold"))
        console.print(_breakdown(hand))
    if any(line.open for hand in result.hands for line in hand.lines):
        console.print()
        console.print(Text(phrases["provisional"], style="yellow"))
    for setting in result.edition.settings:
        if setting.confirm:
            values = {"label": setting.label, "value": result.settings[setting.name], "text": setting.text}
            console.print()
            console.print(Text(phrases["setting"].format(**values), style="yellow"))


def _ranking(result: Result) -> Table:
    phrases = result.edition.phrases
    labels = {tie.name: tie.label for tie in result.edition.ties}
    table = Table(box=None, pad_edge=False)
    table.add_column(phrases["rank"], justify="right")
    table.add_column(phrases["player"], overflow="fold")
    table.add_column(phrases["score"], justify="right")
    ties = any(hand.decided_by for hand in result.hands)
    if ties:
        table.add_column(phrases["tie"])
    for hand in result.hands:
        row = [Text(str(hand.rank)), Text(hand.hand.player), Text(_score(hand), style="bold")]
        if ties:
            row.append(Text(labels[hand.decided_by] if hand.decided_by else ""))
        table.add_row(*row)
    return table


def _score(hand: HandResult) -> str:
    phrases = hand.edition.phrases
    return phrases["eliminated"] if hand.eliminated else number_text(hand.score, phrases)


def _breakdown(hand: HandResult) -> Table:
    phrases = hand.edition.phrases
    table = Table(box=None, pad_edge=False)
    table.add_column(phrases["rule_column"], justify="right")
    table.add_column(phrases["points_column"], justify="right")
    table.add_column(phrases["why"], overflow="fold")
    for line in hand.lines:
        table.add_row(*_row(line, hand.edition))
    if not hand.lines:
        table.add_row("", "", phrases["no_lines"])
    return table


def _row(line: Line, edition: Edition) -> tuple[Text, Text, Text]:
    """Return the cells of a line; a void one shows the word instead of its points, and is struck through."""
    phrases = edition.phrases
    rule = phrases["cards_row"] if line.rule is None else line.rule
    if line.rule in edition.rule_of and not rule.isdigit():
        rule = edition.rule_of[rule].name
    if line.void:
        return Text(rule), Text(phrases["void"]), Text(line.text, style=_VOID)
    sign = "+" if line.points > 0 else ""
    return Text(rule), Text(f"{sign}{number_text(line.points, phrases)}"), Text(line.text)


@click.command(name="score")
@editions_option
@click.argument("edition_name", metavar="EDITION")
@click.argument("file", metavar="[FILE|-]", default="-")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.option("--language", metavar="en|de|fr", help="Language of the breakdown. Default: the edition's own.")
@click.option(
    "--provisional/--final",
    default=None,
    help="Count each hand by itself, with the other hands unknown, or all as one game. "
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
        document = result_document(result)
    except EditionError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(json.dumps(document, indent=1))
    else:
        show(result)
