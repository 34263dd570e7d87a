"""Image pyramid: a picture at half, a quarter and an eighth of its size, computed on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from scanner.result import Grey, Quad

# Pixels along a side that are not halved any more.
_SMALLEST = 32

# Spread in pixels of the blur before a picture is shrunk by less than a half.
_SOFT = 0.6


class Pyramid:
    """A picture at several sizes."""

    def __init__(self, grey: Grey) -> None:
        """Use a picture as the lowest level."""
        self._levels = [grey]

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the whole picture."""
        height, width = self._levels[0].shape
        return height, width

    @property
    def whole(self) -> Grey:
        """The picture itself."""
        return self._levels[0]

    def shrunk(self, module: float, fine: float) -> Level:
        """Return the picture shrunk so that modules of `module` pixels have `fine` pixels; never enlarged."""
        level = self.halved(module, fine)
        factor = fine / (module * level.scale[0])
        if factor >= 1:
            return level
        height, width = level.pixels.shape
        size = max(round(width * factor), 1), max(round(height * factor), 1)
        # Slight blur and bilinear interpolation leave less noise than the area mean, in a third of the time.
        soft = cv2.GaussianBlur(level.pixels, (3, 3), _SOFT)
        return self._level(np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8))

    def halved(self, module: float, fine: float) -> Level:
        """Return the picture halved as often as modules still have `fine` pixels or more."""
        times = max(int(np.log2(max(module / fine, 1))), 0)
        while len(self._levels) <= times and min(self._levels[-1].shape) > _SMALLEST:
            height, width = self._levels[-1].shape
            half = cv2.resize(self._levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, dtype=np.uint8))
        return self._level(self._levels[min(times, len(self._levels) - 1)])

    def _level(self, pixels: Grey) -> Level:
        return Level(pixels, np.array(pixels.shape[::-1]) / self._levels[0].shape[::-1])


class Level:
    """A picture at one size; `scale` is relative to the whole picture, across and down.

    The origin of points is the middle of the first pixel.
    """

    def __init__(self, pixels: Grey, scale: Quad) -> None:
        """Take the pixels and their scale, shape (2,)."""
        self.pixels = pixels
        self.scale = scale

    def up(self, points: Quad) -> Quad:
        """Return points of this level, shape (..., 2), in pixels of the whole picture."""
        return np.asarray((points + 0.5) / self.scale - 0.5, dtype=np.float64)

    def down(self, points: Quad) -> Quad:
        """Return points of the whole picture, shape (..., 2), in pixels of this level."""
        return np.asarray((points + 0.5) * self.scale - 0.5, dtype=np.float64)
