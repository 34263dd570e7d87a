"""Places where a card may lie, from little evidence: two rims at a corner, one whole side, two corner patterns.

All in pixels of a view from above, `scale` of them a millimetre. Frames have the shape (n, 4, 2), clockwise, the first
side being the card's width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scanner.finders import places
from scanner.quads import card_corners, code_on_card

if TYPE_CHECKING:
    from cardgen.cards import Geometry
    from scanner.above import Field
    from scanner.result import Quad

_SQUARE = float(np.sin(np.radians(7)))
# Cosine of the angle between two edges at a corner, at most.
_GAP = 10.0
# Millimetres between the end of an edge and the corner, at most: corners are round, and blur eats more.
_ROUNDED = (2.0, 12.0)
# Millimetres by which a whole side is shorter than the card, for its two round corners.
_LEVEL = 1.2
# Millimetres by which two edges on one line may be off.
_PARALLEL = float(np.cos(np.radians(3)))
# Cosine of the angle between two edges on one line, at least.
_SIDES = 4
# Edges from which on their distances tell the scale.
_ASIDE = 0.5
# How far two edges that face each other may be shifted along, in parts of their distance.
_SCALES = 3
# So many scales are told.
_FINE = 0.005
# Step of the logarithm of the scales that are tried.
_OFF = 0.02
# How far the logarithm of a distance may be off.
_APART = 0.06
# By what share the distance of two corner patterns may be off.


def stretches(edges: Field, scale: float, geometry: Geometry, most: float) -> list[float]:
    """Return how many times larger cards may seem than they are, up to `most`, the likeliest first.

    It is told by the distances between edges that face each other: cards have two of them.
    """
    if len(edges) < _SIDES:
        return []
    start, end = edges[:, :2].astype(np.float64), edges[:, 2:].astype(np.float64)
    along = _unit(end - start)
    inwards = np.column_stack((-along[:, 1], along[:, 0]))
    way = ((start + end)[np.newaxis] - (start + end)[:, np.newaxis]) / 2
    facing = along @ along.T < -_PARALLEL
    aside = np.abs(np.einsum("ijk,ik->ij", way, along))
    apart = np.einsum("ijk,ik->ij", way, inwards)
    facing &= (apart > 0) & (aside < _ASIDE * apart)
    distances = np.log(apart[facing] / scale)
    factors = np.linspace(-np.log(most), np.log(most), max(int(2 * np.log(most) / _FINE), 3))
    # Both lengths must be there: texture has many edges of one distance.
    counts = [_around(factors, distances - np.log(length)) for length in (geometry.width, geometry.height)]
    fitting = np.minimum(*counts)
    likely: list[float] = []
    while len(likely) < _SCALES and fitting.max() > 1:
        at = int(fitting.argmax())
        likely.append(float(np.exp(factors[at])))
        fitting[np.abs(factors - factors[at]) < 3 * _OFF] = 0
    return likely


def _around(places: Quad, values: Quad) -> Quad:
    """Return how many values lie around each of evenly spaced places: those at it count 1, those `_OFF` away 0."""
    step = places[1] - places[0]
    beside = int(np.ceil(_OFF / step))
    at = (values - places[0]) / step + beside
    at = at[(at >= 0) & (at < len(places) + 2 * beside - 1)]
    # Each value is shared out between the two places next to it: stripes have more pairs than memory for a table.
    low = at.astype(np.intp)
    number = len(places) + 2 * beside
    spread = np.bincount(low, low + 1 - at, number) + np.bincount(low + 1, at - low, number)
    weights = np.maximum(1 - np.abs(np.arange(-beside, beside + 1)) * step / _OFF, 0)
    return np.convolve(spread, weights, mode="valid")


def frames_at_corners(edges: Field, scale: float, geometry: Geometry) -> Quad:
    """Return the cards that two edges, shape (n, 4), may be a corner of; the bright side of each is its right."""
    if not len(edges):
        return np.empty((0, 4, 2))
    start, end = edges[:, :2].astype(np.float64), edges[:, 2:].astype(np.float64)
    along = _unit(end - start)
    # Walking round a card with its inside to the right, the next side turns right.
    cos = along @ along.T
    sin = along[:, :1] * along[:, 1] - along[:, 1:] * along[:, 0]
    one, next_ = np.nonzero((np.abs(cos) < _SQUARE) & (sin > 0))
    way = start[next_] - start[one]
    reach = (way[:, 0] * along[next_, 1] - way[:, 1] * along[next_, 0]) / sin[one, next_]
    corner = start[one] + reach[:, np.newaxis] * along[one]
    before = np.abs(_dot(corner - end[one], along[one]))
    after = np.abs(_dot(start[next_] - corner, along[next_]))
    near = np.maximum(before, after) < _GAP * scale
    one, next_, corner = one[near], next_[near], corner[near]
    # Both edges tell how the card is turned.
    u = _unit(along[one] + np.column_stack((along[next_, 1], -along[next_, 0])))
    v = np.column_stack((-u[:, 1], u[:, 0]))
    width, height = geometry.width * scale, geometry.height * scale
    wide = np.stack((corner - width * u, corner, corner + height * v, corner - width * u + height * v), axis=1)
    high = np.stack((corner - height * u, corner, corner + width * v, corner - height * u + width * v), axis=1)
    return np.concatenate((wide, np.roll(high, -1, axis=1)))


def frames_on_sides(edges: Field, scale: float, geometry: Geometry) -> Quad:
    """Return the cards of which an edge may be a whole side."""
    start, end = _joined(edges.astype(np.float64), scale)
    length = np.linalg.norm(end - start, axis=1) / scale
    frames = []
    for first, second in ((geometry.width, geometry.height), (geometry.height, geometry.width)):
        whole = (length > first - _ROUNDED[1]) & (length < first - _ROUNDED[0])
        u = _unit(end[whole] - start[whole])
        v = np.column_stack((-u[:, 1], u[:, 0])) * (second * scale)
        middle = (start[whole] + end[whole]) / 2
        half = u * (first * scale / 2)
        frame = np.stack((middle - half, middle + half, middle + half + v, middle - half + v), axis=1)
        frames.append(frame if first == geometry.width else np.roll(frame, -1, axis=1))
    return np.concatenate(frames)


def _joined(edges: Quad, scale: float) -> tuple[Quad, Quad]:
    """Return the ends of all edges, and of pairs that lie on one line, one after the other: a card may lie across."""
    start, end = edges[:, :2], edges[:, 2:]
    along = _unit(end - start)
    across = np.column_stack((-along[:, 1], along[:, 0]))
    to_start = start[np.newaxis] - end[:, np.newaxis]
    ahead = np.einsum("ijk,ik->ij", to_start, along) > 0
    level = np.abs(np.einsum("ijk,ik->ij", to_start, across)) < _LEVEL * scale
    one, other = np.nonzero(ahead & level & (along @ along.T > _PARALLEL))
    return np.concatenate((start, start[one])), np.concatenate((end, end[other]))


def frames_at_patterns(patterns: Quad, scale: float, geometry: Geometry) -> Quad:
    """Return the cards that may bear two corner patterns, shape (n, 2), as those of one code."""
    frames = [np.empty((0, 4, 2))]
    on_card = places(code_on_card(geometry), geometry.modules) * scale
    card = card_corners(geometry) * scale
    way = patterns[np.newaxis] - patterns[:, np.newaxis]
    apart = np.linalg.norm(way, axis=-1)
    for one in range(len(on_card)):
        for other in range(len(on_card)):
            true = on_card[other] - on_card[one]
            length = float(np.linalg.norm(true))
            if not length:
                continue
            first, second = np.nonzero(np.abs(apart - length) < _APART * length)
            # As complex numbers: what turns and stretches the true way to the one seen, without the stretch.
            turn = (way[first, second] @ (1, 1j)) / (true @ (1, 1j))
            turn /= np.maximum(np.abs(turn), 1e-9)
            middle = (patterns[first] + patterns[second]) / 2 @ (1, 1j)
            from_middle = (card - (on_card[one] + on_card[other]) / 2) @ (1, 1j)
            spots = middle[:, np.newaxis] + turn[:, np.newaxis] * from_middle
            frames.append(np.stack((spots.real, spots.imag), axis=-1))
    return np.concatenate(frames)


def _unit(vectors: Quad) -> Quad:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9))


def _dot(one: Quad, other: Quad) -> Quad:
    return np.asarray((one * other).sum(axis=-1))
