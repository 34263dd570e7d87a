"""The face of a card with words: a rule, a fact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from cardgen import texts
from cardgen.faces.inks import CREAM, INK, mix
from cardgen.faces.panel import CODE_LINE, GAP, PADDING, draw_symbol, fill_panel

if TYPE_CHECKING:
    from reportlab.lib.colors import Color
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face


def draw_worded(canvas: Canvas, face: Face, card: Geometry) -> None:
    """Draw a card with its kind and number on top, its name, and its text; TextError if they do not fit."""
    accent = HexColor(face.ink)
    fill_panel(canvas, card, CREAM, edge=accent)
    _worded_heading(canvas, face, card, accent)
    deepest = _body(canvas, face, card)
    x = (card.width - card.inset - card.patch) * mm - GAP
    canvas.setFillColor(accent)
    canvas.setFont(texts.STRONG, 6.2)
    middle = (card.inset * mm + x) / 2
    canvas.drawCentredString(middle, card.inset * mm + 2.6 * mm, face.mark, charSpace=0.4)
    r = 7.0 * mm
    centre = card.inset * mm + 7.4 * mm + r
    if deepest > centre + r + 1.5 * mm:
        draw_symbol(canvas, face.symbol, middle, centre, r, mix(CREAM, accent, 0.13))
        _number(canvas, face, middle, centre, 17.5)


def _worded_heading(canvas: Canvas, face: Face, card: Geometry, accent: Color) -> None:
    """Fill the free top right corner: the symbol with its number, the kind in words, and the name."""
    left = (card.inset + card.patch) * mm + GAP + 0.7 * mm
    right, top = (card.width - card.inset) * mm - 0.7 * mm, (card.height - card.inset) * mm - 0.7 * mm
    middle = (left + right) / 2
    r = 7.6 * mm
    draw_symbol(canvas, face.symbol, middle, top - 1.6 * mm - r, r, accent)
    centre = top - 1.6 * mm - r
    _number(canvas, face, middle, centre, 19)
    canvas.setFillColor(accent)
    canvas.setFont(texts.STRONG, 7.4)
    canvas.drawCentredString(middle, top - 20.6 * mm, face.label.upper(), charSpace=0.9)


def _number(canvas: Canvas, face: Face, x: float, y: float, size: float) -> None:
    """Write a kind's number into the middle of its symbol."""
    if face.number is not None:
        canvas.setFillColor(CREAM)
        canvas.setFont(texts.DISPLAY, size)
        canvas.drawCentredString(x, y - 0.35 * size, str(face.number))


def _body(canvas: Canvas, face: Face, card: Geometry) -> float:
    """Set the name and the text under the upper code, flowing on beside the lower one; return the last baseline."""
    left = card.inset * mm + PADDING
    top = card.height * mm - (card.inset + card.patch) * mm - GAP - CODE_LINE - 0.8 * mm
    full = card.width * mm - 2 * left
    narrow = full - (card.patch * mm + GAP + 0.8 * mm)
    # From this depth on, lines stand beside the lower code.
    beside = top - ((card.inset + card.patch) * mm + GAP + CODE_LINE)
    bottom = top - card.inset * mm - 5.6 * mm
    texts.check_characters(face.name, texts.DISPLAY)
    name_size, name = texts.fit(face.name, texts.DISPLAY, _steps(12.5, 10.0), lambda _: (0, full), 30)
    canvas.setFillColor(INK)
    canvas.setFont(texts.DISPLAY, name_size)
    for line in name:
        canvas.drawString(left, top - line.y, line.text)
    down = name[-1].y + 1.5 * mm

    def room(y: float) -> tuple[float, float]:
        return (0, full) if y + down < beside - 1.0 * mm else (0, narrow)

    size, lines = texts.fit(face.text, texts.TEXT, _steps(9.75, 7.25), room, bottom - down)
    canvas.setFont(texts.TEXT, size)
    for line in lines:
        canvas.drawString(left + line.x, top - down - line.y, line.text)
    last: float = top - down - lines[-1].y
    return last


def _steps(largest: float, smallest: float) -> list[float]:
    """Return sizes from the largest down to the smallest in quarter points."""
    return [largest - step / 4 for step in range(int((largest - smallest) * 4) + 1)]
