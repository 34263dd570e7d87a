"""The codes on labels and stickers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.units import mm

from cardgen.symbols import drawn, matrix

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

QUIET = 2
"""Modules of white round a code; the label is white beyond them too."""


def draw_code(canvas: Canvas, text: str, x: float, y: float, side: float, *, alphanumeric: bool = True) -> None:
    """Draw a code with its quiet zone into a square of `side` millimetres whose lower left corner is at x, y."""
    modules = matrix(text, alphanumeric=alphanumeric)
    count = len(modules)
    module = side / (count + 2 * QUIET)
    canvas.saveState()
    canvas.setFillGray(0)
    canvas.translate((x + QUIET * module) * mm, (y + QUIET * module) * mm)
    canvas.scale(module * mm, module * mm)
    canvas.addLiteral(drawn(modules))
    canvas.restoreState()
