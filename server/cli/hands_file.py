"""Reads a file of hands, or standard input, for the commands that score."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.scoring.mistakes import WireError
from server.scoring.strict_json import MAX_BYTES, JsonError, read_json
from server.scoring.wire import request_of
from server.scoring.wire_checks import readable_name

if TYPE_CHECKING:
    from typing import BinaryIO, TextIO

    from server.scoring.edition import Edition
    from server.scoring.wire import ScoreRequest

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
        return request_of(edition, document)
    except WireError as error:
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
    # Python has no such stream where the caller has closed it, whatever its types say.
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
