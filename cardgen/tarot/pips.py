"""Pips, one to ten: the arrangements that people know, leaning from the upper right to the lower left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.tarot.shapes import Shape, filled, lined, moved
from cardgen.tarot.suits import suit

if TYPE_CHECKING:
    from cardgen.tarot.field import Field
    from cardgen.tarot.shapes import Point

_PAIR, _TOP, _SECOND = 5.5, 33.2, 12.4
"""Half the distance of the two columns, and the heights of the rows, above the middle."""
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
    """Return the pips of a card, those in its lower half upside down."""
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
    """Return one great pip in a halo, and a smaller one on a scroll at either end."""
    rays: list[Shape] = []
    for n in range(32):
        rays += moved([filled("gold", "P -.4 10 0 12.8 .4 10" if n % 2 else "O 0 11.2 .4")], turn=11.25 * n)
    rings = [lined("gold", 0.4, "O 0 0 9.6", "white"), lined("suit", 0.3, "O 0 0 8.9")]
    x, y = field.leaning((0, 26.0))
    scroll = moved([*_SCROLL, *moved(_SCROLL, mirror=True), *suit(name, 0, 1.6, 4.4)], scale=field.scale)
    middle = moved([*rays, *rings], scale=0.94 * field.scale)
    return [*middle, *suit(name, 0, 0, 6.5 * field.scale), *moved(scroll, x, y), *moved(scroll, -x, -y, turn=180)]


_SCROLL = [
    lined("gold", 0.6, "M0 -5.2C-3 -5.2 -8 -4.4 -8.6 -.6C-9 2 -6.2 3 -5.6 1C-5.4 0 -6.4 -.4 -6.8 .3"),
    lined("gold", 0.6, "M0 -5.2C-2.4 -6.6 -5 -6.8 -6.6 -5.8"),
    filled("gold", "O -6.9 -5.7 .6O 0 -5.3 .9O 0 7.9 .7"),
    filled("suit", "M-8.3 .6C-9.8 2.4 -9.4 4.6 -8 6C-7 4.4 -7 2.2 -8.3 .6Z"),
]
