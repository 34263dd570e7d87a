"""Shapes as data: outlines in a small language, and how they are moved. Our own drawings are written in it.

A path is a text of letters and numbers, y upwards, in millimetres on a poker card unless its module says otherwise.
M x y starts an outline, L x y … goes on straight, C x1 y1 x2 y2 x y … by Bézier curves, Z closes it.
O x y r is a circle, E x y rx ry an ellipse, R x y width height a rectangle, P x y x y … a closed polygon.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, radians, sin
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Point = tuple[float, float]
Step = tuple[str, tuple[Point, ...]]
"""M, L, C or Z, and its points."""
Steps = tuple[Step, ...]

_TOKEN = re.compile(r"([CELMOPRZ])|(-?\d*\.?\d+)")
_COUNTS = {
    "M": (2,),
    "L": range(2, 1000, 2),
    "C": range(6, 1000, 6),
    "Z": (0,),
    "P": range(6, 1000, 2),
    "R": (4,),
    "O": (3,),
    "E": (4,),
}
"""How many numbers each letter may have."""
_KAPPA = 0.5523
"""How far a Bézier curve's handles reach along a quarter of a circle, as a share of the radius."""


@dataclass(frozen=True)
class Shape:
    """Outlines with a fill, a line, or both; each names an ink of the palette, "" is none.

    Outlines inside others are holes. `width` is that of the line; nothing of the shape is seen outside of `clip`.
    """

    steps: Steps
    fill: str = ""
    line: str = ""
    width: float = 0.0
    clip: Steps = ()


def filled(ink: str, path: str) -> Shape:
    """Return a shape without a line."""
    return Shape(steps_of(path), fill=ink)


def lined(ink: str, width: float, path: str, fill: str = "") -> Shape:
    """Return a line, round at its ends, around a fill if there is one."""
    return Shape(steps_of(path), fill=fill, line=ink, width=width)


def clipped(shapes: Iterable[Shape], path: str) -> list[Shape]:
    """Return shapes of which only what lies inside of a path is seen."""
    clip = steps_of(path)
    return [replace(shape, clip=clip) for shape in shapes]


def framed(shapes: Iterable[Shape], path: str) -> list[Shape]:
    """Return shapes of which only what lies inside of a path is seen, if they have not been clipped already."""
    clip = steps_of(path)
    return [shape if shape.clip else replace(shape, clip=clip) for shape in shapes]


def moved(
    shapes: Iterable[Shape], x: float = 0, y: float = 0, scale: float = 1, turn: float = 0, *, mirror: bool = False
) -> list[Shape]:
    """Return shapes scaled, mirrored left to right, turned by degrees to the left, and moved, in this order."""
    c, s, way = cos(radians(turn)) * scale, sin(radians(turn)) * scale, -1 if mirror else 1

    def place(point: Point) -> Point:
        across, up = point[0] * way, point[1]
        return across * c - up * s + x, across * s + up * c + y

    return mapped(shapes, place, scale)


def mapped(shapes: Iterable[Shape], place: Callable[[Point], Point], scale: float = 1) -> list[Shape]:
    """Return shapes with every point put elsewhere; lines become thicker by `scale`."""
    return [
        replace(shape, steps=_put(shape.steps, place), clip=_put(shape.clip, place), width=shape.width * scale)
        for shape in shapes
    ]


def inked(shapes: Iterable[Shape], inks: dict[str, str]) -> list[Shape]:
    """Return shapes with some inks changed for others."""
    return [
        replace(shape, fill=inks.get(shape.fill, shape.fill), line=inks.get(shape.line, shape.line)) for shape in shapes
    ]


@lru_cache(maxsize=4096)
def steps_of(path: str) -> Steps:
    """Read a path; ValueError for one that is no sentence of the language."""
    steps: list[Step] = []
    letter, numbers = "", []
    for word, number in [*_TOKEN.findall(path), ("Z", "")]:
        if number:
            numbers.append(float(number))
            continue
        if letter:
            steps += _read(letter, numbers, path)
        letter, numbers = word, []
    # The last Z stands for the end of the text: it closes nothing that was not closed in words.
    return tuple(steps)


def _read(letter: str, numbers: Sequence[float], path: str) -> list[Step]:
    points = tuple(zip(numbers[::2], numbers[1::2], strict=False))
    if len(numbers) not in _COUNTS[letter]:
        raise ValueError(f"{letter} with {len(numbers)} numbers is no step: {path}")
    match letter:
        case "L":
            steps: list[Step] = [("L", (point,)) for point in points]
        case "C":
            steps = [("C", points[n : n + 3]) for n in range(0, len(points), 3)]
        case "P":
            steps = [("M", points[:1]), *(("L", (point,)) for point in points[1:]), ("Z", ())]
        case "R":
            (x, y), (width, height) = points
            steps = _read("P", (x, y, x + width, y, x + width, y + height, x, y + height), path)
        case "O":
            steps = _ellipse(numbers[0], numbers[1], numbers[2], numbers[2])
        case "E":
            steps = _ellipse(numbers[0], numbers[1], numbers[2], numbers[3])
        case _:
            steps = [(letter, points)]
    return steps


def _ellipse(x: float, y: float, across: float, up: float) -> list[Step]:
    a, b = across * _KAPPA, up * _KAPPA
    return [
        ("M", ((x + across, y),)),
        ("C", ((x + across, y + b), (x + a, y + up), (x, y + up))),
        ("C", ((x - a, y + up), (x - across, y + b), (x - across, y))),
        ("C", ((x - across, y - b), (x - a, y - up), (x, y - up))),
        ("C", ((x + a, y - up), (x + across, y - b), (x + across, y))),
        ("Z", ()),
    ]


def _put(steps: Steps, place: Callable[[Point], Point]) -> Steps:
    return tuple((letter, tuple(place(point) for point in points)) for letter, points in steps)
