"""Fits each finder pattern of a symbol by itself, which tells how large modules are there and how they lean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.pixels import values_at

if TYPE_CHECKING:
    import numpy.typing as npt

    Field = npt.NDArray[np.float32]
    Points = npt.NDArray[np.float64]

CENTRE = 3.5
"""Where the middle of a finder pattern lies from the symbol's edges, in modules."""

_FINDER = 9
# Modules a side of what is known around a finder pattern: itself and the white around it.
_PLACES = np.arange(-2, 2.1)
_STRETCHED = np.array([0.5, 0.6, 0.72, 0.86, 1.03, 1.25])
# Where a finder pattern is looked for around its place on flat paper, in modules, and how stretched it may be there.
_LIKELY = 6
# So many of these tries are followed up.
_CHANGES = (0.25, 0.1, 0.04)
# By which part of a module, or of itself, a value of a finder pattern is changed while it is fitted.
_MOST_CHANGES = 12


@dataclass(frozen=True, eq=False)
class Frame:
    """A place in the picture and what one module across (first column) and down (second) is there, in pixels.

    `fit` tells how well a finder pattern lies there: 1 where all is right, 0 by chance.
    """

    place: Points
    slope: Points
    fit: float = 0.0


def finders(clear: Field, flat: Points, length: int) -> tuple[Frame, Frame, Frame]:
    """Return the upper left, upper right and lower left finder patterns, each fitted by itself.

    `flat` is the 3 x 3 matrix from modules to pixels that would hold on flat paper.
    """
    far = length - CENTRE
    start, right, below = (
        _fitted(clear, _flat(flat, x, y)) for x, y in ((CENTRE, CENTRE), (far, CENTRE), (CENTRE, far))
    )
    return start, right, below


def sampled(clear: Field, pixels: Points) -> Field:
    """Return the values at places in pixels, shape (..., 2)."""
    return values_at(clear, pixels - 0.5)


def _flat(flat: Points, x: float, y: float) -> Frame:
    places = np.array([[(x, y), (x + 1, y), (x, y + 1)]], dtype=np.float64)
    place, across, down = cv2.perspectiveTransform(places, flat)[0]
    return Frame(place, np.stack((across - place, down - place), axis=-1))


def _fitted(clear: Field, frame: Frame) -> Frame:
    """Move, stretch and lean a finder pattern until it fits best."""
    offsets = np.arange(_FINDER) - _FINDER // 2
    window = np.stack(np.meshgrid(offsets, offsets), axis=-1).reshape(-1, 2).astype(np.float64)
    rings = np.abs(window).max(axis=1)
    signs = np.where((rings == 2) | (rings == _FINDER // 2), 1, -1)  # noqa: PLR2004 - the white ring, and around

    def worths(tries: Points) -> Points:
        slopes = frame.slope @ (np.eye(2) + tries[:, 2:].reshape(-1, 2, 2))
        places = frame.place + tries[:, :2] @ frame.slope.T
        pixels = window @ slopes.transpose(0, 2, 1) + places[:, None]
        return np.asarray((sampled(clear, pixels) * signs).mean(axis=1))

    tries = _starts()
    worth = worths(tries)
    likely = np.argsort(worth)[-_LIKELY:]
    values, best = tries[likely], worth[likely]
    for change in _CHANGES:
        steps = change * np.vstack((np.eye(6), -np.eye(6)))
        for _ in range(_MOST_CHANGES):
            tries = values[:, None] + steps
            worth = worths(tries.reshape(-1, 6)).reshape(_LIKELY, -1)
            index = worth.argmax(axis=1)
            better = worth.max(axis=1) > best
            if not better.any():
                break
            values = np.where(better[:, None], tries[np.arange(_LIKELY), index], values)
            best = np.maximum(best, worth.max(axis=1))
    value, fit = values[best.argmax()], float(best.max())
    return Frame(frame.place + frame.slope @ value[:2], frame.slope @ (np.eye(2) + value[2:].reshape(2, 2)), fit)


@cache
def _starts() -> Points:
    """Return what a finder pattern may be like: two changes of its place and four of its slope, in its own frame."""
    grids = np.meshgrid(_PLACES, _PLACES, _STRETCHED, _STRETCHED, indexing="ij")
    x, y, across, down = (grid.ravel() for grid in grids)
    still = np.zeros(len(x))
    return np.stack((x, y, across - 1, still, still, down - 1), axis=-1)
