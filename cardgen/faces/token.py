"""The face of a token: a coin in the middle of its colour, whose name stands in two corners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from cardgen import texts
from cardgen.faces.areas import Areas
from cardgen.faces.inks import CREAM, INK, WHITE, mix
from cardgen.faces.panel import clip_to_panel, fill_panel, line_panel
from cardgen.faces.shapes import draw_shapes
from cardgen.faces.tarot import RUBY, palette
from cardgen.tarot.coins import coin, ground
from cardgen.tarot.shapes import filled, moved

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face

_INKS = {"red": RUBY, "white": INK, "blue": HexColor("#2a62a8")}


def draw_token(canvas: Canvas, face: Face, card: Geometry) -> None:
    """Draw the token that the face's motif names, such as "token-red"."""
    name = face.motif.removeprefix("token-")
    own, areas = _INKS[name], Areas(card)
    light = name == "white"
    fill_panel(canvas, card, CREAM if light else own)
    canvas.saveState()
    clip_to_panel(canvas, card)
    canvas.translate(card.width / 2 * mm, card.height / 2 * mm)
    inks = {**palette(own), "ground": mix(CREAM, own, 0.18) if light else mix(own, WHITE, 0.16)}
    draw_shapes(canvas, ground(name, "ground", card.width / 2, card.height / 2), inks)
    r = min(areas.reach / mm, 15) - 1.2
    draw_shapes(canvas, [filled("paper", f"O 0 0 {r + 0.6}"), *moved(coin(name), scale=r / 10.6)], inks)
    canvas.restoreState()
    if light:
        line_panel(canvas, card, own, 0.375 * mm, 0.75 * mm)
    line_panel(canvas, card, own if light else mix(own, WHITE, 0.55), 1.3 * mm)
    for turned in (False, True):
        canvas.saveState()
        if turned:
            canvas.translate(card.width * mm, card.height * mm)
            canvas.rotate(180)
        _heading(canvas, face.second.name if face.second and turned else face.name, card, light=light)
        canvas.restoreState()


def _heading(canvas: Canvas, name: str, card: Geometry, *, light: bool) -> None:
    """Write the name into the free corner, as large as fits."""
    head = Areas(card).head
    x, y = head.middle
    room = head.width - 5 * mm
    size, lines = texts.fit(name, texts.DISPLAY, [n / 2 for n in range(40, 13, -1)], lambda _: (0, room), head.height)
    canvas.setFillColor(INK if light else WHITE)
    canvas.setFont(texts.DISPLAY, size)
    deep = lines[-1].y - lines[0].y
    for line in lines:
        canvas.drawCentredString(x, y + deep / 2 - (line.y - lines[0].y) - 0.33 * size, line.text)
