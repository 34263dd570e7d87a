"""The plots of `haggle bench scan`."""

from __future__ import annotations

from math import ceil, log2
from typing import TYPE_CHECKING, NamedTuple

from reportlab.graphics import renderPDF, renderSVG
from reportlab.graphics.shapes import Circle, Drawing, Line, PolyLine, Rect, String
from reportlab.lib.colors import HexColor

from benchmarks.scan.measure import bins, middle
from cardgen.raster import page_images

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from reportlab.lib.colors import Color

    from benchmarks.scan.measure import Row

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


_SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_LARGEST = 6.0
# Pixels a module up to which the plot of sizes goes.
_LONGEST = 12
# Times the decoding that the longest bar stands for.
_STEEP = 16
# From this ratio of the last value to the first on doublings are even steps.
_TITLES = {
    "defocus": "radius of the blur, in modules",
    "motion": "length of the motion, in modules",
    "module": "pixels a module",
    "tilt": "tilt, in degrees",
    "iso": "noise, as ISO",
    "curl": "radius to which cards are bent, in mm",
    "quality": "JPEG quality",
}


def write_plots(rows: Sequence[Row], folder: Path) -> list[Path]:
    """Write all plots that the rows give into a folder, which is made if needed, and return the files."""
    files: list[Path] = []
    plain = [row for row in rows if row.of.kind != "curve"]
    if plain:
        cards = Axis("share of the codes read", _SHARES, percent=True)
        files += save(bars("Recall", cards, _groups(plain, _recall)), folder, "recall")
        times = [middle(row.totals) for row in plain]
        # Beyond this a bar only says how slow its reader is.
        top = float(min(4 * ceil(max(times) / 4), _LONGEST))
        time = Axis(f"time as a multiple of decoding (bars end at {top:g})", _marks(top))
        files += save(bars("Time", time, _groups(plain, lambda row: middle(row.totals))), folder, "time")
    sizes: dict[str, list[tuple[float, float]]] = {}
    for reader, low, high, codes, read in bins(rows):
        if high <= _LARGEST:
            sizes.setdefault(reader, []).append(((max(low, 0.8) + high) / 2, read / codes))
    if sizes:
        across, up = Axis("pixels a module", (0, 1, 2, 3, 4, 5, 6)), Axis("share of codes read", _SHARES, percent=True)
        files += save(lines("All photographs of this run", across, up, sizes), folder, "module-sizes")
    for curve in dict.fromkeys(row.of.group for row in rows if row.of.kind == "curve"):
        own = [row for row in rows if row.of.group == curve and row.of.kind == "curve"]
        values = sorted({row.of.value for row in own if row.of.value is not None})
        across = Axis(_TITLES.get(curve, curve), values, steep=0 < _STEEP * values[0] < values[-1])
        for name, of in (("codes", _recall), ("cards", _cards)):
            up = Axis(f"share of {name} read", _SHARES, percent=True)
            series: dict[str, list[tuple[float, float]]] = {}
            for row in own:
                series.setdefault(row.reader, []).append((row.of.value or 0.0, of(row)))
            files += save(lines(f"Curve {curve}", across, up, series), folder, f"curve-{curve}-{name}")
    return files


def _groups(rows: Sequence[Row], value: Callable[[Row], float]) -> dict[str, dict[str, float]]:
    groups: dict[str, dict[str, float]] = {}
    for row in rows:
        groups.setdefault(row.of.name, {})[row.reader] = value(row)
    return groups


def _marks(top: float) -> tuple[float, ...]:
    return tuple(top * part / 4 for part in range(5))


def _recall(row: Row) -> float:
    return row.tally.codes_read / (row.tally.codes or 1)


def _cards(row: Row) -> float:
    return row.tally.cards_read / (row.tally.cards or 1)
