"""The excuse: a fool in motley with a cap of bells, and a fool's head on the stick, met by a turned twin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.tarot.figures import ROBE, double, face
from cardgen.tarot.shapes import Shape, clipped, filled, lined, moved

if TYPE_CHECKING:
    from cardgen.tarot.field import Field

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
