"""Draws the face of a card by its look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.faces.colour import draw_colour
from cardgen.faces.worded import draw_worded

if TYPE_CHECKING:
    from collections.abc import Callable

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face, Look

LOOKS: dict[Look, Callable[[Canvas, Face, Geometry], None]] = {"colour": draw_colour, "worded": draw_worded}


def draw_face(canvas: Canvas, face: Face, card: Geometry) -> None:
    """Draw all that the cards of one kind share. Raises TextError if its words do not fit."""
    LOOKS[face.look](canvas, face, card)
