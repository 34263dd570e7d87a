"""Detects unread cards in a view from above by their bright rims.

Candidates come from two edges that meet at a right angle, and from edges as long as a side of a card. Each is then
scored by its whole rim, and must show codes unless they are hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.cards.code_patches import likeness_of, patch_points
from scanner.geometry.homography import fill
from scanner.geometry.quads import card_corners, code_on_card, project, side, twin_on_card

if TYPE_CHECKING:
    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.geometry.homography import Field, TableView
    from scanner.result import Grey, Quad


# Cosine of the angle between two edges at a corner, at most.
_SQUARE = float(np.sin(np.radians(7)))

# Millimetres between the end of an edge and the corner, at most: corners are round, and blur eats more.
_GAP = 10.0

# Millimetres by which a whole side is shorter than the card, for its two round corners.
_ROUNDED = (2.0, 12.0)

# Millimetres by which two edges on one line may be off.
_LEVEL = 1.2

# Cosine of the angle between two edges on one line, at least.
_PARALLEL = float(np.cos(np.radians(3)))


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
    # Average the rotation over both edges.
    u = _unit(along[one] + np.column_stack((along[next_, 1], -along[next_, 0])))
    v = np.column_stack((-u[:, 1], u[:, 0]))
    width, height = geometry.width * scale, geometry.height * scale
    wide = np.stack((corner - width * u, corner, corner + height * v, corner - width * u + height * v), axis=1)
    high = np.stack((corner - height * u, corner, corner + width * v, corner - height * u + width * v), axis=1)
    return np.concatenate((wide, np.roll(high, -1, axis=1)))


def frames_on_sides(edges: Field, scale: float, geometry: Geometry) -> Quad:
    """Return the candidate cards with an edge as a whole side."""
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


MOST_CARDS = 100
"""Maximum number of cards that are reported."""

MOST_EDGES = 400
"""The longest edges are tried; cloth and print have thousands."""

MOST_FRAMES = 8000
"""So many places for cards are judged: those with the longest edges."""

# Candidates whose rims are sampled together.
_AT_ONCE = 1000

# Millimetres of the shortest edge that counts.
_SHORTEST = 14.0

# Parts of an edge that are in sight or not.
_PIECES = 24

# Millimetres on both sides of an edge at which brightness is compared.
_ASIDE = 1.4

# Part of white by which the rim must be brighter than what lies beside the card.
_STEP = 0.09

# Part of white that the rim has at least.
_BRIGHT = 0.55

# Millimetres at each corner where the rim is not sampled.
_ROUND = 6.0

# Share of the visible edge that must be a bright rim.
_GOOD = 0.72

# Share of the edge that must be visible.
_VISIBLE = 0.3

# Of a card that shows less than this share of its edge, so much must be a bright rim.
_INSIDE, _SURE = 0.6, 0.86

# Number of sides of such a card that must show a rim, and the number of points of each.
_SIDES, _PIECE = 2, 2

# Share of the edge from which on seeing more of it makes no card surer.
_ENOUGH = 0.7

# Share of the smaller of two cards that both cover: then they are one and the same, found twice.
_SAME = 0.6

# Share of a patch that must be in sight, and its correlation with a grey square in a white frame if it is one.
_FREE, _CODE = 0.9, 0.45


def cards_in(view: TableView, edges: Field, geometry: Geometry) -> list[Quad]:
    """Return the outlines, in pixels of the view, of cards that were not read; the surest first.

    `edges` are those of `edges_in`. Objects without visible codes at the expected places are no cards.
    """
    frames = np.concatenate(
        (frames_on_sides(edges, view.scale, geometry), frames_at_corners(edges, view.scale, geometry))
    )[:MOST_FRAMES]
    if not len(frames):
        return []
    hidden = view.hidden.copy()
    candidates = _Candidates.of(view, frames)
    found: list[Quad] = []
    while len(found) < MOST_CARDS:
        worth = candidates.worth(view, hidden)
        if not worth.max(initial=0) > 0:
            break
        best = candidates.frames[int(worth.argmax())]
        if _bears_codes(view, best, geometry):
            found.append(best)
            # What lies on this card or under it is unknown: from here on its area says nothing about other cards.
            fill(hidden, best, 1)
        candidates = candidates.only((worth > 0) & (candidates.shared(best) < _SAME))
    return found


def edges_in(view: TableView) -> Field:
    """Return straight edges outside the cards that were read, longest first: (x, y) to (x, y), bright to the right."""
    pixels = np.clip(view.grey * (255 / view.white), 0, 255).astype(np.uint8)
    lines = cv2.createLineSegmentDetector().detect(pixels)[0]
    if lines is None:
        return np.empty((0, 4), dtype=np.float32)
    lines = _free(lines.reshape(-1, 4), view)
    lengths = np.linalg.norm(lines[:, 2:] - lines[:, :2], axis=1)
    lines = lines[lengths >= _SHORTEST * view.scale]
    along = lines[:, 2:] - lines[:, :2]
    aside = _ASIDE * view.scale * along / np.linalg.norm(along, axis=1, keepdims=True)
    right = np.column_stack((-aside[:, 1], aside[:, 0]))
    points = lines[:, :2] + np.linspace(0.15, 0.85, 9)[:, np.newaxis, np.newaxis] * along
    more = view.at(points + right).mean(axis=0) - view.at(points - right).mean(axis=0)
    lines = np.where((more >= 0)[:, np.newaxis], lines, lines[:, [2, 3, 0, 1]])[np.abs(more) > _STEP * view.white]
    order = np.argsort(-np.linalg.norm(lines[:, 2:] - lines[:, :2], axis=1))
    return np.asarray(lines[order[:MOST_EDGES]], dtype=np.float32)


def _free(lines: Field, view: TableView) -> Field:
    """Return of each line its longest part outside the cards that were read: edges of cards in a row run on."""
    steps = np.linspace(0, 1, _PIECES + 1)
    along = lines[:, 2:] - lines[:, :2]
    middles = lines[:, np.newaxis, :2] + (steps[:-1, np.newaxis] + 0.5 / _PIECES) * along[:, np.newaxis]
    free = view.seen(middles, view.hidden)
    parts = lines[free.all(axis=1)]
    cut = free.any(axis=1) & ~free.all(axis=1)
    pieces = []
    for line, way, open_ in zip(lines[cut], along[cut], free[cut], strict=True):
        ends = np.flatnonzero(np.diff(np.concatenate(([False], open_, [False]))))
        first, last = max(zip(ends[::2], ends[1::2], strict=True), key=lambda run: run[1] - run[0])
        pieces.append((*(line[:2] + steps[first] * way), *(line[:2] + steps[last] * way)))
    return np.concatenate((parts, np.array(pieces, dtype=np.float32).reshape(-1, 4)))


@dataclass(frozen=True, eq=False)
class _Candidates:
    """Places for cards, shape (n, 4, 2), clockwise from a corner with a code.

    `rim` are points along their edges, shape (n, m, 2), `good` says which of these look like a rim, and `sides` on
    which side they lie, shape (m,).
    """

    frames: Quad
    rim: Field
    good: npt.NDArray[np.bool_]
    sides: npt.NDArray[np.intp]

    @classmethod
    def of(cls, view: TableView, frames: Quad) -> _Candidates:
        rims, goods = [], []
        # In parts, since each point of each edge takes its room.
        for part in np.array_split(frames, len(frames) // _AT_ONCE + 1):
            points, inwards, sides = _rim(part, view.scale)
            off = inwards * (_ASIDE * view.scale)
            within, beyond = view.at(points + off), view.at(points - off)
            goods.append((within - beyond > _STEP * view.white) & (within > _BRIGHT * view.white))
            rims.append(points.astype(np.float32))
        return cls(frames, np.concatenate(rims), np.concatenate(goods), sides)

    def only(self, kept: npt.NDArray[np.bool_]) -> _Candidates:
        """Return some of the places."""
        return _Candidates(self.frames[kept], self.rim[kept], self.good[kept], self.sides)

    def worth(self, view: TableView, hidden: Grey) -> npt.NDArray[np.float64]:
        """Return for each place how surely a card lies there, 0 where it is not likely enough."""
        seen = view.seen(self.rim, hidden)
        visible = seen.mean(axis=1)
        rim = self.good & seen
        good = rim.sum(axis=1) / np.maximum(seen.sum(axis=1), 1)
        likely = (good >= _GOOD) & (visible >= _VISIBLE)
        # A card that is hardly visible needs more evidence, since other cards' edges and print look alike. A single
        # straight edge may be any of theirs, such as that of the print on a card beside it.
        shown = (rim.astype(np.float32) @ np.eye(4, dtype=np.float32)[self.sides] >= _PIECE).sum(axis=1)
        likely &= (visible >= _INSIDE) | ((good >= _SURE) & (shown >= _SIDES))
        return np.where(likely, good * np.minimum(visible, _ENOUGH), 0.0)

    def shared(self, frame: Quad) -> npt.NDArray[np.float64]:
        """Return the share of each place that another also covers."""
        near = np.linalg.norm(self.frames.mean(axis=1) - frame.mean(axis=0), axis=1) < side(frame)
        shares = np.zeros(len(self.frames))
        one, area = frame.astype(np.float32), side(frame) ** 2
        for at in np.flatnonzero(near):
            shares[at] = cv2.intersectConvexConvex(one, self.frames[at].astype(np.float32))[0] / area
        return shares


def _rim(frames: Quad, scale: float) -> tuple[Quad, Quad, npt.NDArray[np.intp]]:
    """Return points along the edges of cards, two millimetres apart, shape (n, m, 2), and the ways to the inside.

    Then the side on which each point lies, shape (m,).
    """
    points, inwards = [], []
    for corner in range(4):
        start, end = frames[:, corner], frames[:, (corner + 1) % 4]
        along = (end - start)[:, np.newaxis]
        length = float(np.linalg.norm(along[0]))
        # To a tenth of a millimetre the same for all cards, so that all get as many points.
        number = int(round(length / scale, 1) - 2 * _ROUND) // 2
        steps = (_ROUND + 1 + 2 * np.arange(number)[:, np.newaxis]) * scale / length
        points.append(start[:, np.newaxis] + steps * along)
        inwards.append(np.broadcast_to(np.stack((-along[..., 1], along[..., 0]), axis=-1) / length, points[-1].shape))
    sides = np.repeat(np.arange(4), [one.shape[1] for one in points])
    return np.concatenate(points, axis=1), np.concatenate(inwards, axis=1), sides


def _bears_codes(view: TableView, frame: Quad, geometry: Geometry) -> bool:
    """Return whether a code, however blurred, is visible where a card has one, or both places are hidden."""
    matrix = cv2.getPerspectiveTransform(card_corners(geometry).astype(np.float32), frame.astype(np.float32))
    points, inside, _ = patch_points(geometry)
    spots = np.array([project(matrix, points + code(geometry).mean(axis=0)) for code in (code_on_card, twin_on_card)])
    open_ = view.seen(spots, view.hidden).mean(axis=1) > _FREE
    likeness = likeness_of(view.at(spots[open_]).astype(np.float64), inside)
    return not open_.any() or bool(likeness.max() > _CODE)
