"""A phone's sensor: a mosaic of coloured pixels that count light, with the noise of counting and of reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from server.studio.channels import thrice
from server.studio.optics import veiled

if TYPE_CHECKING:
    import numpy.typing as npt

    from server.studio.light import Light
    from server.studio.optics import Blur

    Picture = npt.NDArray[np.uint8]
    Raw = npt.NDArray[np.uint16]

BLACK, WHITE = 1024, 16383
"""The sensor's values without light, and at its limit: 14 bits, with room for noise below black."""
SHINE = 3.0
"""The brightness of the value 255 in a picture of reflections, as a multiple of white paper."""
_FULL = 5000.0
# Electrons at the limit of a pixel of a 12 megapixel sensor at ISO 100.
_TWELVE = 12.2e6
_READ = 2.5
# Electrons of noise from reading one pixel.
_GREEN, _RED, _BLUE = 1.0, 0.6, 0.55
# Share of the light that the filters let through, before white balance makes up for it.
_TILE = 512
# Noise is drawn once for a tile of this many pixels a side, and laid at a random place in each.
_BAND = 256
# Rows that are worked on at a time, so that a picture as floats never lies in memory at once. Even.

LINEAR = (np.arange(256, dtype=np.float32) / 255) ** 2.2
"""Light for each value of a picture."""


def full_well(iso: float, pixels: int) -> float:
    """Return the electrons at the limit of a green pixel. More pixels on a phone's sensor are smaller ones."""
    return _FULL * 100 / iso * min(1.0, _TWELVE / pixels)


def capture(
    picture: Picture, shine: Picture | None, light: Light, blur: Blur, iso: float, chance: np.random.Generator
) -> Raw:
    """Return what the sensor counts, shape (h, w), red at the upper left.

    `picture` has the colours of all things as seen in even white light, `shine` what they mirror.
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
    """Return the light from some rows and `reach` more above and below, as far as the picture goes."""
    first, last = max(top - reach, 0), min(top + rows + reach, len(picture))
    lit = np.asarray(cv2.LUT(picture[first:last], LINEAR), dtype=np.float32)
    lit *= light.factor_rows(first, last - first)
    if shine is not None and (bright := shine[first:last]).any():
        lit += thrice(bright.astype(np.float32) * np.float32(SHINE / 255))
    return lit


def _counted(
    lit: npt.NDArray[np.float32], full: float, tile: npt.NDArray[np.float32], chance: np.random.Generator
) -> Raw:
    """Return light, BGR, as the mosaic counts it, with noise and after white balance."""
    rows, width = lit.shape[:2]
    signal = np.empty((rows, width), dtype=np.float32)
    well = np.empty((rows, width), dtype=np.float32)
    for down, right, channel, share in ((0, 0, 2, _RED), (0, 1, 1, _GREEN), (1, 0, 1, _GREEN), (1, 1, 0, _BLUE)):
        signal[down::2, right::2] = lit[down::2, right::2, channel]
        well[down::2, right::2] = full * share
    np.minimum(signal, 1.2, out=signal)
    # In place: room for as many pixels costs more time than the arithmetic.
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
    """Return noise of shape (rows, width) from a tile, shifted anew for each use."""
    columns = [tile[y : y + rows, x : x + _TILE] for y, x in chance.integers(0, _TILE, (-(-width // _TILE), 2))]
    return np.hstack(columns)[:, :width]
