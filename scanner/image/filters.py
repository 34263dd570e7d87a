"""Image filters and smaller copies of a picture. Sizes are in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from scanner.result import Grey, Quad

# Maximum number of points in a row that OpenCV can remap.
_AT_ONCE = 2**15 - 2

SOFT, SOFTER = 0.3, 0.4
"""Smoothing before sharpening, as sigma in modules: for small modules, and for large ones."""

# Factor by which sharpening enlarges differences from the surroundings, besides their own.
_SHARPER = 2.0

# Factor by which the picture is shrunk to measure the light, which changes slowly, and sigma of the blur for that, as a
# share of the longer side.
_EVEN, _AROUND = 8, 1 / 25

# Value, of 255, of a pixel as bright as its surroundings.
_MIDDLE = 128


def sharpen(grey: Grey, sigma: float) -> Grey:
    """Apply an unsharp mask; `sigma` in pixels should be half a module."""
    soft = cv2.GaussianBlur(grey, (0, 0), sigma)
    # Reuse the memory: the picture may have been enlarged before.
    return np.asarray(cv2.addWeighted(grey, 1 + _SHARPER, soft, -_SHARPER, 0, dst=soft), dtype=np.uint8)


def smooth(grey: Grey, sigma: float) -> Grey:
    """Apply a Gaussian blur; `sigma` in pixels should be less than half a module."""
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), sigma), dtype=np.uint8)


def evened(grey: Grey) -> Grey:
    """Divide by the local brightness, which removes shadows and spots of light."""
    small = resized(grey, 1 / _EVEN)
    around = cv2.GaussianBlur(small, (0, 0), max(_AROUND * max(small.shape), 1))
    light = cv2.resize(around, grey.shape[::-1], interpolation=cv2.INTER_LINEAR)
    np.maximum(light, 1, out=light)
    return np.asarray(cv2.divide(grey, light, dst=light, scale=_MIDDLE), dtype=np.uint8)


def resized(grey: Grey, factor: float) -> Grey:
    """Resize the picture by a factor."""
    if factor == 1:
        return grey
    kind = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
    height, width = grey.shape
    size = max(round(width * factor), 1), max(round(height * factor), 1)
    return np.asarray(cv2.resize(grey, size, interpolation=kind), dtype=np.uint8)


def percentiles(grey: Grey, *shares: float) -> list[float]:
    """Return percentiles of brightness as whole numbers, by a histogram: ten times as fast as exact ones."""
    counts = np.bincount(grey.ravel(), minlength=256).cumsum()
    return [float(np.searchsorted(counts, share / 100 * counts[-1])) for share in shares]


def values_at(pixels: npt.NDArray[Any], places: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
    """Return interpolated values at points (x, y), shape (..., 2); points outside have the value of the nearest edge.

    The origin is the middle of the first pixel.
    """
    if not places.size:
        return np.empty(places.shape[:-1], dtype=np.float32)
    flat = np.ascontiguousarray(places, dtype=np.float32).reshape(1, -1, 2)
    values = [
        cv2.remap(pixels, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in np.array_split(flat, flat.shape[1] // _AT_ONCE + 1, axis=1)
    ]
    return np.concatenate(values, axis=1, dtype=np.float32).reshape(places.shape[:-1])


def cut_out(grey: Grey, quad: Quad, margin: float) -> tuple[int, int, Grey]:
    """Return the bounding box of a quad with a margin as left, top, and its pixels (at least one)."""
    height, width = grey.shape
    left, top = np.clip(quad.min(axis=0) - margin, 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.ceil(quad.max(axis=0) + margin).astype(int)
    return int(left), int(top), np.ascontiguousarray(grey[top : max(bottom, top + 1), left : max(right, left + 1)])


# Pixels along the shorter side up to which a picture is not halved any more.
_SMALLEST = 32

# Factor from which on a picture is not shrunk, since that blurs it: print in a newspaper then looks like codes.
_ALIKE = 0.9

# Sigma in pixels of the blur before a picture is shrunk by less than a half.
_BLUR = 0.6


def halved(grey: Grey, factor: float) -> Grey:
    """Shrink a picture by a factor of about a half: with less noise than the mean of areas, in a third of the time."""
    height, width = grey.shape
    size = max(round(width * factor), 1), max(round(height * factor), 1)
    soft = cv2.GaussianBlur(grey, (3, 3), _BLUR)
    return np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


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
        if factor > _ALIKE:
            return level
        return self._level(halved(level.pixels, factor))

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


@dataclass(frozen=True, eq=False)
class Level:
    """A picture at one size; `scale` is relative to the whole picture, across and down.

    The origin of points is the middle of the first pixel.
    """

    pixels: Grey
    scale: Quad

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """The 3 x 3 matrix from the whole picture to this level."""
        (x, y), (left, top) = self.scale, 0.5 * self.scale - 0.5
        return np.array([[x, 0, left], [0, y, top], [0, 0, 1]])

    def up(self, points: Quad) -> Quad:
        """Return points of this level, shape (..., 2), in pixels of the whole picture."""
        return np.asarray((points + 0.5) / self.scale - 0.5, dtype=np.float64)

    def down(self, points: Quad) -> Quad:
        """Return points of the whole picture, shape (..., 2), in pixels of this level."""
        return np.asarray((points + 0.5) * self.scale - 0.5, dtype=np.float64)
