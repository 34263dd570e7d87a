"""The plots of `haggle bench scan`."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from server.bench.charts import Axis, bars, lines, save
from server.bench.measuring import bins, middle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from server.bench.measuring import Row

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
