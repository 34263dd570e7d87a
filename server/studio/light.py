"""Light over the picture: brightness and colour that change slowly, hard shadows, lamps. All as fields of factors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from server.studio.chance import cloud

if TYPE_CHECKING:
    import numpy.typing as npt

    from server.studio.profiles import Profile

    Field = npt.NDArray[np.float32]

_COARSE = 4
# Fields of light are computed at a quarter of the picture's size a side.
_GAMMA = 2.2
_LAMP = 2.6
# A lamp's reflection on a card's varnish, as a multiple of white paper in full light.


@dataclass(frozen=True, eq=False)
class Light:
    """Linear light over a picture of `width` x `height` pixels.

    `factor`, shape (h, w, 3), BGR, multiplies the table and all that lies on it; `lamps`, shape (h, w), is what
    glossy things mirror at each place, 1 being as bright as white paper. Both are a quarter of the picture's size
    a side. `sun` is the way that shadows fall on the table, in millimetres for each millimetre of height.
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
    """Return the light's colour: what white balance left of it, and warm at one side, cool at the other."""
    middle, ends = chance.uniform(-1, 1, 2) * cast
    warm = (middle + ends * slope)[..., np.newaxis]
    return np.asarray(1 + warm * np.array([-1, 0, 1], dtype=np.float32), dtype=np.float32)


def _shadow(size: tuple[int, int], number: int, chance: np.random.Generator) -> Field:
    """Return the factors, shape (h, w, 3), of a shadow: of a phone with a hand, of window bars, of a head."""
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
    # What is left is the light of sky and walls, which is bluer.
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
