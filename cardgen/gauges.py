"""What a printer is measured by: rulers, a grid and a cross, a ladder of codes, steps of grey, patches of colour.

Lengths in millimetres from the page's lower left corner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from cardgen import texts
from cardgen.faces import GOLD, INK, WHITE
from cardgen.label_code import draw_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reportlab.pdfgen.canvas import Canvas

LADDER = (0.35, 0.4, 0.45, 0.5, 0.6, 0.72, 0.84, 0.96, 1.2)
"""Modules of the codes in millimetres; those of the usual cards are among them."""
LADDER_HEIGHT = 34.5
REACH = 8
"""How far the grid goes from its middle each way."""
GRID_SIDE = 30.0
"""What the grid takes with its numbers."""
PATCH_HEIGHT = 15.0
_MODULES = 25
# A symbol and its quiet zone.
_STEPS = 11
_SMALL = 6.5


def draw_ruler(canvas: Canvas, x: float, y: float, length: int, *, upright: bool) -> None:
    """Draw a ruler that begins at a point, with its ticks above it, or at its right."""
    canvas.saveState()
    canvas.translate(x * mm, y * mm)
    if upright:
        # Turned and mirrored, so that the ticks point away from the paper's edge.
        canvas.transform(0, 1, 1, 0, 0, 0)
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(0.4)
    canvas.line(0, 0, length * mm, 0)
    canvas.setLineWidth(0.25)
    canvas.lines([(n * mm, 0, n * mm, _tick(n) * mm) for n in range(length + 1)])
    canvas.restoreState()
    canvas.setFillColor(INK)
    canvas.setFont(texts.STRONG, _SMALL)
    for n in range(0, length + 1, 10):
        if upright and n:
            canvas.drawString((x + 4.8) * mm, (y + n) * mm - 0.33 * _SMALL, str(n))
        elif not upright and n:
            canvas.drawCentredString((x + n) * mm, (y + 4.8) * mm, str(n))
        elif not n and not upright:
            canvas.drawRightString((x - 1.2) * mm, (y - 2.6) * mm, "0 mm")


def draw_grid(canvas: Canvas, x: float, y: float, *, flip_x: bool, flip_y: bool) -> None:
    """Draw a grid round a point, numbered from the middle to the right and up, or the other way where flipped."""
    canvas.setStrokeColor(INK)
    for n in range(-REACH, REACH + 1):
        canvas.setLineWidth(0.35 if n % 2 == 0 else 0.12)
        for line in ((x + n, y - REACH, x + n, y + REACH), (x - REACH, y + n, x + REACH, y + n)):
            canvas.line(*(place * mm for place in line))
    canvas.setStrokeColor(GOLD)
    canvas.setLineWidth(1.0)
    canvas.line((x - REACH) * mm, y * mm, (x + REACH) * mm, y * mm)
    canvas.line(x * mm, (y - REACH) * mm, x * mm, (y + REACH) * mm)
    canvas.setFillColor(INK)
    canvas.setFont(texts.STRONG, _SMALL)
    for n in range(-REACH, REACH + 1, 4):
        canvas.drawCentredString((x + n) * mm, (y - REACH - 3.0) * mm, _signed(-n if flip_x else n))
        canvas.drawRightString((x - REACH - 1.2) * mm, (y + n) * mm - 0.33 * _SMALL, _signed(-n if flip_y else n))
    canvas.setFont(texts.DISPLAY, 9)
    canvas.drawString((x + REACH + 3.6) * mm, (y - REACH - 3.2) * mm, "X")
    canvas.drawCentredString((x - REACH - 2.6) * mm, (y + REACH + 2.6) * mm, "Y")


def draw_cross(canvas: Canvas, x: float, y: float) -> None:
    """Draw a cross so dark that it is seen through paper, with a ring round its middle."""
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.9)
    reach = REACH + 4.0
    canvas.line((x - reach) * mm, y * mm, (x + reach) * mm, y * mm)
    canvas.line(x * mm, (y - reach) * mm, x * mm, (y + reach) * mm)
    canvas.circle(x * mm, y * mm, 3.0 * mm)


def ladder_text(module: float) -> str:
    """Return what a code of the ladder says."""
    return f"HAGGLE {module:.2f} MM"


def draw_ladder(canvas: Canvas, x: float, top: float, width: float, point: str) -> None:
    """Draw codes from the smallest to the largest, standing on a line, each with its module below it.

    `point` stands before the decimals.
    """
    sides = [module * _MODULES for module in LADDER]
    gap = (width - sum(sides)) / (len(sides) - 1)
    foot = top - sides[-1]
    canvas.setFillColor(INK)
    canvas.setFont(texts.STRONG, _SMALL)
    for module, side in zip(LADDER, sides, strict=True):
        canvas.setFillColor(INK)
        canvas.drawCentredString((x + side / 2) * mm, (foot - 2.4) * mm, f"{module:.2f}".replace(".", point))
        draw_code(canvas, ladder_text(module), x, foot, side)
        x += side + gap


def draw_greys(canvas: Canvas, x: float, top: float, width: float) -> None:
    """Draw steps of grey from white to black, each with its share of black."""
    side = width / _STEPS
    for n in range(_STEPS):
        canvas.setFillGray(1 - n / (_STEPS - 1))
        canvas.rect((x + n * side) * mm, (top - PATCH_HEIGHT + 3.5) * mm, side * mm, (PATCH_HEIGHT - 3.5) * mm, 0, 1)
    _frame(canvas, x, top, width)
    canvas.setFillColor(INK)
    canvas.setFont(texts.STRONG, _SMALL)
    for n in range(_STEPS):
        middle = (x + (n + 0.5) * side) * mm
        canvas.drawCentredString(middle, (top - PATCH_HEIGHT) * mm, f"{100 * n // (_STEPS - 1)} %")


def draw_colours(canvas: Canvas, x: float, top: float, width: float, inks: Sequence[str]) -> None:
    """Draw a patch of each colour ("#RRGGBB"), with its name."""
    side = width / len(inks)
    for n, ink in enumerate(inks):
        canvas.setFillColor(HexColor(ink))
        canvas.rect((x + n * side) * mm, (top - PATCH_HEIGHT + 3.5) * mm, side * mm, (PATCH_HEIGHT - 3.5) * mm, 0, 1)
    _frame(canvas, x, top, width)
    canvas.setFillColor(INK)
    canvas.setFont(texts.STRONG, _SMALL)
    for n, ink in enumerate(inks):
        canvas.drawCentredString((x + (n + 0.5) * side) * mm, (top - PATCH_HEIGHT) * mm, ink.upper())


def draw_band(canvas: Canvas, box: tuple[float, float, float, float], title: str, side: str) -> None:
    """Draw the house's band over a page: (left, bottom, right, top)."""
    left, bottom, right, top = box
    canvas.setFillColor(INK)
    canvas.rect(left * mm, bottom * mm, (right - left) * mm, (top - bottom) * mm, stroke=0, fill=1)
    canvas.setFillColor(GOLD)
    canvas.rect(left * mm, (bottom - 0.8) * mm, (right - left) * mm, 0.8 * mm, stroke=0, fill=1)
    canvas.setFillColor(WHITE)
    base = (bottom + top) / 2 - 2.2
    canvas.setFont(texts.DISPLAY, 19)
    canvas.drawString((left + 5) * mm, base * mm, title)
    canvas.setFont(texts.STRONG, 9)
    canvas.drawRightString((right - 5) * mm, (base + 0.4) * mm, side.upper(), charSpace=1.2)


def _frame(canvas: Canvas, x: float, top: float, width: float) -> None:
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(0.25)
    canvas.rect(x * mm, (top - PATCH_HEIGHT + 3.5) * mm, width * mm, (PATCH_HEIGHT - 3.5) * mm)


def _tick(n: int) -> float:
    if n % 10 == 0:
        return 4.0
    return 2.8 if n % 5 == 0 else 1.8


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"
