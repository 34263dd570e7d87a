"""Reads a file of hands, or standard input, for the commands that score."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.scoring.strict_json import MAX_BYTES

if TYPE_CHECKING:
    from typing import BinaryIO


def read_hands(file: str) -> bytes:
    """Return the start of a file (- is standard input), one byte more than is allowed at most."""
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
