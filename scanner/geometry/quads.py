"""Geometry of quadrilaterals, and of codes on cards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.result import Corners, Quad


BARELY = 0.2
"""Share of one quad that may lie in another without both being the same object: outlines are not exact."""


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


def containing(quads: Quad, points: Quad) -> npt.NDArray[np.bool_]:
    """Return which convex quads, shape (n, 4, 2), contain which points, shape (m, 2): shape (n, m)."""
    along = (np.roll(quads, -1, axis=1) - quads)[:, np.newaxis]
    way = points[np.newaxis, :, np.newaxis] - quads[:, np.newaxis]
    turns = along[..., 0] * way[..., 1] - along[..., 1] * way[..., 0]
    return np.asarray((turns >= 0).all(axis=2) | (turns <= 0).all(axis=2))


def shared(one: Quad, other: Quad) -> float:
    """Return the share of a convex quad that lies in another."""
    part, whole = one.astype(np.float32), other.astype(np.float32)
    return cv2.intersectConvexConvex(part, whole)[0] / max(cv2.contourArea(part), 1.0)


def is_apart(one: Quad, others: Iterable[Quad]) -> bool:
    """Return whether a convex quad hardly overlaps each of the others."""
    return not any(shared(one, other) > BARELY for other in others)


def is_squarish(quad: Quad) -> bool:
    """Return whether a quad can be a square seen at a slant: convex, clockwise, no side three times another."""
    return bool(are_squarish(quad[np.newaxis])[0])


def are_squarish(quads: Quad) -> npt.NDArray[np.bool_]:
    """Return the same for several quads, shape (n, 4, 2)."""
    edges = np.roll(quads, -1, axis=1) - quads
    following = np.roll(edges, -1, axis=1)
    turns = edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0]
    lengths = np.hypot(edges[..., 0], edges[..., 1])
    return np.asarray((turns > 0).all(axis=1) & (lengths.max(axis=1) < 3 * lengths.min(axis=1)))


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
    """Map points, shape (n, 2), by a 3 x 3 matrix."""
    mapped = cv2.perspectiveTransform(points[np.newaxis].astype(np.float64), matrix)
    return np.asarray(mapped[0], dtype=np.float64)
