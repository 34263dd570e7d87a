"""Where the parts of a tarot card lie on a card of any size: between the two codes, from corner to corner.

Lengths in millimetres, from the middle of the card, y upwards. Everything is for the upper half; the lower one is the
same, turned by half a turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardgen.tarot.shapes import Point

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""

_INDEX = 9.8
_FIGURE = (22.8, 40.6)
_EDGE = 0.9
"""Between the drawings and the outline of the panel."""


@dataclass(frozen=True)
class Field:
    """`scale` is 1 on a poker card. The drawing's upper half stands `lean` to the right of the middle.

    `index` is the box of rank and suit, `side` that of the name, `window` that of a scene, and `plate` that of a large
    numeral. Pips are `pip` large and their columns `apart`, signs in the corner are `sign` large: 1 on a poker card.
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
        """Put a point of an upright drawing, in millimetres of a poker card, onto this card."""
        x, y = point[0] * self.scale, point[1] * self.scale
        knee = 12.0 * self.scale
        return x + self.lean * max(-1.0, min(1.0, y / knee)), y


def field(width: float, height: float, rim: float, across: float, down: float) -> Field:
    """Return the field of a card with a white `rim` whose upper code reaches `across` and `down` from its corner."""
    right, top = width / 2 - rim - _EDGE, height / 2 - rim - _EDGE
    beside, below = across + _EDGE - width / 2, height / 2 - down - _EDGE
    if below > 0:
        # The codes lie one above the other: the drawing goes from the upper right to the lower left.
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
    # They lie side by side: the drawing stands between them.
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
