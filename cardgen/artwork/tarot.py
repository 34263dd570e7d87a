"""Valet, cavalier, dame and roi: half figures that meet their turned twins at a belt. Ours, of plain geometry.

A rank shows by its outline: a cap with a feather and a pennant, a helmet with a plume and a horse's head, a veil with
long hair and a flower, a tall crown with a beard and a sceptre. A suit shows by its pips, its ink and the cloth.
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


SUITS = ("pique", "coeur", "carreau", "trefle")
RED_SUITS = frozenset({"coeur", "carreau"})

OUTLINES = {
    "pique": (
        "M0 1.06C.1 .66 .92 .34 .92 -.24C.92 -.58 .68 -.76 .44 -.76C.28 -.76 .15 -.69 .08 -.56C.1 -.78 .2 -.92 .42 -1"
        "L-.42 -1C-.2 -.92 -.1 -.78 -.08 -.56C-.15 -.69 -.28 -.76 -.44 -.76C-.68 -.76 -.92 -.58 -.92 -.24"
        "C-.92 .34 -.1 .66 0 1.06Z"
    ),
    "coeur": (
        "M0 -1C-.14 -.62 -.98 -.14 -.98 .44C-.98 .8 -.72 .96 -.48 .96C-.24 .96 -.06 .8 0 .56"
        "C.06 .8 .24 .96 .48 .96C.72 .96 .98 .8 .98 .44C.98 -.14 .14 -.62 0 -1Z"
    ),
    "carreau": (
        "M0 1.08C.16 .66 .44 .28 .8 0C.44 -.28 .16 -.66 0 -1.08C-.16 -.66 -.44 -.28 -.8 0C-.44 .28 -.16 .66 0 1.08Z"
    ),
    "trefle": (
        "M.08 -.2C.14 -.5 .2 -.86 .42 -1L-.42 -1C-.2 -.86 -.14 -.5 -.08 -.2C-.2 -.42 -.36 -.5 -.52 -.5"
        "C-.78 -.5 -.97 -.3 -.97 -.05C-.97 .2 -.78 .4 -.52 .4C-.44 .4 -.36 .38 -.28 .33C-.38 .42 -.44 .5 -.44 .62"
        "C-.44 .86 -.24 1.04 0 1.04C.24 1.04 .44 .86 .44 .62C.44 .5 .38 .42 .28 .33C.36 .38 .44 .4 .52 .4"
        "C.78 .4 .97 .2 .97 -.05C.97 -.3 .78 -.5 .52 -.5C.36 -.5 .2 -.42 .08 -.2Z"
    ),
}
_SUIT_MIDDLE = {"coeur": 0.1, "carreau": 0.0}
"""Where the light line of a red suit has its middle."""


def suit(name: str, x: float = 0, y: float = 0, r: float = 1) -> list[Shape]:
    """Return a pip of radius `r` in the ink "suit", on the ink "paper"."""
    whole = filled("suit", OUTLINES[name])
    if name not in RED_SUITS:
        return moved([whole], x, y, r)
    middle = _SUIT_MIDDLE[name]
    line, heart = (moved([whole], 0, middle * (1 - share), share) for share in (0.74, 0.58))
    return moved([whole, *inked(line, {"suit": "paper"}), *heart], x, y, r)


def plain_suit(name: str, ink: str, x: float, y: float, r: float) -> list[Shape]:
    """Return the bare outline of a suit, filled with an ink."""
    return moved([filled(ink, OUTLINES[name])], x, y, r)


FIGURES = ("valet", "cavalier", "dame", "roi")

ROBE = (
    "M-8.5 0C-8.5 6 -10.8 10 -11 14C-10.8 17.6 -6.5 19.4 -3 20.6L3 20.6C6.5 19.4 10.8 17.6 11 14C10.8 10 8.5 6 8.5 0Z"
)
_CLOAK = "M8 17.4C13.5 15 19 9 20 2.8C16 2.6 12 1.8 8 .5Z"
_HAIR = {"pique": "ink", "coeur": "gold", "carreau": "ink", "trefle": "gold"}
"""The ink of hair and beard by suit."""


def figure(name: str, rank: str, field: Field) -> list[Shape]:
    """Return both halves of a figure and the belt where they meet."""
    return double(_HALVES[rank](name), field, _belt(name))


def double(half: list[Shape], field: Field, belt: list[Shape]) -> list[Shape]:
    """Return an upright half with its turned twin, and a belt over both."""
    upper = mapped(half, field.leaning, field.scale)
    return [*upper, *moved(upper, turn=180), *mapped(belt, field.leaning, field.scale)]


def _belt(name: str) -> list[Shape]:
    return [
        filled("gold", "R -9.2 -1.5 18.4 3"),
        lined("straw", 0.3, "M-9.2 .8L9.2 .8M-9.2 -.8L9.2 -.8"),
        filled("paper", "O 0 0 3"),
        lined("gold", 0.6, "O 0 0 2.9"),
        *suit(name, 0, 0, 1.9),
    ]


def face() -> list[Shape]:
    """Return a face with its neck, one half in the light."""
    return [
        filled("white", "R -2 19 4 4"),
        filled("straw", "R 0 19 2 4"),
        lined(
            "ink", 0.3, "M-4.4 31.6L-4.4 26.5C-4.4 23.2 -2.2 21.2 0 21.2C2.2 21.2 4.4 23.2 4.4 26.5L4.4 31.6Z", "white"
        ),
        filled("straw", "M.3 31.4L.3 21.4C2.3 21.6 4.2 23.4 4.2 26.5L4.2 31.4Z"),
        lined(
            "ink",
            0.4,
            "M-3.3 28.5C-2.7 29.1 -1.7 29.1 -1 28.6L-.5 27.2L-.7 25L.5 24.8M1 28.6C1.7 29.1 2.7 29.1 3.3 28.5",
        ),
        filled("ink", "E -2.1 27.4 .62 .5E 2.1 27.4 .62 .5"),
        lined("ruby", 0.5, "M-1.2 23.3C-.5 23 .5 23 1.2 23.3"),
    ]


def _cloth(name: str) -> list[Shape]:
    """Return the robe with the pattern of its suit."""
    marks = {
        "pique": [lined("gold", 0.35, "".join(f"M{x} 0L{x} 21" for x in (-9.6, -7.4, -5.2, 5.2, 7.4, 9.6)))],
        "coeur": [
            filled("straw", "".join(f"O {x} {y} .6" for x, y in _grid(-10, 10.5, 3.0, 0.5, 20, 3.2))),
        ],
        "carreau": [
            lined("gold", 0.35, "".join(f"M{x} 0L{x + 11} 21M{x} 0L{x - 11} 21" for x in range(-20, 21, 4))),
        ],
        "trefle": [
            lined("gold", 0.4, "".join(f"M-11 {y + 5}L0 {y}L11 {y + 5}" for y in range(-3, 21, 3))),
        ],
    }[name]
    return [filled("suit", ROBE), *clipped(marks, ROBE), lined("ink", 0.3, ROBE)]


def _grid(left: float, right: float, step: float, bottom: float, top: float, rise: float) -> list[tuple[float, float]]:
    """Return points in offset rows."""
    points, y, row = [], bottom, 0
    while y < top:
        x = left + (step / 2 if row % 2 else 0)
        while x < right:
            points.append((round(x, 2), round(y, 2)))
            x += step
        y, row = y + rise / 2, row + 1
    return points


def _cloak(ink: str = "mist") -> list[Shape]:
    """Return the cloak at the side, in folds."""
    folds = lined(
        "shade", 0.3, "M10.5 14.6C13 10 14 6 14.2 2.2M9.6 13C11 9 11.4 5 11.4 1.6M12 14C15.4 9.6 16.8 6 17.2 2.5"
    )
    return [lined("ink", 0.3, _CLOAK, ink), folds]


def _chest(name: str) -> list[Shape]:
    """Return the light strip down the robe, with the suit on it."""
    return [
        lined("gold", 0.4, "P -4 .4 4 .4 4 17.6 -4 17.6", "paper"),
        *suit(name, 0, 10.6, 2.7),
        *plain_suit(name, "gold", 0, 4.4, 1.2),
    ]


def _valet(name: str) -> list[Shape]:
    hair = _HAIR[name]
    lock = filled(hair, "M-4.2 31.4C-6.8 30.4 -7.4 24.6 -6.2 22.6L-4 22.8L-4 31.4Z")
    pennant = [
        lined("gold", 0.8, "M14.6 2L14.6 20.4"),
        lined("ink", 0.3, "P 14.6 19.8 20.6 17.6 17.8 14.8 20.6 12 14.6 10.2", "suit"),
        *plain_suit(name, "paper", 16.5, 15, 1.35),
        filled("gold", "P 13.9 20 14.6 22 15.3 20"),
    ]
    cap = [
        lined(
            "ink", 0.3, "M-5.2 31C-9 31.4 -9.2 36.4 -4.4 37.8C1 39.2 8.2 37.8 8 34.2C7.8 32 6.4 31.2 5.2 31Z", "suit"
        ),
        filled("gold", "R -5.1 30.2 10.2 1.5"),
        lined(
            "ink",
            0.25,
            "M2.2 34.6C5.4 39.8 9.4 41 11.6 38.4C9.4 38.6 7.8 37.4 6.6 35.4C5.4 33.6 3.6 33.4 2.2 34.6Z",
            "gold",
        ),
        lined("paper", 0.3, "M3.6 34.9C6.2 36.2 8 38.4 10.4 38.6"),
    ]
    collar = lined("ink", 0.3, "P -6.2 19.4 -2.2 21.4 0 18.6 2.2 21.4 6.2 19.4 3.4 15.4 0 18 -3.4 15.4", "white")
    buttons = filled("gold", "".join(f"O 0 {y} .7" for y in (2.6, 5, 7.4, 9.8, 12.2, 14.6)))
    jacket = [lined("gold", 0.4, "P -3 .4 3 .4 4.6 17 -4.6 17", "shade"), buttons]
    return [*_cloak(), *pennant, *_cloth(name), *jacket, lock, *moved([lock], mirror=True), *face(), collar, *cap]


def _cavalier(name: str) -> list[Shape]:
    horse = [
        lined(
            "ink",
            0.35,
            "M7.4 .5C9 6 9.4 11.4 11.8 15.6L11.6 19.6L13.8 17.4"
            "C16 17 17.4 15.8 18.2 14L20.6 9.4C20.9 8.2 20.2 7.2 19 7.2"
            "C18 7.2 17.6 8 16.6 8.4C15.6 8.8 15 8.4 14.6 7.6C14.4 5.6 15.2 4.4 16.4 3C13.6 2.8 10.4 1.8 7.4 .5Z",
            "white",
        ),
        filled(
            "suit",
            "M7.4 .5C8.6 6.4 9 12 11.8 16.4C10 16.8 8.2 15.4 7.6 13.6"
            "C7.9 12.2 7.2 11 6.4 10.6C6.9 9.2 6.4 7.8 5.8 7C6.4 5.4 6.2 3.6 5.6 .5Z",
        ),
        lined("gold", 0.55, "M13.4 16.6L15.2 9.2M15 12.6L19 10.2M14.6 11C12.4 8.6 11 5.4 10.6 1.6"),
        filled("ink", "O 15.6 14 .55O 19.5 8.6 .32"),
    ]
    helmet = [
        filled(
            "suit",
            "M.6 35.6C-.6 41 -8.4 41.4 -10.2 36.6C-11 33.2 -10.2 29.6 -9 28"
            "C-8.8 31 -8 33.4 -6 34.6C-3.8 35.8 -1.4 35.4 .6 35.6Z",
        ),
        lined("straw", 0.3, "M-.6 36.6C-2.6 38.6 -6.6 38.8 -8.2 35.4C-8.8 34 -9 32.2 -9 30.4"),
        lined(
            "ink",
            0.35,
            "M-5.4 27.4C-6 33.6 -3.4 37 0 37C3.4 37 6 33.6 5.4 27.4L4.3 27.4L4.3 30.6L-4.3 30.6L-4.3 27.4Z",
            "mist",
        ),
        filled("shade", "M.3 36.8L.3 30.8L4.3 30.6L4.3 27.4L5.4 27.4C6 33.4 3.4 36.8 .3 36.8Z"),
        filled("gold", "R -5 30 10 1.3O 0 37.2 .9"),
    ]
    mail = [
        lined("ink", 0.35, "M-11.4 13C-11.6 17.6 -8 19.4 -4.4 19.8C-3.4 16.8 -4.6 13.6 -7 12.2Z", "mist"),
        lined("gold", 0.4, "M-10.8 14.8C-9 16.4 -7 17.4 -4.2 17.8M-10.4 13.4C-8.6 14.6 -6.6 15.4 -4.4 15.6"),
    ]
    gorget = lined("ink", 0.3, "M-4.6 20.4C-2 22 2 22 4.6 20.4L3.4 16.8L-3.4 16.8Z", "mist")
    armour = [*mail, *moved(mail, mirror=True)]
    return [*_cloth(name), *_chest(name), *horse, *armour, *face(), gorget, *helmet]


def _dame(name: str) -> list[Shape]:
    hair = _HAIR[name]
    veil = [
        lined("ink", 0.3, "M0 37C-9.4 37 -10.6 27 -10.4 13L-6 12L6 12L10.4 13C10.6 27 9.4 37 0 37Z", "mist"),
        lined("shade", 0.3, "M-8.8 29C-9.4 24 -9.4 18 -9 13.4M8.8 29C9.4 24 9.4 18 9 13.4"),
    ]
    lock = filled(
        hair, "M-1 33C-6.4 33.4 -8 29 -7.2 24C-6.8 20 -8 17 -6.8 12.6C-5.4 13 -4 14.6 -4 17C-4 20 -4.4 24 -4 29L-1 32Z"
    )
    coronet = [
        lined("ink", 0.3, "P -5 31.6 -6 36.6 -2.9 34.4 0 38.4 2.9 34.4 6 36.6 5 31.6", "gold"),
        filled("gold", "O -6 37 .8O 0 39 .9O 6 37 .8"),
        filled("suit", "O -2.8 32.9 .6O 0 33.2 .8O 2.8 32.9 .6"),
    ]
    bodice = [
        lined("gold", 0.4, "M-5 17C-4 12 -2.6 8 0 5.6C2.6 8 4 12 5 17C3 19.6 -3 19.6 -5 17Z", "paper"),
        *suit(name, 0, 11.6, 2.3),
        filled("gold", "".join(f"O {x} {y} .55" for x, y in _NECKLACE)),
    ]
    flower = [
        lined("shade", 0.7, "M13.4 1.8C13 6 13.6 10 15 14"),
        filled(
            "shade",
            "M13.3 6C15.4 6 17.2 7.4 17.6 9.6C15.2 9.6 13.8 8.4 13.3 6Z"
            "M13.2 4C11.6 4.6 10.6 6 10.6 7.8C12.2 7.4 13 6 13.2 4Z",
        ),
        *[
            petal
            for n in range(5)
            for petal in moved([lined("ink", 0.25, "E 0 2.1 1.35 1.9", "suit")], 15.4, 16.2, turn=72 * n)
        ],
        lined("ink", 0.25, "O 15.4 16.2 1.3", "gold"),
    ]
    behind = [*veil, lock, *moved([lock], mirror=True)]
    return [*_cloak("paper"), *flower, *_cloth(name), *behind, *_cloth_front(), *bodice, *face(), *coronet]


_NECKLACE = ((-3.6, 18.6), (-2.4, 17.7), (-1.2, 17.2), (0, 17), (1.2, 17.2), (2.4, 17.7), (3.6, 18.6))


def _cloth_front() -> list[Shape]:
    """Return shoulders that are seen before a veil."""
    return [
        lined(
            "ink",
            0.3,
            "M-8.4 .5C-8.4 6 -9.6 9 -9 12.6C-6.4 13.4 -5.4 16 -4.6 18"
            "L4.6 18C5.4 16 6.4 13.4 9 12.6C9.6 9 8.4 6 8.4 .5Z",
            "suit",
        )
    ]


def _roi(name: str) -> list[Shape]:
    hair = _HAIR[name]
    lock = filled(hair, "M-4.2 31.4C-7.2 30 -7.4 24 -7.2 20.6C-6 20.2 -5 20.4 -4 21.4Z")
    beard = [
        filled(
            hair,
            "M-4.7 27.6C-5 21.6 -3.6 16.4 0 14.6C3.6 16.4 5 21.6 4.7 27.6C4 26 3 25 1.9 24.6"
            "C1.2 24.2 .6 24.2 0 24.5C-.6 24.2 -1.2 24.2 -1.9 24.6C-3 25 -4 26 -4.7 27.6Z",
        ),
        lined("paper", 0.3, "M-2.2 22C-2 19.6 -1.2 17.6 -.4 16.4M2.2 22C2 19.6 1.2 17.6 .4 16.4M0 21.6L0 16"),
        lined("ruby", 0.6, "M-1.1 23C-.4 22.8 .4 22.8 1.1 23"),
    ]
    crown = [
        lined("ink", 0.35, "P -5.4 31 -7.2 39 -3.6 35.6 0 40.4 3.6 35.6 7.2 39 5.4 31", "gold"),
        lined("ink", 0.3, "R -5.7 30.2 11.4 2.4", "suit"),
        filled("gold", "O -3.4 31.4 .6O 0 31.4 .8O 3.4 31.4 .6O -7.2 39.2 .8O 7.2 39.2 .8"),
        *plain_suit(name, "suit", 0, 35.4, 1.5),
    ]
    ermine = [
        lined(
            "ink",
            0.3,
            "M-10.8 14.6C-9 18.6 -5 20.6 -3 21L3 21C5 20.6 9 18.6 10.8 14.6"
            "C8 12 4 10.6 0 10.4C-4 10.6 -8 12 -10.8 14.6Z",
            "white",
        ),
        filled("ink", "".join(f"P {x - 0.45} {y} {x} {y + 1.5} {x + 0.45} {y}" for x, y in _SPOTS)),
    ]
    sceptre = [
        lined("gold", 1.0, "M13.6 2L16.2 14.6"),
        lined("ink", 0.25, "O 16.6 17 3", "gold"),
        filled("paper", "O 16.6 17 2.3"),
        *suit(name, 16.6, 17, 1.7),
    ]
    return [
        *_cloak("shade"),
        *sceptre,
        *_cloth(name),
        *_chest(name),
        *ermine,
        lock,
        *moved([lock], mirror=True),
        *face(),
        *beard,
        *crown,
    ]


_SPOTS = (
    (-8.4, 14.6),
    (-6, 16.6),
    (-5.6, 13.2),
    (-3, 12),
    (8.4, 14.6),
    (6, 16.6),
    (5.6, 13.2),
    (3, 12),
    (-7.6, 12.9),
    (7.6, 12.9),
)

_HALVES: dict[str, Callable[[str], list[Shape]]] = {"valet": _valet, "cavalier": _cavalier, "dame": _dame, "roi": _roi}


TOKENS = ("red", "white", "blue")


def coin(name: str) -> list[Shape]:
    """Return the coin of a token, in its own ink "suit" on "paper"."""
    return {"red": _red, "white": _white, "blue": _blue}[name]()


def ground(name: str, ink: str, across: float, up: float) -> list[Shape]:
    """Return a pattern that covers what is around the coin: flames, pearls or waves, as far as `across` and `up`."""
    mark, step, rise = {
        "red": (
            filled(ink, "M0 -1.5C-1.2 -1 -1.2 .2 -.4 1C-.4 .5 -.2 .3 0 .2C.1 .8 0 1.2 -.2 1.7C.9 1.1 1.5 -.9 0 -1.5Z"),
            5.0,
            4.4,
        ),
        "white": (lined(ink, 0.4, "O 0 0 1"), 5.0, 4.4),
        "blue": (lined(ink, 0.45, "M-3 0C-2 1 -1 1 0 0C1 -1 2 -1 3 0"), 6.0, 2.6),
    }[name]
    shapes: list[Shape] = []
    rows, columns = int(up / rise) + 2, int(across / step) + 2
    for row in range(-rows, rows + 1):
        for column in range(-columns, columns + 1):
            shapes += moved([mark], (column + row % 2 / 2) * step, row * rise)
    return shapes


def _red() -> list[Shape]:
    """Return a coin with a toothed rim and a flame."""
    teeth = [
        shape for n in range(24) for shape in moved([filled("suit", "P -1 8.9 1 8.9 .75 10 -.75 10")], turn=15 * n)
    ]
    flame = [
        filled(
            "paper",
            "M.4 5.6C.2 3.4 -3.8 1.6 -3.8 -1.6C-3.8 -4 -2 -5.4 0 -5.4C2 -5.4 3.8 -4 3.8 -1.6"
            "C3.8 .6 2.2 1.6 2.4 3C1.4 2.6 1 1.8 1 1C.4 2.4 1.4 4 .4 5.6Z",
        ),
        filled(
            "suit",
            "M0 .6C-.4 -.8 -1.9 -1.4 -1.9 -3C-1.9 -4.2 -1 -4.8 0 -4.8C1 -4.8 1.9 -4.2 1.9 -3C1.9 -1.6 .6 -1 0 .6Z",
        ),
    ]
    return [*teeth, filled("suit", "O 0 0 9.2"), lined("paper", 0.5, "O 0 0 7.9"), *flame]


def _white() -> list[Shape]:
    """Return a coin with a rim of pearls and a crescent."""
    pearls = [shape for n in range(24) for shape in moved([filled("suit", "O 0 8.75 .62")], turn=15 * n)]
    crescent = filled(
        "suit",
        "M1.6 5.2C-1.8 5.2 -4.6 2.8 -4.6 0C-4.6 -2.8 -1.8 -5.2 1.6 -5.2C.2 -4 -.8 -2.2 -.8 0C-.8 2.2 .2 4 1.6 5.2Z",
    )
    star = filled("suit", "M2.6 2C2.8 .7 3.3 .2 4.6 0C3.3 -.2 2.8 -.7 2.6 -2C2.4 -.7 1.9 -.2 .6 0C1.9 .2 2.4 .7 2.6 2Z")
    return [lined("suit", 0.6, "O 0 0 9.7", "white"), *pearls, lined("suit", 0.4, "O 0 0 7.7"), crescent, star]


def _blue() -> list[Shape]:
    """Return a coin with a rim of scallops and waves."""
    bows = [shape for n in range(12) for shape in moved([filled("suit", "O 0 8 2")], turn=30 * n)]
    wave = "M-6.4 {0}C-4.8 {1} -4 {1} -2.4 {0}C-.8 {2} 0 {2} 1.6 {0}C3.2 {1} 4 {1} 5.6 {0}"
    waves = "".join(wave.format(y, y + 1.8, y - 1.8) for y in (2.8, 0, -2.8))
    return [
        *bows,
        filled("suit", "O 0 0 8.4"),
        lined("paper", 0.5, "O 0 0 7.2"),
        *moved([lined("paper", 1.15, waves)], 0.4, 0, 0.92),
    ]


Shapes = list[Shape]


def sky(*inks: str, bottom: float = -20, top: float = 13) -> Shapes:
    """Return bands from the bottom up, the lowest down to the foot of the scene."""
    step = (top + 4) / len(inks)
    bands = [filled(inks[0], f"R -60 {bottom} 120 60")]
    return bands + [filled(ink, f"R -60 {-4 + n * step:.2f} 120 60") for n, ink in enumerate(inks[1:], 1)]


def sun(x: float, y: float, r: float, ink: str = "gold", rays: int = 0, long: float = 1.6) -> Shapes:
    """Return a sun, with pointed rays if there are any."""
    spikes: Shapes = []
    for n in range(rays):
        far = r * (long if n % 2 else 1 + (long - 1) * 0.6)
        spike = filled(ink, f"P -{0.13 * r:.3f} {1.14 * r:.3f} 0 {far:.3f} {0.13 * r:.3f} {1.14 * r:.3f}")
        spikes += moved([spike], turn=360 / rays * n)
    return moved([*spikes, filled(ink, f"O 0 0 {r}")], x, y)


def moon(x: float, y: float, r: float, ink: str = "straw") -> Shapes:
    """Return a crescent that opens to the left."""
    return moved(
        [
            filled(
                ink,
                "M-.2 1C.5 .9 1 .4 1 -.1C1 -.7 .5 -1.1 -.1 -1.1"
                "C-.5 -1.1 -.8 -.9 -1 -.6C-.2 -.7 .3 -.3 .3 .2C.3 .5 .1 .8 -.2 1Z",
            )
        ],
        x,
        y,
        r,
    )


def stars(*points: tuple[float, float], ink: str = "straw", r: float = 0.8) -> Shapes:
    """Return stars of four points."""
    one = filled(ink, "M0 1C.12 .3 .3 .12 1 0C.3 -.12 .12 -.3 0 -1C-.12 -.3 -.3 -.12 -1 0C-.3 .12 -.12 .3 0 1Z")
    return [shape for n, (x, y) in enumerate(points) for shape in moved([one], x, y, r * (1, 0.6, 0.8)[n % 3])]


def cloud(x: float, y: float, scale: float = 1, ink: str = "white") -> Shapes:
    """Return a cloud with a flat foot."""
    path = (
        "M-5 0C-6.4 0 -6.4 2 -4.8 2C-4.6 3.8 -2.4 4.2 -1.6 3"
        "C-.8 5 2.6 4.8 2.8 2.4C4.4 3 5.4 1.8 4.8 1C5.8 .8 5.6 0 4.6 0Z"
    )
    return moved([filled(ink, path)], x, y, scale)


def birds(*points: tuple[float, float], ink: str = "ink") -> Shapes:
    """Return birds far away."""
    one = lined(ink, 0.35, "M-1.4 .5C-.9 1 -.4 .7 0 0C.4 .7 .9 1 1.4 .5")
    return [shape for x, y in points for shape in moved([one], x, y)]


def land(ink: str, *heights: float, bottom: float = -20) -> Shapes:
    """Return land whose outline goes through these heights, at even steps across the scene."""
    step = 72 / (len(heights) - 1)
    path = f"M-36 {bottom}L-36 {heights[0]}"
    for n in range(1, len(heights)):
        x0, x1 = -36 + (n - 1) * step, -36 + n * step
        path += f"C{x0 + step * 0.45:.2f} {heights[n - 1]} {x1 - step * 0.45:.2f} {heights[n]} {x1:.2f} {heights[n]}"
    return [filled(ink, path + f"L36 {bottom}Z")]


def peaks(ink: str, light: str, *tops: tuple[float, float, float]) -> Shapes:
    """Return mountains, each (x, top, half width), with one side in the light and snow on top."""
    shapes: Shapes = []
    for x, top, wide in tops:
        foot, snow = -8.0, 0.3
        y = top - (top - foot) * snow
        a, b = x - wide * snow, x + wide * snow
        shapes += [
            filled(ink, f"P {x - wide} {foot} {x} {top} {x + wide} {foot}"),
            filled(light, f"P {x} {top} {x + wide} {foot} {x + wide * 0.2:.2f} {foot}"),
            filled(
                "white",
                f"P {a:.2f} {y:.2f} {x} {top} {b:.2f} {y:.2f} {x + wide * 0.12:.2f} "
                f"{y + 0.9:.2f} {x} {y - 1:.2f} {x - wide * 0.12:.2f} {y + 0.8:.2f}",
            ),
        ]
    return shapes


def tree(x: float, y: float, scale: float = 1, ink: str = "teal", fruit: str = "") -> Shapes:
    """Return a round tree, with fruit if an ink for it is given."""
    shapes = [filled("ink", "P -.4 0 .4 0 .25 3 -.25 3"), filled(ink, "O 0 4.6 2.6")]
    if fruit:
        shapes.append(filled(fruit, "O -1.2 5.2 .45O .8 5.9 .45O 1.2 4 .45O -.6 3.5 .45O 0 4.9 .4"))
    return moved(shapes, x, y, scale)


def poplar(x: float, y: float, scale: float = 1, ink: str = "teal") -> Shapes:
    """Return a slender tree."""
    return moved([filled("ink", "R -.2 0 .4 2"), filled(ink, "M0 1C1.6 2 1.5 6 0 9.5C-1.5 6 -1.6 2 0 1Z")], x, y, scale)


def pine(x: float, y: float, scale: float = 1, ink: str = "teal", snow: str = "") -> Shapes:
    """Return a fir of three tiers, under snow if an ink for that is given."""
    shapes = [
        filled("ink", "R -.3 0 .6 1.4"),
        filled(ink, "P -2.4 1.2 2.4 1.2 0 4.6P -2 3.2 2 3.2 0 6.4P -1.5 5.2 1.5 5.2 0 8.2"),
    ]
    # Tiers overlap: each is a shape of its own, so that none is a hole in another.
    shapes[1:] = [
        filled(ink, f"P {path}") for path in ("-2.4 1.2 2.4 1.2 0 4.6", "-2 3.2 2 3.2 0 6.4", "-1.5 5.2 1.5 5.2 0 8.2")
    ]
    if snow:
        shapes += [filled(snow, "P -.7 6.8 0 8.2 .7 6.8 0 6.4"), filled(snow, "P -1.1 4.6 0 5.2 1.1 4.6 0 4")]
    return moved(shapes, x, y, scale)


def house(
    x: float, y: float, wide: float = 4, high: float = 3, wall: str = "paper", roof: str = "ruby", light: str = "ink"
) -> Shapes:
    """Return a house seen from its gable, with a door and a window."""
    half = wide / 2
    return moved(
        [
            filled(wall, f"P -{half} 0 {half} 0 {half} {high} 0 {high + half} -{half} {high}"),
            filled(
                roof,
                f"P -{half + 0.6} {high - 0.3} -{half - 0.1} {high - 0.3} 0 {high + half - 0.7} "
                f"{half - 0.1} {high - 0.3} {half + 0.6} {high - 0.3} 0 {high + half + 0.6}",
            ),
            filled(
                light,
                f"R -{half * 0.6:.2f} 0 {half * 0.5:.2f} {high * 0.6:.2f}R "
                f"{half * 0.2:.2f} {high * 0.4:.2f} {half * 0.45:.2f} {high * 0.35:.2f}",
            ),
        ],
        x,
        y,
    )


def flag(x: float, y: float, ink: str = "ruby", high: float = 3) -> Shapes:
    """Return a pole with a pennant."""
    return moved(
        [lined("ink", 0.3, f"M0 0L0 {high}"), filled(ink, f"P 0 {high} 2.6 {high - 0.8} 0 {high - 1.6}")], x, y
    )


def waves(y: float, ink: str, step: float = 4, shift: float = 0) -> Shapes:
    """Return a line of waves across the scene."""
    path, x = f"M{-36 + shift} {y}", -36 + shift
    while x < 36:  # noqa: PLR2004 - the edge of the scene
        path += f"C{x + step * 0.25} {y + 0.9} {x + step * 0.75} {y + 0.9} {x + step} {y}"
        x += step
    return [lined(ink, 0.45, path)]


def market() -> Shapes:
    """Return stalls before the houses."""

    def stall(x: float, ink: str, scale: float) -> Shapes:
        stripes = "".join(f"P {a} 3 {a + 1.4} 3 {a * 0.8 + 1.1:.2f} 6 {a * 0.8:.2f} 6" for a in (-4.9, -2.1, 0.7, 3.5))
        awning = [
            lined("ink", 0.25, "P -4.9 3 4.9 3 4 6 -4 6", "white"),
            filled(ink, stripes),
            lined(
                "ink",
                0.25,
                "M-4.9 3C-4.6 2 -3.8 2 -3.5 3C-3.2 2 -2.4 2 -2.1 3C-1.8 2 -1 2 -.7 3"
                "C-.4 2 .4 2 .7 3C1 2 1.8 2 2.1 3C2.4 2 3.2 2 3.5 3C3.8 2 4.6 2 4.9 3",
                ink,
            ),
        ]
        goods = [
            filled("gold", "O -2.6 .2 .7O -1.4 .2 .7O -2 1.2 .7"),
            filled("ruby", "O 1 .1 .6O 2.1 .1 .6O 3.2 .1 .6O 1.5 1 .6O 2.6 1 .6"),
        ]
        table = [
            lined("ink", 0.4, "M-4.4 -4L-4.4 3M4.4 -4L4.4 3"),
            lined("ink", 0.3, "R -4.6 -4 9.2 3.6", "shade"),
            lined("ink", 0.3, "M-1.6 -4L-1.6 -.4M1.6 -4L1.6 -.4"),
        ]
        return moved([*table, *goods, *awning], x, -6, scale)

    town = [
        s
        for n, x in enumerate((-24, -18, -6, 5, 17, 24))
        for s in house(x, -7, 5 + n % 2, 6 + n % 3 * 1.6, "mist", "shade", "shade")
    ]
    return [
        *sky("paper", "straw"),
        *sun(0, 8, 2.4),
        *town,
        filled("straw", "R -40 -14 80 6"),
        *stall(-12.6, "ruby", 1.05),
        *stall(12.6, "teal", 1.05),
        *stall(0, "gold", 1.25),
    ]


def scales() -> Shapes:
    """Return coins and fruit in the scales."""
    pan = [
        lined("ink", 0.3, "M0 0L-4 -7M0 0L4 -7"),
        lined("ink", 0.3, "M-4.6 -7L4.6 -7C4 -9.4 -4 -9.4 -4.6 -7Z", "gold"),
    ]
    coins = [
        lined("ink", 0.25, f"E {x} {y} 1.7 .7", "straw") for x, y in ((-1.4, -6.4), (1.5, -6.4), (0, -5.6), (0, -4.6))
    ]
    fruit = [
        lined("ink", 0.25, "O -1.7 -5.6 1.4O 1.7 -5.6 1.4", "ruby"),
        lined("ink", 0.25, "O 0 -4.2 1.4", "ruby"),
        lined("teal", 0.5, "M0 -2.8C.2 -2 .8 -1.8 1.2 -1.8"),
    ]
    post = [
        filled("ink", "R -.5 -9 1 15.4O 0 7.2 1.2"),
        filled("ink", "M-5 -10.4C-4 -8.6 -1 -8.4 0 -8.4C1 -8.4 4 -8.6 5 -10.4Z"),
        lined("ink", 0.9, "M-11 4.6C-6 6 -3 5.2 0 5.2C3 5.2 6 4.4 11 5.6"),
        filled("gold", "O 0 5.2 .9"),
    ]
    rays = [filled("straw", f"P 0 0 {60} {n - 2.4} {60} {n + 2.4}") for n in range(-60, 61, 10)]
    table = [filled("teal", "R -40 -14 80 3.8"), lined("ink", 0.3, "M-40 -10.2L40 -10.2")]
    return [
        *sky("paper", "paper"),
        *moved(rays, 0, 5),
        *moved(rays, 0, 5, mirror=True),
        *table,
        *moved([*coins, *pan], -11, 4.6),
        *moved([*fruit, *pan], 11, 5.6),
        *post,
    ]


def rain() -> Shapes:
    """Return two umbrellas in the rain."""
    drops = [
        lined("white", 0.35, f"M{x} {y}L{x - 0.9} {y - 2.4}")
        for x, y in (
            (-22, 3),
            (-17, 0),
            (-12, 4),
            (-9, -1),
            (-4, 3.4),
            (1, 0.6),
            (5, 4),
            (10, 0),
            (14, 3.4),
            (19, 0.4),
            (23, 4),
            (-25, -3),
            (-14, -5),
            (22, -4),
            (7, 6),
            (-7, 6.6),
        )
    ]
    brolly = [
        lined(
            "ink",
            0.3,
            "M-4.4 0C-4.4 5.6 4.4 5.6 4.4 0C3.6 1 2.4 1 1.5 0C.8 1 -.8 1 -1.5 0C-2.4 1 -3.6 1 -4.4 0Z",
            "ruby",
        ),
        lined("ink", 0.3, "M-1.5 0C-1.4 2.4 -.6 4 0 4.2C.6 4 1.4 2.4 1.5 0M0 4.2L0 5.2"),
        filled("ink", "M-.3 0L.3 0L.3 -4L1.6 -8L-1.6 -8L-.3 -4Z"),
        filled("straw", "O 0 -1.4 1"),
    ]
    second = moved(brolly, 6.6, -3.8, 0.8)
    roofs = [s for x in (-24, -17, 16, 23) for s in house(x, -9, 6, 4.6, "shade", "ink", "gold")]
    return [
        *sky("slate", "slate"),
        *cloud(-15, 5, 1.9, "mist"),
        *cloud(14, 6, 1.7, "mist"),
        *cloud(0, 6.6, 1.8, "shade"),
        *land("dusk", -8, -9, -9, -9, -9, -8),
        *roofs,
        *drops,
        *moved(brolly, -3.4, -2.6),
        *second,
        lined("mist", 0.4, "M-12 -11.4L-6 -11.4M2 -11.8L10 -11.8M-22 -11L-17 -11"),
    ]


def noon() -> Shapes:
    """Return a clock tower at noon."""
    ticks = [
        shape
        for n in range(12)
        for shape in moved([filled("ink", "R -.2 4.3 .4 .9" if n % 3 else "R -.3 3.8 .6 1.4")], 0, 2.4, turn=30 * n)
    ]
    dial = [
        lined("ink", 0.4, "O 0 2.4 6.6", "gold"),
        lined("ink", 0.3, "O 0 2.4 5.5", "white"),
        *ticks,
        filled("ink", "P -.45 1.6 0 6.8 .45 1.6P -.6 1.6 0 5.2 .6 1.6"),
        filled("ruby", "O 0 2.4 .8"),
    ]
    tower = [
        lined("ink", 0.3, "P -8 -13 8 -13 8 7 -8 7", "paper"),
        filled("ruby", "P -9.4 7 9.4 7 0 16"),
        lined("ink", 0.3, "M-8 -6L8 -6"),
        lined("ink", 0.3, "M-2.4 -13L-2.4 -9.4C-2.4 -7 2.4 -7 2.4 -9.4L2.4 -13Z", "ink"),
    ]
    rays = [
        shape
        for n in range(16)
        for shape in moved([filled("straw", "P 0 0 -3.4 40 3.4 40")], 0, 2.4, turn=22.5 * n + 11.25)
    ]
    return [
        *sky("paper"),
        *rays,
        *land("sage", -8, -8, -9, -9, -8, -8),
        *[s for x in (-23, -16, 16, 23) for s in house(x, -9, 6, 4.2)],
        *tower,
        *dial,
    ]


def hives() -> Shapes:
    """Return bees at their hives."""

    def hive(x: float, scale: float) -> Shapes:
        rings = "M-3.6 1.6L3.6 1.6M-3.5 3.2L3.5 3.2M-2.9 4.8L2.9 4.8"
        return moved(
            [
                lined("ink", 0.3, "M-3.6 0C-4.2 4.4 -2.2 6.8 0 6.8C2.2 6.8 4.2 4.4 3.6 0Z", "gold"),
                lined("ink", 0.3, rings),
                filled("ink", "M-.9 0C-.9 1.6 .9 1.6 .9 0ZR -4.6 -.9 9.2 .9R -3.8 -3 .8 2.2R 3 -3 .8 2.2"),
            ],
            x,
            -7,
            scale,
        )

    bee = [
        filled("white", "E -.3 .9 .5 .9E .5 .9 .5 .9"),
        filled("gold", "E 0 0 1.1 .7"),
        lined("ink", 0.35, "M-.3 -.6L-.3 .6M.4 -.6L.4 .6"),
    ]
    bees = [
        s
        for x, y, turn in ((-8, 5, 20), (-2, 7.4, -15), (6, 5.4, 30), (12, 7, -10), (-16, 3.4, 10), (17, 2.4, 20))
        for s in moved(bee, x, y, turn=turn)
    ]
    flowers = [
        s
        for n, x in enumerate(range(-27, 28, 3))
        for s in moved(
            [
                lined("ink", 0.25, "M0 0L0 3"),
                filled(
                    ("ruby", "white", "rose")[n % 3], "O 0 3.8 .55O .9 3.2 .55O .6 2.2 .55O -.6 2.2 .55O -.9 3.2 .55"
                ),
                filled("gold", "O 0 3 .5"),
            ],
            x,
            -12.6 + n % 2 * 1.2,
            0.9,
        )
    ]
    return [
        *sky("mist", "paper"),
        *sun(-16, 7, 2.6),
        *land("sage", -3, -1, -4, -2, -3, -1),
        *land("teal", -7, -8, -8, -8, -8, -7),
        *tree(-21, -6, 1.2),
        *tree(21, -6, 1.3),
        *hive(-10, 0.95),
        *hive(10, 0.95),
        *hive(0, 1.2),
        *flowers,
        *bees,
    ]


def orchard() -> Shapes:
    """Return fruit trees and a ladder."""
    ladder = lined("ink", 0.4, "M-1 0L1.2 7.4M.8 0L3 7.4M-.4 1.6L1.2 1.6M.1 3.2L1.7 3.2M.6 4.8L2.2 4.8M1.1 6.4L2.6 6.4")
    basket = [
        lined("ink", 0.25, "P -1.8 0 1.8 0 2.2 2 -2.2 2", "straw"),
        filled("ruby", "O -1.2 2.3 .7O 0 2.6 .7O 1.2 2.3 .7"),
    ]
    trees = [
        *tree(-19, -6, 1.2, "sage", "ruby"),
        *tree(19, -6, 1.2, "sage", "ruby"),
        *tree(-10, -8, 1.7, "teal", "gold"),
        *tree(10, -8, 1.7, "teal", "gold"),
        *tree(0, -9.4, 2.35, "teal", "ruby"),
    ]
    return [
        *sky("straw", "paper"),
        *sun(0, 4, 7.4, "rose"),
        *cloud(-18, 7, 0.9),
        *cloud(19, 7.6, 0.8),
        *land("sage", -5, -4, -6, -6, -4, -5),
        *land("straw", -8, -9, -8.4, -8.4, -9, -8),
        *trees,
        *moved([ladder], -6.4, -9.6),
        *moved(basket, 5.4, -11),
        *moved(basket, -14, -11, 0.8),
    ]


def dawn() -> Shapes:
    """Return the sun, rising behind hills."""
    hills = [*land("sage", -5, -1, -4, -2, -6, -3), *land("teal", -6, -8, -5, -8, -6, -9)]
    return [
        *sky("rose", "straw", "paper"),
        *sun(0, -3, 6, rays=24),
        *birds((-12, 6), (-15, 4.5), (13, 7)),
        *hills,
        *house(-14, -6.6, 3, 2),
        *poplar(12, -6.6, 0.7),
        *poplar(15, -7, 0.6),
    ]


def road() -> Shapes:
    """Return a road with a milestone."""
    way = filled(
        "straw", "M-3 -13C2 -9 9 -8 4 -5.4C1 -4 -3 -3.6 .4 -1.6L1 -1.6C-.6 -3.4 4 -3.8 7.6 -5.4C13.6 -8.4 8 -10 6 -13Z"
    )
    stone = [
        lined("ink", 0.3, "M-6 -10L-6 -6.6C-6 -5 -3.4 -5 -3.4 -6.6L-3.4 -10Z", "white"),
        lined("ink", 0.3, "M-5.4 -7.4L-4 -7.4M-5.4 -8.4L-4 -8.4"),
    ]
    return [
        *sky("paper", "mist"),
        *cloud(-14, 5),
        *cloud(13, 6.6, 0.8),
        *sun(-4, 6.5, 2.6),
        *land("mist", 0, 2, -1, 3, 0, 1),
        *land("sage", -2, -4, -1.4, -1.8, -3, -1),
        way,
        *stone,
        *tree(-17, -6),
        *tree(-12.6, -7, 0.7),
        *tree(15, -5.4, 0.9),
        *tree(20, -7),
    ]


def mill() -> Shapes:
    """Return a windmill."""
    sail = [
        filled("ink", "R -.25 0 .5 8.2"),
        lined("ink", 0.25, "P .3 2 2.3 2 2.3 8 .3 8", "white"),
        lined("ink", 0.2, "M.3 4L2.3 4M.3 6L2.3 6M1.3 2L1.3 8"),
    ]
    tower = [
        lined("ink", 0.3, "P -3.4 -7 3.4 -7 2.1 3 -2.1 3", "paper"),
        filled("ruby", "M-2.6 3C-2.4 6 2.4 6 2.6 3Z"),
        filled("ink", "R -.8 -7 1.6 2.6O 0 -1.4 .6"),
    ]
    sails = [shape for n in range(4) for shape in moved(sail, 0, 3.4, turn=90 * n + 28)]
    return [
        *sky("straw", "mist", "paper"),
        *cloud(-17, 4, 1.1),
        *cloud(16, 7, 0.9),
        *land("sage", -4, -6, -5, -6, -4, -7),
        *land("teal", -9, -8, -6.4, -6.6, -8, -10),
        *tower,
        *sails,
        filled("gold", "O 0 3.4 .8"),
        *house(10, -8.4, 4, 2.4),
        *tree(-13, -8.4, 0.9),
        *birds((8, 8.4), (11, 7.4)),
    ]


def sheaves() -> Shapes:
    """Return sheaves on a field."""
    rows = [lined("gold", 0.8, f"M{n * 1.6} -3.6C{n * 3} -6 {n * 5} -9 {n * 8} -13") for n in range(-8, 9)]
    sheaf = [
        filled("gold", "M0 0C-.6 2 -2.4 3.6 -2 5.2C-1 4.6 -.4 5.6 0 6.4C.4 5.6 1 4.6 2 5.2C2.4 3.6 .6 2 0 0Z"),
        lined("ruby", 0.5, "M-1.1 2.2L1.1 2.2"),
        lined("ink", 0.2, "M0 2.4L0 5.6M-.5 2.6L-1.2 4.6M.5 2.6L1.2 4.6"),
    ]
    bundles = [*moved(sheaf, -5, -9), *moved(sheaf, 0.6, -10.4, 1.25), *moved(sheaf, 6, -8.6, 0.9)]
    return [
        *sky("paper", "mist"),
        *sun(11, 5, 3.2, rays=16),
        *cloud(-13, 5),
        *land("sage", -2, 0, -3, -1, -2.6, 0),
        *land("straw", -4, -3.4, -3.6, -3.4, -3.6, -4),
        *rows,
        *bundles,
        *poplar(-18, -4),
        *poplar(-15.6, -4, 0.8),
        *poplar(19, -4, 0.9),
        *birds((2, 7.6), (4.4, 8.8)),
    ]


def bridge() -> Shapes:
    """Return a cart on a bridge."""
    arches = (
        "M-22 -9L-22 -2.2C-10 2.8 10 2.8 22 -2.2L22 -9L17 -9C17 -3.6 9.4 -3.6 9.4 -9"
        "L5.4 -9C5.4 -1.6 -5.4 -1.6 -5.4 -9L-9.4 -9C-9.4 -3.6 -17 -3.6 -17 -9Z"
    )
    cart = [
        filled("ink", "P -2.6 1.2 2.4 1.2 3 3 -3 3"),
        lined("paper", 0.35, "O -1.4 1 1O 1.5 1 1", "ink"),
        filled("gold", "M-2.6 3C-2 5.4 2 5.4 2.6 3Z"),
        lined("ink", 0.3, "M2.8 2L5 1.6"),
    ]
    return [
        *sky("mist", "paper"),
        *sun(13, 6, 2.8),
        *cloud(-15, 5.4),
        *land("sage", -3, -2, -5, -5, -2, -1),
        filled("shade", "R -40 -14 80 7"),
        *waves(-9.4, "white", 4),
        *waves(-10.8, "white", 5, 2),
        *waves(-12, "mist", 4, 1),
        lined("ink", 0.4, arches, "straw"),
        lined("ink", 0.3, "M-22 -3.6C-10 1.2 10 1.2 22 -3.6"),
        *moved(cart, 0.6, 1.6),
        *tree(-21, -3, 0.9),
        *tree(22, -3.4, 1),
    ]


def gate() -> Shapes:
    """Return the gates of a town."""

    def tower(x: float) -> Shapes:
        wall = "P -3.4 -9 3.4 -9 3.4 4 4 4 4 7 2.6 7 2.6 5.8 1 5.8 1 7 -1 7 -1 5.8 -2.6 5.8 -2.6 7 -4 7 -4 4 -3.4 4"
        return moved([lined("ink", 0.3, wall, "paper"), filled("ink", "R -.5 -1 1 3R -.5 -6 1 2.4")], x, 0)

    wall = [
        lined(
            "ink",
            0.3,
            "P -24 -9 24 -9 24 -1 22 -1 22 0 20 0 20 -1 18 -1 18 0 16 0 16 "
            "-1 -16 -1 -16 0 -18 0 -18 -1 -20 -1 -20 0 -22 0 -22 -1 -24 -1",
            "straw",
        )
    ]
    arch = [
        lined("ink", 0.3, "R -5 -9 10 11", "straw"),
        filled("ink", "M-3.2 -9L-3.2 -4C-3.2 .2 3.2 .2 3.2 -4L3.2 -9Z"),
        lined("gold", 0.35, "M-1.6 -3L-1.6 -1.4M0 -3.6L0 -.9M1.6 -3L1.6 -1.4M-3 -4L3 -4"),
    ]
    way = filled("straw", "P -3 -9 3 -9 7 -14 -7 -14")
    return [
        *sky("rose", "paper", "mist"),
        *cloud(-17, 6),
        *cloud(17, 4.4, 0.9),
        *land("sage", -5, -3, -5, -5, -3, -5),
        *land("teal", -8, -9, -9, -9, -9, -8),
        way,
        *wall,
        *arch,
        *tower(-7.4),
        *tower(7.4),
        *flag(-7.4, 7, "ruby", 4),
        *flag(7.4, 7, "gold", 4),
    ]


def tents() -> Shapes:
    """Return tents and camels in the desert."""

    def tent(x: float, y: float, scale: float, ink: str) -> Shapes:
        return moved(
            [
                lined("ink", 0.3, "M0 7.4C-1.6 4 -4.6 1.6 -6.4 0L6.4 0C4.6 1.6 1.6 4 0 7.4Z", ink),
                filled("white", "M0 7.4C-.8 4.6 -2.2 1.6 -3.2 0L-1.4 0ZM0 7.4C.8 4.6 2.2 1.6 3.2 0L1.4 0Z"),
                filled("ink", "P 0 4.4 -1.2 0 1.2 0"),
                *flag(0, 7.2, "gold", 2.2),
            ],
            x,
            y,
            scale,
        )

    camel = [
        filled(
            "ink",
            "M-4 0L-3.6 3C-4.4 3.2 -4.6 2 -4.6 1.4C-5 2.4 -4.8 4 -3.4 4.4"
            "C-2.8 6.6 -1.2 6.6 -.8 4.8C0 6.6 1.6 6.4 2 4.4L3 4.6C3.4 5.6 3.4 6.6 4 7L5.8 6.6"
            "L5.6 5.8L4.6 5.8C4.6 4.4 4 3 2.6 2.8L2.4 0L1.8 0L1.6 2.4L-2.4 2.4L-3 0Z",
        )
    ]
    return [
        *sky("rose", "straw", "paper"),
        *sun(15, 5, 3.6, "ruby"),
        *land("straw", -2, -4, -1, -4, -1.4, -3),
        *land("gold", -6, -4.6, -7, -5, -6.6, -8),
        *land("straw", -9, -10, -8, -8.6, -9, -8),
        *tent(-14, -7.6, 0.8, "teal"),
        *tent(0, -9, 1.3, "ruby"),
        *moved(camel, 13, -8.4, 0.9),
        *moved(camel, 21, -8, 0.65),
        *stars((-20, 8), (-12, 9.4), (-4, 8.6), ink="gold"),
    ]


def fire() -> Shapes:
    """Return a fire at night."""
    flame = [
        filled(
            "ruby",
            "M0 8C-.6 5.4 -4 4 -4 .8C-4 -1 -2.4 -2 0 -2C2.4 -2 4 -1 4 .8"
            "C4 3 2 3.6 2 5.4C1.2 5 1 4.4 1 3.6C.4 5 .6 6.6 0 8Z",
        ),
        filled(
            "gold",
            "M-.2 5C-.6 3.4 -2.6 2.4 -2.6 .4C-2.6 -1 -1.4 -1.6 0 -1.6C1.4 -1.6 2.6 -1 2.6 .4"
            "C2.6 1.6 1.4 2.2 1.2 3.2C.4 2.8 .2 2 .2 1.4C-.2 2.6 .2 4 -.2 5Z",
        ),
        filled("paper", "M0 2C-1.4 .6 -1.4 -1.2 0 -1.2C1.4 -1.2 1.4 .6 0 2Z"),
    ]
    logs = lined("straw", 1.3, "M-4.4 -3.4L4.4 -1.6M-4.4 -1.6L4.4 -3.4")
    glow = [filled("slate", "O 0 -3 12.4"), filled("shade", "O 0 -3 8.6")]
    people = [filled("ink", "M-2 0C-2.2 3 -1.4 4 0 4C1.4 4 2.2 3 2 0ZO 0 5.2 1.2")]
    wood = [
        s
        for x, scale in ((-26, 1.5), (-21.4, 1.9), (-16.6, 1.4), (17, 1.5), (21.6, 1.9), (26.4, 1.5))
        for s in pine(x, -8.6, scale, "teal")
    ]
    return [
        *sky("night", "night"),
        *moon(-10, 8, 2.2),
        *stars((-4, 9.6), (4, 8), (10, 9.8), (-14.4, 4), (13, 6)),
        *glow,
        *land("dusk", -7, -8, -8, -8, -8, -7),
        *wood,
        *moved([logs, *flame], 0, -4.6, 1.15),
        *moved(people, -7.6, -9),
        *moved(people, 7.4, -9),
        *moved(people, 10.6, -8.6, 0.75),
    ]


def snow() -> Shapes:
    """Return a village in the snow."""
    flakes = [
        filled(
            "white",
            "".join(
                f"O {x} {y} {r}"
                for x, y, r in (
                    (-24, 6, 0.45),
                    (-19, 9, 0.35),
                    (-15, 3, 0.4),
                    (-9, 8, 0.5),
                    (-5, 4.6, 0.35),
                    (3, 9, 0.45),
                    (8, 5, 0.4),
                    (12, 9.4, 0.35),
                    (16, 4, 0.5),
                    (21, 8, 0.4),
                    (25, 3.6, 0.45),
                    (-12, 10.4, 0.35),
                    (-21, 1, 0.4),
                    (23, -1, 0.35),
                    (0, 11, 0.35),
                    (6, 1.4, 0.35),
                )
            ),
        )
    ]
    homes = [
        *house(-13, -7.4, 5, 3.4, "straw", "white", "gold"),
        *house(12, -7.6, 5, 3, "straw", "white", "gold"),
        *house(18, -8, 4, 2.6, "mist", "white", "gold"),
    ]
    church = [
        filled("straw", "R -2.4 -8 4.8 9"),
        filled("white", "P -3 1 3 1 0 8"),
        filled("ink", "M-.9 -8L-.9 -5.4C-.9 -4 .9 -4 .9 -5.4L.9 -8Z"),
        filled("gold", "O 0 -1.6 .9"),
        lined("gold", 0.35, "M0 8L0 10.4M-.8 9.5L.8 9.5"),
        filled("straw", "P 2.4 -8 8 -8 8 -4 2.4 -4"),
        filled("white", "P 2.4 -4.2 8.6 -4.2 7.4 -1.2 2.4 -1.2"),
        filled("gold", "R 3.6 -6.6 .9 1.5R 5.8 -6.6 .9 1.5"),
    ]
    return [
        *sky("slate", "dusk", "night"),
        *moon(10, 7.4, 2),
        *land("slate", -2, 0, -4, -1, -3, 1),
        *land("mist", -6, -5, -7, -6, -7, -5),
        *pine(-22, -7, 1.1, "teal", "white"),
        *pine(-18.6, -7.6, 0.8, "teal", "white"),
        *pine(23, -7, 1.1, "teal", "white"),
        *homes,
        *church,
        *land("white", -9, -8, -8.6, -8.8, -8, -9),
        *pine(-6.4, -9, 0.75, "teal", "white"),
        *flakes,
    ]


def world() -> Shapes:
    """Return sun, moon and earth among the stars."""
    spokes = [
        s
        for n in range(16)
        for s in moved(
            [
                filled(
                    "gold" if n % 2 else "straw",
                    "P 0 0 -.9 2.6 0 9.4 .9 2.6"
                    if n % 4 == 0
                    else "P 0 0 -.7 2.6 0 7.4 .7 2.6"
                    if n % 2 == 0
                    else "P 0 0 -.4 2.6 0 6 .4 2.6",
                )
            ],
            turn=22.5 * n,
        )
    ]
    ring = [
        lined("gold", 0.4, "O 0 0 10.6"),
        lined("gold", 0.25, "O 0 0 9.8"),
        *[s for n in range(32) for s in moved([filled("gold", "O 0 10.2 .22")], turn=11.25 * n)],
    ]
    globe = [
        lined("ink", 0.3, "O 0 0 3.6", "teal"),
        filled(
            "straw",
            "M-2.6 2C-1.6 2.8 -.2 2.4 .2 1.6C-.6 1.2 -1.2 .6 -1.4 -.4C-2.4 0 -3 .8 -2.6 2ZM.8 .2"
            "C2 .8 2.8 .2 2.8 -.8C2.2 -2 1 -2 .6 -1.2C.2 -.6 .4 -.2 .8 .2ZM.6 2.6C1.2 2.4 1.8 2 2 1.6L1 1.8Z",
        ),
    ]
    sides = [*moved(sun(0, 0, 2.8, "gold", 12, 1.9), -18.4, 0), *moon(18.4, 0, 3.2, "straw")]
    orbit = [
        lined("slate", 0.3, "E 0 0 23.4 8.6"),
        filled("ruby", "O -10 7.8 .9"),
        filled("sage", "O 12 -7.4 1.1"),
        filled("rose", "O 14 6.8 .7"),
        filled("mist", "O -13 -7.2 .8"),
    ]
    return [
        *sky("night"),
        *stars(
            (-25, 8),
            (-21, -7),
            (25, 8),
            (22, -8),
            (-16, 10),
            (16, 10.4),
            (-26, -2),
            (26, -2),
            (-15, -10.6),
            (15.6, -11),
        ),
        *orbit,
        *ring,
        *spokes,
        *globe,
        *sides,
    ]


def balloons() -> Shapes:
    """Return balloons over the hills."""

    def balloon(x: float, y: float, scale: float, ink: str) -> Shapes:
        envelope = "M0 -5C-1 -3.4 -5 -1 -5 3C-5 9.6 5 9.6 5 3C5 -1 1 -3.4 0 -5Z"
        gore = "M0 -5C-.6 -3 -2 0 -2 3.4C-2 6 -1.2 8 0 8C1.2 8 2 6 2 3.4C2 0 .6 -3 0 -5Z"
        car = [
            lined("ink", 0.25, "M-1.4 -3.8L-.9 -6.6M1.4 -3.8L.9 -6.6"),
            lined("ink", 0.25, "R -1 -8.2 2 1.7", "straw"),
        ]
        return moved(
            [
                *car,
                lined("ink", 0.3, envelope, ink),
                lined("ink", 0.2, gore, "white"),
                filled("gold", "M-4.7 1.6C-2 .6 2 .6 4.7 1.6L4.9 3C2 2 -2 2 -4.9 3Z"),
            ],
            x,
            y,
            scale,
        )

    return [
        *sky("rose", "paper", "mist"),
        *cloud(-20, 0, 1),
        *cloud(20, 6, 1.1),
        *cloud(9, -2, 0.7),
        *land("sage", -8, -6, -9, -7, -8, -6),
        *land("teal", -10, -11, -9.4, -11, -10, -11),
        *balloon(-13, 3, 0.75, "teal"),
        *balloon(14, 1, 0.62, "gold"),
        *balloon(0.4, 2.4, 1.05, "ruby"),
        *birds((-6, 8), (8, 8.6)),
    ]


def sail() -> Shapes:
    """Return a ship under sail."""
    hull = [
        lined("ink", 0.3, "M-7.4 -5.4L8.4 -5.4C7.6 -8 6 -9.4 4.6 -9.6L-4.6 -9.6C-6 -9 -7 -7.4 -7.4 -5.4Z", "ruby"),
        lined("gold", 0.4, "M-7 -6.6L7.8 -6.6"),
    ]
    masts = lined("ink", 0.4, "M-2.6 -5.4L-2.6 9M4 -5.4L4 7M7.6 -5.4L11 -3.6")
    sails = [
        lined(
            "ink",
            0.25,
            f"M{x} {y}C{x - 1.4} {y + h * 0.4} {x - 1} {y + h * 0.7} {x} {y + h}L{x + w} "
            f"{y + h}C{x + w + 1.6} {y + h * 0.6} {x + w + 1.4} {y + h * 0.3} {x + w} {y}Z",
            ink,
        )
        for x, y, w, h, ink in (
            (-5.6, -4, 5, 5.4, "white"),
            (-5.2, 2, 4.2, 4.4, "straw"),
            (1.8, -4, 4.2, 4.6, "white"),
            (2.2, 1.2, 3.4, 3.8, "straw"),
        )
    ]
    jib = lined("ink", 0.25, "P 6.2 3 10.6 -3.6 6.6 -4", "white")
    return [
        *sky("paper", "mist"),
        *sun(-15, 5, 3, rays=14),
        *cloud(16, 5.6),
        *cloud(-24, 2, 0.8),
        filled("teal", "R -40 -14 80 7.2"),
        *waves(-7.6, "sage", 5),
        *moved([masts, *sails, jib, *hull], 0, 1),
        *moved(flag(-2.6, 9, "ruby", 2.4), 0, 1),
        filled("teal", "R -40 -14 80 4.6"),
        *waves(-9.4, "white", 4, 1),
        *waves(-11, "sage", 5, 3),
        *birds((10, 8), (13, 6.8), (-8, 8.6)),
    ]


def lighthouse() -> Shapes:
    """Return a lighthouse at dusk."""
    beams = [filled("straw", "P 0 6 -40 12 -40 0"), filled("straw", "P 0 6 40 12 40 0")]
    tower = [
        lined("ink", 0.3, "P -2.6 -8 2.6 -8 1.7 4 -1.7 4", "white"),
        filled("ruby", "P -2.3 -4.6 2.3 -4.6 2.1 -1.6 -2.1 -1.6P -1.9 1.2 1.9 1.2 1.7 4 -1.7 4"),
        lined("ink", 0.3, "R -2.4 4 4.8 .7", "ink"),
        lined("ink", 0.3, "R -1.3 4.7 2.6 2.4", "gold"),
        filled("ink", "P -1.9 7.1 1.9 7.1 0 9.4"),
        filled("ink", "R -.6 -8 1.2 2"),
    ]
    rock = [
        filled("ink", "M-12 -14L-9 -9.4L-5.6 -8.4L-3 -7.6L3.6 -7.6L6 -9L9.6 -9.6L13 -14Z"),
        filled("dusk", "M-2 -7.6L0 -10L4 -9.4L3.6 -7.6Z"),
    ]
    return [
        *sky("slate", "dusk", "night"),
        *stars((-20, 9), (-11, 9.6), (10, 9.8), (21, 8.6), (25, -1), (-25, -1)),
        *beams,
        filled("teal", "R -40 -14 80 6.4"),
        *waves(-8.4, "slate", 5),
        *rock,
        *waves(-10.6, "sage", 5, 2),
        *waves(-12, "sage", 4),
        *tower,
        *house(5.6, -8.8, 3.4, 2, "straw", "ruby", "ink"),
    ]


def isle() -> Shapes:
    """Return palms before the setting sun."""

    def palm(x: float, y: float, scale: float, *, mirror: bool = False) -> Shapes:
        leaf = filled("teal", "M0 0C2 2.4 5 2.4 6.6 -.4C4.6 .6 2.4 .2 0 0Z")
        trunk = lined("ink", 0.7, "M-3 -8C-2.6 -4 -1.6 -2 0 0")
        return moved(
            [
                trunk,
                *[s for turn in (0, 45, 105, 150, -40) for s in moved([leaf], turn=turn)],
                filled("gold", "O -.3 -.6 .6O .6 -.5 .6"),
            ],
            x,
            y,
            scale,
            mirror=mirror,
        )

    glints = [lined("gold", 0.5, f"M{-w} {y}L{w} {y}") for w, y in ((6.4, -7.2), (4, -8.4), (5, -9.8), (2.6, -11))]
    isle = filled("straw", "M-15 -6.4C-10 -3.4 -2 -4.2 2 -3.4C8 -2.4 12 -4.6 16 -6.4Z")
    return [
        *sky("rose", "rose", "straw", "straw", "paper"),
        *sun(0, -1.6, 7.6, "ruby"),
        filled("shade", "R -40 -14 80 7.8"),
        isle,
        *palm(-6, 3.8, 1),
        *palm(-10.4, 0.6, 0.75),
        *palm(8, 2, 0.85, mirror=True),
        *waves(-6.4, "white", 4),
        *glints,
        *waves(-9, "mist", 5, 2),
        *waves(-12, "mist", 6, 3),
        *birds((-17, 6), (-14, 7.4), (17, 7)),
    ]


def mountain() -> Shapes:
    """Return a lake below mountains."""
    far = peaks("mist", "paper", (-22, 3, 12), (21, 4, 12))
    near = peaks("shade", "mist", (-11, 6, 12), (12, 5, 11), (1, 10.6, 14))
    lake = [
        filled("sage", "R -40 -14 80 6.4"),
        lined("white", 0.4, "M-12 -9.6L-4 -9.6M2 -10.6L12 -10.6M-20 -11.4L-15 -11.4M17 -9.4L22 -9.4"),
    ]
    goat = [
        filled("ink", "M-1.6 0L-1.6 1.6L1 1.6L1.6 2.6L2.6 2.2L1.8 1.4L1.4 0L1 0L.8 .8L-.9 .8L-1.2 0Z"),
        lined("ink", 0.25, "M1.6 2.6C1.2 3.4 .8 3.4 .4 3.2"),
    ]
    return [
        *sky("paper", "straw"),
        *sun(-13, 8.6, 2.2),
        *far,
        *near,
        *land("teal", -6, -8, -8.6, -8.6, -7.6, -5.6),
        *lake,
        *pine(-23, -8, 0.9),
        *pine(-19.6, -8.6, 0.7),
        *pine(19, -8, 0.8),
        *pine(23, -7.4, 1.1),
        *moved(goat, 9, -8.2),
        *cloud(18, 6.4, 0.7),
    ]


_SCENES = (
    dawn,
    road,
    mill,
    sheaves,
    bridge,
    gate,
    market,
    scales,
    rain,
    noon,
    hives,
    orchard,
    balloons,
    sail,
    lighthouse,
    isle,
    mountain,
    tents,
    fire,
    snow,
    world,
)
TRUMPS = len(_SCENES)


def scene(number: int) -> Shapes:
    """Return the scene of a trump, from 1: some 57 x 25 mm around its middle, and what matters near that."""
    return _SCENES[number - 1]()


__all__ = ["MOTIFS"]

MOTIFS = (
    *(f"{suit}-{rank}" for suit in SUITS for rank in (*range(1, 11), *FIGURES)),
    *(f"atout-{number}" for number in range(1, TRUMPS + 1)),
    "excuse",
    *(f"token-{name}" for name in TOKENS),
)
"""The name of every drawing, as editions give it."""


Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""

_INDEX = 9.8
_FIGURE = (22.8, 40.6)
_EDGE = 0.9
"""Between the drawings and the outline of the panel."""


@dataclass(frozen=True)
class Field:
    """`scale` is 1 on a poker card. The drawing's upper half stands `lean` to the right of the middle.

    `index` is the box of rank and suit, `side` that of the name, `window` that of a scene, and `plate` that of a large
    numeral. Pips are `pip` large and their columns `apart`, signs in the corner are `sign` large: 1 on a poker card.
    """

    scale: float
    lean: float
    index: Box
    side: Box
    window: Box
    plate: Box
    pip: float
    apart: float
    sign: float

    def leaning(self, point: Point) -> Point:
        """Put a point of an upright drawing, in millimetres of a poker card, onto this card."""
        x, y = point[0] * self.scale, point[1] * self.scale
        knee = 12.0 * self.scale
        return x + self.lean * max(-1.0, min(1.0, y / knee)), y


def field(width: float, height: float, rim: float, across: float, down: float) -> Field:
    """Return the field of a card with a white `rim` whose upper code reaches `across` and `down` from its corner."""
    right, top = width / 2 - rim - _EDGE, height / 2 - rim - _EDGE
    beside, below = across + _EDGE - width / 2, height / 2 - down - _EDGE
    if below > 0:
        # The codes lie one above the other: the drawing goes from the upper right to the lower left.
        scale = min((right - beside) / (_INDEX + _FIGURE[0]), top / _FIGURE[1])
        index = (right - _INDEX * scale, top - 20 * scale, right, top)
        return Field(
            scale,
            lean=(beside + index[0]) / 2,
            index=index,
            side=(-right, 0.5 * scale, -10.0 * scale, below),
            window=(1.2 - right, 1.2 - below, right - 1.2, below - 1.2),
            plate=(beside, below + 2 * _EDGE, right, top),
            pip=scale,
            apart=scale,
            sign=scale,
        )
    # They lie side by side: the drawing stands between them.
    column, foot = -beside, down - height / 2 + _EDGE
    scale, sign = min(2 * column / _FIGURE[0], top / _FIGURE[1]), min((top - foot) / 20, 1.0)
    half = min(top, column) - 1.2
    index = (right - _INDEX * sign, foot, right, top)
    return Field(
        scale,
        lean=0.0,
        index=index,
        side=(column + 2 * _EDGE, foot, index[0], top),
        window=(-half, -half, half, half),
        plate=(column + 2 * _EDGE, foot, right, top),
        pip=min(1.2 * scale, 1.0),
        apart=1.9 * scale,
        sign=sign,
    )


_HORN = (
    "M0 30.4C-4.6 30.4 -6 33 -5.6 35.4C-8 34.6 -10.4 32 -10 28.4C-12.4 31 -12 38.6 -6.6 39.2C-2.4 39.6 .4 36.4 1.6 31Z"
)
_BELL = [lined("ink", 0.25, "O 0 0 1.25", "gold"), lined("ink", 0.3, "M-.9 -.1L.9 -.1"), filled("ink", "O 0 -.6 .3")]
_STAR = "M0 1C.1 .34 .34 .1 1 0C.34 -.1 .1 -.34 0 -1C-.1 -.34 -.34 -.1 -1 0C-.34 .1 -.1 .34 0 1Z"


def star(x: float, y: float, r: float, ink: str = "gold") -> list[Shape]:
    """Return the sign of the excuse: a star of eight points, four of them short."""
    small = moved([filled(ink, _STAR)], scale=0.62, turn=45)
    return moved([filled(ink, _STAR), *small], x, y, r)


def fool(field: Field) -> list[Shape]:
    """Return both halves of the fool."""
    belt = [filled("gold", "R -9 -1.3 18 2.6"), lined("ink", 0.35, "O 0 0 3.1", "night"), *star(0, 0, 2.5, "straw")]
    return double(_half(), field, belt)


def _half() -> list[Shape]:
    lozenges = "".join(
        f"P {x} {y - 3.4} {x + 2.2} {y} {x} {y + 3.4} {x - 2.2} {y}" for x in range(-11, 12, 5) for y in range(0, 24, 7)
    )
    dress = [
        filled("ruby", ROBE),
        *clipped([filled("gold", "R 0 -1 14 24")], ROBE),
        *clipped([filled("straw", lozenges)], ROBE),
        lined("ink", 0.35, ROBE),
    ]
    sleeve = lined("ink", 0.3, "M8.4 17C13.4 15.6 18.6 10 19.6 4.6L17.4 2.4C13 2.2 11 1.6 8.4 .9Z", "teal")
    cuff = [lined("ink", 0.3, "P 19.9 5.2 20.6 3.4 16.8 1.4 15.8 3", "paper")]
    stick = [lined("straw", 0.9, "M13.4 3L15.6 14")]
    head = [
        lined("ink", 0.25, "O 16 16.4 2.2", "white"),
        lined(
            "ink",
            0.25,
            "M13.6 17C12.4 19.4 14 21 15.2 20.6C16.2 22.2 18.6 21.6 18.6 20"
            "C20 19.6 20 17.4 18.4 16.6C17 18 15 18.2 13.6 17Z",
            "ruby",
        ),
        filled("ink", "O 15.3 16.2 .3O 16.9 16.2 .3"),
        lined("ink", 0.25, "M15.3 15.2C15.8 14.8 16.4 14.8 16.9 15.2"),
    ]
    points = (
        "M-9.6 15.4L-6.4 20L-3.4 13L0 18.4L3.4 13L6.4 20L9.6 15.4"
        "C8.6 19.4 5 21.6 2.6 21.6L-2.6 21.6C-5 21.6 -8.6 19.4 -9.6 15.4Z"
    )
    ruff = [
        lined("ink", 0.3, points, "white"),
        *[bell for x, y in ((-9.4, 14.6), (-3.4, 12.2), (3.4, 12.2), (9.4, 14.6)) for bell in moved(_BELL, x, y, 0.75)],
    ]
    horns = [
        lined("ink", 0.35, _HORN, "ruby"),
        *moved([lined("ink", 0.35, _HORN, "gold")], mirror=True),
        lined("ink", 0.35, "M-3.6 31C-4 36 -1.6 37.6 0 40C1.6 37.6 4 36 3.6 31Z", "teal"),
        lined("ink", 0.3, "M-4.9 31.6C-3 32.6 3 32.6 4.9 31.6L4.9 29.6C3 30.6 -3 30.6 -4.9 29.6Z", "paper"),
    ]
    bells = [bell for x, y in ((-10.2, 27.6), (10.2, 27.6)) for bell in moved(_BELL, x, y)]
    return [sleeve, *cuff, *stick, *head, *dress, *face(), *ruff, *horns, *bells]


_PAIR, _TOP, _SECOND = 5.5, 33.2, 12.4
"""Half the distance of the two columns, and the heights of the rows, above the middle."""
_R = 4.0

_UPPER: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((0, _TOP - 8),),
    3: ((0, _TOP - 7),),
    4: ((-_PAIR, _TOP - 4), (_PAIR, _TOP - 4)),
    5: ((-_PAIR, _TOP - 4), (_PAIR, _TOP - 4)),
    6: ((-_PAIR, _TOP - 2), (_PAIR, _TOP - 2)),
    7: ((-_PAIR, _TOP - 2), (_PAIR, _TOP - 2)),
    8: ((-_PAIR, _TOP), (_PAIR, _TOP), (0, 19.0)),
    9: ((-_PAIR, _TOP), (_PAIR, _TOP), (-_PAIR, _SECOND), (_PAIR, _SECOND)),
    10: ((-_PAIR, _TOP), (_PAIR, _TOP), (0, 22.8), (-_PAIR, _SECOND), (_PAIR, _SECOND)),
}
_MIDDLE: dict[int, tuple[tuple[float, float], ...]] = {
    3: ((0, 0),),
    5: ((0, 0),),
    6: ((-_PAIR, 0), (_PAIR, 0)),
    7: ((-_PAIR, 0), (_PAIR, 0), (0, 18.0)),
    8: ((-_PAIR, 0), (_PAIR, 0)),
    9: ((0, 0),),
}


def pips(name: str, rank: int, field: Field) -> list[Shape]:
    """Return the pips of a card, those in its lower half upside down."""
    if rank == 1:
        return _ace(name, field)
    r = _R * field.pip * (1.5 if rank <= 3 else 1.12 if rank <= 5 else 1)  # noqa: PLR2004 - fewer are larger
    shapes: list[Shape] = []
    for turned in (False, True):
        for point in _UPPER[rank]:
            x, y = _spread(point, field)
            shapes += moved(suit(name, 0, 0, r), -x if turned else x, -y if turned else y, turn=180 if turned else 0)
    for point in _MIDDLE.get(rank, ()):
        shapes += suit(name, *_spread(point, field), r)
    return shapes


def _spread(point: Point, field: Field) -> Point:
    return field.leaning((point[0] * field.apart / field.scale, point[1]))


def _ace(name: str, field: Field) -> list[Shape]:
    """Return one great pip in a halo, and a smaller one on a scroll at either end."""
    rays: list[Shape] = []
    for n in range(32):
        rays += moved([filled("gold", "P -.4 10 0 12.8 .4 10" if n % 2 else "O 0 11.2 .4")], turn=11.25 * n)
    rings = [lined("gold", 0.4, "O 0 0 9.6", "white"), lined("suit", 0.3, "O 0 0 8.9")]
    x, y = field.leaning((0, 26.0))
    scroll = moved([*_SCROLL, *moved(_SCROLL, mirror=True), *suit(name, 0, 1.6, 4.4)], scale=field.scale)
    middle = moved([*rays, *rings], scale=0.94 * field.scale)
    return [*middle, *suit(name, 0, 0, 6.5 * field.scale), *moved(scroll, x, y), *moved(scroll, -x, -y, turn=180)]


_SCROLL = [
    lined("gold", 0.6, "M0 -5.2C-3 -5.2 -8 -4.4 -8.6 -.6C-9 2 -6.2 3 -5.6 1C-5.4 0 -6.4 -.4 -6.8 .3"),
    lined("gold", 0.6, "M0 -5.2C-2.4 -6.6 -5 -6.8 -6.6 -5.8"),
    filled("gold", "O -6.9 -5.7 .6O 0 -5.3 .9O 0 7.9 .7"),
    filled("suit", "M-8.3 .6C-9.8 2.4 -9.4 4.6 -8 6C-7 4.4 -7 2.2 -8.3 .6Z"),
]
