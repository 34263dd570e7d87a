"""The table under the cards: one plane seen at a slant, known from the codes on it, which are squares of one size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scanner.quads import card_corners, centre, code_on_card, fitted, is_squarish, project, side, twin_on_card

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.result import Quad

    Matrix = npt.NDArray[np.float64]

_ENOUGH = 4
# Codes from which on their sizes tell the perspective: three numbers are fitted.
_STEEPEST = 3.0
# The same card is not seen so many times larger at one end of the picture than at the other.
_OUTLIER = 4.0


@dataclass(frozen=True, eq=False)
class Table:
    """The plane that the cards lie on. `flat` maps pixels to a view from straight above, at any scale and turn.

    In a `mirrored` picture it takes the mirroring out as well, and quads go round counter-clockwise.
    """

    flat: Matrix
    mirrored: bool = False

    @classmethod
    def under(cls, quads: Sequence[Quad]) -> Table:
        """Return the table under some codes of one size; without any, one seen from straight above."""
        if not quads:
            return cls(np.eye(3))
        level = _levelling(quads)
        flat = np.eye(3)
        flat[:2, :2] = np.linalg.inv(slant([project(level, quad) for quad in quads]))
        return cls(flat @ level)

    def reflected(self) -> Table:
        """Return the same table in a picture taken through a mirror."""
        return Table(np.diag((-1.0, 1.0, 1.0)) @ self.flat, mirrored=not self.mirrored)

    def outline(self, geometry: Geometry, quad: Quad, twin: Quad | None = None) -> Quad:
        """Return where a card's corners lie in the picture, from one of its codes or, more exactly, from both.

        The code `quad` is taken as the upright one.
        """
        if twin is not None:
            on_card = np.vstack((code_on_card(geometry), twin_on_card(geometry)))
            matrix = fitted(on_card, np.vstack((quad, twin)))
            if matrix is not None:
                card = project(matrix, card_corners(geometry))
                if is_squarish(card[::-1] if self.mirrored else card):
                    return card
        above = _similar(code_on_card(geometry), project(self.flat, quad))
        return project(np.linalg.inv(self.flat) @ above, card_corners(geometry))

    def middles(self, geometry: Geometry, quads: Quad) -> Quad:
        """Return where the middles of cards lie in the picture, from one code of each: shape (n, 4, 2) to (n, 2)."""
        on_card = code_on_card(geometry)
        x, y = (on_card - centre(on_card)).T
        above = project(self.flat, quads.reshape(-1, 2)).reshape(quads.shape)
        middle = above.mean(axis=1)
        u, v = np.moveaxis(above - middle[:, np.newaxis], 2, 0)
        size = float((x**2 + y**2).sum())
        cos, sin = (u @ x + v @ y) / size, (v @ x - u @ y) / size
        across, along = centre(card_corners(geometry)) - centre(on_card)
        away = np.column_stack((cos * across - sin * along, sin * across + cos * along))
        return project(np.linalg.inv(self.flat), middle + away)

    def twin_place(self, geometry: Geometry, quad: Quad) -> Quad:
        """Return where the twin of a code lies in the picture."""
        above = _similar(code_on_card(geometry), project(self.flat, quad))
        return project(np.linalg.inv(self.flat) @ above, twin_on_card(geometry))


def slant(quads: Sequence[Quad]) -> Matrix:
    """Return how squares on a plane are squeezed: a symmetric 2 x 2 matrix of determinant 1.

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
    """Return the matrix that takes the perspective out, so that codes of one size have one size in the picture.

    Seen in perspective, the area of a small square at the point x is a constant times (l . x)^3, where l is the
    horizon. So the cube roots of the areas lie on a plane over the picture, whose slope is the horizon.
    """
    if len(quads) < _ENOUGH:
        return np.eye(3)
    points = np.column_stack((np.array(quads).mean(axis=1), np.ones(len(quads))))
    roots = np.array([side(quad) for quad in quads]) ** (2 / 3)
    horizon = np.linalg.lstsq(points, roots, rcond=None)[0]
    off = np.abs(points @ horizon - roots)
    kept = off <= _OUTLIER * np.median(off) + 1e-9
    horizon = np.linalg.lstsq(points[kept], roots[kept], rcond=None)[0]
    sizes = points @ horizon
    if np.linalg.matrix_rank(points[kept]) < points.shape[1] or sizes.min() * _STEEPEST < sizes.max():
        return np.eye(3)
    level = np.eye(3)
    # A usual scale in the middle keeps the numbers, and what counts as one pixel, near those of the picture.
    level[2] = horizon / float(np.median(sizes))
    return level


def _similar(source: Quad, target: Quad) -> Matrix:
    """Return the 3 x 3 matrix that turns, scales and moves points onto others best, in the least-squares sense."""
    from_middle, to_middle = centre(source), centre(target)
    x, y = (source - from_middle).T
    u, v = (target - to_middle).T
    size = float((x**2 + y**2).sum())
    cos, sin = float((x * u + y * v).sum()) / size, float((x * v - y * u).sum()) / size
    matrix = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    matrix[:2, 2] = to_middle - matrix[:2, :2] @ from_middle
    return matrix
