"""Faces of cards without text: colours and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from cardgen import fonts
from cardgen.artwork.shapes import Shape, circle
from cardgen.artwork.tarot import coin, ground
from cardgen.faces.areas import Areas, both_ends, clip_to_panel, draw_symbol, draw_symbols, fill_panel, line_panel
from cardgen.faces.face import CREAM, INK, WHITE, lightness, mix
from cardgen.faces.tarot import RUBY, draw_shapes, palette
from cardgen.fonts import RoomError

if TYPE_CHECKING:
    from reportlab.lib.colors import Color
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face


_LEAST = 8.0
"""Smallest size of a name in points."""
_LINE = 1.1 * mm
"""Distance of the fine line from the panel's outline."""
_INKS = {"red": RUBY, "white": INK, "blue": HexColor("#2a62a8")}
"""Inks of tokens."""


def draw_colour(canvas: Canvas, face: Face, card: Geometry) -> None:
    """Draw a card with a large symbol and its name in two corners; TextError if the name does not fit."""
    ink = HexColor(face.ink)
    dark = lightness(ink) < 0.5  # noqa: PLR2004 - the middle between black and white
    on_ink = WHITE if dark else INK
    fill_panel(canvas, card, ink)
    canvas.saveState()
    clip_to_panel(canvas, card)
    _pattern(canvas, face, mix(ink, on_ink, 0.10), card)
    canvas.restoreState()
    line_panel(canvas, card, mix(ink, on_ink, 0.55), _LINE)
    x, y, r = card.width * mm / 2, card.height * mm / 2, min(Areas(card).reach, 15 * mm)
    for radius, colour in ((1.0, ink), (0.96, WHITE), (0.9, ink), (0.88, WHITE)):
        canvas.setFillColor(colour)
        canvas.circle(x, y, radius * r, stroke=0, fill=1)
    # A light colour on white needs a dark outline, to be visible in grey and in poor light.
    draw_symbol(canvas, face, x, y, 0.74 * r, ink, outline=None if dark else mix(ink, INK, 0.8))
    for _ in both_ends(canvas, card):
        _colour_heading(canvas, face, card, on_ink)


def _pattern(canvas: Canvas, face: Face, colour: Color, card: Geometry) -> None:
    """Fill the panel with small symbols in offset rows, the same upside down."""
    step, r = 7.2 * mm, 1.9 * mm
    width, height = card.width * mm, card.height * mm
    rows, columns = int(height / step) + 2, int(width / step / 2) + 2
    places = [
        (width / 2 + (column + (row % 2) / 2) * step, height / 2 + row * step / 2)
        for row in range(-rows, rows + 1)
        for column in range(-columns, columns + 1)
    ]
    draw_symbols(canvas, face, places, r, colour)


def _colour_heading(canvas: Canvas, face: Face, card: Geometry, colour: Color) -> None:
    """Draw a colour's name in the free top right corner, as large as it fits, and below it the second name."""
    areas = Areas(card)
    head = areas.head
    (x, _), room = head.middle, head.width - 2 * areas.padding
    names = [face.name] if face.second is None else [face.name, face.second.name]
    y = head.top - min(0.11 * head.height, 3.2 * mm)
    canvas.setFillColor(colour)
    for name, most in zip(names, (25.0, 13.0), strict=False):
        size = fonts.fitting_size(name, fonts.DISPLAY, min(most, 0.33 * head.height), room)
        if size < _LEAST:
            raise RoomError(f"the name {name} is too wide at {_LEAST:g} points")
        y -= size
        canvas.setFont(fonts.DISPLAY, size)
        canvas.drawCentredString(x, y + 0.1 * size, name)
        y -= 0.12 * size
    canvas.setFont(fonts.STRONG, fonts.fitting_size(face.mark, fonts.STRONG, 6.6, room, 0.5))
    canvas.drawCentredString(x, y - 3.0 * mm, face.mark, charSpace=0.5)


def draw_token(canvas: Canvas, face: Face, card: Geometry) -> None:
    """Draw the token of the face's motif, such as "token-red"."""
    name = face.motif.removeprefix("token-")
    own, areas = _INKS[name], Areas(card)
    light = name == "white"
    fill_panel(canvas, card, CREAM if light else own)
    canvas.saveState()
    clip_to_panel(canvas, card)
    canvas.translate(card.width / 2 * mm, card.height / 2 * mm)
    inks = {**palette(own), "ground": mix(CREAM, own, 0.18) if light else mix(own, WHITE, 0.16)}
    draw_shapes(canvas, ground(name, card.width / 2, card.height / 2), inks)
    r = min(areas.reach / mm, 15) - 1.2
    draw_shapes(canvas, [Shape(circle(r + 0.6), fill="paper"), *coin(name, r / 10.6)], inks)
    canvas.restoreState()
    if light:
        line_panel(canvas, card, own, 0.375 * mm, 0.75 * mm)
    line_panel(canvas, card, own if light else mix(own, WHITE, 0.55), 1.3 * mm)
    for turned in both_ends(canvas, card):
        _token_heading(canvas, face.second.name if face.second and turned else face.name, card, light=light)


def _token_heading(canvas: Canvas, name: str, card: Geometry, *, light: bool) -> None:
    """Draw the name in the free corner, as large as it fits."""
    head = Areas(card).head
    x, y = head.middle
    room = head.width - 5 * mm
    size, lines = fonts.fit(name, fonts.DISPLAY, [n / 2 for n in range(40, 13, -1)], lambda _: (0, room), head.height)
    canvas.setFillColor(INK if light else WHITE)
    canvas.setFont(fonts.DISPLAY, size)
    deep = lines[-1].y - lines[0].y
    for line in lines:
        canvas.drawCentredString(x, y + deep / 2 - (line.y - lines[0].y) - 0.33 * size, line.text)
