"""Draws the face of a card by its look."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from cardgen.cards import SIZES
from cardgen.faces.colour import draw_colour
from cardgen.faces.inks import WHITE
from cardgen.faces.tarot import draw_tarot
from cardgen.faces.token import draw_token
from cardgen.faces.worded import draw_worded
from cardgen.texts import DISPLAY, STRONG, TEXT, RoomError, TextError, check_characters, use_fonts

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
    """Draw all that the cards of one kind share; `bleed` millimetres of its white rim go on beyond the cut.

    Raises TextError, naming the card, if its words do not fit, with the sizes of card that they would fit.
    """
    if bleed:
        canvas.setFillColor(WHITE)
        size = (card.width + 2 * bleed) * mm, (card.height + 2 * bleed) * mm
        canvas.rect(-bleed * mm, -bleed * mm, *size, stroke=0, fill=1)
    try:
        _check_signs(face)
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
    """Raise TextError, naming the card and saying what to do, if a face cannot be drawn on cards of a size."""
    use_fonts()
    canvas = Canvas(BytesIO())
    for face in faces:
        draw_face(canvas, face, card)


def _check_signs(face: Face) -> None:
    """Raise TextError if a font lacks a sign of a face's words."""
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
