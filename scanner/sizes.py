"""The sizes of a module that are tried where no code was read, so that none is known: the likely ones first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.pixels import percentiles

if TYPE_CHECKING:
    from scanner.result import Grey

STRIDE = 1.5
"""Steps between sizes: it is enough to find some symbols."""

SMALLEST = 1.45
"""The smallest size, in pixels: modules that are smaller by a fifth are still found."""

LEGIBLE = 3.0
"""Pixels a module from which on readers find something in any sharp picture."""

SHARP = 0.25
"""A step from a pixel to the next of so much of black to white: blur of a module leaves 0.17, a sharp picture 0.32."""

NOISY = 0.4
"""Where one of a hundred steps is so large, it is noise that makes them."""

EVERYWHERE = 0.07
"""And half of them are so large: 0.107 to 0.115 in the dark, 0.04 in dim light, and nothing in a drawing of lines."""

_LARGEST = 70
# The shorter side of a picture has at least so many modules: a single card from near.
_EVERY = 32
# Of so many rows one is looked at.


def sizes(grey: Grey) -> list[float]:
    """Return sizes of a module in pixels: large ones first, which cost least, but small ones in a sharp picture."""
    largest = max(min(grey.shape) / _LARGEST, SMALLEST)
    steps = round(np.log(largest / SMALLEST) / np.log(STRIDE))
    falling = [SMALLEST * STRIDE**step for step in range(steps, -1, -1)]
    if not is_sharp(grey):
        return falling
    return [size for size in reversed(falling) if size < LEGIBLE] + [size for size in falling if size >= LEGIBLE]


def is_sharp(grey: Grey) -> bool:
    """Tell whether brightness changes from one pixel to the next somewhere, and noise is not why."""
    _, usual, steepest = _steps(grey)
    return steepest > SHARP and usual < NOISY


def is_grainy(grey: Grey) -> bool:
    """Tell whether noise changes brightness from one pixel to the next everywhere, as no drawing does."""
    median, usual, _ = _steps(grey)
    return usual >= NOISY and median >= EVERYWHERE


def _steps(grey: Grey) -> tuple[float, float, float]:
    """Return steps from a pixel to the next that half exceed, one of a hundred and one of a thousand: of contrast."""
    rows = np.ascontiguousarray(grey[_EVERY // 2 :: _EVERY])
    if rows.shape[0] < 1 or rows.shape[1] < 2:  # noqa: PLR2004 - two neighbours
        return 0.0, 0.0, 0.0
    low, high = percentiles(rows, 0.5, 99.5)
    steps = np.asarray(cv2.absdiff(rows[:, 1:], rows[:, :-1]), dtype=np.uint8)
    median, usual, steepest = (step / max(high - low, 1) for step in percentiles(steps, 50, 99, 99.9))
    return median, usual, steepest
