"""How long a print run takes, beside the bare QR library and the bare PDF library doing as much."""

from __future__ import annotations

import io
import re
import time
import zlib
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import qrcode
from reportlab.pdfgen.canvas import Canvas

from cardgen import texts
from cardgen.cards import POKER, Game
from cardgen.deal import deal
from cardgen.payload import GAME_LENGTH
from cardgen.printing import CARDS, LABELS, SHEETS, write_part
from server.editions import load_edition
from server.jobs.plans import plan
from server.jobs.portions import portions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardgen.printing import PrintRun
    from server.jobs.choices import Choices

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
