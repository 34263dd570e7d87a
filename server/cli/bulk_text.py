"""What `haggle bulk` says of what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table

from server.cli.data_folder import amount

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.play.following import Findings

NOT_READ = {
    "crashed": "the program that reads pictures stopped on it three times",
    "too-slow": "reading it took too long",
    "several-pages": "it is a file of several pages; save each as a picture of its own",
    "truncated": "it is damaged or incomplete",
    "empty": "it is empty",
    "not-a-picture": "it is no picture",
    "too-many-bytes": "it has too many bytes",
    "too-many-pixels": "it has too many pixels",
    "too-many-codes": "it is full of patterns that look like QR codes",
    "missing": "its file is gone",
}
"""Why a picture was not read, by the reason's slug."""
HALTED = {
    "disk-full": "The server's disk is full: make room.",
}
"""What ended it, by the refusal's slug, where that speaks to players."""
_MOST = 20
# Names in a row; the desk shows them all.


def show_findings(found: Findings, names: Mapping[int, str | None]) -> None:
    """Print what was found, envelope by envelope, and what is left to do."""
    if found.envelopes:
        table = Table("envelope", "name", "pictures", "cards", "doubts")
        for one in found.envelopes:
            numbers = (str(one.pictures), str(one.cards), str(one.doubts or ""))
            table.add_row(str(one.envelope), names.get(one.envelope) or "", *numbers)
        Console(markup=False, emoji=False, highlight=False).print(table)
    if found.nobody:
        more = "" if len(found.nobody) <= _MOST else f" and {len(found.nobody) - _MOST} more"
        whose = "1 picture does" if len(found.nobody) == 1 else f"{len(found.nobody)} pictures do"
        click.echo(f"{whose} not say whose it is: {', '.join(found.nobody[:_MOST])}{more}")
    if found.doubts:
        click.echo(f"{amount(found.doubts, 'doubt')} open in the game: settle them at the desk.")
