"""Vector drawings in named inks, read from the SVG files in `drawings/`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from math import cos, radians, sin
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

DRAWINGS = Path(__file__).parent / "drawings"

Point = tuple[float, float]
Step = tuple[str, tuple[Point, ...]]
"""M, L, C or Z as in SVG, and its points."""
Steps = tuple[Step, ...]

_KAPPA = 0.5523
"""The length of a Bézier curve's handles along a quarter of a circle, as a share of the radius."""
_SVG = "{http://www.w3.org/2000/svg}"
_STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_POINTS = {"M": 1, "L": 1, "C": 3, "Z": 0}
"""The number of points of a step."""


@dataclass(frozen=True)
class Shape:
    """Outlines with a fill, a line, or both; each names an ink of the palette, "" is none.

    Outlines inside others are holes. `width` is that of the line; only what lies inside `clip` is drawn.
    """

    steps: Steps
    fill: str = ""
    line: str = ""
    width: float = 0.0
    clip: Steps = ()


@cache
def drawing(name: str) -> tuple[Shape, ...]:
    """Return the shapes of `drawings/NAME.svg`, in millimetres, with y upwards.

    A file consists of paths and clip paths of a single path, without transforms. A path's classes name its inks, such
    as "fill-gold" and "line-ink", its width is an attribute, and its data is as `parse_path` reads it.
    """
    root = ET.parse(DRAWINGS / f"{name}.svg").getroot()  # noqa: S314 - the files are ours
    clips = {f"url(#{clip.get('id')})": _upright(clip[0]) for clip in root.iter(f"{_SVG}clipPath")}
    shapes = []
    for path in root.iterfind(f"{_SVG}path"):
        inks = dict(word.split("-") for word in path.get("class", "").split())
        width, clip = float(path.get("stroke-width", 0)), clips.get(path.get("clip-path", ""), ())
        shapes.append(Shape(_upright(path), inks.get("fill", ""), inks.get("line", ""), width, clip))
    return tuple(shapes)


def _upright(path: ET.Element) -> Steps:
    """Return a path's steps with y upwards."""
    # A subtraction, because a negation would give zeros a sign, which is printed.
    return _mapped_steps(parse_path(path.get("d", "")), lambda point: (point[0], 0.0 - point[1]))


def parse_path(path: str) -> Steps:
    """Read the data of an SVG path of the steps M, L, C and Z; ValueError for any other."""
    steps: list[Step] = []
    for letter, text in _STEP.findall(path):
        numbers = [float(number) for number in text.split()]
        points = tuple(zip(numbers[::2], numbers[1::2], strict=False))
        each = _POINTS.get(letter, 0)
        groups = [points[n : n + each] for n in range(0, len(points), each)] if each else [()]
        if letter not in _POINTS or not groups or 2 * each * len(groups) != len(numbers):
            raise ValueError(f"{letter} with {len(numbers)} numbers is not a step: {path}")
        steps += [(letter, group) for group in groups]
    return tuple(steps)


def rectangle(left: float, bottom: float, right: float, top: float) -> Steps:
    """Return the outline of a rectangle."""
    return (
        ("M", ((left, bottom),)),
        ("L", ((right, bottom),)),
        ("L", ((right, top),)),
        ("L", ((left, top),)),
        ("Z", ()),
    )


def circle(radius: float) -> Steps:
    """Return the outline of a circle around the origin."""
    r, handle = radius, radius * _KAPPA
    return (
        ("M", ((r, 0),)),
        ("C", ((r, handle), (handle, r), (0, r))),
        ("C", ((-handle, r), (-r, handle), (-r, 0))),
        ("C", ((-r, -handle), (-handle, -r), (0, -r))),
        ("C", ((handle, -r), (r, -handle), (r, 0))),
        ("Z", ()),
    )


def clipped(shapes: Iterable[Shape], frame: Steps) -> list[Shape]:
    """Return shapes clipped to a frame, except for those with their own clip."""
    return [shape if shape.clip else replace(shape, clip=frame) for shape in shapes]


def moved(shapes: Iterable[Shape], x: float = 0, y: float = 0, scale: float = 1, turn: float = 0) -> list[Shape]:
    """Return shapes scaled, rotated counter-clockwise by `turn` degrees, and moved, in this order."""
    c, s = cos(radians(turn)) * scale, sin(radians(turn)) * scale
    return mapped(shapes, lambda point: (point[0] * c - point[1] * s + x, point[0] * s + point[1] * c + y), scale)


def mapped(shapes: Iterable[Shape], place: Callable[[Point], Point], scale: float = 1) -> list[Shape]:
    """Return shapes with `place` applied to every point and line widths multiplied by `scale`."""
    return [
        replace(
            shape,
            steps=_mapped_steps(shape.steps, place),
            clip=_mapped_steps(shape.clip, place),
            width=shape.width * scale,
        )
        for shape in shapes
    ]


def _mapped_steps(steps: Steps, place: Callable[[Point], Point]) -> Steps:
    return tuple((letter, tuple(place(point) for point in points)) for letter, points in steps)
