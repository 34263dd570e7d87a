"""A pinhole camera, and the bent surfaces of cards that it sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]
    Points = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]

FOCAL = 0.8
"""Focal length over the longer side of the picture: a phone's main camera, about 28 mm on full frame."""

# Iterations that find the camera's distance, and the share of the correction in each, for stability at steep tilts.
_STEPS, _STEP = 8, 0.7

# Additional distance of the camera for each degree of tilt, in widths of the cards: people zoom in then.
_BACK = 0.012


def camera(points: Points, width: int, height: int, tilt: float, direction: float, fill: float) -> Matrix:
    """Return the 3 x 4 matrix from millimetres (right, down, above the table) to pixels.

    All `points` on the table, shape (n, 2), come into the picture and take the share `fill` of
    its width or height, whichever is reached first. The camera is tilted by
    `tilt` degrees away from straight above, the far side lying in `direction` (degrees).
    """
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    span = float(np.ptp(points, axis=0).max())
    distance, nearest = 2 * span, span * (1 + tilt * _BACK)
    matrix = _at(middle, distance, tilt, direction, max(width, height))
    for _ in range(_STEPS):
        # Move as close as the cards allow.
        distance = max(distance / _scale(matrix, points, width, height, fill) ** _STEP, nearest)
        matrix = _at(middle, distance, tilt, direction, max(width, height))
    for _ in range(2):
        # Then zoom for the rest, and centre; the second iteration corrects the first.
        seen = project(on_table(matrix), points)
        low, high = seen.min(axis=0), seen.max(axis=0)
        scale = _scale(matrix, points, width, height, fill)
        shift = np.array([width, height]) / 2 - scale * (low + high) / 2
        matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ matrix
    return matrix


def zoomed(matrix: Matrix, width: int, height: int, factor: float) -> Matrix:
    """Return a camera's matrix scaled by a factor about the middle of the picture."""
    shift = (1 - factor) / 2
    return np.array([[factor, 0, shift * width], [0, factor, shift * height], [0, 0, 1]]) @ matrix


def on_table(matrix: Matrix) -> Matrix:
    """Return the 3 x 3 matrix from millimetres on the table to pixels for a camera's matrix."""
    return matrix[:, [0, 1, 3]]


def view(points: Points, width: int, height: int, tilt: float, direction: float, fill: float) -> Matrix:
    """Return the 3 x 3 matrix from millimetres on the table to pixels, of a camera as `camera` sets it up."""
    return on_table(camera(points, width, height, tilt, direction, fill))


def project(matrix: npt.NDArray[Any], points: Points) -> Points:
    """Map points, shape (n, 2) or (n, 3), by a 3 x 3 or 3 x 4 matrix."""
    mapped = np.column_stack((points, np.ones(len(points)))) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], dtype=np.float64)


def inverse_depth(matrix: Matrix, x: Points, y: Points) -> Points:
    """Return 1 over the distance, in millimetres along the view, of the table that is seen at pixels x and y."""
    # On a plane this is a linear function of the pixel, given by the last row of the inverse matrix.
    row = np.linalg.inv(on_table(matrix))[2]
    return np.asarray(row[0] * x + row[1] * y + row[2], dtype=np.float64)


def _scale(matrix: Matrix, points: Points, width: int, height: int, fill: float) -> float:
    """Return by what factor the points must grow in the picture to take the share `fill` of it."""
    span = np.ptp(project(on_table(matrix), points), axis=0)
    return fill * float((np.array([width, height]) / span).min())


def _at(middle: Points, distance: float, tilt: float, direction: float, longer: int) -> Matrix:
    focal = FOCAL * longer
    return np.asarray(np.diag([focal, focal, 1.0]) @ _tilted(middle, distance, tilt, direction))


def _tilted(middle: Points, distance: float, tilt: float, direction: float) -> Matrix:
    """Return the matrix of a camera `distance` above the table's middle, at focal length 1."""
    lean, turn = np.radians(tilt), np.radians(direction)
    about = np.array([[np.cos(turn), np.sin(turn), 0], [-np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    leaning = np.array([[np.cos(lean), 0, np.sin(lean)], [0, 1, 0], [-np.sin(lean), 0, np.cos(lean)]])
    rotation = about.T @ leaning @ about
    # A point (x, y, z) above the table is at rotation @ (x, y, -z) + (0, 0, distance) in front of the camera.
    space = np.column_stack((rotation[:, :2], -rotation[:, 2], np.array([0, 0, distance])))
    shift = np.eye(4)
    shift[:2, 3] = -middle
    return np.asarray(space @ shift, dtype=np.float64)


# Millimetres from a thing of a point that is surely beside it, and between points that count as one.
_FAR_OFF, _SAME = 1000.0, 0.01

# Places along each side of a quad at which it is looked at, in sides.
_GRID = (np.arange(15) + 0.5) / 15

# Points along each edge of a bent object.
_EDGE = 12


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

    def beneath(self, x: Points, y: Points) -> tuple[Points, Mask]:
        """Return what is seen of the thing at n pixels, by `met`."""
        return self.met(*self.sight_lines(x, y))

    def sight_lines(self, x: Points, y: Points) -> tuple[Points, Points]:
        """Return where n pixels see the table, and a plane one millimetre above it, in the thing's millimetres."""
        return self._at_height(x, y, 0.0), self._at_height(x, y, 1.0)

    def met(self, low: Points, high: Points) -> tuple[Points, Mask]:
        """Return the points of the thing at which lines of sight first meet it, and whether they meet its back.

        Where a line misses a bent thing the point is far off.
        """
        bend, back = self.bend, np.zeros(len(low), dtype=np.bool_)
        if bend is None:
            return low, back
        across, along = self._parts(low)
        slant, further = (there - here for here, there in zip((across, along), self._parts(high), strict=True))
        middle = bend.radius if bend.cup else -bend.radius * np.cos(self._furthest / bend.radius)
        half = (slant * across - middle) / (slant**2 + 1)
        rest = (across**2 + middle**2 - bend.radius**2) / (slant**2 + 1)
        root = np.sqrt(np.maximum(half**2 - rest, 0))
        points = np.full_like(low, -_FAR_OFF)
        # The camera is above: the upper of the two places on the cylinder hides the lower one.
        for height, is_back in ((-half - root, not bend.cup), (-half + root, bend.cup)):
            up = middle - height if bend.cup else height - middle
            place = self._joined(bend.radius * np.arctan2(across + height * slant, up), along + height * further)
            on_thing = (half**2 >= rest) & ((place >= 0) & (place <= self.size)).all(axis=1)
            points[on_thing], back[on_thing] = place[on_thing], is_back
        return points, back

    def shown(self, corners: Points) -> float:
        """Return the share of a quad on the face, in millimetres, that no other part of a bent thing hides."""
        if self.bend is None:
            return 1.0
        across, down = np.meshgrid(_GRID, _GRID)
        points = corners[0] + across.reshape(-1, 1) * (corners[1] - corners[0])
        points += down.reshape(-1, 1) * (corners[3] - corners[0])
        seen, back = self.beneath(*self.project(points).T)
        return float((~back & (np.linalg.norm(seen - points, axis=1) < _SAME)).mean())

    def slope(self, x: Points) -> Points:
        """Return how steeply a bent thing rises across its bend at points in millimetres, shape (n, 2)."""
        if self.bend is None:
            return np.zeros(len(x))
        slope = np.sin(self._parts(x)[0] / self.bend.radius)
        return slope if self.bend.cup else -slope

    @property
    def _furthest(self) -> float:
        """The distance of the corners from the middle, across the bend."""
        return float(np.abs(self._parts(self.corners)[0]).max())

    @property
    def _way(self) -> tuple[float, float]:
        """The direction along the bend."""
        angle = np.radians(self.bend.axis if self.bend else 0.0)
        return float(np.cos(angle)), float(np.sin(angle))

    def _at_height(self, x: Points, y: Points, height: float) -> Points:
        """Return the points in the thing's millimetres, shape (n, 2), that are seen at pixels at a height."""
        p = self.camera
        a, b = p[0, 0] - x * p[2, 0], p[0, 1] - x * p[2, 1]
        c, d = p[1, 0] - y * p[2, 0], p[1, 1] - y * p[2, 1]
        e = -((p[0, 2] - x * p[2, 2]) * height + p[0, 3] - x * p[2, 3])
        f = -((p[1, 2] - y * p[2, 2]) * height + p[1, 3] - y * p[2, 3])
        whole = a * d - b * c
        return project(np.linalg.inv(self.place), np.column_stack(((e * d - b * f) / whole, (a * f - e * c) / whole)))

    def _parts(self, points: Points) -> tuple[Points, Points]:
        """Return the parts of points across and along the bend, from the thing's middle."""
        cos, sin = self._way
        x, y = (points - np.array(self.size) / 2).T
        return y * cos - x * sin, x * cos + y * sin

    def _joined(self, across: Points, along: Points) -> Points:
        """Return points in millimetres from their parts across and along the bend."""
        cos, sin = self._way
        return np.stack((along * cos - across * sin, along * sin + across * cos), axis=1) + np.array(self.size) / 2

    def _height(self, bend: Bend, across: Points) -> Points:
        """Return the heights above the table, in millimetres; the lowest part of the thing touches it."""
        radius = bend.radius
        if bend.cup:
            return np.asarray(radius * (1 - np.cos(across / radius)), dtype=np.float64)
        return np.asarray(np.maximum(radius * (np.cos(across / radius) - np.cos(self._furthest / radius)), 0))
