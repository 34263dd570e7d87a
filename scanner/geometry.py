"""Geometry of quads, of codes on cards, of the plane of the table, and of rectified views of it from above."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.image.filters import Pyramid
    from scanner.result import Corners, Grey, Quad

    Field = npt.NDArray[np.float32]
    Matrix = npt.NDArray[np.float64]


BARELY = 0.2
"""Share of one quad that may lie in another without both being the same object: outlines are not exact."""

LONGEST = 3.0
"""Ratio of the sides from which on a quad is no square on a table: seen at 70 degrees one is 1 / cos 70 = 2.9 wide."""


def corners(quad: Quad) -> Corners:
    """Return a quad as a tuple of points, to a hundredth of a pixel."""
    return cast("Corners", tuple((round(float(x), 2), round(float(y), 2)) for x, y in quad))


def side(quad: Quad) -> float:
    """Return the side of the square of the quad's area, in pixels."""
    # Half the cross product of the diagonals is the area. Plain numbers are faster, and this is called very often.
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    return math.sqrt(abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2)


def centre(quad: Quad) -> Quad:
    """Return the mean of the corners, shape (2,)."""
    # A tenth of the time of `mean`, and this is called very often.
    return cast("Quad", np.add.reduce(quad, axis=0) / len(quad))


def contains(quad: Quad, point: Quad) -> bool:
    """Return whether a convex quad contains a point, shape (2,)."""
    x, y = point
    return cv2.pointPolygonTest(quad.astype(np.float32), (float(x), float(y)), measureDist=False) >= 0


def shared(one: Quad, other: Quad) -> float:
    """Return the share of a convex quad that lies in another."""
    part, whole = one.astype(np.float32), other.astype(np.float32)
    return cv2.intersectConvexConvex(part, whole)[0] / max(cv2.contourArea(part), 1.0)


def is_apart(one: Quad, others: Iterable[Quad]) -> bool:
    """Return whether a convex quad hardly overlaps each of the others, nor any of them it."""
    return not any(shared(one, other) > BARELY or shared(other, one) > BARELY for other in others)


def is_squarish(quad: Quad) -> bool:
    """Return whether a quad can be a square seen at a slant: convex, clockwise, its sides of similar length."""
    return bool(are_squarish(quad[np.newaxis])[0])


def are_squarish(quads: Quad) -> npt.NDArray[np.bool_]:
    """Return the same for several quads, shape (n, 4, 2)."""
    edges = np.roll(quads, -1, axis=1) - quads
    following = np.roll(edges, -1, axis=1)
    turns = edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0]
    lengths = np.hypot(edges[..., 0], edges[..., 1])
    return np.asarray((turns > 0).all(axis=1) & (lengths.max(axis=1) < LONGEST * lengths.min(axis=1)))


def turn_between(one: Quad, other: Quad) -> float:
    """Return the angle between two codes, 0 to 180 degrees."""
    angles = [np.arctan2(*reversed(quad[1] + quad[2] - quad[0] - quad[3])) for quad in (one, other)]
    return abs(float(np.degrees((angles[0] - angles[1] + np.pi) % (2 * np.pi) - np.pi)))


def code_on_card(geometry: Geometry) -> Quad:
    """Return the corners of the upright code on the card, in millimetres from the card's top-left corner."""
    near = geometry.inset + geometry.quiet * geometry.module
    far = near + geometry.code
    return np.array([(near, near), (far, near), (far, far), (near, far)])


def rectangle(width: float, height: float) -> Quad:
    """Return the corners of a rectangle at the origin: a picture, for example."""
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)


def card_corners(geometry: Geometry) -> Quad:
    """Return the corners of the card, in millimetres."""
    return rectangle(geometry.width, geometry.height)


def twin_on_card(geometry: Geometry) -> Quad:
    """Return the corners of the twin code, turned by half a turn, in millimetres."""
    return np.array([geometry.width, geometry.height]) - code_on_card(geometry)


def fitted(source: Quad, target: Quad) -> Quad | None:
    """Return the 3 x 3 matrix that maps four or more points onto others best, or None if there is none."""
    # OpenCV's types omit that it returns None for collinear points.
    matrix: object = cv2.findHomography(source, target)[0]
    return None if matrix is None else np.asarray(matrix, dtype=np.float64)


def codes_of(outline: Quad, geometry: Geometry) -> list[Quad]:
    """Return the quads of the two codes of a card with this outline."""
    matrix = fitted(card_corners(geometry), outline)
    return [] if matrix is None else [project(matrix, place(geometry)) for place in (code_on_card, twin_on_card)]


def project(matrix: npt.NDArray[Any], points: Quad) -> Quad:
    """Map points, shape (..., 2), by a 3 x 3 matrix."""
    if not points.size:
        return points
    mapped = cv2.perspectiveTransform(points.reshape(1, -1, 2).astype(np.float64), matrix)
    return np.asarray(mapped.reshape(points.shape), dtype=np.float64)


ENOUGH = 4
"""Number of codes from which on the perspective is estimated from their sizes: it has three parameters."""

# Largest plausible ratio of sizes between the ends of the picture.
_STEEPEST = 3.0

# Weight of the assumption that there is no perspective, in sides of a code: the relative error of sizes divided by
# their usual change from one code to the next. Measured with four codes in a row and errors of 0.3 pixels, for a card
# 20 cm away: the outline is usually 1 mm off, in the worst of 100 pictures 8 mm; without this weight 7 and 58 mm. In
# 100 difficult photographs as many cards are named with 0 to 0.3.
_NO_SLANT = 0.2

# Multiple of the median error from which on a code is an outlier.
_OUTLIER = 4.0


@dataclass(frozen=True, eq=False)
class TablePlane:
    """The plane of the cards. `flat` is the homography to a view from above, up to scale and rotation.

    In a `mirrored` picture it also undoes the reflection, and quads are counter-clockwise.
    """

    flat: Matrix
    mirrored: bool = False

    @classmethod
    def under(cls, quads: Sequence[Quad]) -> TablePlane:
        """Estimate the plane from codes of one size; without any, assume a view from above."""
        # Readers may report a line for a code.
        quads = [quad for quad in quads if side(quad) >= 1]
        if not quads:
            return cls(np.eye(3))
        level = _levelling(quads)
        flat = np.eye(3)
        flat[:2, :2] = np.linalg.inv(foreshortening(list(project(level, np.array(quads)))))
        return cls(flat @ level)

    def reflected(self) -> TablePlane:
        """Return the same table in a picture taken through a mirror."""
        return TablePlane(np.diag((-1.0, 1.0, 1.0)) @ self.flat, mirrored=not self.mirrored)

    def scaled(self, codes: Sequence[Quad], length: float) -> Matrix:
        """Return the matrix to a view from above in which the median side of codes is `length`."""
        factor = length / float(np.median([side(project(self.flat, code)) for code in codes]))
        return np.asarray(np.diag((factor, factor, 1.0)) @ self.flat, dtype=np.float64)

    def outline(self, geometry: Geometry, quad: Quad, twin: Quad | None = None) -> Quad:
        """Return the outline of a card in the picture, from one of its codes or, more exactly, from both.

        The code `quad` is taken as the upright one.
        """
        if twin is not None:
            on_card = np.vstack((code_on_card(geometry), twin_on_card(geometry)))
            matrix = fitted(on_card, np.vstack((quad, twin)))
            if matrix is not None:
                card = project(matrix, card_corners(geometry))
                if is_squarish(card[::-1] if self.mirrored else card):
                    return card
        return self._on_card(geometry, quad, card_corners(geometry))

    def card_middles(self, geometry: Geometry, quads: Quad) -> Quad:
        """Return the middles of cards in the picture, shape (n, 2), each from one of its codes, shape (n, 4, 2)."""
        middle = centre(card_corners(geometry))[np.newaxis]
        return self._on_card(geometry, quads, middle).reshape(-1, 2)

    def twin_place(self, geometry: Geometry, quad: Quad) -> Quad:
        """Return the quad of the twin of a code in the picture."""
        return self._on_card(geometry, quad, twin_on_card(geometry))

    def _on_card(self, geometry: Geometry, quads: Quad, points: Quad) -> Quad:
        """Return m points of a card, in millimetres, as seen beside its codes, shape (..., 4, 2): (..., m, 2)."""
        code = code_on_card(geometry)
        own, others = (code - centre(code)) @ (1, 1j), (points - centre(code)) @ (1, 1j)
        above = project(self.flat, quads) @ (1, 1j)
        middles = above.mean(axis=-1, keepdims=True)
        # As complex numbers: the factors that turn and stretch the code on the card to those seen from above.
        turns = (above - middles) @ own.conj() / np.vdot(own, own).real
        spots = middles + turns[..., np.newaxis] * others
        return project(np.linalg.inv(self.flat), np.stack((spots.real, spots.imag), axis=-1))


def foreshortening(quads: Sequence[Quad]) -> Matrix:
    """Return the foreshortening of squares on a plane as a symmetric 2 x 2 matrix of determinant 1.

    If a code's sides are the columns of A, then A A^T is the same for all codes up to a factor, whichever way each is
    turned; the slant is its root.
    """
    corners = np.array(quads)
    across = corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]
    along = corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]
    sides = np.stack((across, along), axis=2)
    areas = np.maximum(np.abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]), 1e-6)
    values, vectors = np.linalg.eigh((sides @ sides.transpose(0, 2, 1) / areas[:, np.newaxis, np.newaxis]).mean(axis=0))
    root = vectors @ np.diag(np.sqrt(values)) @ vectors.T
    return np.asarray(root / np.sqrt(np.linalg.det(root)), dtype=np.float64)


def _levelling(quads: Sequence[Quad]) -> Matrix:
    """Return the homography that removes the perspective, so that codes of one size have one size in the picture.

    Seen in perspective, the area of a small square at the point x is a constant times (l . x)^3, where l is the
    horizon. So the cube roots of the areas lie on a plane over the picture, whose slope is the horizon. It is pulled
    towards 0, so that a few inexact codes give no perspective.
    """
    if len(quads) < ENOUGH:
        return np.eye(3)
    lengths = np.array([side(quad) for quad in quads])
    points = np.column_stack((np.array(quads).mean(axis=1), np.ones(len(quads))))
    roots = lengths ** (2 / 3)
    middle = points.mean(axis=0) * (1, 1, 0)
    no_slant = np.eye(2, 3) * _NO_SLANT * np.median(lengths)
    kept = np.ones(len(quads), dtype=np.bool_)
    for _ in range(2):
        table = np.vstack((points[kept] - middle, no_slant))
        horizon = np.linalg.lstsq(table, np.append(roots[kept], (0, 0)), rcond=None)[0]
        off = np.abs((points - middle) @ horizon - roots)
        kept = off <= _OUTLIER * np.median(off) + 1e-9
    horizon[2] -= horizon @ middle
    sizes = points @ horizon
    if sizes.min() * _STEEPEST < sizes.max():
        return np.eye(3)
    level = np.eye(3)
    # A usual scale in the middle keeps the numbers, and what counts as one pixel, near those of the picture.
    level[2] = horizon / float(np.median(sizes))
    return level


# Share of the smallest depth of the boxes below which the table is cut off: no farther than twice the farthest box.
_FARTHER = 0.5

# Millimetres around a card that was read that are hidden with it.
_AROUND = 2.0


@dataclass(frozen=True, eq=False)
class TableView:
    """A rectified part of the table: `grey` has `scale` pixels per millimetre.

    `matrix` maps pixels of the picture to pixels of the view; `hidden` is not 0 under cards that were read.
    """

    grey: Grey
    hidden: Grey
    matrix: Matrix
    scale: float

    def down(self, points: Quad) -> Quad:
        """Return points of the picture, shape (n, 2), in pixels of this view."""
        return project(self.matrix, points)

    def up(self, quads: Quad) -> Quad:
        """Return points of this view, shape (..., 2), in pixels of the picture."""
        return project(np.linalg.inv(self.matrix), quads)


def fill(mask: npt.NDArray[Any], quad: Quad, value: int) -> None:
    """Fill a convex quad in a mask, its corners to an eighth of a pixel."""
    # What lies farther away has no place in 32 bits.
    cv2.fillConvexPoly(mask, np.round(np.clip(quad, -1e6, 1e6) * 8).astype(np.int32), value, shift=3)


def view_from_above(
    picture: Pyramid,
    flat: Matrix,
    boxes: Sequence[Quad],
    outlines: Sequence[Quad],
    reach: float,
    least: float,
    most: float,
) -> TableView | None:
    """Return a view of the table around some boxes, with a margin of `reach` millimetres, as far as it is visible.

    `flat` maps pixels to millimetres on the table. None if that is not in the picture, or so large that a view of
    `most` pixels would have fewer than `least` pixels per millimetre.
    """
    frame = rectangle(*picture.shape[::-1])
    spots = np.vstack(boxes)
    near = float((np.column_stack((spots, np.ones(len(spots)))) @ flat[2]).min())
    if near <= 0:
        # The boxes reach beyond the horizon, so they were no codes.
        return None
    spots, frame = project(flat, spots), project(flat, _before(frame, flat[2], near * _FARTHER))
    low = np.maximum(spots.min(axis=0) - reach, frame.min(axis=0))
    span = np.minimum(spots.max(axis=0) + reach, frame.max(axis=0)) - low
    if not np.isfinite(span).all() or (span < 1).any():
        return None
    scale = min(1.0, float(np.sqrt(most / span.prod())))
    if scale < least:
        return None
    matrix = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]]) @ flat
    size = np.maximum(np.ceil(span * scale), 1).astype(int)
    # The picture is shrunk first, so that every pixel counts and not one in many.
    middle = project(np.linalg.inv(matrix), np.array([size / 2, size / 2 + 1]))
    step = float(np.linalg.norm(middle[1] - middle[0])) / np.sqrt(2)
    if step > min(picture.shape):
        return None
    level = picture.shrunk(step, 1.0)
    to_level = matrix @ np.linalg.inv(level.matrix)
    grey = cv2.warpPerspective(level.pixels, to_level, size.tolist(), borderMode=cv2.BORDER_REPLICATE)
    hidden = np.zeros(grey.shape, dtype=np.uint8)
    for outline in outlines:
        fill(hidden, project(matrix, outline), 1)
    if outlines:
        # Include a margin, since outlines are not exact.
        grown = 2 * round(_AROUND * scale) + 1
        hidden = np.asarray(cv2.dilate(hidden, np.ones((grown, grown), dtype=np.uint8)), dtype=np.uint8)
    return TableView(np.asarray(grey, dtype=np.uint8), hidden, matrix, scale)


def _before(quad: Quad, horizon: Matrix, least: float) -> Quad:
    """Clip a convex quad to where the linear form `horizon`, shape (3,), is at least `least`."""
    depths = np.column_stack((quad, np.ones(len(quad)))) @ horizon - least
    spots = []
    for one, other, depth, next_ in zip(quad, np.roll(quad, -1, axis=0), depths, np.roll(depths, -1), strict=True):
        if depth >= 0:
            spots.append(one)
        if depth * next_ < 0:
            spots.append(one + (other - one) * depth / (depth - next_))
    return np.array(spots)


UNEVEN = 1.2
"""Ratio of the largest to the smallest scale in the picture from which on it is rectified."""

# Maximum size of the view, relative to the picture's pixels.
_LARGEST = 1.5


def upright_view(picture: Pyramid, table: TablePlane, codes: Sequence[Quad], length: float) -> TableView | None:
    """Return the whole picture rectified, so that the sides of codes are `length` pixels long.

    None if the picture is such a view already, or shows too much of the table.
    """
    frame = rectangle(*picture.shape[::-1])
    if _unevenness(table.flat, frame) < UNEVEN:
        return None
    flat = table.scaled(codes, length)
    return view_from_above(picture, flat, [frame], [], 0, 1.0, _LARGEST * float(np.prod(picture.shape)))


def _unevenness(flat: Matrix, frame: Quad) -> float:
    """Return the ratio of the largest to the smallest scale over all places and directions in the picture."""
    places = np.vstack((frame, frame.mean(axis=0)))
    ways = ((1.0, 0.0), (0.0, 1.0), (0.7, 0.7), (0.7, -0.7))
    steps = [np.linalg.norm(project(flat, places + step) - project(flat, places - step), axis=1) for step in ways]
    return float(np.max(steps) / np.min(steps))
