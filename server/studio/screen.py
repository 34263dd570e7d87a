"""A screen before the camera: pixels made of red, green and blue stripes, which beat with the sensor's own grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Picture = npt.NDArray[np.uint8]

_PITCH = (1.6, 2.6)
# Pixels of the camera for each of the screen.
_TURN = 3.0
# Largest turn of the screen in the picture, in degrees.
_FILL = (0.3, 0.88)
# Width and height of a stripe that shines, as shares of a screen's pixel.
_GAIN = 0.9
# How bright the mean of lit and dark becomes in the picture.
_BAND = 256
_FINER = 2
# The screen is looked at on a grid this much finer than the camera's pixels.


def displayed(picture: Picture, chance: np.random.Generator) -> float:
    """Replace the scene by a screen that shows it, in place: nothing moves, but all is made of stripes.

    Returns the factor by which a camera exposes longer, since most of a screen is dark.
    """
    height, width = picture.shape[:2]
    pitch = float(chance.uniform(*_PITCH))
    turn = np.radians(float(chance.uniform(-_TURN, _TURN)))
    cos, sin = float(np.cos(turn)) / pitch, float(np.sin(turn)) / pitch
    # Camera pixels to screen pixels, and the picture as the screen's own pixels have it.
    across, down = int((width + height) / pitch) + 2, int((width + height) / pitch) + 2
    to_screen = np.array([[cos, sin, height * max(-sin, 0) + 1], [-sin, cos, width * max(sin, 0) + 1]])
    shown = cv2.warpAffine(
        cv2.blur(picture, (round(pitch), round(pitch))), to_screen, (across, down), borderMode=cv2.BORDER_REPLICATE
    )
    fine = np.array([[1 / _FINER, 0, (1 / _FINER - 1) / 2], [0, 1 / _FINER, (1 / _FINER - 1) / 2], [0, 0, 1]])
    for top in range(0, height, _BAND):
        rows = min(_BAND, height - top)
        x = np.arange(width * _FINER, dtype=np.float32)[np.newaxis] * np.float32(fine[0, 0]) + np.float32(fine[0, 2])
        y = np.arange(rows * _FINER, dtype=np.float32)[:, np.newaxis] * np.float32(fine[1, 1]) + np.float32(
            fine[1, 2] + top
        )
        u = np.float32(to_screen[0, 0]) * x + np.float32(to_screen[0, 1]) * y + np.float32(to_screen[0, 2] + 0.5)
        v = np.float32(to_screen[1, 0]) * x + np.float32(to_screen[1, 1]) * y + np.float32(to_screen[1, 2] + 0.5)
        pixels = cv2.remap(shown, np.floor(u), np.floor(v), cv2.INTER_NEAREST).astype(np.float32)
        u -= np.floor(u)
        lit = np.abs(v - np.floor(v) - 0.5) < _FILL[1] / 2
        light = (pixels / 255) ** 2.2
        for channel, middle in ((2, 1 / 6), (1, 1 / 2), (0, 5 / 6)):
            light[..., channel] *= (np.abs(u - middle) < _FILL[0] / 2) & lit
        seen = cv2.resize(light, (width, rows), interpolation=cv2.INTER_AREA)
        picture[top : top + rows] = np.clip(255 * np.clip(seen, 0, 1) ** (1 / 2.2), 0, 255).astype(np.uint8)
    return _GAIN / _FILL[0] / _FILL[1]
