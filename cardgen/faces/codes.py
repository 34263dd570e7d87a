"""A card's own two codes, drawn over the face of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.units import mm

from cardgen import texts
from cardgen.faces.areas import Areas
from cardgen.faces.inks import INK
from cardgen.symbols import drawn, matrix

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry


def draw_codes(canvas: Canvas, payload: str, short: str, card: Geometry) -> None:
    """Draw a card's code and short code in its top left corner and, turned by half a turn, in the opposite one."""
    # People must read it on small cards too, so it shrinks less than they do.
    scale = Areas(card).scale ** 0.5
    modules = drawn(matrix(payload))
    for turned in (False, True):
        canvas.saveState()
        if turned:
            canvas.translate(card.width * mm, card.height * mm)
            canvas.rotate(180)
        canvas.setFillColor(INK)
        canvas.setFont(texts.STRONG, 7.6 * scale)
        centre = (card.inset + card.patch / 2) * mm
        below = (card.height - card.inset - card.patch - 2.0 * scale) * mm
        canvas.drawCentredString(centre, below, short, charSpace=0.7 * scale)
        canvas.setFillGray(0)
        edge = card.inset + card.quiet * card.module
        canvas.translate(edge * mm, (card.height - edge - card.code) * mm)
        canvas.scale(card.module * mm, card.module * mm)
        canvas.addLiteral(modules)
        canvas.restoreState()
