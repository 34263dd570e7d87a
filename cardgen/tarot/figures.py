"""Valet, cavalier, dame and roi: half figures that meet their turned twins at a belt. Ours, of plain geometry.

A rank shows by its outline: a cap with a feather and a pennant, a helmet with a plume and a horse's head, a veil with
long hair and a flower, a tall crown with a beard and a sceptre. A suit shows by its pips, its ink and the cloth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.tarot.shapes import Shape, clipped, filled, lined, mapped, moved
from cardgen.tarot.suits import plain_suit, suit

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardgen.tarot.field import Field

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
