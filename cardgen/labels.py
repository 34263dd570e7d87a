"""Labels for the envelopes: number, room for a name, the scanner's code and the link for the player's phone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.units import mm

from cardgen import texts
from cardgen.faces import GOLD, INK, WHITE
from cardgen.paper import new_canvas
from cardgen.symbols import matrix, runs
from cardgen.wordings import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.paper import Paper
    from cardgen.wordings import Wordings

WIDTH, HEIGHT = 90.0, 62.0
"""Size of a label in millimetres."""
COLUMNS, ROWS = 2, 4
_BAND = 11.0
_SIDE = 5.0


@dataclass(frozen=True)
class Label:
    """One label. `payload` is what the scanner's code says; `link` is for the phone, None where there is no server."""

    envelope: int
    payload: str
    link: str | None


def write_labels(
    out: BinaryIO,
    labels: Sequence[Label],
    paper: Paper,
    title: str,
    game: str,
    words: Wordings = ENGLISH,
    *,
    only: int | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> int:
    """Write the PDF of all labels, eight on a page; return the number of pages.

    `only` writes this page alone; `tell` hears of each page that is done, and their number.
    """
    canvas = new_canvas(out, paper, words.labels_title.format(title=title))
    left = (paper.width - COLUMNS * WIDTH) / 2
    top = (paper.height + ROWS * HEIGHT) / 2
    per_page = COLUMNS * ROWS
    pages = -(-len(labels) // per_page)
    for number, label in enumerate(labels):
        page = number // per_page + 1
        if only not in {None, page}:
            continue
        row, column = divmod(number % per_page, COLUMNS)
        canvas.saveState()
        canvas.translate((left + column * WIDTH) * mm, (top - (row + 1) * HEIGHT) * mm)
        _draw_label(canvas, label, title, words.game.format(game=game), words)
        canvas.restoreState()
        if number % per_page == per_page - 1 or number == len(labels) - 1:
            canvas.showPage()
            if tell:
                tell(page, pages)
    canvas.save()
    return pages


def _draw_label(canvas: Canvas, label: Label, title: str, game: str, words: Wordings) -> None:
    canvas.setStrokeGray(0.6)
    canvas.setLineWidth(0.25)
    canvas.setDash(2, 2)
    canvas.rect(0, 0, WIDTH * mm, HEIGHT * mm)
    canvas.setDash()
    _draw_band(canvas, title, game)
    canvas.setFillColor(INK)
    canvas.setFont(texts.STRONG, 7)
    canvas.drawString(_SIDE * mm, (HEIGHT - _BAND - 5.2) * mm, words.envelope.upper(), charSpace=0.9)
    canvas.setFont(texts.DISPLAY, 34)
    canvas.drawString(_SIDE * mm, (HEIGHT - _BAND - 16.6) * mm, str(label.envelope))
    line = (HEIGHT - _BAND - 14.0) * mm
    canvas.setLineWidth(0.5)
    canvas.setStrokeColor(INK)
    canvas.line(33 * mm, line, (WIDTH - _SIDE) * mm, line)
    canvas.setFont(texts.TEXT, 7)
    canvas.drawString(33 * mm, line - 3.2 * mm, words.name)
    side = 28.0
    _draw_code(canvas, label.payload, WIDTH - _SIDE - side + 2, 2.0, side)
    _words(canvas, WIDTH - _SIDE - side - 0.5, 12.5, words.scanner, right=True)
    if label.link is not None:
        _draw_code(canvas, label.link, _SIDE - 2, 2.0, side, alphanumeric=False)
        _words(canvas, _SIDE + side - 1.6, 26.0, words.join)


def _draw_band(canvas: Canvas, title: str, game: str) -> None:
    canvas.setFillColor(INK)
    canvas.rect(0, (HEIGHT - _BAND) * mm, WIDTH * mm, _BAND * mm, stroke=0, fill=1)
    canvas.setFillColor(GOLD)
    canvas.rect(0, (HEIGHT - _BAND - 0.7) * mm, WIDTH * mm, 0.7 * mm, stroke=0, fill=1)
    canvas.setFillColor(WHITE)
    canvas.setFont(texts.DISPLAY, 17)
    canvas.drawString(_SIDE * mm, (HEIGHT - 7.6) * mm, "Haggle")
    canvas.setFont(texts.STRONG, 7)
    canvas.drawRightString((WIDTH - _SIDE) * mm, (HEIGHT - 5.2) * mm, title, charSpace=0.3)
    canvas.setFont(texts.TEXT, 7)
    canvas.drawRightString((WIDTH - _SIDE) * mm, (HEIGHT - 8.4) * mm, game, charSpace=0.3)


def _words(canvas: Canvas, x: float, y: float, lines: Sequence[str], *, right: bool = False) -> None:
    """Write a heading and lines under it, from `x` on, or ending there if `right`."""
    draw = canvas.drawRightString if right else canvas.drawString
    canvas.setFillColor(INK)
    for number, line in enumerate(lines):
        canvas.setFont(texts.TEXT if number else texts.STRONG, 7.0)
        draw(x * mm, y * mm - number * 7.0 * texts.LEADING, line)


def _draw_code(canvas: Canvas, text: str, x: float, y: float, side: float, *, alphanumeric: bool = True) -> None:
    """Draw a code with a quiet zone of two modules into a square of `side` millimetres; the label is white."""
    modules = matrix(text, alphanumeric=alphanumeric)
    count = len(modules)
    module = side / (count + 4)
    path = canvas.beginPath()
    for row, column, length in runs(modules):
        path.rect(column, count - row - 1, length, 1)
    canvas.saveState()
    canvas.setFillGray(0)
    canvas.translate((x + 2 * module) * mm, (y + 2 * module) * mm)
    canvas.scale(module * mm, module * mm)
    canvas.drawPath(path, stroke=0, fill=1)
    canvas.restoreState()
