"""What the lens and the hand do to light before it reaches the sensor: kernels, in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from server.studio.profiles import Profile

    Field = npt.NDArray[np.float32]

_VEIL = 0.012
# Share of all light that the lens scatters over the whole picture.
_PATH = 400
# Points on the path of a shaking hand.


@dataclass(frozen=True, eq=False)
class Blur:
    """The lens' own spread, sigma in pixels, and what defocus and motion add to it (None: nothing)."""

    sigma: float
    kernel: Field | None

    @property
    def reach(self) -> int:
        """How far light is carried, in pixels."""
        return int(np.ceil(4 * self.sigma)) + 1 + (self.kernel.shape[0] // 2 if self.kernel is not None else 0)

    def spread(self, light: Field) -> Field:
        """Return linear light, shape (h, w, 3), as it falls on the sensor."""
        soft = cv2.GaussianBlur(light, (0, 0), self.sigma)
        if self.kernel is not None:
            soft = cv2.filter2D(soft, -1, self.kernel, borderType=cv2.BORDER_REPLICATE)
        return np.asarray(soft, dtype=np.float32)


def blur_of(profile: Profile, sigma: float, module: float, chance: np.random.Generator) -> Blur:
    """Return the blur of a picture in which a code's module has `module` pixels."""
    kernels = []
    if profile.defocus:
        kernels.append(disc(profile.defocus * module))
    if profile.motion:
        kernels.append(stroke(profile.motion * module, chance.uniform(0, np.pi), profile.shake, chance))
    if not kernels:
        return Blur(sigma, None)
    kernel = kernels[0]
    for other in kernels[1:]:
        reach = other.shape[0] // 2
        kernel = cv2.filter2D(np.pad(kernel, reach), -1, other, borderType=cv2.BORDER_CONSTANT).astype(np.float32)
    return Blur(sigma, kernel)


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
