"""The first scenes: the road from dawn to the gates of the town."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.tarot.parts import birds, cloud, flag, house, land, poplar, sky, sun, tree, waves
from cardgen.tarot.shapes import filled, lined, moved

if TYPE_CHECKING:
    from cardgen.tarot.parts import Shapes


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


def field() -> Shapes:
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
