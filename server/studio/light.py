"""Light over the picture: brightness that changes slowly, hard shadows, reflections. All as fields of factors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from server.studio.textures import cloud

if TYPE_CHECKING:
    import numpy.typing as npt

    from server.studio.profiles import Profile

    Field = npt.NDArray[np.float32]

_COARSE = 8
# Light changes slowly: its fields are computed at an eighth of the picture's size.
_HARD_SHADOW = 0.42
# What is left of the light in the shadow of a hand or a phone.


@dataclass(frozen=True, eq=False)
class Light:
    """`factor`, shape (h, w, 3), multiplies the table and the cards; `glare`, shape (h, w), is added to cards, 0 to 1.

    Both are an eighth of the picture's size a side.
    """

    factor: Field
    glare: Field


def light(width: int, height: int, profile: Profile, chance: np.random.Generator) -> Light:
    """Return the light over a picture of `width` x `height` pixels."""
    small = (max(width // _COARSE, 2), max(height // _COARSE, 2))
    x, y = (2 * np.linspace(0, 1, size, dtype=np.float32) - 1 for size in small)
    angle = chance.uniform(0, 2 * np.pi)
    slope = (np.cos(angle) * x + np.sin(angle) * y[:, np.newaxis]) / np.sqrt(2)
    shade = 1 - profile.unevenness * (slope + 1) / 2
    shade = shade * (1 - profile.vignette * (x**2 + y[:, np.newaxis] ** 2) / 2)
    shade = shade * (1 + 0.02 * cloud(*small, (4, 3), chance))
    for _ in range(profile.shadows):
        shade = shade * _shadow(small, chance)
    cast = chance.uniform(-1, 1) * profile.cast
    tint = np.array([1 - cast, 1, 1 + cast], dtype=np.float32)
    factor = (profile.light * shade[..., np.newaxis] * tint).astype(np.float32)
    glare = np.zeros(small[::-1], dtype=np.float32)
    for _ in range(profile.glare):
        glare = np.maximum(glare, _reflection(small, chance))
    return Light(factor, glare)


def _shadow(size: tuple[int, int], chance: np.random.Generator) -> Field:
    """Return the shadow of something straight-edged held into the light."""
    centre = chance.uniform(0.15, 0.85, 2) * size
    spread = chance.uniform(0.12, 0.3, 2) * max(size)
    box = cv2.boxPoints((tuple(map(float, centre)), tuple(map(float, spread)), float(chance.uniform(0, 90))))
    field = np.ones(size[::-1], dtype=np.float32)
    cv2.fillConvexPoly(field, box.astype(np.int32), _HARD_SHADOW)
    return np.asarray(cv2.GaussianBlur(field, (0, 0), max(size) / 200), dtype=np.float32)


def _reflection(size: tuple[int, int], chance: np.random.Generator) -> Field:
    """Return the reflection of a lamp: white in the middle, with a soft rim."""
    field = np.zeros(size[::-1], dtype=np.float32)
    centre = (chance.uniform(0.1, 0.9, 2) * size).astype(int)
    axes = (chance.uniform(0.015, 0.05, 2) * max(size)).astype(int) + 1
    turn = float(chance.uniform(0, 180))
    cv2.ellipse(field, [int(c) for c in centre], [int(a) for a in axes], turn, 0, 360, 1.3, -1)
    return np.clip(cv2.GaussianBlur(field, (0, 0), max(size) / 130), 0, 1)
