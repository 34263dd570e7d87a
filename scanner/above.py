"""The table seen from straight above, a pixel a millimetre: there only places and turns of cards are unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.pixels import percentiles, values_at
from scanner.quads import project

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from scanner.result import Grey, Quad

    Field = npt.NDArray[np.float32]
    Matrix = npt.NDArray[np.float64]

MOST_PIXELS = 1_500_000
"""Of the view; where the table is larger, the view is coarser."""

_PAPER = 97
# Percentile of brightness that counts as white paper.
_HALF, _SAME, _SOFT = 1.9, 1.1, 0.6
# From so many times smaller on a picture is halved, or shrunk by less; and the pixels by which it is blurred before.
_FARTHER = 0.5
# What lies twice as far as the farthest thing is not looked at.
_AROUND = 2.0
# Millimetres around a card that was read, where its own edge is.


@dataclass(frozen=True, eq=False)
class View:
    """A part of the table: `grey` in `scale` pixels a millimetre.

    `matrix` takes pixels of the picture to pixels of the view; `hidden` is not 0 where cards lie that were read;
    `white` is the brightness of paper.
    """

    grey: Field
    hidden: Grey
    matrix: Matrix
    scale: float
    white: float

    @property
    def back(self) -> Matrix:
        """The matrix from pixels of the view to pixels of the picture."""
        return np.asarray(np.linalg.inv(self.matrix), dtype=np.float64)

    def seen(self, points: npt.NDArray[np.floating], hidden: Grey) -> npt.NDArray[np.bool_]:
        """Tell which points, shape (..., 2), lie in the view and not in what is hidden."""
        height, width = hidden.shape
        x, y = np.moveaxis(points.round().astype(np.intp), -1, 0)
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        return np.asarray(inside & (hidden[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] == 0))

    def at(self, points: npt.NDArray[np.floating]) -> Field:
        """Return the brightness at points, shape (..., 2)."""
        return values_at(self.grey, points)


def fill(mask: Grey, quad: Quad, value: int) -> None:
    """Fill a convex quad in a mask, its corners to an eighth of a pixel."""
    cv2.fillConvexPoly(mask, np.round(quad * 8).astype(np.int32), value, shift=3)


def view_from_above(
    grey: Grey,
    flat: Matrix,
    boxes: Sequence[Quad],
    outlines: Sequence[Quad],
    reach: float,
    least: float = 0.0,
    most: float = MOST_PIXELS,
) -> View | None:
    """Return the part of the table around some boxes, and `reach` millimetres more, as far as the picture shows it.

    `flat` takes pixels to millimetres on the table, seen from above. None where that is no place in the picture, or
    one so large that the view, of at most so many pixels, would be coarser than `least` pixels a millimetre.
    """
    height, width = grey.shape
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    spots = np.vstack(boxes)
    near = float((np.column_stack((spots, np.ones(len(spots)))) @ flat[2]).min())
    if near <= 0:
        # Beyond the horizon there is no table: what was taken for codes was none.
        return None
    spots, frame = project(flat, spots), project(flat, _before(frame, flat[2], near * _FARTHER))
    low = np.maximum(spots.min(axis=0) - reach, frame.min(axis=0))
    span = np.minimum(spots.max(axis=0) + reach, frame.max(axis=0)) - low
    if not np.isfinite(span).all() or (span < 1).any():
        return None
    scale = min(1.0, float(np.sqrt(most / span.prod())))
    if scale < least:
        return None
    across, down = (max(int(np.ceil(length * scale)), 1) for length in span)
    matrix = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]]) @ flat
    # The picture is shrunk first, so that every pixel counts and not one in many.
    spot = np.array([across / 2, down / 2])
    middle = project(np.linalg.inv(matrix), np.array([spot, spot + 1]))
    step = float(np.linalg.norm(middle[1] - middle[0])) / np.sqrt(2)
    if step > min(width, height):
        return None
    part, left, top = _part(grey, np.asarray(np.linalg.inv(matrix), dtype=np.float64), across, down)
    shrunk = matrix @ np.array([[1.0, 0, left], [0, 1, top], [0, 0, 1]])
    small = part
    # A part that is thinner than a step, at the picture's edge, cannot be shrunk so far.
    if 1 < step <= min(part.shape):
        # The mean of all pixels, but for a remainder of less than a half: that takes a third of the time.
        while step >= _HALF and min(small.shape) > 1:
            size = small.shape[1] // 2, small.shape[0] // 2
            small, step = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), step / 2
        if step > _SAME:
            soft = cv2.GaussianBlur(small, (3, 3), _SOFT)
            smaller = cv2.resize(soft, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_LINEAR)
            small = np.asarray(smaller, dtype=np.uint8)
        shrunk = shrunk @ np.diag((part.shape[1] / small.shape[1], part.shape[0] / small.shape[0], 1.0))
    pixels = cv2.warpPerspective(small, shrunk, (across, down), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    hidden = np.zeros((down, across), dtype=np.uint8)
    for outline in outlines:
        fill(hidden, project(matrix, outline), 1)
    if outlines:
        # What a card was read on, a little around it too: its outline is as exact as that.
        grown = 2 * round(_AROUND * scale) + 1
        hidden = np.asarray(cv2.dilate(hidden, np.ones((grown, grown), dtype=np.uint8)), dtype=np.uint8)
    white = max(percentiles(np.asarray(pixels[::3, ::3], dtype=np.uint8), _PAPER)[0], 1.0)
    return View(pixels.astype(np.float32), hidden, matrix, scale, white)


def _before(quad: Quad, horizon: Matrix, least: float) -> Quad:
    """Return the corners of the part of a convex quad where `horizon`, shape (3,), is at least so much."""
    depths = np.column_stack((quad, np.ones(len(quad)))) @ horizon - least
    spots = []
    for one, other, depth, next_ in zip(quad, np.roll(quad, -1, axis=0), depths, np.roll(depths, -1), strict=True):
        if depth >= 0:
            spots.append(one)
        if depth * next_ < 0:
            spots.append(one + (other - one) * depth / (depth - next_))
    return np.array(spots)


def _part(grey: Grey, back: Matrix, across: int, down: int) -> tuple[Grey, int, int]:
    """Return the part of the picture that a view shows, at least a pixel of it, and its left and top."""
    height, width = grey.shape
    frame = project(back, np.array([(0, 0), (across, 0), (across, down), (0, down)], dtype=np.float64))
    left, top = np.clip(frame.min(axis=0) - 1, 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.clip(np.ceil(frame.max(axis=0)) + 1, (left + 1, top + 1), (width, height)).astype(int)
    return grey[top:bottom, left:right], int(left), int(top)
