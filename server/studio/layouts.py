"""Where the cards lie on the table: each a place and a turn, in the order in which they were put down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from server.studio.profiles import Layout, Profile

    Matrix = npt.NDArray[np.float64]

_STEP = 31.0
# Millimetres of a card that the next one leaves free: a code, its inset and a bit.
_FAN = 9
# Cards in a fan at most.
_FAN_RADIUS = 1.35
# Distance of the cards' centres from the hand, in heights of a card.
_JITTER = 0.3
# Share of the gap by which a card in a grid is off its place.


def lay(number: int, aspect: float, profile: Profile, geometry: Geometry, chance: np.random.Generator) -> list[Matrix]:
    """Return a 3 x 3 matrix for each card: millimetres on the card to millimetres on the table.

    `aspect` is the picture's width over its height, which the layout tries to fill.
    """
    return LAYOUTS[profile.layout](number, aspect, profile, geometry, chance)


def place(x: float, y: float, turn: float, geometry: Geometry) -> Matrix:
    """Return the matrix of a card with its centre at (x, y), turned by `turn` degrees to the right."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    half = np.array([geometry.width / 2, geometry.height / 2])
    turned = np.array([[cos, -sin], [sin, cos]])
    matrix = np.eye(3)
    matrix[:2, :2] = turned
    matrix[:2, 2] = np.array([x, y]) - turned @ half
    return matrix


def _columns(number: int, aspect: float, width: float, height: float) -> int:
    """Return the number of columns whose grid fills a picture of this aspect with the largest cards."""
    return max(
        range(1, number + 1),
        key=lambda columns: min(aspect / (columns * width), 1 / (-(-number // columns) * height)),
    )


def _grid(
    number: int, aspect: float, profile: Profile, geometry: Geometry, chance: np.random.Generator, room: float = 0
) -> list[Matrix]:
    """Rows and columns, neat as people are: each card a little off and a little turned, some upside down."""
    width, height = geometry.width + profile.gap + room, geometry.height + profile.gap + room
    columns = _columns(number, aspect, width, height)
    cards = []
    for index in range(number):
        x, y = (np.array(divmod(index, columns)[::-1]) + 0.5) * (width, height)
        off = chance.uniform(-1, 1, 2) * profile.gap * _JITTER
        turn = chance.uniform(-1, 1) * profile.turn + 180 * int(chance.integers(2))
        cards.append(place(x + off[0], y + off[1], turn, geometry))
    return cards


def _scatter(
    number: int, aspect: float, profile: Profile, geometry: Geometry, chance: np.random.Generator
) -> list[Matrix]:
    """Thrown on the table at any angle, with room for the corners."""
    return _grid(number, aspect, profile, geometry, chance, room=geometry.height - geometry.width)


def _overlap(
    number: int, aspect: float, profile: Profile, geometry: Geometry, chance: np.random.Generator
) -> list[Matrix]:
    """Rows in which each card covers most of the one before; its left strip with a code stays free."""
    rows = max(
        range(1, number + 1),
        key=lambda rows: min(
            aspect / (geometry.width + (-(-number // rows) - 1) * (_STEP + 2)),
            1 / (rows * (geometry.height + profile.gap)),
        ),
    )
    columns = -(-number // rows)
    cards = []
    for index in range(number):
        row, column = divmod(index, columns)
        x = geometry.width / 2 + column * (_STEP + 2) + chance.uniform(-1, 1)
        y = (row + 0.5) * (geometry.height + profile.gap) + chance.uniform(-1, 1) * profile.gap * _JITTER
        turn = chance.uniform(-0.4, 0.4) * profile.turn + 180 * int(chance.integers(2))
        cards.append(place(x, y, turn, geometry))
    return cards


def _fan(number: int, aspect: float, profile: Profile, geometry: Geometry, chance: np.random.Generator) -> list[Matrix]:
    """Fans of up to nine cards, as held in a hand: each shows its top-left corner."""
    fans = -(-number // _FAN)
    most = -(-number // fans)
    radius = _FAN_RADIUS * geometry.height
    outer = radius + geometry.height / 2
    step = float(np.degrees(_STEP / outer))
    widest = np.radians((most - 1) / 2 * step)
    width = 2 * outer * float(np.sin(widest)) + geometry.width + profile.gap
    height = outer - (radius - geometry.height / 2) * float(np.cos(widest)) + geometry.width / 2 + profile.gap
    columns = _columns(fans, aspect, width, height)
    cards = []
    for index in range(number):
        fan, position = divmod(index, most)
        row, column = divmod(fan, columns)
        angle = (position - (most - 1) / 2 + chance.uniform(-0.1, 0.1)) * step
        x = (column + 0.5) * width + radius * np.sin(np.radians(angle))
        y = row * height + outer - radius * np.cos(np.radians(angle))
        cards.append(place(float(x), float(y), angle, geometry))
    return cards


LAYOUTS: dict[Layout, Callable[[int, float, Profile, Geometry, np.random.Generator], list[Matrix]]] = {
    "grid": _grid,
    "scatter": _scatter,
    "overlap": _overlap,
    "fan": _fan,
}
"""Every layout by its name."""
