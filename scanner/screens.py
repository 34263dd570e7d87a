"""Tells a photograph of a screen by its moire: the screen's grid of pixels beats with the camera's in one frequency."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from scanner.above import Field
    from scanner.result import Grey

MOIRE = 4.0
"""How far, as a logarithm, one fine frequency stands out from those around it where a screen was photographed.

Photographs of screens have 5 to 6.6, of print, cloth and wood 1 to 3.
"""

_SIDE = 128
# Pixels a side of the parts that are looked at.
_ACROSS, _DOWN = 4, 3
# So many of them.
_FINE, _FINEST = 0.2, 0.6
# Range of frequencies that count, in periods a pixel.
_BLOCK, _NEAR = 8, 0.2
# JPEG's blocks of so many pixels make frequencies of their own, this share of one wide.
_AROUND = 15
# Frequencies around one, of _SIDE, to which it is compared.


def moire(grey: Grey) -> float:
    """Return how far the strongest fine frequency of a picture stands out, as a logarithm; 0 for a small picture."""
    height, width = grey.shape
    if min(height, width) < 2 * _SIDE:
        return 0.0
    power = np.full((_SIDE, _SIDE // 2 + 1), 1e-6)
    for y in np.linspace(0, height - _SIDE, _DOWN + 2).astype(int)[1:-1]:
        for x in np.linspace(0, width - _SIDE, _ACROSS + 2).astype(int)[1:-1]:
            part = grey[y : y + _SIDE, x : x + _SIDE].astype(np.float32)
            one = np.abs(np.fft.rfft2((part - part.mean()) * _window())) ** 2
            power += one / (one.mean() + 1e-6)
    logs = np.fft.fftshift(np.log(power), axes=0).astype(np.float32)
    above = logs - cv2.blur(logs, (_AROUND, _AROUND), borderType=cv2.BORDER_REFLECT)
    return max(float(above[_counted()].max()), 0.0)


@cache
def _window() -> Field:
    edge = np.hanning(_SIDE)
    return np.asarray(np.outer(edge, edge), dtype=np.float32)


@cache
def _counted() -> npt.NDArray[np.bool_]:
    """Return which frequencies count: fine ones that are not those of a JPEG's blocks."""
    down, across = np.fft.fftshift(np.fft.fftfreq(_SIDE))[:, np.newaxis], np.fft.rfftfreq(_SIDE)[np.newaxis]
    far = np.hypot(down, across)
    blocks = [np.abs(one * _BLOCK - np.round(one * _BLOCK)) < _NEAR for one in (down, across)]
    return np.asarray((far > _FINE) & (far < _FINEST) & ~(blocks[0] & blocks[1]), dtype=np.bool_)
