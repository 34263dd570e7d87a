"""Reads a file of hands, or standard input, for the commands that score."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.scoring.strict_json import MAX_BYTES

if TYPE_CHECKING:
    from typing import BinaryIO, TextIO


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
