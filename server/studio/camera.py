"""A pinhole camera above the table, tilted, far enough away to have every card in the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]
    Points = npt.NDArray[np.float64]

FOCAL = 0.8
"""Focal length over the longer side of the picture: a phone's main camera, about 28 mm on full frame."""
_STEPS, _STEP = 8, 0.7
# Rounds of finding the camera's distance, and how far each goes: near a slanted table all of it would be too far.
_BACK = 0.012
# How much further away than the cards are wide the camera is for each degree of tilt: who looks at a slant zooms.


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
        # Come as close as the cards allow.
        distance = max(distance / _scale(matrix, points, width, height, fill) ** _STEP, nearest)
        matrix = _at(middle, distance, tilt, direction, max(width, height))
    for _ in range(2):
        # Then zoom by what is left, and centre; a second round corrects what the first moved.
        seen = project(on_table(matrix), points)
        low, high = seen.min(axis=0), seen.max(axis=0)
        scale = _scale(matrix, points, width, height, fill)
        shift = np.array([width, height]) / 2 - scale * (low + high) / 2
        matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ matrix
    return matrix


def zoomed(matrix: Matrix, width: int, height: int, factor: float) -> Matrix:
    """Return a camera's matrix with everything larger by a factor, about the middle of the picture."""
    shift = (1 - factor) / 2
    return np.array([[factor, 0, shift * width], [0, factor, shift * height], [0, 0, 1]]) @ matrix


def on_table(matrix: Matrix) -> Matrix:
    """Return the 3 x 3 matrix from millimetres on the table to pixels that is in a camera's matrix."""
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
    # On a plane this is an even function of the pixel: the last row of the inverse matrix says which.
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
    """Return space as a camera `distance` above the table's middle sees it, at focal length 1."""
    lean, turn = np.radians(tilt), np.radians(direction)
    about = np.array([[np.cos(turn), np.sin(turn), 0], [-np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    leaning = np.array([[np.cos(lean), 0, np.sin(lean)], [0, 1, 0], [-np.sin(lean), 0, np.cos(lean)]])
    rotation = about.T @ leaning @ about
    # A point (x, y, z) above the table lies at rotation @ (x, y, -z) + (0, 0, distance) before the camera.
    space = np.column_stack((rotation[:, :2], -rotation[:, 2], np.array([0, 0, distance])))
    shift = np.eye(4)
    shift[:2, 3] = -middle
    return np.asarray(space @ shift, dtype=np.float64)
