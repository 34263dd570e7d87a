"""Where a flat or bent thing lies before the camera: its own millimetres to pixels and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from server.studio.camera import on_table, project

if TYPE_CHECKING:
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]
    Points = npt.NDArray[np.float64]

_STEEPEST = 0.99
# Sine of the angle beyond which nothing of a bent thing is seen.
_EDGE = 12
# Points along each edge of a bent thing.


@dataclass(frozen=True)
class Bend:
    """The bend of a card that was held: part of a cylinder.

    `radius` in millimetres; `axis` is the direction of the cylinder in degrees against the card's upper edge;
    `cup` means that the edges stand up, otherwise the middle does.
    """

    radius: float
    axis: float
    cup: bool


@dataclass(frozen=True, eq=False)
class Surface:
    """A rectangle of `size` millimetres: `place` (3 x 3) puts it on the table, `camera` (3 x 4) sees the table."""

    camera: Matrix
    place: Matrix
    size: tuple[float, float]
    bend: Bend | None = None

    @property
    def flat(self) -> Matrix:
        """The 3 x 3 matrix from the thing's millimetres to pixels, as if it had no bend."""
        return on_table(self.camera) @ self.place

    @property
    def corners(self) -> Points:
        """The thing's corners in its own millimetres, clockwise from the upper left."""
        width, height = self.size
        return np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)

    @property
    def edge(self) -> Points:
        """The outline in pixels: the corners, and for a bent thing points between them."""
        if self.bend is None:
            return self.project(self.corners)
        share = np.linspace(0, 1, _EDGE, endpoint=False)[:, np.newaxis]
        corners = self.corners
        sides = [one + share * (other - one) for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
        return self.project(np.vstack(sides))

    def project(self, points: Points) -> Points:
        """Map points on the thing in millimetres, shape (n, 2), to pixels."""
        if self.bend is None:
            return project(self.flat, points)
        across, along = self._parts(points)
        angle = across / self.bend.radius
        ground = self._joined(self.bend.radius * np.sin(angle), along)
        return project(self.camera, np.column_stack((project(self.place, ground), self._height(self.bend, across))))

    def scale(self) -> tuple[float, float]:
        """Return the pixels a millimetre along the thing's width and along its height."""
        left, right, low = project(self.flat, np.array([(0, 0.5), (1, 0.5), (0.5, 1)]) * self.size)
        top = project(self.flat, np.array([(0.5, 0)]) * self.size)[0]
        return float(np.hypot(*(right - left))) / self.size[0], float(np.hypot(*(low - top))) / self.size[1]

    def beneath(self, x: Points, y: Points) -> tuple[Points, Points]:
        """Return for pixels (x, y), arrays of one shape, the point of the thing that is seen there, in millimetres."""
        points = self._at_height(x.ravel(), y.ravel(), 0.0)
        if self.bend:
            # The view through a pixel is a line: so far across and along at each height above the table.
            across, along = self._parts(points)
            higher, further = self._parts(self._at_height(x.ravel(), y.ravel(), 1.0))
            height = self._met(self.bend, across, higher - across)
            sine = (across + height * (higher - across)) / self.bend.radius
            across = self.bend.radius * np.arcsin(np.clip(sine, -_STEEPEST, _STEEPEST))
            points = self._joined(across, along + height * (further - along))
        return points[:, 0].reshape(x.shape), points[:, 1].reshape(x.shape)

    def slope(self, x: Points) -> Points:
        """Return how steeply a bent thing rises across its bend at points in millimetres, shape (n, 2)."""
        if self.bend is None:
            return np.zeros(len(x))
        slope = np.sin(self._parts(x)[0] / self.bend.radius)
        return slope if self.bend.cup else -slope

    @property
    def _furthest(self) -> float:
        """How far the corners are from the middle, across the bend."""
        return float(np.abs(self._parts(self.corners)[0]).max())

    @property
    def _axis(self) -> float:
        return self.bend.axis if self.bend else 0.0

    def _at_height(self, x: Points, y: Points, height: float) -> Points:
        """Return the points in the thing's millimetres, shape (n, 2), that are seen at pixels at a height."""
        p = self.camera
        a, b = p[0, 0] - x * p[2, 0], p[0, 1] - x * p[2, 1]
        c, d = p[1, 0] - y * p[2, 0], p[1, 1] - y * p[2, 1]
        e = -((p[0, 2] - x * p[2, 2]) * height + p[0, 3] - x * p[2, 3])
        f = -((p[1, 2] - y * p[2, 2]) * height + p[1, 3] - y * p[2, 3])
        whole = a * d - b * c
        return project(np.linalg.inv(self.place), np.column_stack(((e * d - b * f) / whole, (a * f - e * c) / whole)))

    def _met(self, bend: Bend, start: Points, slant: Points) -> Points:
        """Return the heights at which lines meet the cylinder; they are `start` + height x `slant` across the bend."""
        middle = bend.radius if bend.cup else -bend.radius * np.cos(self._furthest / bend.radius)
        half = (slant * start - middle) / (slant**2 + 1)
        rest = (start**2 + middle**2 - bend.radius**2) / (slant**2 + 1)
        # Where a line misses the cylinder nothing of the thing is seen, so any height will do.
        root = np.sqrt(np.maximum(half**2 - rest, 0))
        return np.asarray(-half - root if bend.cup else -half + root)

    def _parts(self, points: Points) -> tuple[Points, Points]:
        """Return the parts of points across and along the bend, from the thing's middle."""
        angle = np.radians(self._axis)
        off = points - np.array(self.size) / 2
        along = off @ np.array([np.cos(angle), np.sin(angle)])
        return off @ np.array([-np.sin(angle), np.cos(angle)]), along

    def _joined(self, across: Points, along: Points) -> Points:
        """Return points in millimetres from their parts across and along the bend."""
        angle = np.radians(self._axis)
        return (
            np.outer(along, (np.cos(angle), np.sin(angle)))
            + np.outer(across, (-np.sin(angle), np.cos(angle)))
            + np.array(self.size) / 2
        )

    def _height(self, bend: Bend, across: Points) -> Points:
        """Return the heights above the table, in millimetres; the lowest part of the thing touches it."""
        radius = bend.radius
        if bend.cup:
            return np.asarray(radius * (1 - np.cos(across / radius)), dtype=np.float64)
        return np.asarray(np.maximum(radius * (np.cos(across / radius) - np.cos(self._furthest / radius)), 0))
