"""Ways of taking a picture: by a camera, a flatbed scanner, or as a photograph or screenshot of a screen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from devtools.photo_simulator.optics import blur_of, depth_of
from devtools.photo_simulator.sensor import capture, developed, finished

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from devtools.photo_simulator.profiles import Medium, Profile
    from devtools.photo_simulator.scene import Canvas

    Picture = npt.NDArray[np.uint8]

# Camera pixels for each pixel of the screen.
_PITCH = (1.6, 2.6)

# Largest turn of the screen in the picture, in degrees.
_TURN = 3.0

# Width and height of a lit stripe, as shares of a screen's pixel.
_FILL = (0.3, 0.88)

# Brightness of the mean of lit and dark parts in the picture.
_GAIN = 0.9

_SCREEN_BAND = 256

# The screen is sampled on a grid finer than the camera's pixels by this factor.
_FINER = 2


def displayed(picture: Picture, chance: np.random.Generator) -> float:
    """Replace the scene by a screen that shows it, in place, made of coloured stripes.

    Returns the factor of the longer exposure, since most of a screen is dark.
    """
    height, width = picture.shape[:2]
    pitch = float(chance.uniform(*_PITCH))
    turn = np.radians(float(chance.uniform(-_TURN, _TURN)))
    cos, sin = float(np.cos(turn)) / pitch, float(np.sin(turn)) / pitch
    # The matrix from camera pixels to screen pixels, and the picture in the screen's resolution.
    across, down = int((width + height) / pitch) + 2, int((width + height) / pitch) + 2
    to_screen = np.array([[cos, sin, height * max(-sin, 0) + 1], [-sin, cos, width * max(sin, 0) + 1]])
    shown = cv2.warpAffine(
        cv2.blur(picture, (round(pitch), round(pitch))), to_screen, (across, down), borderMode=cv2.BORDER_REPLICATE
    )
    fine = np.array([[1 / _FINER, 0, (1 / _FINER - 1) / 2], [0, 1 / _FINER, (1 / _FINER - 1) / 2], [0, 0, 1]])
    for top in range(0, height, _SCREEN_BAND):
        rows = min(_SCREEN_BAND, height - top)
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


# Pixels of the sensor to which the profile's lens blur refers.
_TWELVE = 12.2e6

# Deviation in steps of 255.
_FLATBED_NOISE = 1.5
_BAND = 512


def _camera(canvas: Canvas, profile: Profile, module: float, chance: np.random.Generator) -> Picture:
    height, width = canvas.picture.shape[:2]
    # Sensors with more than 12 million pixels have the same lens.
    sigma = profile.lens * max(1.0, float(np.sqrt(width * height / _TWELVE)))
    depth = depth_of(canvas.camera, width, height, profile.aperture)
    blur = blur_of(profile, sigma, module, depth, chance)
    raw = capture(canvas.picture, canvas.shine, canvas.light, blur, profile.iso, chance)
    return developed(raw, profile.iso, profile.denoise, profile.sharpening)


def _flatbed(canvas: Canvas, profile: Profile, _: float, chance: np.random.Generator) -> Picture:
    """Scan by a flatbed: even light, and all colours at each pixel."""
    picture = np.asarray(cv2.GaussianBlur(canvas.picture, (0, 0), profile.lens), dtype=np.uint8)
    for top in range(0, len(picture), _BAND):
        band = picture[top : top + _BAND]
        noise = chance.standard_normal(band.shape, dtype=np.float32) * np.float32(_FLATBED_NOISE)
        band[:] = np.clip(band * np.float32(1.04) + noise, 0, 255).astype(np.uint8)
    return finished(picture, 0, profile.sharpening)


def _screen(canvas: Canvas, profile: Profile, module: float, chance: np.random.Generator) -> Picture:
    """Photograph a screen that shows the scene."""
    gain = displayed(canvas.picture, chance)
    lit = replace(canvas, light=replace(canvas.light, factor=canvas.light.factor * np.float32(gain)))
    return _camera(lit, profile, module, chance)


def _screenshot(canvas: Canvas, _profile: Profile, _module: float, _chance: np.random.Generator) -> Picture:
    return canvas.picture


MEDIA: dict[Medium, Callable[[Canvas, Profile, float, np.random.Generator], Picture]] = {
    "camera": _camera,
    "flatbed": _flatbed,
    "screen": _screen,
    "screenshot": _screenshot,
}
"""Every medium by its name: takes the canvas, the profile and the size of a module in pixels."""
