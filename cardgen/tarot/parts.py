"""The parts that scenes are made of: skies, land, trees, houses. Millimetres, y upwards, each part at its foot."""

from __future__ import annotations

from cardgen.tarot.shapes import Shape, filled, lined, moved

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
