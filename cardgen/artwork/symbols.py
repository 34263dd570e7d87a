"""Symbols on cards, read from the SVG files in `drawings/`, and rounded polygons, drawn as vector paths.

A symbol fills a circle of radius `r`. Paths are filled by the even-odd rule, so a shape inside a shape is a hole.
"""

from __future__ import annotations

import re
from math import hypot
from typing import TYPE_CHECKING, Protocol
from xml.etree import ElementTree as ET

from cardgen.artwork.shapes import DRAWINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

_KAPPA = 0.5523
"""The length of a Bézier curve's handles along a quarter of a circle, as a share of the radius."""


class Path(Protocol):
    """A path of a drawing library."""

    def moveTo(self, x: float, y: float) -> object:  # noqa: N802 - the drawing library's name
        """Start an outline."""

    def lineTo(self, x: float, y: float) -> object:  # noqa: N802 - the drawing library's name
        """Add a straight line."""

    def curveTo(self, x1: float, y1: float, x2: float, y2: float, x3: float, y3: float) -> object:  # noqa: N802 - the drawing library's name
        """Add a Bézier curve."""

    def close(self) -> object:
        """Close the outline."""


def _read(name: str) -> str:
    """Return the path data of `drawings/symbol-NAME.svg`: steps M, L, C and Z, each with its letter."""
    (path,) = ET.parse(DRAWINGS / f"symbol-{name}.svg").getroot()  # noqa: S314 - the files are ours
    return path.get("d", "")


SYMBOLS = {name: _read(name) for name in ("clover", "drop", "flower", "gem", "heart", "seal", "star", "sun")}
"""The path data of each symbol, in a circle of radius 1 around (0, 0), with y downwards."""


def outlined(path: Path, outline: str, r: float, up: float = 1) -> None:
    """Draw path data of `M`, `L`, `C` and `Z`, which fills a circle of radius 1, around (0, 0).

    `up` is -1 for data with y downwards.
    """
    for letter, numbers in re.findall(r"([MLCZ])([^MLCZ]*)", outline):
        values = [float(number) * r for number in numbers.replace(",", " ").split()]
        at = [value * up if index % 2 else value for index, value in enumerate(values)]
        if letter == "M":
            path.moveTo(*at)
        elif letter == "L":
            path.lineTo(*at)
        elif letter == "C":
            path.curveTo(*at)
        else:
            path.close()


def rounded(path: Path, corners: Sequence[tuple[float, float]], radius: float) -> None:
    """Draw a closed polygon whose corners, inward ones too, are rounded by `radius`."""
    count = len(corners)
    for n, (x, y) in enumerate(corners):
        (ax, ay), (bx, by) = corners[n - 1], corners[(n + 1) % count]
        before, after = hypot(ax - x, ay - y), hypot(bx - x, by - y)
        start = (x + (ax - x) * radius / before, y + (ay - y) * radius / before)
        end = (x + (bx - x) * radius / after, y + (by - y) * radius / after)
        (path.lineTo if n else path.moveTo)(*start)
        handles = [(p + (c - p) * _KAPPA, q + (d - q) * _KAPPA) for (p, q), (c, d) in ((start, (x, y)), (end, (x, y)))]
        path.curveTo(*handles[0], *handles[1], *end)
    path.close()
