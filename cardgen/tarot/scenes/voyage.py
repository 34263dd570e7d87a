"""Scenes of the voyage: through the air, over the sea, across the mountains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.tarot.parts import birds, cloud, flag, house, land, peaks, pine, sky, stars, sun, waves
from cardgen.tarot.shapes import filled, lined, moved

if TYPE_CHECKING:
    from cardgen.tarot.parts import Shapes


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
