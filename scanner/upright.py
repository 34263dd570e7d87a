"""The picture as seen from straight above the table: there all codes are squares of one size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.quads import project, side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scanner.pyramid import Pyramid
    from scanner.result import Grey, Quad
    from scanner.table import Matrix, Table

UNEVEN = 1.2
"""From this ratio of the longest to the shortest view of a millimetre in the picture on it is worth it."""

_MODULES = 21
# Along a side of a symbol of version 1.
_LARGEST = 1.5
# The view has at most so many times the picture's pixels.
_STEEP = 0.2
# Where the table is seen so much smaller than in the middle, it is as good as beyond the horizon.


@dataclass(frozen=True, eq=False)
class Above:
    """A view from above: its pixels, and the matrix from them to those of the picture."""

    pixels: Grey
    back: Matrix

    @classmethod
    def of(cls, picture: Pyramid, table: Table, codes: Sequence[Quad], module: float) -> Above | None:
        """Return the view in which the codes of version 1 have modules of so many pixels.

        None if the picture is such a view already, or shows more of the table than could be drawn.
        """
        box = _box(picture, table, codes, module)
        if box is None:
            return None
        scale, low, span = box
        forth = np.array([[scale, 0, -low[0]], [0, scale, -low[1]], [0, 0, 1]]) @ table.flat
        level = picture.halved(min(side(quad) for quad in codes) / _MODULES, module)
        # The level's pixels to the picture's.
        grown = np.array([[1 / level.scale[0], 0, 0], [0, 1 / level.scale[1], 0], [0, 0, 1]])
        grown[:2, 2] = 0.5 / level.scale - 0.5
        size = (int(span[0]) + 1, int(span[1]) + 1)
        pixels = cv2.warpPerspective(
            level.pixels, forth @ grown, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return cls(np.asarray(pixels, dtype=np.uint8), np.asarray(np.linalg.inv(forth), dtype=np.float64))

    @staticmethod
    def pixels_in(picture: Pyramid, table: Table, codes: Sequence[Quad], module: float) -> float:
        """Return how many pixels that view has, or where it is none the picture with modules of so many pixels."""
        box = _box(picture, table, codes, module)
        if box is not None:
            return float(box[2].prod())
        height, width = picture.shape
        return height * width * min(module * _MODULES / float(np.median([side(quad) for quad in codes])), 1.0) ** 2

    def down(self, points: Quad) -> Quad:
        """Return points of the picture, shape (n, 2), in pixels of this view."""
        return project(np.asarray(np.linalg.inv(self.back), dtype=np.float64), points)

    def up(self, quads: Quad) -> Quad:
        """Return points of this view, shape (..., 2), in pixels of the picture."""
        return project(self.back, quads.reshape(-1, 2)).reshape(quads.shape) if quads.size else quads


def _box(picture: Pyramid, table: Table, codes: Sequence[Quad], module: float) -> tuple[float, Quad, Quad] | None:
    """Return the scale of a view, its upper left corner and its size."""
    height, width = picture.shape
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    if _unevenness(table.flat, frame) < UNEVEN:
        return None
    depth = np.column_stack((frame, np.ones(4))) @ table.flat[2]
    if depth.min() < _STEEP * np.median(depth):
        return None
    scale = module * _MODULES / float(np.median([side(project(table.flat, quad)) for quad in codes]))
    seen = scale * project(table.flat, frame)
    low, span = seen.min(axis=0), np.ptp(seen, axis=0)
    return None if span.prod() > _LARGEST * width * height else (scale, low, span)


def _unevenness(flat: Matrix, frame: Quad) -> float:
    """Return how many times larger a small square is seen in one place and direction of the picture than in another."""
    places = np.vstack((frame, frame.mean(axis=0)))
    ways = ((1.0, 0.0), (0.0, 1.0), (0.7, 0.7), (0.7, -0.7))
    steps = [np.linalg.norm(project(flat, places + step) - project(flat, places - step), axis=1) for step in ways]
    return float(np.max(steps) / np.min(steps))
