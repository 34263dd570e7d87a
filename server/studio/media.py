"""How the scene becomes a picture: through a camera, on a flatbed, from a screen, or as a screenshot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from server.studio.develop import developed, finished
from server.studio.optics import blur_of, depth_of
from server.studio.screen import displayed
from server.studio.sensor import capture

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from server.studio.canvas import Canvas
    from server.studio.profiles import Medium, Profile

    Picture = npt.NDArray[np.uint8]

_TWELVE = 12.2e6
# Pixels of the sensor for which the profile gives the lens' blur.
_FLATBED_NOISE = 1.5
# Spread in steps of 255.
_BAND = 512


def _camera(canvas: Canvas, profile: Profile, module: float, chance: np.random.Generator) -> Picture:
    height, width = canvas.picture.shape[:2]
    # A sensor with more pixels than 12 million sits behind no better a lens.
    sigma = profile.lens * max(1.0, float(np.sqrt(width * height / _TWELVE)))
    depth = depth_of(canvas.camera, width, height, profile.aperture)
    blur = blur_of(profile, sigma, module, depth, chance)
    raw = capture(canvas.picture, canvas.shine, canvas.light, blur, profile.iso, chance)
    return developed(raw, profile.iso, profile.denoise, profile.sharpening)


def _flatbed(canvas: Canvas, profile: Profile, _: float, chance: np.random.Generator) -> Picture:
    """Scan: a flatbed's own lamp lights evenly, and its line of sensors sees each colour at each pixel."""
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
