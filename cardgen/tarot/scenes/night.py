"""The last scenes: from the evening in the desert to the stars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.tarot.parts import flag, house, land, moon, pine, sky, stars, sun
from cardgen.tarot.shapes import filled, lined, moved

if TYPE_CHECKING:
    from cardgen.tarot.parts import Shapes


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
