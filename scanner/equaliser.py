"""Takes the blur out of a symbol's modules, by a filter that is fitted on those of them that are known.

A third of a symbol is known before it is read: corner patterns, timing, quiet zone. Samples are taken twice a module
each way, and the filter weighs those within two modules such that the known modules come out right. Whatever mixed the
neighbours, defocus, motion, a grid that is a bit off, is undone as far as the noise lets it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.pixels import cut_out
from scanner.quads import side as side_of
from scanner.symbol import BLACK, QUIET, UNKNOWN, known, side

if TYPE_CHECKING:
    import numpy.typing as npt

    from scanner.result import Grey, Quad

    Field = npt.NDArray[np.float32]

STRENGTHS = (3.0, 30.0)
"""How strongly the filter is held back: little where noise is little, and more against much noise."""

_REACH = 2
# Modules on each side that the filter takes.
_STEP = 2
# Samples a module.
_SOFT = 0.2
# Blur before sampling, in modules.
_LIGHT = 3.0
# How freely the light may differ over the symbol.


def sampled(grey: Grey, quad: Quad, version: int = 1) -> Field:
    """Return samples of a symbol at half modules, so far around it that the filter reaches from the quiet zone."""
    module = side_of(quad) / side(version)
    left, top, cut = cut_out(grey, quad, (QUIET + _REACH + 1) * module)
    soft = cv2.GaussianBlur(cut, (0, 0), max(_SOFT * module, 0.3)).astype(np.float32)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32) * side(version)
    matrix = cv2.getPerspectiveTransform(square, (quad - (left, top)).astype(np.float32))
    places = cv2.perspectiveTransform(_places(version), matrix)
    samples = cv2.remap(soft, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(samples, dtype=np.float32)


def equalised(samples: Field, version: int = 1, strength: float = STRENGTHS[0]) -> tuple[Field, float]:
    """Return each module, quiet zone included, as 1 for white and -1 for black with doubt between, and the error.

    The error is the mean square of what is left on the known modules: 0 where all are right, 1 where there is nothing.
    """
    length = side(version) + 2 * QUIET
    width = 2 * _REACH * _STEP + 1
    middle, spread = float(samples.mean()), float(samples.std())
    even = (samples - np.float32(middle)) / np.float32(max(spread, 1e-3))
    around = np.lib.stride_tricks.sliding_window_view(even, (width, width))[::_STEP, ::_STEP]
    light = _trend(length)
    table = np.empty((length**2, width**2 + light.shape[1]), dtype=np.float32)
    table[:, : width**2].reshape(length, length, width, width)[:] = around
    table[:, width**2 :] = light
    places, wanted = _wanted(version)
    rows = table[places]
    products = rows.T @ rows
    products.flat[:: len(products) + 1] += np.float32(strength)
    weights = np.linalg.solve(products, rows.T @ wanted)
    error = float(((rows @ weights - wanted) ** 2).mean())
    return np.asarray((table @ weights).reshape(length, length), dtype=np.float32), error


@cache
def _places(version: int) -> Field:
    """Return the places of the samples, in modules from the symbol's corner: shape (n, n, 2), (x, y)."""
    reach = QUIET + _REACH
    places = np.arange(-reach * _STEP, (side(version) + reach - 1) * _STEP + 1, dtype=np.float32) / _STEP + 0.5
    return np.stack(np.meshgrid(places, places), axis=-1)


@cache
def _wanted(version: int) -> tuple[npt.NDArray[np.intp], Field]:
    """Return which modules are known, as flat places, and what they are to be."""
    sure = known(version).ravel()
    places = np.flatnonzero(sure != UNKNOWN)
    return places, np.where(sure[places] == BLACK, np.float32(-1), np.float32(1))


@cache
def _trend(length: int) -> Field:
    """Return how light may change over a symbol, weighed: evenly, along each side, and bent. Shape (n, 6)."""
    place = np.linspace(-1, 1, length, dtype=np.float32)
    x, y = (axis.ravel() for axis in np.meshgrid(place, place))
    return np.asarray(_LIGHT * np.column_stack((np.ones_like(x), x, y, x * y, x * x, y * y)), dtype=np.float32)
