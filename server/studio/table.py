"""The empty table as the camera sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from server.studio.camera import project
from server.studio.textures import texture

if TYPE_CHECKING:
    import numpy.typing as npt

    from server.studio.profiles import Scene

    Matrix = npt.NDArray[np.float64]
    Points = npt.NDArray[np.float64]
    Picture = npt.NDArray[np.uint8]

_LID = (236, 236, 232)
# The white lid of a flatbed, as bright as it is in a scan.


def table(camera: Matrix, scene: Scene, chance: np.random.Generator) -> Picture:
    """Return the table seen through a 3 x 3 matrix from its millimetres to pixels."""
    names = scene.profile.textures
    width, height = scene.width, scene.height
    if scene.profile.medium == "flatbed":
        return np.full((height, width, 3), _LID, dtype=np.uint8)
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    ground = project(np.linalg.inv(camera), frame)
    low, span = ground.min(axis=0), np.ptp(ground, axis=0)
    # Three quarters of the picture's resolution are enough for a table, and a far corner must not make it huge.
    scale = min(0.75 * max(width, height) / float(span.max()), 0.75 * side(frame) / side(ground) * 1.5)
    across, down = (max(int(np.ceil(scale * length)), 8) for length in span)
    top = texture(names[int(chance.integers(len(names)))], across, down, chance, scale)
    to_table = np.array([[1 / scale, 0, low[0]], [0, 1 / scale, low[1]], [0, 0, 1]])
    seen = cv2.warpPerspective(
        top, camera @ to_table, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(seen, dtype=np.uint8)


def side(quad: Points) -> float:
    """Return the side of the square of the quad's area."""
    return float(np.sqrt(cv2.contourArea(quad.astype(np.float32))))
