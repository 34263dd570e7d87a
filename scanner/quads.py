"""Geometry of quads: size, place, and the card around a code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.result import Corners, Quad


def corners(quad: Quad) -> Corners:
    """Return a quad as a tuple of points, to a hundredth of a pixel."""
    return cast("Corners", tuple((round(float(x), 2), round(float(y), 2)) for x, y in quad))


def side(quad: Quad) -> float:
    """Return the side of the square of the quad's area, in pixels."""
    x, y = quad[:, 0], quad[:, 1]
    return float(np.sqrt(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2))


def centre(quad: Quad) -> Quad:
    """Return the mean of the corners, shape (2,)."""
    return cast("Quad", quad.mean(axis=0))


def is_squarish(quad: Quad) -> bool:
    """Tell whether a quad can be a square seen at a slant: convex, clockwise, no side three times another."""
    edges = np.roll(quad, -1, axis=0) - quad
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    lengths = np.linalg.norm(edges, axis=1)
    return bool((turns > 0).all() and lengths.max() < 3 * lengths.min())


def turn_between(one: Quad, other: Quad) -> float:
    """Return by how much two codes are turned against each other, 0 to 180 degrees."""
    angles = [np.arctan2(*reversed(quad[1] + quad[2] - quad[0] - quad[3])) for quad in (one, other)]
    return abs(float(np.degrees((angles[0] - angles[1] + np.pi) % (2 * np.pi) - np.pi)))


def code_on_card(geometry: Geometry) -> Quad:
    """Return the corners of the upright code on the card, in millimetres from the card's top-left corner."""
    near = geometry.inset + geometry.quiet * geometry.module
    far = near + geometry.code
    return np.array([(near, near), (far, near), (far, far), (near, far)])


def card_corners(geometry: Geometry) -> Quad:
    """Return the corners of the card, in millimetres."""
    return np.array([(0, 0), (geometry.width, 0), (geometry.width, geometry.height), (0, geometry.height)])


def twin_on_card(geometry: Geometry) -> Quad:
    """Return the corners of the twin code, turned by half a turn, in millimetres."""
    return np.array([geometry.width, geometry.height]) - code_on_card(geometry)


def outline(geometry: Geometry, quad: Quad, twin: Quad | None = None) -> Quad:
    """Return where a card's corners lie in the picture, from one of its codes or from both.

    With one code the slant is measured over a third of the card and so is uncertain at its far end; where
    it gives no possible card, the outline is carried on as if seen from straight above.
    """
    on_card, seen = code_on_card(geometry), quad
    if twin is not None:
        on_card, seen = np.vstack((on_card, twin_on_card(geometry))), np.vstack((quad, twin))
    matrix, _ = cv2.findHomography(on_card, seen)
    if matrix is not None:
        card = project(matrix, card_corners(geometry))
        if is_squarish(card) and side(card) < 2 * _flat_side(geometry, quad):
            return card
    return project(np.vstack((_affine(code_on_card(geometry), quad), (0, 0, 1))), card_corners(geometry))


def twin_place(geometry: Geometry, card: Quad, quad: Quad) -> Quad:
    """Return where the twin of the code `quad` lies on the card with the outline `card`, in pixels."""
    matrix = cv2.getPerspectiveTransform(card_corners(geometry).astype(np.float32), np.asarray(card, dtype=np.float32))
    places = [project(matrix, on_card(geometry)) for on_card in (code_on_card, twin_on_card)]
    distances = [float(np.linalg.norm(centre(place) - centre(quad))) for place in places]
    return places[0] if distances[0] > distances[1] else places[1]


def project(matrix: npt.NDArray[Any], points: Quad) -> Quad:
    """Map points, shape (n, 2), by a 3 x 3 matrix."""
    mapped = cv2.perspectiveTransform(points[np.newaxis].astype(np.float64), matrix)
    return np.asarray(mapped[0], dtype=np.float64)


def _affine(source: Quad, target: Quad) -> Quad:
    """Return the 2 x 3 matrix that maps the points best, in the least-squares sense."""
    solution = np.linalg.lstsq(np.column_stack((source, np.ones(len(source)))), target, rcond=None)[0]
    return cast("Quad", solution.T)


def _flat_side(geometry: Geometry, quad: Quad) -> float:
    return side(quad) / geometry.code * float(np.sqrt(geometry.width * geometry.height))
