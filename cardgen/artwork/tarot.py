"""Tarot cards and tokens, composed of drawings.

Kings, queens, knights, jacks and the fool are half figures that meet their turned twins at a belt. A rank shows by its
outline: a cap with a feather and a pennant, a helmet with a plume and a horse's head, a veil with long hair and a
flower, a tall crown with a beard and a sceptre. A suit shows by its pips, its ink and the cloth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardgen.artwork.shapes import drawing, mapped, moved

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardgen.artwork.shapes import Point, Shape

SUITS = ("pique", "coeur", "carreau", "trefle")
RED_SUITS = frozenset({"coeur", "carreau"})
FIGURES = ("valet", "cavalier", "dame", "roi")
TOKENS = ("red", "white", "blue")
MOTIFS = (
    *(f"{suit}-{rank}" for suit in SUITS for rank in (*range(1, 11), *FIGURES)),
    *(f"atout-{number}" for number in range(1, 22)),
    "excuse",
    *(f"token-{name}" for name in TOKENS),
)
"""The names of all cards, as editions give them."""

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""

_INDEX = 9.8
_FIGURE = (22.8, 40.6)
_EDGE = 0.9
"""Distance of the drawings from the outline of the panel."""


@dataclass(frozen=True)
class Field:
    """The field of a card for drawings.

    The upper half of a drawing is shifted by `lean` to the right. `index` is the box of rank and suit, `side` that of
    the name, `window` that of a scene, and `plate` that of a large numeral. `scale` is the scale of drawings, `pip`
    that of pips, `apart` that of their distances, and `sign` that of signs in the corner, all 1 on a poker card.
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
        """Return the place on this card of a point of an upright drawing, in millimetres of a poker card."""
        x, y = point[0] * self.scale, point[1] * self.scale
        knee = 12.0 * self.scale
        return x + self.lean * max(-1.0, min(1.0, y / knee)), y


def field(width: float, height: float, rim: float, across: float, down: float) -> Field:
    """Return the field of a card with a white `rim` whose upper code extends `across` and `down` from the corner."""
    right, top = width / 2 - rim - _EDGE, height / 2 - rim - _EDGE
    beside, below = across + _EDGE - width / 2, height / 2 - down - _EDGE
    if below > 0:
        # With one code above the other, the drawing extends from the upper right to the lower left.
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
    # With the codes side by side, the drawing is between them.
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


def suit(name: str, x: float = 0, y: float = 0, r: float = 1) -> list[Shape]:
    """Return a pip of radius `r` in the ink "suit", on the ink "paper"."""
    return moved(drawing(name), x, y, r)


def figure(name: str, rank: str, field: Field) -> list[Shape]:
    """Return both halves of a figure and the belt where they meet."""
    return _doubled(drawing(f"{name}-{rank}"), field, drawing(f"{name}-belt"))


def fool(field: Field) -> list[Shape]:
    """Return both halves of the fool and the belt where they meet."""
    return _doubled(drawing("excuse"), field, drawing("excuse-belt"))


def _doubled(half: Iterable[Shape], field: Field, belt: Iterable[Shape]) -> list[Shape]:
    """Return an upright half with its turned twin, and a belt over both."""
    upper = mapped(half, field.leaning, field.scale)
    return [*upper, *moved(upper, turn=180), *mapped(belt, field.leaning, field.scale)]


def star(x: float, y: float, r: float) -> list[Shape]:
    """Return the sign of the excuse: a star of eight points, four of them short."""
    return moved(drawing("excuse-star"), x, y, r)


def scene(number: int, scale: float) -> list[Shape]:
    """Return the scene of a trump, from 1. At scale 1 it covers 57 x 25 mm around its middle."""
    return moved(drawing(f"atout-{number}"), scale=scale)


def coin(name: str, scale: float) -> list[Shape]:
    """Return the coin of a token, in the inks "suit" and "paper"; at scale 1 its radius is 10 mm."""
    return moved(drawing(f"token-{name}"), scale=scale)


_GROUND = {"red": (5.0, 4.4), "white": (5.0, 4.4), "blue": (6.0, 2.6)}
"""The distances of columns and rows of the pattern around a coin."""


def ground(name: str, across: float, up: float) -> list[Shape]:
    """Return the pattern around a coin in the ink "ground", as far as `across` and `up`: flames, pearls or waves."""
    step, rise = _GROUND[name]
    rows, columns = int(up / rise) + 2, int(across / step) + 2
    return [
        shape
        for row in range(-rows, rows + 1)
        for column in range(-columns, columns + 1)
        for shape in moved(drawing(f"token-{name}-ground"), (column + row % 2 / 2) * step, row * rise)
    ]


_PAIR, _TOP, _SECOND = 5.5, 33.2, 12.4
"""Half the distance of the two columns, and the heights of rows above the middle."""
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
    """Return the pips of a card, those in the lower half upside down."""
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
    """Return a large pip in a halo, and a smaller one on a scroll at each end."""
    x, y = field.leaning((0, 26.0))
    scroll = moved([*drawing("ace-scroll"), *suit(name, 0, 1.6, 4.4)], scale=field.scale)
    halo = moved(drawing("ace-halo"), scale=0.94 * field.scale)
    return [*halo, *suit(name, 0, 0, 6.5 * field.scale), *moved(scroll, x, y), *moved(scroll, -x, -y, turn=180)]
