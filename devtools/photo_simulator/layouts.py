"""Layouts of cards on the table: a position and a turn for each, in the order in which they were put down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from devtools.photo_simulator.profiles import Layout, Profile

    Matrix = npt.NDArray[np.float64]

# Millimetres of a card that the next one leaves free: a code, its inset and a bit.
_STEP = 31.0

# Cards in a fan at most.
_FAN = 9

# Distance of the cards' centres from the hand, in heights of a card.
_FAN_RADIUS = 1.35

# Cards in a hand at most, distance of their centres from where they are held in heights, degrees between two.
_HAND = (10, 1.75, 11.0)

# Hands in a row, so that no arm hides another's cards.
_SIDE_BY_SIDE = 3

# Cards in a pile at most.
_PILE = 5

# Millimetres between two decks.
_APART = 90.0

LABEL = (90.0, 62.0)
"""Width and height of an envelope's label in millimetres."""
PAGE = (210.0, 297.0)
"""Width and height of a flatbed's glass in millimetres."""

# Millimetres of the glass that stay free.
_MARGIN = 5.0

# Share of the gap by which a card in a grid is off its place.
_JITTER = 0.3


def lay_decks(
    number: int, labels: int, aspect: float, profile: Profile, geometry: Geometry, chance: np.random.Generator
) -> tuple[list[Matrix], list[int], list[Matrix]]:
    """Lay cards in `profile.decks` groups side by side, and a label beside each of the first `labels` of them.

    Returns the cards' matrices, the deck of each card, and the labels' matrices.
    """
    cards: list[Matrix] = []
    deck_of: list[int] = []
    beside: list[Matrix] = []
    groups = min(profile.decks, number)
    left = 0.0
    for deck in range(groups):
        share = number // groups + (deck < number % groups)
        group = lay(share, aspect / groups, profile, geometry, chance)
        corners = np.array([(0, 0, 1), (0, geometry.height, 1), (geometry.width, 0, 1)])
        corners = np.vstack([corners, [(geometry.width, geometry.height, 1)]])
        reach = np.vstack([(corners @ one.T)[:, :2] for one in group])
        shift = np.eye(3)
        shift[0, 2] = left - reach[:, 0].min() if deck else 0
        moved = [shift @ one for one in group]
        low, high = reach.min(axis=0) + shift[:2, 2], reach.max(axis=0) + shift[:2, 2]
        if deck < labels:
            beside.append(_label_beside(low, high, aspect / groups, chance))
            middle = beside[-1] @ np.array([*LABEL, 2]) / 2
            high = np.maximum(high, middle[:2] + np.array(LABEL) / 2)
        cards += moved
        deck_of += [deck] * share
        left = float(high[0]) + _APART
    return cards, deck_of, beside


def _label_beside(
    low: npt.NDArray[np.float64], high: npt.NDArray[np.float64], aspect: float, chance: np.random.Generator
) -> Matrix:
    """Return the position of a label, right of a deck or below it, where it widens the picture less."""
    width, height = high - low
    turn = float(chance.uniform(-6, 6))
    if (width + LABEL[0]) / height < aspect * 1.2:
        return turned_place(float(high[0]) + 8 + LABEL[0] / 2, float(chance.uniform(low[1], high[1])), turn, LABEL)
    return turned_place(float(chance.uniform(low[0], high[0])), float(high[1]) + 8 + LABEL[1] / 2, turn, LABEL)


def lay(number: int, aspect: float, profile: Profile, geometry: Geometry, chance: np.random.Generator) -> list[Matrix]:
    """Return a 3 x 3 matrix for each card: millimetres on the card to millimetres on the table.

    `aspect` is the picture's width over its height, which the layout tries to fill.
    """
    return LAYOUTS[profile.layout](number, aspect, profile, geometry, chance)


def place(x: float, y: float, turn: float, geometry: Geometry) -> Matrix:
    """Return the matrix of a card with its centre at (x, y), turned by `turn` degrees to the right."""
    return turned_place(x, y, turn, (geometry.width, geometry.height))


def turned_place(x: float, y: float, turn: float, size: tuple[float, float]) -> Matrix:
    """Return the matrix of a thing of `size` millimetres with its centre at (x, y), turned to the right."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    half = np.array(size) / 2
    turned = np.array([[cos, -sin], [sin, cos]])
    matrix = np.eye(3)
    matrix[:2, :2] = turned
    matrix[:2, 2] = np.array([x, y]) - turned @ half
    return matrix


def _columns(number: int, aspect: float, width: float, height: float) -> int:
    """Return the number of columns of the grid with the largest cards for this aspect."""
    return max(
        range(1, number + 1),
        key=lambda columns: min(aspect / (columns * width), 1 / (-(-number // columns) * height)),
    )


def _grid(
    number: int, aspect: float, profile: Profile, geometry: Geometry, chance: np.random.Generator, room: float = 0
) -> list[Matrix]:
    """Lay rows and columns, with each card slightly shifted and turned, some upside down."""
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
    """Scattered at any angle, with room for the corners."""
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


def _hand(number: int, _: float, profile: Profile, geometry: Geometry, chance: np.random.Generator) -> list[Matrix]:
    """Hands of up to ten cards, held closely: each shows its upper left code and little more."""
    hands = -(-number // _HAND[0])
    most = -(-number // hands)
    radius, step = _HAND[1] * geometry.height, _HAND[2]
    widest = np.radians(min((most - 1) / 2 * step, 70))
    outer = radius + geometry.height / 2
    width = 2 * outer * float(np.sin(widest)) + geometry.width + profile.gap
    height = outer - (radius - geometry.height / 2) * float(np.cos(widest)) + geometry.width / 2 + profile.gap
    columns = min(hands, _SIDE_BY_SIDE)
    cards = []
    for index in range(number):
        hand, position = divmod(index, most)
        row, column = divmod(hand, columns)
        angle = (position - (most - 1) / 2 + chance.uniform(-0.12, 0.12)) * step
        out = radius + chance.uniform(-4, 4)
        x = (column + 0.5) * width + out * np.sin(np.radians(angle))
        y = row * height + outer - out * np.cos(np.radians(angle))
        cards.append(place(float(x), float(y), angle + float(chance.normal(0, 1.5)), geometry))
    return cards


def _piles(
    number: int, aspect: float, profile: Profile, geometry: Geometry, chance: np.random.Generator
) -> list[Matrix]:
    """Loose piles of up to five cards at any angle: some hide both codes of others."""
    piles = -(-number // int(chance.integers(2, _PILE + 1)))
    side = 1.45 * geometry.height
    columns = _columns(piles, aspect, side, side)
    cards = []
    for index in range(number):
        row, column = divmod(index % piles, columns)
        off = chance.normal(0, 0.24 * geometry.height, 2)
        x, y = (column + 0.5) * side + off[0], (row + 0.5) * side + off[1]
        cards.append(place(float(x), float(y), float(chance.uniform(-1, 1)) * profile.turn, geometry))
    return cards


def _page(number: int, _: float, profile: Profile, geometry: Geometry, chance: np.random.Generator) -> list[Matrix]:
    """Rows on a flatbed's glass: side by side while they fit, then each over a part of its neighbours."""
    room = np.array(PAGE) - 2 * _MARGIN - (geometry.width, geometry.height)
    wide, high = geometry.width + profile.gap, geometry.height + profile.gap
    columns = int(room[0] // wide) + 1
    rows = int(room[1] // high) + 1
    if number > columns * rows:
        columns = min(int(room[0] // _STEP) + 1, number)
        rows = max(-(-number // columns), 2)
    columns = max(-(-number // rows), 1) if number > columns * rows else columns
    step = np.array([min(wide, room[0] / max(columns - 1, 1)), min(high, room[1] / max(rows - 1, 1))])
    skew = chance.uniform(-1, 1) * 0.6
    cards = []
    for index in range(number):
        row, column = divmod(index, columns)
        x, y = step * (column, row) + chance.uniform(-1, 1, 2) * min(_MARGIN, profile.gap * _JITTER)
        turn = skew + chance.uniform(-1, 1) * profile.turn + 180 * int(chance.integers(2))
        middle = (x + _MARGIN + geometry.width / 2, y + _MARGIN + geometry.height / 2)
        cards.append(place(float(middle[0]), float(middle[1]), turn, geometry))
    return cards


LAYOUTS: dict[Layout, Callable[[int, float, Profile, Geometry, np.random.Generator], list[Matrix]]] = {
    "grid": _grid,
    "scatter": _scatter,
    "overlap": _overlap,
    "fan": _fan,
    "hand": _hand,
    "piles": _piles,
    "page": _page,
}
"""Every layout by its name."""
