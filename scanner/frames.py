"""Places where a card may lie, from little evidence: two rims at a corner, or one whole side.

All in pixels of a view from above, `scale` of them a millimetre. Frames have the shape (n, 4, 2), clockwise, the first
side being the card's width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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


def _unit(vectors: Quad) -> Quad:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9))


def _dot(one: Quad, other: Quad) -> Quad:
    return np.asarray((one * other).sum(axis=-1))
