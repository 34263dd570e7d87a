"""Light, lens and motion blur."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from devtools.photo_simulator.arrays import cloud, in_three_channels
from devtools.photo_simulator.camera import FOCAL, inverse_depth

if TYPE_CHECKING:
    import numpy.typing as npt

    from devtools.photo_simulator.profiles import Profile

    Field = npt.NDArray[np.float32]
    Matrix = npt.NDArray[np.float64]

# Fields of light are computed at a quarter of the picture's size a side.
_COARSE = 4

_GAMMA = 2.2

# A lamp's reflection on a card's varnish, as a multiple of white paper in full light.
_LAMP = 2.6


@dataclass(frozen=True, eq=False)
class Light:
    """Linear light over a picture of `width` x `height` pixels.

    `factor`, shape (h, w, 3), BGR, multiplies the table and everything on it; `lamps`, shape (h, w), is what
    glossy objects reflect at each position, 1 being as bright as white paper. Both are a quarter of the picture's size
    a side. `sun` is the offset of shadows on the table, in millimetres for each millimetre of height.
    """

    width: int
    height: int
    factor: Field
    lamps: Field
    sun: tuple[float, float]

    def factor_rows(self, top: int, rows: int) -> Field:
        """Return some rows of the factor at the picture's size."""
        return self._part(self.factor, 0, top, self.width, rows)

    def lamps_at(self, left: int, top: int, width: int, height: int) -> Field:
        """Return a part of the lamps at the picture's size."""
        return self._part(self.lamps, left, top, width, height)

    def _part(self, field: Field, left: int, top: int, width: int, height: int) -> Field:
        across, down = self.width / field.shape[1], self.height / field.shape[0]
        scale = np.array([[across, 0, across / 2 - left], [0, down, down / 2 - top]], dtype=np.float32)
        part = cv2.warpAffine(field, scale, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(part, dtype=np.float32)


def light(width: int, height: int, profile: Profile, chance: np.random.Generator) -> Light:
    """Return the light over a picture of `width` x `height` pixels."""
    small = (max(width // _COARSE, 2), max(height // _COARSE, 2))
    x, y = (2 * np.linspace(0, 1, size, dtype=np.float32) - 1 for size in small)
    angle = chance.uniform(0, 2 * np.pi)
    slope = (np.cos(angle) * x + np.sin(angle) * y[:, np.newaxis]) / np.sqrt(2)
    shade = 1 - profile.unevenness * (slope + 1) / 2
    shade = shade * (1 - profile.vignette * (x**2 + y[:, np.newaxis] ** 2) / 2)
    shade = shade * (1 + 0.02 * cloud(*small, (4, 3), chance))
    shade = shade * float(profile.light**_GAMMA)
    factor = shade[..., np.newaxis] * _tint(slope, profile.cast, chance)
    for number in range(profile.shadows):
        factor *= _shadow(small, number, chance)
    lamps = np.zeros(small[::-1], dtype=np.float32)
    for _ in range(profile.glare):
        lamps = np.maximum(lamps, _lamp(small, chance))
    length = chance.uniform(0.5, 1.6)
    sun = (-length * float(np.cos(angle)), -length * float(np.sin(angle)))
    return Light(width, height, factor.astype(np.float32), lamps, sun)


def _tint(slope: Field, cast: float, chance: np.random.Generator) -> Field:
    """Return the light's colour cast after white balance, warmer at one side and cooler at the other."""
    middle, ends = chance.uniform(-1, 1, 2) * cast
    warm = (middle + ends * slope)[..., np.newaxis]
    return np.asarray(1 + warm * np.array([-1, 0, 1], dtype=np.float32), dtype=np.float32)


def _shadow(size: tuple[int, int], number: int, chance: np.random.Generator) -> Field:
    """Return the factors, shape (h, w, 3), of a shadow of a hand with a phone, a window frame, or a head."""
    field = np.zeros(size[::-1], dtype=np.float32)
    longer = max(size)
    centre = chance.uniform(0.2, 0.8, 2) * size
    turn = float(chance.uniform(0, 90))
    match (number + int(chance.integers(3))) % 3:
        case 0:
            sides = chance.uniform(0.12, 0.3, 2) * longer
            _box(field, centre, (float(sides[0]), float(sides[1])), turn)
            away = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
            _box(field, centre + away * longer / 2, (float(longer), 0.3 * float(sides[1])), turn)
        case 1:
            across = np.array([-np.sin(np.radians(turn)), np.cos(np.radians(turn))])
            for bar in range(-3, 4):
                _box(field, centre + across * bar * longer * 0.13, (3.0 * longer, 0.035 * longer), turn)
        case _:
            axes = tuple(float(axis) for axis in chance.uniform(0.25, 0.5, 2) * longer)
            cv2.ellipse(field, (tuple(map(float, centre)), axes, turn), 1.0, -1)
    # From nearly sharp, as in the sun, to half a per cent of the picture, as under a lamp.
    field = cv2.GaussianBlur(field, (0, 0), longer * float(chance.uniform(0.0007, 0.005)))
    # The remaining light of sky and walls is bluer.
    left = float(chance.uniform(0.14, 0.35)) * np.array([1.1, 1.0, 0.92], dtype=np.float32)
    return np.asarray(1 - field[..., np.newaxis] * (1 - left), dtype=np.float32)


def _box(field: Field, centre: npt.NDArray[np.float64], sides: tuple[float, float], turn: float) -> None:
    box = cv2.boxPoints(((float(centre[0]), float(centre[1])), sides, turn))
    cv2.fillConvexPoly(field, box.astype(np.int32), 1.0)


def _lamp(size: tuple[int, int], chance: np.random.Generator) -> Field:
    """Return the reflection of a lamp: far beyond white in the middle, with a wide soft rim."""
    field = np.zeros(size[::-1], dtype=np.float32)
    centre = (chance.uniform(0.1, 0.9, 2) * size).astype(int)
    axes = (chance.uniform(0.012, 0.045, 2) * max(size)).astype(int) + 1
    turn = float(chance.uniform(0, 180))
    cv2.ellipse(field, [int(c) for c in centre], [int(a) for a in axes], turn, 0, 360, _LAMP, -1)
    sharp = cv2.GaussianBlur(field, (0, 0), max(size) / 260)
    return np.asarray(0.8 * sharp + 0.2 * cv2.GaussianBlur(field, (0, 0), max(size) / 50), dtype=np.float32)


# Share of all light that the lens scatters over the whole picture.
_VEIL = 0.012

# Radius of a disc in pixels below which blur is invisible.
_SHARP = 0.6

# Columns processed at once if the blur changes over the picture.
_COLUMNS = 1024

# Points on the path of a shaking hand.
_PATH = 400


@dataclass(frozen=True, eq=False)
class Blur:
    """The blur of the lens, sigma in pixels, and that of defocus and motion (None: no blur).

    `depth` is set if parts of the slanted table are out of focus.
    """

    sigma: float
    kernel: Field | None
    depth: Depth | None = None

    @property
    def reach(self) -> int:
        """The distance over which light spreads, in pixels."""
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
    """The defocus of the table: a disc of the radius |right * x + down * y + start| at pixel (x, y).

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
            weight = in_three_channels(np.maximum(1 - np.abs(radius - level), 0))
            disc_ = cv2.filter2D(light, -1, disc(level), borderType=cv2.BORDER_REPLICATE) if level else light
            soft += weight * disc_
        return soft


def depth_of(camera: Matrix, width: int, height: int, aperture: float) -> Depth | None:
    """Return the defocus of the table if the picture's middle is in focus; None if it is negligible.

    `aperture` is the diameter of the aperture in millimetres.
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

    If the profile has defocus, it is the same everywhere, so that its value is exact.
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
    """Add the lens' veiling glare in place, by which black is not quite black in a bright picture."""
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
