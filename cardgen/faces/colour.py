"""The face of a card without words: a colour, its symbol and its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from cardgen import texts
from cardgen.faces.areas import Areas
from cardgen.faces.inks import INK, WHITE, lightness, mix
from cardgen.faces.panel import clip_to_panel, draw_symbol, fill_panel, line_panel
from cardgen.texts import RoomError

if TYPE_CHECKING:
    from reportlab.lib.colors import Color
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face

_LEAST = 8.0
# Points of a name in large letters.
_LINE = 1.1 * mm


def draw_colour(canvas: Canvas, face: Face, card: Geometry) -> None:
    """Draw a card whose symbol fills its middle, with its name in two corners; TextError if that has no room."""
    ink = HexColor(face.ink)
    dark = lightness(ink) < 0.5  # noqa: PLR2004 - the middle between black and white
    on_ink = WHITE if dark else INK
    fill_panel(canvas, card, ink)
    canvas.saveState()
    clip_to_panel(canvas, card)
    _pattern(canvas, face.symbol, mix(ink, on_ink, 0.10), card)
    canvas.restoreState()
    line_panel(canvas, card, mix(ink, on_ink, 0.55), _LINE)
    x, y, r = card.width * mm / 2, card.height * mm / 2, min(Areas(card).reach, 15 * mm)
    for radius, colour in ((1.0, ink), (0.96, WHITE), (0.9, ink), (0.88, WHITE)):
        canvas.setFillColor(colour)
        canvas.circle(x, y, radius * r, stroke=0, fill=1)
    # A light colour on white needs a dark outline, to be seen in grey and in poor light.
    draw_symbol(canvas, face.symbol, x, y, 0.74 * r, ink, outline=None if dark else mix(ink, INK, 0.8))
    for turned in (False, True):
        canvas.saveState()
        if turned:
            canvas.translate(card.width * mm, card.height * mm)
            canvas.rotate(180)
        _heading(canvas, face, card, on_ink)
        canvas.restoreState()


def _pattern(canvas: Canvas, symbol: str, colour: Color, card: Geometry) -> None:
    """Cover the panel with small symbols in offset rows, the same from both ends."""
    step, r = 7.2 * mm, 1.9 * mm
    width, height = card.width * mm, card.height * mm
    rows, columns = int(height / step) + 2, int(width / step / 2) + 2
    for row in range(-rows, rows + 1):
        for column in range(-columns, columns + 1):
            x = width / 2 + (column + (row % 2) / 2) * step
            draw_symbol(canvas, symbol, x, height / 2 + row * step / 2, r, colour)


def _heading(canvas: Canvas, face: Face, card: Geometry, colour: Color) -> None:
    """Write a colour's name into the free top right corner, as large as fits, and below it in the second language."""
    areas = Areas(card)
    head = areas.head
    (x, _), room = head.middle, head.width - 2 * areas.padding
    names = [face.name] if face.second is None else [face.name, face.second.name]
    y = head.top - min(0.11 * head.height, 3.2 * mm)
    canvas.setFillColor(colour)
    for name, most in zip(names, (25.0, 13.0), strict=False):
        size = texts.fitting_size(name, texts.DISPLAY, min(most, 0.33 * head.height), room)
        if size < _LEAST:
            raise RoomError(f"the name {name} is too wide at {_LEAST:g} points")
        y -= size
        canvas.setFont(texts.DISPLAY, size)
        canvas.drawCentredString(x, y + 0.1 * size, name)
        y -= 0.12 * size
    canvas.setFont(texts.STRONG, texts.fitting_size(face.mark, texts.STRONG, 6.6, room, 0.5))
    canvas.drawCentredString(x, y - 3.0 * mm, face.mark, charSpace=0.5)
