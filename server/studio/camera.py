"""A pinhole camera above the table, tilted, far enough away to have every card in the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]
    Points = npt.NDArray[np.float64]

_FOCAL = 0.8
# Focal length over the longer side of the picture: a phone's main camera, about 28 mm on full frame.


def view(points: Points, width: int, height: int, tilt: float, direction: float, fill: float) -> Matrix:
    """Return the 3 x 3 matrix from millimetres on the table to pixels.

    All `points` on the table, shape (n, 2), come into the picture and take the share `fill` of
    its width or height, whichever is reached first. The camera is tilted by
    `tilt` degrees away from straight above, the far side lying in `direction` (degrees).
    """
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    distance = 2 * float(np.ptp(points, axis=0).max())
    focal = _FOCAL * max(width, height)
    matrix = _tilted(middle, distance, tilt, direction) if distance else np.eye(3)
    matrix = np.diag([focal, focal, 1.0]) @ matrix
    for _ in range(2):
        # First zoom (that is, come closer), then centre; a second round corrects what the first moved.
        seen = project(matrix, points)
        low, high = seen.min(axis=0), seen.max(axis=0)
        scale = fill * float((np.array([width, height]) / (high - low)).min())
        shift = np.array([width, height]) / 2 - scale * (low + high) / 2
        matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ matrix
    return matrix


def project(matrix: npt.NDArray[Any], points: Points) -> Points:
    """Map points, shape (n, 2), by a 3 x 3 matrix."""
    mapped = np.column_stack((points, np.ones(len(points)))) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], dtype=np.float64)


def _tilted(middle: Points, distance: float, tilt: float, direction: float) -> Matrix:
    """Return the table's plane as a camera `distance` above its middle sees it, at focal length 1."""
    lean, turn = np.radians(tilt), np.radians(direction)
    about = np.array([[np.cos(turn), np.sin(turn), 0], [-np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    leaning = np.array([[np.cos(lean), 0, np.sin(lean)], [0, 1, 0], [-np.sin(lean), 0, np.cos(lean)]])
    rotation = about.T @ leaning @ about
    # A point (x, y) of the plane z = 0 lies at rotation @ (x, y, 0) + (0, 0, distance) before the camera.
    plane = np.column_stack((rotation[:, 0], rotation[:, 1], np.array([0, 0, distance])))
    return np.asarray(plane @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]]), dtype=np.float64)
