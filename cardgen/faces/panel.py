"""The panel: what of a card's front is free of its codes, and the symbols that stand on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.units import mm

from cardgen.art import SYMBOLS, rounded
from cardgen.faces.areas import Areas

if TYPE_CHECKING:
    from reportlab.lib.colors import Color
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry

_ROUND = 2.4 * mm
_EDGE = 0.75 * mm
"""Width of the line round the panel of a card with words."""
_EVEN_ODD = 0


def corners(card: Geometry, grow: float = 0) -> list[tuple[float, float]]:
    """Return the corners of the panel, grown on every side: the card less a white rim and the two codes' corners."""
    areas = Areas(card)
    left, bottom = areas.whole.left - grow, areas.whole.bottom - grow
    right, top = areas.whole.right + grow, areas.whole.top + grow
    across, down = areas.across - grow, areas.down - grow
    return [
        (across, top),
        (right, top),
        (right, down),
        (card.width * mm - across, down),
        (card.width * mm - across, bottom),
        (left, bottom),
        (left, card.height * mm - down),
        (across, card.height * mm - down),
    ]


def fill_panel(canvas: Canvas, card: Geometry, colour: Color, edge: Color | None = None) -> None:
    """Fill the panel; with an `edge` colour, draw a line along the inside of its outline too."""
    path = canvas.beginPath()
    rounded(path, corners(card, -_EDGE / 2 if edge else 0), _ROUND)
    canvas.setFillColor(colour)
    if edge:
        canvas.setStrokeColor(edge)
        canvas.setLineWidth(_EDGE)
    canvas.drawPath(path, stroke=int(edge is not None), fill=1)


def line_panel(canvas: Canvas, card: Geometry, colour: Color, inside: float, thick: float = 0.22 * mm) -> None:
    """Draw a line round the panel, a hairline if nothing else is said, so far inside its outline."""
    path = canvas.beginPath()
    rounded(path, corners(card, -inside), _ROUND - inside / 2)
    canvas.setStrokeColor(colour)
    canvas.setLineWidth(thick)
    canvas.drawPath(path, stroke=1, fill=0)


def clip_to_panel(canvas: Canvas, card: Geometry) -> None:
    """Let nothing that is drawn from now on leave the panel."""
    path = canvas.beginPath()
    rounded(path, corners(card), _ROUND)
    canvas.clipPath(path, stroke=0, fill=0)


def draw_symbol(
    canvas: Canvas, name: str, x: float, y: float, r: float, colour: Color, outline: Color | None = None
) -> None:
    """Draw a symbol of art.SYMBOLS into a circle of radius `r`; `outline` draws a line round it too."""
    path = canvas.beginPath()
    SYMBOLS[name](path, x, y, r)
    canvas.setFillColor(colour)
    if outline:
        canvas.setStrokeColor(outline)
        canvas.setLineWidth(0.35 * mm)
        canvas.setLineJoin(1)
    canvas.drawPath(path, stroke=int(outline is not None), fill=1, fillMode=_EVEN_ODD)
