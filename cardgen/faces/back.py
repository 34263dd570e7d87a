"""The back of all cards of a game. It is the same for all kinds, and the same upside down."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import TYPE_CHECKING

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from cardgen import fonts
from cardgen.artwork.symbols import rounded
from cardgen.faces.areas import Areas
from cardgen.faces.face import CREAM, GOLD, INK, mix

if TYPE_CHECKING:
    from reportlab.lib.colors import Color
    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry

_STEP = 4.4 * mm
"""Distance of the pattern's rings."""
_FRAME = 4.2 * mm
"""Distance of the frame from the cut, large enough to hide an inaccurate cut."""
_PLATE = 9.6 * mm
"""Space for the title between the rosette and the frame."""
_RAYS, _WAVES, _LOBES, _STEPS = 8, 6, 12, 144
"""Numbers of the star and the wreath, all even for the sake of symmetry."""


@dataclass(frozen=True)
class Back:
    """The content of the back: the game's title, or "", and the ink of its pattern as "#RRGGBB"."""

    title: str = ""
    accent: str = "#20263a"


def draw_back(canvas: Canvas, back: Back, card: Geometry, bleed: float = 0.0) -> None:
    """Draw a card's back; its pattern continues for `bleed` millimetres beyond the cut.

    It is light behind the codes, since ink shows through thin paper. TextError if the font lacks a character.
    """
    fonts.check_characters(back.title, fonts.DISPLAY)
    accent = HexColor(back.accent)
    width, height, over = card.width * mm, card.height * mm, bleed * mm
    canvas.saveState()
    canvas.translate(width / 2, height / 2)
    outer = width / 2 + over, height / 2 + over
    canvas.setFillColor(CREAM)
    canvas.rect(-outer[0], -outer[1], 2 * outer[0], 2 * outer[1], stroke=0, fill=1)
    _pattern(canvas, outer, mix(CREAM, accent, 0.42))
    half = width / 2 - _FRAME, height / 2 - _FRAME
    _frame(canvas, half, accent)
    r = min(Areas(card).reach, 15 * mm, half[1] - _PLATE)
    _rosette(canvas, r, accent)
    for _ in range(2 if back.title else 0):
        _title(canvas, back.title, half, r, accent)
        canvas.rotate(180)
    canvas.restoreState()


def _pattern(canvas: Canvas, outer: tuple[float, float], colour: Color) -> None:
    """Fill the area with intersecting rings, with a dot where four meet."""
    canvas.saveState()
    area = canvas.beginPath()
    area.rect(-outer[0], -outer[1], 2 * outer[0], 2 * outer[1])
    canvas.clipPath(area, stroke=0, fill=0)
    rings, dots = canvas.beginPath(), canvas.beginPath()
    across, up = (int(side / _STEP) + 2 for side in outer)
    for row in range(-2 * up, 2 * up + 1):
        for column in range(-across, across + 1):
            x, y = (column + (row % 2) / 2) * _STEP, row * _STEP / 2
            rings.circle(x, y, _STEP / 2)
            dots.circle(x, y, 0.06 * _STEP)
    canvas.setStrokeColor(colour)
    canvas.setLineWidth(0.16 * mm)
    canvas.drawPath(rings, stroke=1, fill=0)
    canvas.setFillColor(colour)
    canvas.drawPath(dots, stroke=0, fill=1)
    canvas.restoreState()


def _frame(canvas: Canvas, half: tuple[float, float], accent: Color) -> None:
    """Draw a double line, dark and gold, on a cream band."""
    for inside, wide, colour in ((0.0, 1.5, CREAM), (-0.35, 0.5, accent), (0.45, 0.22, GOLD)):
        x, y = half[0] - inside * mm, half[1] - inside * mm
        path = canvas.beginPath()
        rounded(path, [(-x, -y), (x, -y), (x, y), (-x, y)], 2.6 * mm)
        canvas.setStrokeColor(colour)
        canvas.setLineWidth(wide * mm)
        canvas.drawPath(path, stroke=1, fill=0)


def _rosette(canvas: Canvas, r: float, accent: Color) -> None:
    """Draw the dark middle: a disc with gold rings, a wreath of waves, and a star."""
    for radius, colour in ((1.0, CREAM), (0.965, accent), (0.915, GOLD), (0.895, INK)):
        canvas.setFillColor(colour)
        canvas.circle(0, 0, radius * r, stroke=0, fill=1)
    wreath = canvas.beginPath()
    for wave in range(_WAVES):
        for step in range(_STEPS):
            angle = 2 * pi * step / _STEPS
            away = (0.68 + 0.15 * cos(_LOBES * angle + 2 * pi * wave / _WAVES)) * r
            (wreath.lineTo if step else wreath.moveTo)(away * cos(angle), away * sin(angle))
        wreath.close()
    canvas.setStrokeColor(GOLD)
    canvas.setLineWidth(min(0.014 * r, 0.2 * mm))
    canvas.drawPath(wreath, stroke=1, fill=0)
    # One half of each ray is lighter, as if it were folded along its middle.
    for side, colour in ((1, CREAM), (-1, GOLD)):
        star = canvas.beginPath()
        for ray in range(_RAYS):
            angle = pi / 2 + 2 * pi * ray / _RAYS
            long = (0.30 if ray % 2 else 0.47) * r
            root = angle + side * pi / _RAYS
            star.moveTo(0, 0)
            star.lineTo(0.15 * r * cos(root), 0.15 * r * sin(root))
            star.lineTo(long * cos(angle), long * sin(angle))
            star.close()
        canvas.setFillColor(colour)
        canvas.drawPath(star, stroke=0, fill=1)


def _title(canvas: Canvas, title: str, half: tuple[float, float], r: float, accent: Color) -> None:
    """Draw the title on a plate between the rosette and the frame, above the middle."""
    size = fonts.fitting_size(title, fonts.DISPLAY, 11.5, 2 * half[0] - 12 * mm)
    y, width = (r + half[1]) / 2, fonts.width(title, fonts.DISPLAY, size)
    for grow, wide, colour in ((0.55 * mm, 0.45 * mm, accent), (0.0, 0.2 * mm, GOLD)):
        x, up = width / 2 + 2.6 * mm + grow, 0.5 * size + 1.0 * mm + grow
        path = canvas.beginPath()
        rounded(path, [(-x, y - up), (x, y - up), (x, y + up), (-x, y + up)], min(1.6 * mm, up / 2))
        canvas.setFillColor(CREAM)
        canvas.setStrokeColor(colour)
        canvas.setLineWidth(wide)
        canvas.drawPath(path, stroke=1, fill=1)
    canvas.setFillColor(accent)
    canvas.setFont(fonts.DISPLAY, size)
    canvas.drawCentredString(0, y - 0.33 * size, title)
