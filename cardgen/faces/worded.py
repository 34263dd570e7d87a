"""Faces of cards with text, such as rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from cardgen import fonts
from cardgen.faces.areas import Areas, draw_symbol, fill_panel, line_panel
from cardgen.faces.face import CREAM, GOLD, INK, mix
from cardgen.faces.text import Paragraph, TextBox, draw_paragraphs, set_paragraphs

if TYPE_CHECKING:
    from reportlab.lib.colors import Color
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face

_LINE = 1.25 * mm
"""Distance of the gold line from the panel's outline."""
_FULL = 28.3 * mm
"""Height of the corner beside a code in which the emblem has its full size."""
_PITCH = 3.1 * mm
"""Greatest distance of lines in the emblem."""


def draw_worded(canvas: Canvas, face: Face, card: Geometry) -> None:
    """Draw a card with an emblem, its name and its text; TextError if they do not fit."""
    accent, areas = HexColor(face.ink), Areas(card)
    room = text_box(card)
    words = set_paragraphs(paragraphs_of(face), room)
    fill_panel(canvas, card, CREAM, edge=accent)
    line_panel(canvas, card, GOLD, _LINE)
    _emblem(canvas, face, areas, accent)
    canvas.setFillColor(INK)
    canvas.setStrokeColor(GOLD)
    canvas.setLineWidth(0.25 * mm)
    draw_paragraphs(canvas, words, room)
    if not areas.side_by_side:
        _fill_foot(canvas, face, areas, accent, room.top - words[-1].end)


def paragraphs_of(face: Face) -> list[Paragraph]:
    """Return a face's name and text, then those in its second language."""
    paragraphs = [
        Paragraph(face.name, fonts.DISPLAY, 1.28, 7.0, 12.5),
        Paragraph(face.text, fonts.TEXT, before=0.25),
    ]
    if face.second:
        paragraphs += [
            Paragraph(face.second.name, fonts.DISPLAY, 1.1, 6.5, 10.5, before=0.75, ruled=True),
            Paragraph(face.second.text, fonts.TEXT, before=0.15),
        ]
    return paragraphs


def text_box(card: Geometry) -> TextBox:
    """Return the area for text: under the upper code and beside the lower one, or between the two."""
    areas = Areas(card)
    whole, beside = areas.whole, card.width * mm - areas.across - areas.padding
    if areas.side_by_side:
        left, top = areas.across + areas.padding, whole.top - areas.clear
    else:
        left, top = whole.left + areas.padding, card.height * mm - areas.down - areas.clear
    turn = top - areas.down - areas.clear
    return TextBox(left, top, whole.right - areas.padding - left, beside - left, turn, top - whole.bottom - areas.clear)


def _emblem(canvas: Canvas, face: Face, areas: Areas, accent: Color) -> None:
    """Draw the symbol with its number, the label and the edition's name into a free corner."""
    box = areas.foot if areas.side_by_side else areas.head
    unit = min(box.height / _FULL, 1.0)
    (x, _), r = box.middle, (6.6 if areas.side_by_side else 7.6) * mm * unit
    y = box.top - (2.5 * mm * unit + r)
    draw_symbol(canvas, face, x, y, r, accent)
    _number(canvas, face, x, y, r)
    labels = [face.label] if face.second is None else list(dict.fromkeys((face.label, face.second.label)))
    lines = [(label.upper(), 7.4, 0.8) for label in labels] + [(face.mark, 5.4, 0.5)]
    pitch = min((y - r - box.bottom - areas.clear) / len(lines), _PITCH)
    canvas.setFillColor(accent)
    for number, (line, most, spacing) in enumerate(lines, 1):
        largest = min(most, 0.85 * pitch)
        size = fonts.fitting_size(line, fonts.STRONG, largest, box.width - 2 * areas.padding, spacing)
        canvas.setFont(fonts.STRONG, size)
        canvas.drawCentredString(x, y - r - number * pitch - 0.4 * mm * unit, line, charSpace=spacing)


def _number(canvas: Canvas, face: Face, x: float, y: float, r: float) -> None:
    """Draw a kind's number in the middle of its symbol."""
    if face.number is not None:
        size = fonts.fitting_size(str(face.number), fonts.DISPLAY, 0.88 * r, 1.2 * r)
        canvas.setFillColor(CREAM)
        canvas.setFont(fonts.DISPLAY, size)
        canvas.drawCentredString(x, y - 0.35 * size, str(face.number))


def _fill_foot(canvas: Canvas, face: Face, areas: Areas, accent: Color, lowest: float) -> None:
    """Draw a pale symbol in the foot if the text leaves it free."""
    r = 7.6 * mm * min(areas.foot.height / _FULL, 1.0)
    x, y = areas.foot.middle[0], areas.foot.bottom + 3.4 * mm + r
    if lowest > y + r + 1.5 * mm:
        draw_symbol(canvas, face, x, y, r, mix(CREAM, accent, 0.13))
        _number(canvas, face, x, y, r)
