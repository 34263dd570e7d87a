"""The plots of `haggle bench scan`."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from reportlab.graphics import renderPDF, renderSVG
from reportlab.graphics.charts.axes import LogXValueAxis, XValueAxis
from reportlab.graphics.charts.barcharts import HorizontalBarChart
from reportlab.graphics.charts.legends import Legend
from reportlab.graphics.charts.lineplots import LinePlot
from reportlab.graphics.shapes import Drawing, String
from reportlab.graphics.widgets.markers import makeMarker
from reportlab.lib.colors import HexColor

from benchmarks.scan.measure import bins, middle
from cardgen.pages.raster import page_images

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from benchmarks.scan.measure import Row

    Points = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 360, 60, 20, 64, 48

# Room for the names of sets beside their bars.
_NAMES = 120
_BAR = 11
_DPI = 110
_COLOURS = [HexColor(one) for one in ("#1F4E8C", "#E8A33D", "#3B8F5A", "#B0413E", "#7A5195", "#6F7684", "#2CA6A4")]

# Lines differ by their dashes too, for a grey print and for readers who mix up colours.
_DASHES = (None, (6, 3), (2, 2), (8, 3, 2, 3), (1, 3), (10, 4), (4, 1))

# Pixels a module up to which the plot of sizes goes.
_LARGEST = 6.0

# Times the decoding that the longest bar stands for.
_LONGEST = 12

# From this ratio of the last value to the first on the axis is logarithmic.
_STEEP = 16
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
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    plain = [row for row in rows if row.of.kind != "curve"]
    if plain:
        files += _save(_bars("Recall: share of the codes read", plain, _recall, 1.0, percent=True), folder, "recall")
        # Beyond this a bar only says how slow its reader is.
        top = float(min(4 * ceil(max(middle(row.totals) for row in plain) / 4), _LONGEST))
        title = f"Time as a multiple of decoding (bars end at {top:g})"
        files += _save(_bars(title, plain, lambda row: middle(row.totals), top, percent=False), folder, "time")
    sizes: dict[str, list[tuple[float, float]]] = {}
    for reader, low, high, codes, read in bins(rows):
        if high <= _LARGEST:
            sizes.setdefault(reader, []).append(((max(low, 0.8) + high) / 2, read / codes))
    if sizes:
        title = "All photographs of this run: share of codes read"
        files += _save(_lines(title, "pixels a module", list(range(7)), sizes), folder, "module-sizes")
    for curve in dict.fromkeys(row.of.group for row in rows if row.of.kind == "curve"):
        own = [row for row in rows if row.of.group == curve and row.of.kind == "curve"]
        values = sorted({row.of.value for row in own if row.of.value is not None})
        for name, of in (("codes", _recall), ("cards", _cards)):
            series: dict[str, list[tuple[float, float]]] = {}
            for row in own:
                series.setdefault(row.reader, []).append((row.of.value or 0.0, of(row)))
            title = f"Curve {curve}: share of {name} read"
            drawing = _lines(title, _TITLES.get(curve, curve), values, series)
            files += _save(drawing, folder, f"curve-{curve}-{name}")
    return files


def _lines(title: str, across: str, marks: Sequence[float], series: Mapping[str, Points]) -> Drawing:
    """Draw named series of points, the shares of which go from 0 to 1, each as a line."""
    drawing = _framed(title, _HEIGHT, list(series))
    plot = LinePlot()
    plot.x, plot.y = _LEFT, _BOTTOM
    plot.width, plot.height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    plot.data = [sorted(points) for points in series.values()]
    plot.xValueAxis = LogXValueAxis() if 0 < _STEEP * marks[0] < marks[-1] else XValueAxis()
    plot.xValueAxis.valueMin, plot.xValueAxis.valueMax = marks[0], marks[-1]
    plot.xValueAxis.valueSteps, plot.xValueAxis.labelTextFormat = list(marks), lambda value: f"{value:g}"
    _share_axis(plot.yValueAxis)
    for number in range(len(series)):
        plot.lines[number].strokeColor = _COLOURS[number % len(_COLOURS)]
        plot.lines[number].strokeDashArray = _DASHES[number % len(_DASHES)]
        plot.lines[number].strokeWidth = 1.8
        plot.lines[number].symbol = makeMarker("FilledCircle", size=5)
    drawing.add(plot)
    drawing.add(String(_WIDTH / 2, 10, across, textAnchor="middle"))
    return drawing


def _bars(title: str, rows: Sequence[Row], value: Callable[[Row], float], top: float, *, percent: bool) -> Drawing:
    """Draw bars side by side for each set: one for each reader."""
    readers = list(dict.fromkeys(row.reader for row in rows))
    groups = list(dict.fromkeys(row.of.name for row in rows))
    values = {(row.reader, row.of.name): min(value(row), top) for row in rows}
    height = _TOP + _BOTTOM + len(groups) * (len(readers) + 1) * _BAR
    drawing = _framed(title, height, readers)
    chart = HorizontalBarChart()
    chart.x, chart.y, chart.width, chart.height = _NAMES, _BOTTOM, _WIDTH - _NAMES - _RIGHT, height - _TOP - _BOTTOM
    # The chart counts from below.
    chart.data = [[values.get((reader, group)) for group in groups] for reader in reversed(readers)]
    chart.categoryAxis.categoryNames = groups
    chart.categoryAxis.reverseDirection = 1
    chart.valueAxis.valueMin, chart.valueAxis.valueMax, chart.valueAxis.valueStep = 0, top, top / 4
    if percent:
        _share_axis(chart.valueAxis)
    for number in range(len(readers)):
        colour = _COLOURS[(len(readers) - 1 - number) % len(_COLOURS)]
        chart.bars[number].fillColor, chart.bars[number].strokeColor = colour, None
    drawing.add(chart)
    return drawing


def _share_axis(axis: XValueAxis) -> None:
    axis.valueMin, axis.valueMax, axis.valueStep = 0, 1, 0.2
    axis.labelTextFormat = lambda value: f"{value:.0%}"
    axis.visibleGrid, axis.gridStrokeColor = 1, HexColor("#D5D9E2")


def _framed(title: str, height: float, names: Sequence[str]) -> Drawing:
    """Return an empty drawing with a title and a legend."""
    drawing = Drawing(_WIDTH, height)
    drawing.add(String(12, height - 22, title))
    legend = Legend()
    legend.x, legend.y, legend.columnMaximum, legend.deltax, legend.alignment = 12, height - 36, 1, 90, "right"
    legend.colorNamePairs = [(_COLOURS[number % len(_COLOURS)], name) for number, name in enumerate(names)]
    drawing.add(legend)
    return drawing


def _save(drawing: Drawing, folder: Path, name: str) -> list[Path]:
    """Write a drawing as SVG and PNG, and return the files."""
    svg, png = folder / f"{name}.svg", folder / f"{name}.png"
    svg.write_text(renderSVG.drawToString(drawing), encoding="utf-8")
    (picture,) = page_images(renderPDF.drawToString(drawing), _DPI)
    # Few colours, so that the file is small.
    picture.quantize(64).save(png, optimize=True)
    return [svg, png]


def _recall(row: Row) -> float:
    return row.tally.codes_read / (row.tally.codes or 1)


def _cards(row: Row) -> float:
    return row.tally.cards_read / (row.tally.cards or 1)
