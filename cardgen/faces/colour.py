"""The face of a card without words: a colour, its symbol and its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from cardgen import texts
from cardgen.faces.inks import INK, WHITE, lightness, mix
from cardgen.faces.panel import GAP, PADDING, clip_to_panel, draw_symbol, fill_panel

if TYPE_CHECKING:
    from reportlab.lib.colors import Color
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face


def draw_colour(canvas: Canvas, face: Face, card: Geometry) -> None:
    """Draw a card whose symbol fills its middle, with its name in two corners."""
    ink = HexColor(face.ink)
    dark = lightness(ink) < 0.5  # noqa: PLR2004 - the middle between black and white
    on_ink = WHITE if dark else INK
    fill_panel(canvas, card, ink)
    canvas.saveState()
    clip_to_panel(canvas, card)
    _pattern(canvas, face.symbol, mix(ink, WHITE if dark else INK, 0.10), card)
    canvas.restoreState()
    x, y, r = card.width * mm / 2, card.height * mm / 2, 14.2 * mm
    for radius, colour in ((r, ink), (r - 0.55 * mm, WHITE), (r - 1.5 * mm, ink), (r - 1.75 * mm, WHITE)):
        canvas.setFillColor(colour)
        canvas.circle(x, y, radius, stroke=0, fill=1)
    # A light colour on white needs a dark outline, to be seen in grey and in poor light.
    draw_symbol(canvas, face.symbol, x, y, 10.2 * mm, ink, outline=None if dark else mix(ink, INK, 0.8))
    for turned in (False, True):
        canvas.saveState()
        if turned:
            canvas.translate(card.width * mm, card.height * mm)
            canvas.rotate(180)
        _colour_heading(canvas, face, card, on_ink)
        canvas.restoreState()


def _pattern(canvas: Canvas, symbol: str, colour: Color, card: Geometry) -> None:
    """Cover the panel with small symbols in offset rows."""
    step, r = 7.2 * mm, 1.9 * mm
    rows = int(card.height * mm / step * 2) + 2
    for row in range(rows):
        for column in range(int(card.width * mm / step) + 2):
            x = (column + (row % 2) / 2) * step - 0.4 * mm
            draw_symbol(canvas, symbol, x, row * step / 2, r, colour)


def _colour_heading(canvas: Canvas, face: Face, card: Geometry, colour: Color) -> None:
    """Write a colour's name into the free top right corner, as large as fits."""
    left = (card.inset + card.patch) * mm + GAP
    right = (card.width - card.inset) * mm
    middle, room = (left + right) / 2, right - left - 2 * PADDING
    size = min(25.0, 25.0 * room / texts.width(face.name, texts.DISPLAY, 25.0))
    canvas.setFillColor(colour)
    canvas.setFont(texts.DISPLAY, size)
    canvas.drawCentredString(middle, card.height * mm - 12.4 * mm, face.name)
    canvas.setFont(texts.STRONG, 6.6)
    canvas.drawCentredString(middle, card.height * mm - 17.0 * mm, face.mark, charSpace=0.5)
