"""What the lens and the hand do to light before it reaches the sensor: kernels, in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from server.studio.camera import FOCAL, inverse_depth
from server.studio.channels import thrice

if TYPE_CHECKING:
    import numpy.typing as npt

    from server.studio.profiles import Profile

    Field = npt.NDArray[np.float32]
    Matrix = npt.NDArray[np.float64]

_VEIL = 0.012
# Share of all light that the lens scatters over the whole picture.
_SHARP = 0.6
# Radius of a disc in pixels up to which the eye and the sensor do not notice.
_COLUMNS = 1024
# Columns that are worked on at a time where the blur changes over the picture.
_PATH = 400
# Points on the path of a shaking hand.


@dataclass(frozen=True, eq=False)
class Blur:
    """The lens' own spread, sigma in pixels, and what defocus and motion add to it (None: nothing).

    `depth` is given where the slanted table is not as far away everywhere as the lens is focused.
    """

    sigma: float
    kernel: Field | None
    depth: Depth | None = None

    @property
    def reach(self) -> int:
        """How far light is carried, in pixels."""
        kernel = self.kernel.shape[0] // 2 if self.kernel is not None else 0
        depth = int(np.ceil(self.depth.most)) + 1 if self.depth else 0
        return int(np.ceil(4 * self.sigma)) + 1 + kernel + depth

    def spread(self, light: Field, top: int) -> Field:
        """Return linear light, shape (h, w, 3), as it falls on the sensor; its first row is row `top`."""
        soft = np.asarray(cv2.GaussianBlur(light, (0, 0), self.sigma), dtype=np.float32)
        if self.kernel is not None:
            soft = np.asarray(cv2.filter2D(soft, -1, self.kernel, borderType=cv2.BORDER_REPLICATE), dtype=np.float32)
        return self.depth.spread(soft, top) if self.depth else soft


@dataclass(frozen=True)
class Depth:
    """How far the table is out of focus: by a disc of the radius |right * x + down * y + start| at pixel (x, y).

    `most` is the largest radius in the picture.
    """

    right: float
    down: float
    start: float
    most: float

    def spread(self, light: Field, top: int) -> Field:
        """Return light as the lens spreads it; the first row is row `top` of the picture."""
        width = light.shape[1]
        result = np.empty_like(light)
        reach = int(np.ceil(self.most)) + 1
        for left in range(0, width, _COLUMNS):
            right = min(left + _COLUMNS, width)
            first, last = max(left - reach, 0), min(right + reach, width)
            soft = self._part(light[:, first:last], first, top)
            result[:, left:right] = soft[:, left - first : right - first]
        return result

    def _part(self, light: Field, left: int, top: int) -> Field:
        """Mix a part of the light from discs of the nearest whole radii."""
        rows, width = light.shape[:2]
        x = np.arange(left, left + width, dtype=np.float32)[np.newaxis]
        y = np.arange(top, top + rows, dtype=np.float32)[:, np.newaxis]
        radius = np.abs(np.float32(self.right) * x + np.float32(self.down) * y + np.float32(self.start))
        least, most = int(radius.min()), int(np.ceil(radius.max()))
        soft = np.zeros_like(light)
        for level in range(least, most + 1):
            weight = thrice(np.maximum(1 - np.abs(radius - level), 0))
            disc_ = cv2.filter2D(light, -1, disc(level), borderType=cv2.BORDER_REPLICATE) if level else light
            soft += weight * disc_
        return soft


def depth_of(camera: Matrix, width: int, height: int, aperture: float) -> Depth | None:
    """Return how far the table is out of focus when the picture's middle is sharp; None where that does not matter.

    `aperture` is the diameter of the lens' opening in millimetres.
    """
    x, y = np.array([0.0, width, 0, width]), np.array([0.0, 0, height, height])
    corners = inverse_depth(camera, x, y)
    middle = corners.mean()
    strength = aperture / 2 * FOCAL * max(width, height)
    radius = strength * (corners - middle)
    if np.abs(radius).max() < _SHARP:
        return None
    right, down = (radius[1] - radius[0]) / width, (radius[2] - radius[0]) / height
    return Depth(float(right), float(down), float(radius[0]), float(np.abs(radius).max()))


def blur_of(profile: Profile, sigma: float, module: float, depth: Depth | None, chance: np.random.Generator) -> Blur:
    """Return the blur of a picture in which a code's module has `module` pixels.

    A profile with defocus has all of the table equally out of focus, so that its value says what there is.
    """
    kernels = []
    if profile.defocus:
        kernels.append(disc(profile.defocus * module))
    if profile.motion:
        kernels.append(stroke(profile.motion * module, chance.uniform(0, np.pi), profile.shake, chance))
    if not kernels:
        return Blur(sigma, None, depth)
    kernel = kernels[0]
    for other in kernels[1:]:
        reach = other.shape[0] // 2
        kernel = cv2.filter2D(np.pad(kernel, reach), -1, other, borderType=cv2.BORDER_CONSTANT).astype(np.float32)
    return Blur(sigma, kernel, None if profile.defocus else depth)


def veiled(light: Field, mean: float) -> Field:
    """Return light with the lens' veil over it, in place: black is never quite black in a bright picture."""
    light *= 1 - _VEIL
    light += _VEIL * mean
    return light


def disc(radius: float) -> Field:
    """Return the kernel of a lens out of focus, with a soft rim so that parts of pixels count."""
    reach = int(np.ceil(radius + 0.5))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)


def stroke(length: float, angle: float, shake: float, chance: np.random.Generator) -> Field:
    """Return the kernel of a hand that moved: `length` pixels of path, at `angle` (radians) in its middle.

    With `shake` 0 the path is straight and the hand even; with 1 the path turns by up to 150 degrees, and the
    hand rests longer at one end.
    """
    share = np.linspace(0, 1, _PATH)
    rest = 1 + shake * chance.uniform(0, 1.5)
    turn = np.radians(shake * chance.uniform(60, 150)) * (1 if chance.integers(2) else -1)
    heading = angle + turn * (share**rest - 0.5)
    step = length * np.gradient(share**rest)
    x, y = np.cumsum(np.cos(heading) * step), np.cumsum(np.sin(heading) * step)
    x, y = x - x.mean(), y - y.mean()
    reach = int(np.ceil(max(np.abs(x).max(), np.abs(y).max()) + 1))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), dtype=np.float32)
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    for down in (0, 1):
        for right in (0, 1):
            weight = np.abs(1 - right - (x - left)) * np.abs(1 - down - (y - top))
            np.add.at(kernel, (top + down + reach, left + right + reach), weight.astype(np.float32))
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)
