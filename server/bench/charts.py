"""Line and bar charts as SVG and PNG."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, NamedTuple

from reportlab.graphics import renderPDF, renderSVG
from reportlab.graphics.shapes import Circle, Drawing, Line, PolyLine, Rect, String
from reportlab.lib.colors import HexColor

from cardgen.raster import page_images

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from reportlab.lib.colors import Color

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 640.0, 60.0, 20.0, 64.0, 48.0
_HEIGHT = 360.0
_BAR, _BETWEEN, _NAMES, _FIGURES = 11.0, 8.0, 120.0, 60.0
_LEGEND = 88.0
# Points from one name in the legend to the next.
_DPI = 110
_INK, _GRID = HexColor("#20263A"), HexColor("#D5D9E2")
_COLOURS = ("#1F4E8C", "#E8A33D", "#3B8F5A", "#B0413E", "#7A5195", "#6F7684", "#2CA6A4")
_DASHES = (None, (6, 3), (2, 2), (8, 3, 2, 3), (1, 3), (10, 4), (4, 1))
# Lines differ by their dashes too, so that a grey print and a reader who mixes up colours tell them apart.


class Axis(NamedTuple):
    """An axis: what it says, and the values that it begins and ends with and is marked at.

    On a `steep` one each doubling takes as much room as the one before.
    """

    title: str
    marks: Sequence[float]
    percent: bool = False
    steep: bool = False

    def at(self, value: float) -> float:
        """Return where a value lies: 0 at the first mark, 1 at the last."""
        low, high = self.marks[0], self.marks[-1]
        if self.steep:
            low, high, value = log2(low), log2(high), log2(value)
        return min(max((value - low) / ((high - low) or 1), 0.0), 1.0)

    def written(self, value: float) -> str:
        """Return a value as the axis writes it."""
        return f"{value:.0%}" if self.percent else f"{value:g}"


def lines(title: str, across: Axis, up: Axis, series: Mapping[str, Sequence[tuple[float, float]]]) -> Drawing:
    """Draw named series of points (x, y), each as a line."""
    drawing = Drawing(_WIDTH, _HEIGHT)
    wide, tall = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def place(x: float, y: float) -> tuple[float, float]:
        return _LEFT + wide * across.at(x), _BOTTOM + tall * up.at(y)

    for mark in up.marks:
        y = _BOTTOM + tall * up.at(mark)
        drawing.add(Line(_LEFT, y, _LEFT + wide, y, strokeColor=_GRID))
        _write(drawing, _LEFT - 6, y - 4, up.written(mark), "end")
    for mark in across.marks:
        x = _LEFT + wide * across.at(mark)
        drawing.add(Line(x, _BOTTOM, x, _BOTTOM - 4, strokeColor=_INK))
        _write(drawing, x, _BOTTOM - 16, across.written(mark), "middle")
    _write(drawing, _LEFT + wide / 2, 10, across.title, "middle")
    for number, (name, points) in enumerate(series.items()):
        ink, dashes = _look(number)
        spots = [place(x, y) for x, y in points]
        if len(spots) > 1:
            flat = [one for spot in spots for one in spot]
            drawing.add(PolyLine(flat, strokeColor=ink, strokeWidth=1.8, strokeDashArray=dashes))
        for x, y in spots:
            drawing.add(Circle(x, y, 2.4, fillColor=ink, strokeColor=None))
        left = 12 + _LEGEND * number
        drawing.add(
            Line(left, _HEIGHT - 41, left + 18, _HEIGHT - 41, strokeColor=ink, strokeWidth=2, strokeDashArray=dashes)
        )
        _write(drawing, left + 22, _HEIGHT - 45, name)
    _write(drawing, 12, _HEIGHT - 22, f"{title}: {up.title}")
    return drawing


def bars(title: str, along: Axis, groups: Mapping[str, Mapping[str, float]]) -> Drawing:
    """Draw bars side by side for each group: a value for each name, which have the same ink in every group."""
    names = list(dict.fromkeys(name for group in groups.values() for name in group))
    rows = sum(len(group) for group in groups.values())
    height = _TOP + 12 + rows * _BAR + len(groups) * _BETWEEN + 12
    drawing = Drawing(_WIDTH, height)
    wide = _WIDTH - _NAMES - _FIGURES
    for mark in along.marks:
        x = _NAMES + wide * along.at(mark)
        drawing.add(Line(x, 24, x, height - _TOP, strokeColor=_GRID))
        _write(drawing, x, 10, along.written(mark), "middle")
    for number, name in enumerate(names):
        drawing.add(Rect(12 + _LEGEND * number, height - 46, 10, 10, fillColor=_look(number)[0], strokeColor=None))
        _write(drawing, 12 + _LEGEND * number + 14, height - 45, name)
    y = height - _TOP
    for group, values in groups.items():
        _write(drawing, _NAMES - 6, y - _BAR * (len(values) + 1) / 2 + 2, group, "end")
        for name, value in values.items():
            y -= _BAR
            long = max(wide * along.at(value), 0.5)
            drawing.add(Rect(_NAMES, y, long, _BAR - 2, fillColor=_look(names.index(name))[0], strokeColor=None))
            _write(drawing, _NAMES + long + 4, y + 1, _figure(along, value), size=8)
        y -= _BETWEEN
    _write(drawing, 12, height - 22, f"{title}: {along.title}")
    return drawing


def save(drawing: Drawing, folder: Path, name: str) -> list[Path]:
    """Write a drawing into a folder, which is made if needed, as SVG and PNG, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    svg, png = folder / f"{name}.svg", folder / f"{name}.png"
    svg.write_text(renderSVG.drawToString(drawing), encoding="utf-8")
    (picture,) = page_images(renderPDF.drawToString(drawing), _DPI)
    # Few colours, so that the file is small.
    picture.quantize(64).save(png, optimize=True)
    return [svg, png]


def _figure(along: Axis, value: float) -> str:
    # A share just below all of it is not to read 100 %.
    return f"{int(value * 1000) / 10:g} %" if along.percent else f"{value:.3g}"


def _look(number: int) -> tuple[Color, Sequence[int] | None]:
    return HexColor(_COLOURS[number % len(_COLOURS)]), _DASHES[number % len(_DASHES)]


def _write(drawing: Drawing, x: float, y: float, text: str, anchor: str = "start", size: float = 10) -> None:
    drawing.add(String(x, y, text, fontName="Helvetica", fontSize=size, textAnchor=anchor, fillColor=_INK))
