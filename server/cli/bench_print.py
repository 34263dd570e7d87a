"""`haggle bench print`: how long printing takes, beside the bare QR library and the bare PDF library."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
from rich import box
from rich.console import Console
from rich.table import Table

from cardgen.deal import DealError
from cardgen.paper import PaperError
from cardgen.texts import TextError
from server.bench.printing import bench_run
from server.editions import EditionError
from server.jobs.choices import BACKS, Choices
from server.jobs.faces import FaceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.bench.printing import Row

_GAMES = (("eurocg-2026", 140), ("tarot-fr", 70))


@click.command(name="print")
@click.option("--edition", "chosen", metavar="EDITION", help="One edition. Default: eurocg-2026 and tarot-fr.")
@click.option("--players", type=click.IntRange(1, 600), help="Default: 140 of eurocg-2026, 70 of another edition.")
@click.option("--backs", type=click.Choice(BACKS), default="none", show_default=True, help="Pages of backs too.")
@click.option("--repeats", type=click.IntRange(1, 20), default=3, show_default=True, help="The shortest time counts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def print_(chosen: str | None, players: int | None, backs: str, repeats: int, *, as_json: bool) -> None:
    """Print a large game on one thread, and let two libraries alone do as much.

    The QR library makes as many codes as there are cards; the PDF library draws as many rectangles, forms and texts
    on as many pages. Times are those of the processor, which others on the machine hardly change, and by the clock.
    """
    usual = dict(_GAMES)
    games = [(chosen, players or usual.get(chosen, 70))] if chosen else [(slug, players or n) for slug, n in _GAMES]
    try:
        measured = [bench_run(slug, number, Choices(backs=backs), repeats) for slug, number in games]
    except (DealError, EditionError, FaceError, PaperError, TextError) as error:
        raise click.ClickException(str(error)) from error
    for rows in measured:
        if as_json:
            for row in rows:
                click.echo(json.dumps(row.as_json()))
        else:
            Console(markup=False, emoji=False, highlight=False).print(_table(rows))


def _table(rows: Sequence[Row]) -> Table:
    """Return the rows of one game as a table."""
    title = f"{rows[0].edition}, {rows[0].players} players, on one thread"
    table = Table(title=title, box=box.SIMPLE, padding=(0, 1, 0, 0))
    table.add_column("Way", no_wrap=True)
    for heading in ("Objects", "CPU s", "Clock s", "MB", "Ratio", "beside"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            row.way,
            f"{row.objects:,}",
            f"{row.processor:.2f}",
            f"{row.clock:.2f}",
            f"{row.bytes / 1e6:.2f}" if row.bytes else "",
            f"x {row.ratio:.2f}",
            row.beside,
        )
    return table
