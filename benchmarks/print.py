"""`haggle bench print`: the time of a print run, compared with that of the QR library alone."""

from __future__ import annotations

import io
import json
import time
from typing import TYPE_CHECKING, NamedTuple

import click
import qrcode

from benchmarks.tables import printed
from cardgen.cards import POKER, PrintedGame
from cardgen.deal import DealError, deal
from cardgen.fonts import TextError
from cardgen.pages.paper import PaperError
from cardgen.payload import GAME_LENGTH
from cardgen.print_run import CARDS, LABELS, SHEETS, write_part
from server.editions import load_edition
from server.printing.card_faces import FaceError
from server.printing.contents import category_deals
from server.printing.options import BACKS, PrintOptions
from server.printing.plan import plan
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardgen.print_run import PrintPlan

_GAMES = (("eurocg-2026", 140), ("tarot-fr", 70))
_USUAL = 70


class Row(NamedTuple):
    """A way of printing a game, or the QR library alone. Times are CPU seconds and wall-clock seconds."""

    edition: str
    players: int
    way: str
    cards: int
    processor: float
    clock: float
    bytes: int
    ratio: float
    """Ratio to the CPU time of the library."""


def bench_run(slug: str, players: int, options: PrintOptions, repeats: int) -> list[Row]:
    """Print a game of an edition, and create its codes with the library alone; DealError if it cannot be dealt."""
    edition = load_edition(slug)
    kinds = tuple(kind.slug for kind in edition.kinds)
    game = PrintedGame("B" * GAME_LENGTH, slug, bytes(32), kinds, players, "bench", {}, POKER)
    envelopes = range(1, players + 1)
    hands = dict(zip(envelopes, deal(category_deals(edition, players), players, game.seed), strict=True))
    run = plan(game, edition, hands, options=options, labels=envelopes)
    payloads = [card.payload for card in run.cards()]
    ways: dict[str, Callable[[], int]] = {
        "sheets": lambda: _written(run, SHEETS),
        "sheets, labels, list": lambda: _written(run, SHEETS, LABELS, CARDS),
        "QR library": lambda: _symbols(payloads),
    }
    took = {way: _timed(work, repeats) for way, work in ways.items()}
    beside = took["QR library"][0]
    return [
        Row(slug, players, way, len(payloads), seconds, clock, size, seconds / beside)
        for way, (seconds, clock, size) in took.items()
    ]


def _written(run: PrintPlan, *names: str) -> int:
    out = io.BytesIO()
    for name in names:
        write_part(run, name, out)
    return out.tell()


def _symbols(payloads: list[str]) -> int:
    """Create the codes of all cards once with the QR library."""
    for payload in payloads:
        code = qrcode.QRCode(version=1, error_correction=qrcode.ERROR_CORRECT_M, border=0)
        code.add_data(payload)
        code.make(fit=False)
    return 0


def _timed(work: Callable[[], int], repeats: int) -> tuple[float, float, int]:
    """Return the shortest CPU and wall-clock times of several runs, and the number of bytes."""
    processor, clock, size = float("inf"), float("inf"), 0
    for _ in range(repeats):
        began = time.process_time(), time.perf_counter()
        size = work()
        processor = min(processor, time.process_time() - began[0])
        clock = min(clock, time.perf_counter() - began[1])
    return processor, clock, size


@click.command(name="print")
@click.option("--edition", "chosen", metavar="EDITION", help="One edition. Default: eurocg-2026 and tarot-fr.")
@click.option("--players", type=click.IntRange(1, 600), help="Default: 140 of eurocg-2026, 70 of another edition.")
@click.option("--backs", type=click.Choice(BACKS), default="none", show_default=True, help="Pages of backs too.")
@click.option("--repeats", type=click.IntRange(1, 20), default=3, show_default=True, help="The shortest time counts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def command(chosen: str | None, players: int | None, backs: str, repeats: int, *, as_json: bool) -> None:
    """Print a large game in one thread, and create its codes with the QR library alone.

    Times are CPU time, which other processes hardly affect, and wall-clock time.
    """
    games = [(chosen, dict(_GAMES).get(chosen, _USUAL))] if chosen else _GAMES
    rows: list[Row] = []
    try:
        for slug, number in games:
            rows += bench_run(slug, players or number, PrintOptions(backs=backs), repeats)
    except (DealError, EditionError, FaceError, PaperError, TextError) as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        for row in rows:
            click.echo(json.dumps(row._asdict()))
        return
    heads = ("Game", "Way", "Cards", "CPU s", "Clock s", "MB", "beside the library")
    cells = (
        (
            f"{row.edition}, {row.players} players",
            row.way,
            f"{row.cards:,}",
            f"{row.processor:.2f}",
            f"{row.clock:.2f}",
            f"{row.bytes / 1e6:.2f}" if row.bytes else "",
            f"x {row.ratio:.2f}",
        )
        for row in rows
    )
    printed("Print runs on one thread", heads, cells, words=2)
