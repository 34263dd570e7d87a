"""Sensor noise, and processing of the raw picture into a JPEG."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from devtools.photo_simulator.arrays import in_three_channels
from devtools.photo_simulator.optics import veiled

if TYPE_CHECKING:
    import numpy.typing as npt

    from devtools.photo_simulator.optics import Blur, Light

    Picture = npt.NDArray[np.uint8]
    Raw = npt.NDArray[np.uint16]
    Grey = npt.NDArray[np.uint8]

BLACK, WHITE = 1024, 16383
"""The sensor's black and white levels: 14 bits, with room for noise below black."""
SHINE = 3.0
"""The brightness of the value 255 in a picture of reflections, as a multiple of white paper."""

# Full-well capacity in electrons of a pixel of a 12 megapixel sensor at ISO 100.
_FULL = 5000.0

_TWELVE = 12.2e6

# Read noise of a pixel in electrons.
_READ = 2.5

# Transmission of the colour filters, before white balance.
_GREEN, _RED, _BLUE = 1.0, 0.6, 0.55

# Noise is generated once for a tile with this side in pixels, which is used at random positions.
_TILE = 512

# Rows processed at once (even), so that the whole picture is never in memory as floats.
_BAND = 256

LINEAR = (np.arange(256, dtype=np.float32) / 255) ** 2.2
"""Light for each value of a picture."""


def full_well(iso: float, pixels: int) -> float:
    """Return the full-well capacity of a green pixel. With more pixels on the sensor they are smaller."""
    return _FULL * 100 / iso * min(1.0, _TWELVE / pixels)


def capture(
    picture: Picture, shine: Picture | None, light: Light, blur: Blur, iso: float, chance: np.random.Generator
) -> Raw:
    """Return the sensor's values, shape (h, w), with red at the upper left.

    `picture` has the colours in even white light, `shine` the reflections.
    """
    height, width = picture.shape[:2]
    raw = np.empty((height, width), dtype=np.uint16)
    full = full_well(iso, width * height)
    tile = chance.standard_normal((2 * _TILE, 2 * _TILE), dtype=np.float32)
    mean = float(LINEAR[picture[::16, ::16]].mean()) * float(light.factor.mean())
    for top in range(0, height, _BAND):
        rows = min(_BAND, height - top)
        lit = veiled(blur.spread(_lit(picture, shine, light, top, rows, blur.reach), max(top - blur.reach, 0)), mean)
        cut = min(blur.reach, top)
        raw[top : top + rows] = _counted(lit[cut : cut + rows], full, tile, chance)
    return raw


def _lit(
    picture: Picture, shine: Picture | None, light: Light, top: int, rows: int, reach: int
) -> npt.NDArray[np.float32]:
    """Return the light of some rows and of `reach` more above and below."""
    first, last = max(top - reach, 0), min(top + rows + reach, len(picture))
    lit = np.asarray(cv2.LUT(picture[first:last], LINEAR), dtype=np.float32)
    lit *= light.factor_rows(first, last - first)
    if shine is not None and (bright := shine[first:last]).any():
        lit += in_three_channels(bright.astype(np.float32) * np.float32(SHINE / 255))
    return lit


def _counted(
    lit: npt.NDArray[np.float32], full: float, tile: npt.NDArray[np.float32], chance: np.random.Generator
) -> Raw:
    """Return the mosaic values of light, BGR, with noise and white balance."""
    rows, width = lit.shape[:2]
    signal = np.empty((rows, width), dtype=np.float32)
    well = np.empty((rows, width), dtype=np.float32)
    for down, right, channel, share in ((0, 0, 2, _RED), (0, 1, 1, _GREEN), (1, 0, 1, _GREEN), (1, 1, 0, _BLUE)):
        signal[down::2, right::2] = lit[down::2, right::2, channel]
        well[down::2, right::2] = full * share
    np.minimum(signal, 1.2, out=signal)
    # In place, since allocating the memory takes more time than the arithmetic.
    spread = signal * well
    spread += _READ**2
    np.sqrt(spread, out=spread)
    spread *= _noise(tile, rows, width, chance)
    spread /= well
    signal += spread
    signal *= WHITE - BLACK
    signal += BLACK + 0.5
    return np.clip(signal, 0, WHITE, out=signal).astype(np.uint16)


def _noise(
    tile: npt.NDArray[np.float32], rows: int, width: int, chance: np.random.Generator
) -> npt.NDArray[np.float32]:
    """Return noise of shape (rows, width) from a tile, with a new shift for each use."""
    columns = [tile[y : y + rows, x : x + _TILE] for y, x in chance.integers(0, _TILE, (-(-width // _TILE), 2))]
    return np.hstack(columns)[:, :width]


# Rows processed at once (even).
_DEVELOP_BAND = 512

# Overlap of neighbouring bands (even), so that filters leave no seam.
_MARGIN = 16

# Linear light of a middle grey, for which the noise is computed.
_MIDDLE_GREY = 0.2

# Differences up to this multiple of the noise are considered noise.
_STRENGTH = 2.6

# Share of the noise that phones leave, since images without noise look painted.
_LEFT = 0.15

# Noise in steps of 255 below which nothing is smoothed.
_VISIBLE = 0.8

# Noise from which the window is seven pixels wide instead of five.
_STRONG, _NEAR, _WIDE = 6.0, 5, 7

# Sigma of the sharpening in pixels.
_HALO = 1.1


def developed(raw: Raw, iso: float, denoise: float, sharpening: float) -> Picture:
    """Return the picture, shape (h, w, 3), BGR. `denoise` is 1 for that of phones, 0 for none."""
    height, width = raw.shape
    noise = visible_noise(iso, width * height)
    picture = np.empty((height, width, 3), dtype=np.uint8)
    for top in range(0, height, _DEVELOP_BAND):
        first, last = max(top - _MARGIN, 0), min(top + _DEVELOP_BAND + _MARGIN, height)
        colours = cv2.cvtColor(raw[first:last], cv2.COLOR_BayerBG2BGR_EA)
        band = finished(_TONE[colours], denoise * noise, sharpening)
        picture[top : top + _DEVELOP_BAND] = band[top - first : top - first + _DEVELOP_BAND]
    return picture


def visible_noise(iso: float, pixels: int) -> float:
    """Return the deviation of a middle grey without noise reduction, in steps of 255."""
    full = full_well(iso, pixels)
    slope = 255 / 2.2 * _MIDDLE_GREY ** (1 / 2.2 - 1)
    # Demosaicing averages about two pixels.
    return float(np.sqrt(_MIDDLE_GREY / full) * slope / np.sqrt(2))


def finished(picture: Picture, noise: float, sharpening: float) -> Picture:
    """Return a picture with its noise of `noise` steps reduced, and edges sharpened."""
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
    """Return the picture as a JPEG file with 4:2:0 chroma subsampling, as phones write it."""
    settings = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x221111]
    done, data = cv2.imencode(".jpg", picture, settings)
    if not done:
        raise RuntimeError("OpenCV could not write a JPEG file")
    return data.tobytes()


def _coarser(channel: Grey, noise: float) -> Grey:
    """Return a chroma channel with its noise smoothed, as phones do."""
    height, width = channel.shape
    size = (max(width // 2, 1), max(height // 2, 1))
    small = cv2.GaussianBlur(cv2.resize(channel, size, interpolation=cv2.INTER_AREA), (0, 0), 0.8 + 0.15 * noise)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _tone() -> npt.NDArray[np.uint8]:
    """Return the tone curve: the usual gamma with slightly more contrast."""
    light = np.clip((np.arange(WHITE + 1) - BLACK) / (WHITE - BLACK), 0, 1)
    value = light ** (1 / 2.2)
    value += 0.06 * np.sin(2 * np.pi * (value - 0.5)) / 2
    return np.clip(np.round(255 * value), 0, 255).astype(np.uint8)


_TONE = _tone()
