"""Labels for the envelopes: number, room for a name, the scanner's code and the link for the player's phone.

They come large, with a band and words, or where a format has no room for that, small.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.units import mm

from cardgen import texts
from cardgen.faces import GOLD, INK, WHITE
from cardgen.formats import LABELS
from cardgen.label_code import draw_code
from cardgen.label_sheets import write_labels_on
from cardgen.paper import PaperError
from cardgen.wordings import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.formats import Format, Stock
    from cardgen.setup import Setup
    from cardgen.wordings import Wordings

LARGE = (90.0, 60.0)
"""From this width and height on, a label is drawn large, in millimetres: there its words have room beside the codes."""
SMALL = (60.0, 33.0)
"""No label is smaller: its codes could not be read."""
_BAND = 11.0
_SIDE = 5.0
_MARGIN = 2.0
_CODE = 28.0
_CAPTION = 2.2


@dataclass(frozen=True)
class Label:
    """One label. `payload` is what the scanner's code says; `link` is for the phone, None where there is no server."""

    envelope: int
    payload: str
    link: str | None


def write_labels(
    out: BinaryIO,
    labels: Sequence[Label],
    setup: Setup,
    title: str,
    game: str,
    words: Wordings = ENGLISH,
    *,
    stock: Stock = LABELS,
    only: int | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> int:
    """Write the PDF of all labels; return the number of pages. PaperError for a format without room for a label.

    `only` writes this page alone; `tell` hears of each page that is done, and their number.
    """
    size = stock.format
    if size.width < SMALL[0] or size.height < SMALL[1]:
        raise PaperError(
            f"labels {size.name} are {size.width:g} x {size.height:g} mm: an envelope's label needs"
            f" {SMALL[0]:g} x {SMALL[1]:g} mm, such as l7160, 5163, or cut for plain paper",
            why="small-labels",
            width=SMALL[0],
            height=SMALL[1],
        )
    drawn = _draw_large if size.width >= LARGE[0] and size.height >= LARGE[1] else _draw_small
    said = words.game.format(game=game)

    def draw(canvas: Canvas, number: int) -> None:
        drawn(canvas, labels[number], size, (title, said), words)

    name = words.labels_title.format(title=words.game_of.format(title=title, game=game))
    return write_labels_on(out, stock, setup, name, words.language, len(labels), draw, only=only, tell=tell)


def _draw_large(canvas: Canvas, label: Label, size: Format, names: tuple[str, str], words: Wordings) -> None:
    top = size.height - _BAND
    _draw_band(canvas, size, names)
    canvas.setFillColor(INK)
    canvas.setFont(texts.STRONG, 7)
    canvas.drawString(_SIDE * mm, (top - 5.2) * mm, words.envelope.upper(), charSpace=0.9)
    canvas.setFont(texts.DISPLAY, 34)
    canvas.drawString(_SIDE * mm, (top - 16.6) * mm, str(label.envelope))
    _name_line(canvas, 33.0, size.width - _SIDE, top - 14.0, words)
    side = min(_CODE, top - 18.0)
    draw_code(canvas, label.payload, size.width - _SIDE - side + 2, _MARGIN, side)
    _words(canvas, size.width - _SIDE - side - 0.5, 12.5, words.scanner, right=True)
    if label.link is not None:
        draw_code(canvas, label.link, _SIDE - 2, _MARGIN, side, alphanumeric=False)
        _words(canvas, _SIDE + side - 1.6, 26.0, words.join)


def _draw_small(canvas: Canvas, label: Label, size: Format, names: tuple[str, str], words: Wordings) -> None:
    """Draw the name line on top, under it both codes, the phone's at the left, with the number between them."""
    line = size.height - 7.0
    _name_line(canvas, _MARGIN + 0.6, size.width - _MARGIN - 0.6, line, words)
    side = min(_CODE, line - 3.6 - 0.6 - _CAPTION, (size.width - 16.0) / 2)
    foot = (line - 3.6 - side - _CAPTION) / 2 + _CAPTION
    draw_code(canvas, label.payload, size.width - side - 1.0, foot, side)
    _caption(canvas, words.scanner[0], size.width - 1.0 - side / 2, foot, side)
    left = _MARGIN + 0.6
    if label.link is not None:
        draw_code(canvas, label.link, 1.0, foot, side, alphanumeric=False)
        _caption(canvas, words.join[0], 1.0 + side / 2, foot, side)
        left = 1.0 + side
    middle, room = (left + size.width - side - 1.0) / 2, (size.width - side - 1.0 - left - 0.6) * mm
    canvas.setFillColor(INK)
    number = str(label.envelope)
    high = min(30.0, 30.0 * room / texts.width(number, texts.DISPLAY, 30.0), side * 0.5 * mm)
    base = foot + side / 2 - 1.0
    canvas.setFont(texts.DISPLAY, high)
    canvas.drawCentredString(middle * mm, base * mm, number)
    for text, font, place in ((names[1], texts.TEXT, base - 4.0), (names[0], texts.STRONG, base - 7.0)):
        small = min(6.5, 6.5 * room / texts.width(text, font, 6.5))
        if small >= 4.5:  # noqa: PLR2004 - points; smaller words only disturb
            canvas.setFont(font, small)
            canvas.drawCentredString(middle * mm, place * mm, text)


def _caption(canvas: Canvas, text: str, middle: float, foot: float, room: float) -> None:
    """Say under a code what it is for."""
    canvas.setFillColor(INK)
    canvas.setFont(texts.STRONG, min(6.0, 6.0 * room * mm / texts.width(text, texts.STRONG, 6.0)))
    canvas.drawCentredString(middle * mm, (foot - 1.75) * mm, text)


def _name_line(canvas: Canvas, left: float, right: float, y: float, words: Wordings) -> None:
    canvas.setLineWidth(0.5)
    canvas.setStrokeColor(INK)
    canvas.line(left * mm, y * mm, right * mm, y * mm)
    canvas.setFillColor(INK)
    canvas.setFont(texts.TEXT, 7)
    canvas.drawString(left * mm, (y - 3.2) * mm, words.name)


def _draw_band(canvas: Canvas, size: Format, names: tuple[str, str]) -> None:
    canvas.setFillColor(INK)
    canvas.rect(0, (size.height - _BAND) * mm, size.width * mm, _BAND * mm, stroke=0, fill=1)
    canvas.setFillColor(GOLD)
    canvas.rect(0, (size.height - _BAND - 0.7) * mm, size.width * mm, 0.7 * mm, stroke=0, fill=1)
    canvas.setFillColor(WHITE)
    canvas.setFont(texts.DISPLAY, 17)
    canvas.drawString(_SIDE * mm, (size.height - 7.6) * mm, "Haggle")
    canvas.setFont(texts.STRONG, 7)
    canvas.drawRightString((size.width - _SIDE) * mm, (size.height - 5.2) * mm, names[0], charSpace=0.3)
    canvas.setFont(texts.TEXT, 7)
    canvas.drawRightString((size.width - _SIDE) * mm, (size.height - 8.4) * mm, names[1], charSpace=0.3)


def _words(canvas: Canvas, x: float, y: float, lines: Sequence[str], *, right: bool = False) -> None:
    """Write a heading and lines under it, from `x` on, or ending there if `right`."""
    draw = canvas.drawRightString if right else canvas.drawString
    canvas.setFillColor(INK)
    for number, line in enumerate(lines):
        canvas.setFont(texts.TEXT if number else texts.STRONG, 7.0)
        draw(x * mm, y * mm - number * 7.0 * texts.LEADING, line)
