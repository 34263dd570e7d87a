"""Shapes of `cardgen.tarot` as vectors on a canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.units import mm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reportlab.lib.colors import Color
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.pdfgen.pathobject import PDFPathObject

    from cardgen.tarot.shapes import Shape, Steps

_EVEN_ODD = 0


def draw_shapes(canvas: Canvas, shapes: Iterable[Shape], palette: Mapping[str, Color]) -> None:
    """Draw shapes, in millimetres from where the canvas stands, each ink by its colour in the palette."""
    canvas.setLineJoin(1)
    canvas.setLineCap(1)
    for shape in shapes:
        if shape.clip:
            canvas.saveState()
            canvas.clipPath(_path(canvas, shape.clip), stroke=0, fill=0)
        if shape.fill:
            canvas.setFillColor(palette[shape.fill])
        if shape.line:
            canvas.setStrokeColor(palette[shape.line])
            canvas.setLineWidth(shape.width * mm)
        path = _path(canvas, shape.steps)
        canvas.drawPath(path, stroke=int(bool(shape.line)), fill=int(bool(shape.fill)), fillMode=_EVEN_ODD)
        if shape.clip:
            canvas.restoreState()


def _path(canvas: Canvas, steps: Steps) -> PDFPathObject:
    path = canvas.beginPath()
    for letter, points in steps:
        if letter == "M":
            path.moveTo(points[0][0] * mm, points[0][1] * mm)
        elif letter == "L":
            path.lineTo(points[0][0] * mm, points[0][1] * mm)
        elif letter == "C":
            path.curveTo(*(side * mm for point in points for side in point))
        else:
            path.close()
    return path
