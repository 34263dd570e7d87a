"""The three tokens: coins that differ by rim, sign and ground as well as by colour. In a circle of radius 10."""

from __future__ import annotations

from cardgen.tarot.shapes import Shape, filled, lined, moved

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
