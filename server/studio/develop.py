"""What a phone's software makes of the sensor's counts: colours, tone, less noise, crisp edges, a JPEG file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from server.studio.sensor import BLACK, WHITE, full_well

if TYPE_CHECKING:
    import numpy.typing as npt

    from server.studio.sensor import Raw

    Picture = npt.NDArray[np.uint8]
    Grey = npt.NDArray[np.uint8]

_BAND = 512
# Rows that are worked on at a time. Even.
_MARGIN = 16
# Rows that neighbouring bands share, so that filters do not see the joint. Even.
_MIDDLE_GREY = 0.2
# Linear light of a middle grey, for which noise is reckoned.
_STRENGTH = 2.6
# Differences of so many times the noise are taken for noise.
_LEFT = 0.15
# Share of the noise that phones leave, since pictures without any look painted.
_VISIBLE = 0.8
# Noise in steps of 255 below which nothing is smoothed.
_STRONG, _NEAR, _WIDE = 6.0, 5, 7
# From so much noise on, not five but seven pixels around are looked at.
_HALO = 1.1
# Sigma of the sharpening in pixels.


def developed(raw: Raw, iso: float, denoise: float, sharpening: float) -> Picture:
    """Return the picture, shape (h, w, 3), BGR. `denoise` 1 is what phones do, 0 nothing."""
    height, width = raw.shape
    noise = visible_noise(iso, width * height)
    picture = np.empty((height, width, 3), dtype=np.uint8)
    for top in range(0, height, _BAND):
        first, last = max(top - _MARGIN, 0), min(top + _BAND + _MARGIN, height)
        colours = cv2.cvtColor(raw[first:last], cv2.COLOR_BayerBG2BGR_EA)
        band = finished(_TONE[colours], denoise * noise, sharpening)
        picture[top : top + _BAND] = band[top - first : top - first + _BAND]
    return picture


def visible_noise(iso: float, pixels: int) -> float:
    """Return the spread of a middle grey that is not smoothed, in steps of 255."""
    full = full_well(iso, pixels)
    slope = 255 / 2.2 * _MIDDLE_GREY ** (1 / 2.2 - 1)
    # Demosaicing averages about two pixels.
    return float(np.sqrt(_MIDDLE_GREY / full) * slope / np.sqrt(2))


def finished(picture: Picture, noise: float, sharpening: float) -> Picture:
    """Return a picture with less noise, which is `noise` steps now, and sharpened edges."""
    parts = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb))
    luma, red, blue = (np.asarray(part, dtype=np.uint8) for part in parts)
    if noise > _VISIBLE:
        around = _NEAR if noise < _STRONG else _WIDE
        smooth = cv2.bilateralFilter(luma, around, _STRENGTH * noise, around / 3)
        luma = np.asarray(cv2.addWeighted(smooth, 1 - _LEFT, luma, _LEFT, 0), dtype=np.uint8)
        red, blue = (_coarser(channel, noise) for channel in (red, blue))
    if sharpening:
        soft = cv2.GaussianBlur(luma, (0, 0), _HALO)
        luma = np.asarray(cv2.addWeighted(luma, 1 + sharpening, soft, -sharpening, 0), dtype=np.uint8)
    return np.asarray(cv2.cvtColor(cv2.merge((luma, red, blue)), cv2.COLOR_YCrCb2BGR), dtype=np.uint8)


def jpeg(picture: Picture, quality: int) -> bytes:
    """Return the picture as a JPEG file, with half the colour resolution as phones write it."""
    settings = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x221111]
    done, data = cv2.imencode(".jpg", picture, settings)
    if not done:
        raise RuntimeError("OpenCV could not write a JPEG file")
    return data.tobytes()


def _coarser(channel: Grey, noise: float) -> Grey:
    """Return a channel of colour with its noise smeared, as phones do: the eye does not mind."""
    height, width = channel.shape
    size = (max(width // 2, 1), max(height // 2, 1))
    small = cv2.GaussianBlur(cv2.resize(channel, size, interpolation=cv2.INTER_AREA), (0, 0), 0.8 + 0.15 * noise)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _tone() -> npt.NDArray[np.uint8]:
    """Return the picture's value for each of the sensor's: the usual gamma with a little more contrast."""
    light = np.clip((np.arange(WHITE + 1) - BLACK) / (WHITE - BLACK), 0, 1)
    value = light ** (1 / 2.2)
    value += 0.06 * np.sin(2 * np.pi * (value - 0.5)) / 2
    return np.clip(np.round(255 * value), 0, 255).astype(np.uint8)


_TONE = _tone()
