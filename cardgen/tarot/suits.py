"""The four suits, in a circle of radius 1. Black ones are solid, red ones have a light line inside."""

from __future__ import annotations

from cardgen.tarot.shapes import Shape, filled, inked, moved

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
_MIDDLE = {"coeur": 0.1, "carreau": 0.0}
"""Where the light line of a red suit has its middle."""


def suit(name: str, x: float = 0, y: float = 0, r: float = 1) -> list[Shape]:
    """Return a pip of radius `r` in the ink "suit", on the ink "paper"."""
    whole = filled("suit", OUTLINES[name])
    if name not in RED_SUITS:
        return moved([whole], x, y, r)
    middle = _MIDDLE[name]
    line, heart = (moved([whole], 0, middle * (1 - share), share) for share in (0.74, 0.58))
    return moved([whole, *inked(line, {"suit": "paper"}), *heart], x, y, r)


def plain_suit(name: str, ink: str, x: float, y: float, r: float) -> list[Shape]:
    """Return the bare outline of a suit, filled with an ink."""
    return moved([filled(ink, OUTLINES[name])], x, y, r)
