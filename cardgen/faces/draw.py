"""Drawing of faces and codes."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from cardgen import fonts
from cardgen.cards import SIZES
from cardgen.faces.areas import Areas, both_ends
from cardgen.faces.face import INK, WHITE
from cardgen.faces.plain import draw_colour, draw_token
from cardgen.faces.tarot import draw_tarot
from cardgen.faces.worded import draw_worded
from cardgen.fonts import DISPLAY, STRONG, TEXT, RoomError, TextError, check_characters, use_fonts
from cardgen.qr import fill_operators, matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face, Look


LOOKS: dict[Look, Callable[[Canvas, Face, Geometry], None]] = {
    "colour": draw_colour,
    "worded": draw_worded,
    "tarot": draw_tarot,
    "token": draw_token,
}


def draw_face(canvas: Canvas, face: Face, card: Geometry, bleed: float = 0.0) -> None:
    """Draw the face of a kind; its white rim continues for `bleed` millimetres beyond the cut.

    Raises TextError, naming the card, if its text does not fit, with the card sizes that it would fit.
    """
    if bleed:
        canvas.setFillColor(WHITE)
        size = (card.width + 2 * bleed) * mm, (card.height + 2 * bleed) * mm
        canvas.rect(-bleed * mm, -bleed * mm, *size, stroke=0, fill=1)
    try:
        _check_characters(face)
        LOOKS[face.look](canvas, face, card)
    except RoomError as error:
        sizes = [name for name, size in SIZES.items() if size != card and _has_room(face, size)]
        advice = f"choose cards of another size: {', '.join(sizes)}" if sizes else "shorten it"
        place = f"a card of {card.width:g} x {card.height:g} mm"
        message = f"{face.kind} does not fit {place}: {error}; {advice}"
        raise RoomError(message, why="card-size", width=card.width, height=card.height) from None
    except TextError as error:
        raise TextError(f"{face.kind} cannot be printed: {error}") from None


def check_faces(faces: Iterable[Face], card: Geometry) -> None:
    """Raise TextError, with the card and advice, if a face cannot be drawn on cards of a size."""
    use_fonts()
    canvas = Canvas(BytesIO())
    for face in faces:
        draw_face(canvas, face, card)


def _check_characters(face: Face) -> None:
    """Raise TextError if a font lacks a character of a face's text."""
    second = (face.second,) if face.second else ()
    for words in (face, *second):
        for text, font in ((words.name, DISPLAY), (words.label.upper(), STRONG), (words.text, TEXT)):
            check_characters(text, font)
    check_characters(face.mark, STRONG)


def _has_room(face: Face, card: Geometry) -> bool:
    try:
        LOOKS[face.look](Canvas(BytesIO()), face, card)
    except TextError:
        return False
    return True


def draw_codes(canvas: Canvas, payload: str, short: str, card: Geometry) -> None:
    """Draw a card's code and short code in the top left corner and, rotated by 180 degrees, in the opposite one."""
    # The short code shrinks less than the card, so that people can read it on small cards too.
    scale = Areas(card).scale ** 0.5
    modules = fill_operators(matrix(payload))
    for _ in both_ends(canvas, card):
        canvas.setFillColor(INK)
        canvas.setFont(fonts.STRONG, 7.6 * scale)
        centre = (card.inset + card.patch / 2) * mm
        below = (card.height - card.inset - card.patch - 2.0 * scale) * mm
        canvas.drawCentredString(centre, below, short, charSpace=0.7 * scale)
        canvas.setFillGray(0)
        edge = card.inset + card.quiet * card.module
        canvas.translate(edge * mm, (card.height - edge - card.code) * mm)
        canvas.scale(card.module * mm, card.module * mm)
        canvas.addLiteral(modules)
