"""Scenes of the day: the market, its weather, what is grown around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.tarot.parts import cloud, house, land, sky, sun, tree
from cardgen.tarot.shapes import filled, lined, moved

if TYPE_CHECKING:
    from cardgen.tarot.parts import Shapes


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
