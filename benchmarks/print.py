"""`haggle bench print`: the time of a print run, beside the bare QR library and the bare PDF library."""

from __future__ import annotations

import io
import json
import re
import time
import zlib
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import qrcode
from reportlab.pdfgen.canvas import Canvas
from rich import box
from rich.console import Console
from rich.table import Table

from cardgen import texts
from cardgen.cards import POKER, Game
from cardgen.deal import DealError, deal
from cardgen.paper import PaperError
from cardgen.payload import GAME_LENGTH
from cardgen.printing import CARDS, LABELS, SHEETS, write_part
from cardgen.texts import TextError
from server.editions import EditionError, load_edition
from server.jobs.choices import BACKS, Choices
from server.jobs.faces import FaceError
from server.jobs.plans import plan
from server.jobs.portions import portions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardgen.printing import PrintRun


QR, PDF = "QR library", "PDF library"
_KEY = bytes(32)
_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_OPERATORS = re.compile(rb"(?<=\s)(re|Do|Tj|TJ|f|S)(?=\s)")


class Row(NamedTuple):
    """A way of printing a game, or what stands beside it. Times are seconds of the processor, and by the clock."""

    edition: str
    players: int
    way: str
    objects: int
    processor: float
    clock: float
    bytes: int
    ratio: float
    beside: str

    def as_json(self) -> dict[str, Any]:
        """Return the row as plain data."""
        rounded = {name: round(getattr(self, name), 4) for name in ("processor", "clock", "ratio")}
        return self._asdict() | rounded


def bench_run(slug: str, players: int, choices: Choices, repeats: int) -> list[Row]:
    """Print a game of an edition, and let both libraries alone do as much; DealError if it cannot be dealt."""
    run = _run(slug, players, choices)
    cards = [card.payload for card in run.cards()]
    sheets = _written(run, [SHEETS])
    drawn, pages = _counted(sheets), run.pages()
    whole = _timed(lambda: _written(run, [SHEETS, LABELS, CARDS]), repeats)
    ours = _timed(lambda: _written(run, [SHEETS]), repeats)
    codes = _timed(lambda: _symbols(cards), repeats)
    plain = _timed(lambda: _plain(drawn, pages, run), repeats)
    objects = sum(drawn.values())

    def row(way: str, number: int, took: _Took, other: _Took, beside: str) -> Row:
        seconds, clock, size = took
        return Row(slug, players, way, number, seconds, clock, size, seconds / other[0], beside)

    return [
        row("sheets", len(cards), ours, codes, QR),
        row("sheets", objects, ours, plain, PDF),
        row("sheets, labels, list", len(cards), whole, ours, "sheets"),
        row(QR, len(cards), codes, codes, "itself"),
        row(PDF, objects, plain, plain, "itself"),
    ]


_Took = tuple[float, float, int]
"""Seconds of the processor, seconds by the clock, bytes."""


def _run(slug: str, players: int, choices: Choices) -> PrintRun:
    edition = load_edition(slug)
    kinds = tuple(kind.slug for kind in edition.kinds)
    game = Game("B" * GAME_LENGTH, slug, _KEY, kinds, players, "bench", {}, POKER)
    envelopes = range(1, players + 1)
    hands = dict(zip(envelopes, deal(portions(edition, players), players, game.seed), strict=True))
    return plan(game, edition, hands, choices=choices, labels=envelopes)


def _written(run: PrintRun, names: Sequence[str]) -> bytes:
    out = io.BytesIO()
    for name in names:
        write_part(run, name, out)
    return out.getvalue()


def _counted(pdf: bytes) -> Counter[str]:
    """Return how many rectangles, forms, texts and strokes or fillings a PDF of ours is drawn with."""
    found: Counter[str] = Counter()
    for stream in _STREAM.findall(pdf):
        try:
            content = zlib.decompressobj().decompress(stream)
        except zlib.error:
            continue
        # Fonts are no drawings.
        if content.isascii():
            found.update(operator.decode() for operator in _OPERATORS.findall(content))
    return found


def _symbols(payloads: Sequence[str]) -> bytes:
    """Make the codes of all cards with the QR library alone, each once."""
    for payload in payloads:
        code = qrcode.QRCode(version=1, error_correction=qrcode.ERROR_CORRECT_M, border=0)
        code.add_data(payload)
        code.make(fit=False)
    return b""


def _plain(drawn: Counter[str], pages: int, run: PrintRun) -> bytes:
    """Draw as many rectangles, forms, texts and paths with the PDF library alone, on as many pages."""
    texts.use_fonts()
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=1, initialFontName=texts.TEXT, invariant=1)
    canvas.beginForm("form")
    canvas.rect(0, 0, 100, 100)
    canvas.endForm()
    share = {name: -(-number // max(1, pages)) for name, number in drawn.items()}
    words = run.title
    for _ in range(pages):
        canvas.setFont(texts.TEXT, 7)
        path = canvas.beginPath()
        for number in range(share.get("re", 0)):
            path.rect(number % 500, number % 700, 3, 3)
        canvas.drawPath(path, stroke=0, fill=1)
        for number in range(share.get("Do", 0)):
            canvas.saveState()
            canvas.translate(number % 500, number % 700)
            canvas.doForm("form")
            canvas.restoreState()
        for number in range(share.get("Tj", 0) + share.get("TJ", 0)):
            canvas.drawString(number % 500, number % 700, words)
        for number in range(share.get("S", 0)):
            canvas.line(number, 0, number, 9)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _timed(work: Callable[[], bytes], repeats: int) -> _Took:
    """Return the shortest times of a few goes, and how many bytes came out."""
    took = []
    size = 0
    for _ in range(repeats):
        clock, processor = time.perf_counter(), time.process_time()
        size = len(work())
        took.append((time.process_time() - processor, time.perf_counter() - clock))
    return min(seconds for seconds, _ in took), min(seconds for _, seconds in took), size


_GAMES = (("eurocg-2026", 140), ("tarot-fr", 70))


@click.command(name="print")
@click.option("--edition", "chosen", metavar="EDITION", help="One edition. Default: eurocg-2026 and tarot-fr.")
@click.option("--players", type=click.IntRange(1, 600), help="Default: 140 of eurocg-2026, 70 of another edition.")
@click.option("--backs", type=click.Choice(BACKS), default="none", show_default=True, help="Pages of backs too.")
@click.option("--repeats", type=click.IntRange(1, 20), default=3, show_default=True, help="The shortest time counts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def command(chosen: str | None, players: int | None, backs: str, repeats: int, *, as_json: bool) -> None:
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
