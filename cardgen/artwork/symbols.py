"""Symbols on cards, one function for each, and rounded polygons, drawn as vector paths.

A symbol fills a circle of radius `r` around (x, y), in the caller's unit, with y upwards. Paths are filled by the
even-odd rule, so a shape inside a shape is a hole.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Draw = Callable[["Path", float, float, float], None]

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

    def circle(self, x_cen: float, y_cen: float, r: float) -> object:
        """Add a circle."""

    def close(self) -> object:
        """Close the outline."""


def heart(path: Path, x: float, y: float, r: float) -> None:
    """Draw a heart."""
    y -= 0.08 * r
    path.moveTo(x, y - 0.86 * r)
    path.curveTo(x - 0.30 * r, y - 0.50 * r, x - 1.02 * r, y - 0.12 * r, x - 1.02 * r, y + 0.42 * r)
    path.curveTo(x - 1.02 * r, y + 1.02 * r, x - 0.26 * r, y + 1.14 * r, x, y + 0.52 * r)
    path.curveTo(x + 0.26 * r, y + 1.14 * r, x + 1.02 * r, y + 1.02 * r, x + 1.02 * r, y + 0.42 * r)
    path.curveTo(x + 1.02 * r, y - 0.12 * r, x + 0.30 * r, y - 0.50 * r, x, y - 0.86 * r)
    path.close()


def drop(path: Path, x: float, y: float, r: float) -> None:
    """Draw a drop of water with a glint."""
    path.moveTo(x, y + 1.05 * r)
    path.curveTo(x - 0.14 * r, y + 0.62 * r, x - 0.72 * r, y + 0.18 * r, x - 0.72 * r, y - 0.30 * r)
    path.curveTo(x - 0.72 * r, y - 0.72 * r, x - 0.40 * r, y - 1.0 * r, x, y - 1.0 * r)
    path.curveTo(x + 0.40 * r, y - 1.0 * r, x + 0.72 * r, y - 0.72 * r, x + 0.72 * r, y - 0.30 * r)
    path.curveTo(x + 0.72 * r, y + 0.18 * r, x + 0.14 * r, y + 0.62 * r, x, y + 1.05 * r)
    path.close()
    path.moveTo(x - 0.46 * r, y - 0.34 * r)
    path.curveTo(x - 0.46 * r, y - 0.58 * r, x - 0.30 * r, y - 0.74 * r, x - 0.06 * r, y - 0.76 * r)
    path.curveTo(x - 0.22 * r, y - 0.64 * r, x - 0.32 * r, y - 0.52 * r, x - 0.33 * r, y - 0.30 * r)
    path.close()


def clover(path: Path, x: float, y: float, r: float) -> None:
    """Draw a clover of four heart-shaped leaves with a stem."""
    for angle in (0.25 * pi, 0.75 * pi, 1.25 * pi, 1.75 * pi):
        _leaf(path, x, y + 0.10 * r, 0.84 * r, angle)
    path.moveTo(x - 0.04 * r, y - 0.06 * r)
    path.curveTo(x - 0.02 * r, y - 0.45 * r, x + 0.02 * r, y - 0.75 * r, x + 0.24 * r, y - 1.04 * r)
    path.lineTo(x + 0.38 * r, y - 0.96 * r)
    path.curveTo(x + 0.16 * r, y - 0.70 * r, x + 0.08 * r, y - 0.40 * r, x + 0.06 * r, y - 0.06 * r)
    path.close()


def sun(path: Path, x: float, y: float, r: float) -> None:
    """Draw a sun with twelve separate rays."""
    path.circle(x, y, 0.50 * r)
    for ray in range(12):
        angle = ray * pi / 6
        long = 1.04 if ray % 2 == 0 else 0.86
        _polygon(path, x, y, r, [(0.60, angle - 0.19), (long, angle), (0.60, angle + 0.19)])


def star(path: Path, x: float, y: float, r: float) -> None:
    """Draw a five-pointed star."""
    corners = [(1.06 if n % 2 == 0 else 0.46, pi / 2 + n * pi / 5) for n in range(10)]
    _polygon(path, x, y - 0.06 * r, r, corners)


def flower(path: Path, x: float, y: float, r: float) -> None:
    """Draw a flower of five heart-shaped petals that do not touch its open heart."""
    for petal in range(5):
        angle = pi / 2 + petal * 2 * pi / 5

        def at(along: float, across: float, angle: float = angle) -> tuple[float, float]:
            away, aside = r * along, r * across
            return x + away * cos(angle) - aside * sin(angle), y - 0.04 * r + away * sin(angle) + aside * cos(angle)

        path.moveTo(*at(0.32, 0.0))
        path.curveTo(*at(0.36, 0.16), *at(0.46, 0.52), *at(0.82, 0.47))
        path.curveTo(*at(1.08, 0.43), *at(1.16, 0.16), *at(0.94, 0.0))
        path.curveTo(*at(1.16, -0.16), *at(1.08, -0.43), *at(0.82, -0.47))
        path.curveTo(*at(0.46, -0.52), *at(0.36, -0.16), *at(0.32, 0.0))
        path.close()
    path.circle(x, y - 0.04 * r, 0.22 * r)


def seal(path: Path, x: float, y: float, r: float) -> None:
    """Draw a notary's seal, the symbol of rules: a scalloped disc with a thin ring cut out."""
    scallops = 18
    step = 2 * pi / scallops
    path.moveTo(x + r, y)
    for n in range(scallops):
        a, b = n * step, (n + 1) * step
        middle = 0.86 * r
        path.curveTo(
            x + 1.04 * r * cos(a + 0.3 * step),
            y + 1.04 * r * sin(a + 0.3 * step),
            x + middle * cos(a + 0.4 * step),
            y + middle * sin(a + 0.4 * step),
            x + 0.9 * r * cos(a + 0.5 * step),
            y + 0.9 * r * sin(a + 0.5 * step),
        )
        path.curveTo(
            x + middle * cos(a + 0.6 * step),
            y + middle * sin(a + 0.6 * step),
            x + 1.04 * r * cos(b - 0.3 * step),
            y + 1.04 * r * sin(b - 0.3 * step),
            x + r * cos(b),
            y + r * sin(b),
        )
    path.close()
    path.circle(x, y, 0.78 * r)
    path.circle(x, y, 0.73 * r)


def gem(path: Path, x: float, y: float, r: float) -> None:
    """Draw a gem cut in facets, the symbol of extra specials."""
    top, girdle, foot = y + 0.72 * r, y + 0.26 * r, y - 0.92 * r
    gap = 0.035 * r
    rim = [x - 0.58 * r, x - 0.20 * r, x + 0.20 * r, x + 0.58 * r]
    belt = [x - 1.0 * r, x - 0.40 * r, x + 0.40 * r, x + 1.0 * r]
    for facet in (
        [(rim[0], top), (rim[1] - gap, top), (belt[1] - gap, girdle + gap), (belt[0], girdle + gap)],
        [(rim[1] + gap, top), (rim[2] - gap, top), (belt[2] - gap, girdle + gap), (belt[1] + gap, girdle + gap)],
        [(rim[2] + gap, top), (rim[3], top), (belt[3], girdle + gap), (belt[2] + gap, girdle + gap)],
        [(belt[0], girdle - gap), (belt[1] - gap, girdle - gap), (x - 2 * gap, foot + gap)],
        [(belt[1] + gap, girdle - gap), (belt[2] - gap, girdle - gap), (x, foot)],
        [(belt[2] + gap, girdle - gap), (belt[3], girdle - gap), (x + 2 * gap, foot + gap)],
    ):
        _outline(path, facet)


SYMBOLS: dict[str, Draw] = {
    "clover": clover,
    "drop": drop,
    "flower": flower,
    "gem": gem,
    "heart": heart,
    "seal": seal,
    "star": star,
    "sun": sun,
}


def outlined(path: Path, outline: str, r: float) -> None:
    """Draw path data of `M`, `L`, `C` and `Z`, which fills a circle of radius 1, around (0, 0)."""
    for letter, numbers in re.findall(r"([MLCZ])([^MLCZ]*)", outline):
        at = [float(number) * r for number in numbers.replace(",", " ").split()]
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


def _leaf(path: Path, x: float, y: float, r: float, angle: float) -> None:
    """Draw a heart-shaped leaf of length `r` whose tip lies near (x, y), pointing away at `angle`."""

    def at(along: float, across: float) -> tuple[float, float]:
        return x + r * (along * cos(angle) - across * sin(angle)), y + r * (along * sin(angle) + across * cos(angle))

    path.moveTo(*at(0.10, 0.0))
    path.curveTo(*at(0.30, 0.12), *at(0.42, 0.52), *at(0.72, 0.50))
    path.curveTo(*at(1.06, 0.48), *at(1.10, 0.10), *at(0.88, 0.0))
    path.curveTo(*at(1.10, -0.10), *at(1.06, -0.48), *at(0.72, -0.50))
    path.curveTo(*at(0.42, -0.52), *at(0.30, -0.12), *at(0.10, 0.0))
    path.close()


def _polygon(path: Path, x: float, y: float, r: float, corners: Iterable[tuple[float, float]]) -> None:
    """Draw a polygon of (distance as a share of r, angle) corners around (x, y)."""
    _outline(path, [(x + d * r * cos(a), y + d * r * sin(a)) for d, a in corners])


def _outline(path: Path, points: Sequence[tuple[float, float]]) -> None:
    path.moveTo(*points[0])
    for _, (x, y) in pairwise(points):
        path.lineTo(x, y)
    path.close()
