"""Measures at the place of a code why it was not read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.geometry.quads import contains, project, shared, side
from scanner.image.filters import cut_out, percentiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scanner.result import Grey, Quad

SMALL = 2.2
"""Pixels a module below which a code that is not read is too small rather than blurred."""

SOFT = 1.05
"""Width of the sharpest edges, in modules, from which a code counts as blurred: sharp ones have 0.65."""

STREAKED = 0.5
"""How much weaker edges across a motion are than those along it, from which on a code counts as moved."""

DIM = 80.0
"""Brightness of white paper, of 255, below which a picture is too dark."""

GLARE = 0.06
"""Share of a code's place that is bright without any module in it, from which on that is a reflection."""

COVERED = 0.06
"""Share of a code's place that is even and not bright, from which on something lies on it."""

MOSTLY = 0.3
"""The same share from which on motion cannot be measured in the rest of the code."""

EMPTY = 0.12
"""Contrast, as a part of white, below which nothing of a code is visible."""

PALE = 0.5
"""Brightness of the black modules as a part of white, from which on the print is too pale."""

FAINT, OUTSHONE = 0.8, 1.06
"""Brightness of all of a code as a part of white, from which on hardly anything is printed, unless a reflection
outshines paper by so much."""

CUT = 0.02
"""Share of a code beyond the picture's edge, or under a card, that keeps it from being read."""

ORDER = ("small", "dim", "blur", "motion", "glare", "pale", "unread", "hidden", "edge")
"""Reasons, from the one that comes first where the two codes of a card have different ones."""

ALL_OVER = ("small", "dim", "blur", "motion", "pale")
"""Reasons that affect both codes of a card and most cards of a picture, so one code suffices to find them."""

# Where paper is nearly as bright as a picture can be nothing outshines it.
_LIGHTEST = 255.0

# Modules a side of a square that holds no edge: in a code of version 1 hardly any is so large.
_EVEN = 4

# Contrast below which a square is even, as a part of white.
_FLAT = 0.18

# Part of white from which on an even square reflects.
_BRIGHT = 0.9

# Width of edges, in modules, from which on codes have even squares too, so only those brighter than paper are glare;
# and the brightness for that, as a part of white.
_BLURRED, _BURNT = 1.8, 1.0

# Percentiles of brightness that count as paper: on a card, and in a picture.
_PAPER, _BRIGHTEST = 90, 99.5

# Number of cards from which the brightness of paper is measured.
_SOME = 8

# Pixels along a side that are averaged before paper's brightness is measured.
_CALM = 4

# Blur, in samples, against noise before slopes are measured.
_SMOOTH = 0.5

# Pixels per module of the rectified code.
_SAMPLES = 4


@dataclass(frozen=True)
class Cause:
    """A reason of ORDER; for motion also its direction, in degrees clockwise from the right."""

    reason: str
    motion: float | None = None


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Context of a code: the picture, the outlines of the cards that were seen, and the brightness of paper."""

    grey: Grey
    outlines: Sequence[Quad]
    white: float

    @classmethod
    def of(cls, grey: Grey, outlines: Sequence[Quad], more: Sequence[Quad] = ()) -> Surroundings:
        """Measure the brightness of paper in a picture: that of the cards, `outlines` of those seen and `more`."""
        whites = []
        cards = [*outlines, *more]
        for quad in cards[:: len(cards) // _SOME + 1]:
            _, _, cut = cut_out(grey, quad, 0)
            whites += percentiles(_calm(cut), _PAPER)
        return cls(grey, outlines, max(float(np.median(whites)), 1.0) if whites else brightness(grey))

    def near(self, code: Quad) -> list[Quad]:
        """Return the cards whose boxes touch that of a code."""
        if not self.outlines:
            return []
        low, high = np.min(self.outlines, axis=1), np.max(self.outlines, axis=1)
        touching = ((low < code.max(axis=0)) & (high > code.min(axis=0))).all(axis=1)
        return [self.outlines[int(at)] for at in np.flatnonzero(touching)]


def _calm(cut: Grey) -> Grey:
    """Return a cut-out at a quarter of its size: in the dark noise alone is brighter than paper."""
    size = [max(length // _CALM, 1) for length in cut.shape[::-1]]
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def brightness(grey: Grey) -> float:
    """Return how bright paper is in a picture, which may be a small part of it."""
    # Means of a few pixels: noise alone can be bright.
    calm = np.asarray(cv2.blur(np.ascontiguousarray(grey[::8, ::8]), (3, 3)), dtype=np.uint8)
    return max(percentiles(calm, _BRIGHTEST)[0], 1.0)


def cause_of(around: Surroundings, codes: Sequence[Quad], modules: int) -> Cause:
    """Return why none of a card's codes, at these places, was read."""
    causes: list[Cause] = []
    for code in codes:
        causes.append(_cause(around, code, modules))
        if causes[-1].reason in ALL_OVER:
            break
    return min(causes, key=lambda cause: ORDER.index(cause.reason))


def _cause(around: Surroundings, code: Quad, modules: int) -> Cause:
    height, width = around.grey.shape
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    if shared(code, frame) < 1 - CUT:
        return Cause("edge")
    if any(shared(code, card) > CUT and not _within(code, card) for card in around.near(code)):
        return Cause("hidden")
    if side(code) / modules < SMALL:
        return Cause("small")
    return Cause("dim") if around.white < DIM else _seen_cause(around, code, modules)


def _seen_cause(around: Surroundings, code: Quad, modules: int) -> Cause:
    """Return why a code that lies free, in good light and near enough was not read."""
    patch, matrix = _patch(around.grey, code, modules)
    dark, light, lightest = percentiles(patch, 10, 90, 99)
    stroke = stroke_of(patch)
    bright, other = _even(patch, around.white, _BRIGHT if stroke.width < _BLURRED else _BURNT)
    if FAINT * around.white < dark and lightest < OUTSHONE * around.white < _LIGHTEST:
        return Cause("pale")
    if bright > GLARE and other <= max(MOSTLY, 2 * bright):
        return Cause("glare")
    empty = light - dark < EMPTY * around.white
    if stroke.width > SOFT and not empty:
        return Cause("blur")
    if stroke.evenness < STREAKED and other <= MOSTLY and not empty:
        along = project(np.linalg.inv(matrix), patch.shape[0] / 2 + np.array([(0, 0), stroke.along]))
        x, y = along[1] - along[0]
        return Cause("motion", float(np.degrees(np.arctan2(y, x)) % 180))
    if other > COVERED or empty:
        return Cause("hidden")
    return Cause("pale" if dark > PALE * light else "unread")


@dataclass(frozen=True, eq=False)
class Stroke:
    """Blur of a code.

    `evenness` is the ratio of the weakest to the strongest gradient energy: 1 if edges in all directions are alike, and
    small if the code moved `along` a direction. `width` is that of the sharpest edges, in modules.
    """

    evenness: float
    along: Quad
    width: float


def stroke_of(patch: Grey) -> Stroke:
    """Measure the blur of a code as seen from above: motion leaves the edges along it as they are."""
    soft = cv2.GaussianBlur(patch.astype(np.float32), (0, 0), _SMOOTH)
    across, down = soft[1:-1, 2:] - soft[1:-1, :-2], soft[2:, 1:-1] - soft[:-2, 1:-1]
    slopes = np.stack((across, down)).reshape(2, -1) / 2
    values, ways = np.linalg.eigh(slopes @ slopes.T)
    dark, light = percentiles(soft.astype(np.uint8), 5, 95)
    steps = np.abs(ways[:, 1] @ slopes[:, ::3])
    # That takes a third of the time of a percentile between two of them.
    steepest = float(np.partition(steps, at := round(0.98 * (len(steps) - 1)))[at])
    return Stroke(
        float(values[0] / max(values[1], 1e-9)),
        ways[:, 0].astype(np.float64),
        (light - dark) / max(steepest, 1.0) / _SAMPLES,
    )


def _within(code: Quad, card: Quad) -> bool:
    """Return whether all corners of a code lie on a card, so it belongs to that card or lies above it."""
    return all(contains(card, corner) for corner in code)


def _patch(grey: Grey, code: Quad, modules: int) -> tuple[Grey, Quad]:
    """Return a code as seen from above, in a few pixels a module, and the matrix to it from pixels of the picture."""
    length = modules * _SAMPLES
    target = np.array([(0, 0), (length, 0), (length, length), (0, length)], dtype=np.float32)
    left, top, cut = cut_out(grey, code, 2)
    factor = min(1.0, length / max(side(code), 1.0))
    # Of a code beyond the picture's edge the cut-out may be a line or nothing.
    shrinks = factor < 1 <= factor * min(cut.shape)
    small = cv2.resize(cut, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) if shrinks else cut
    scale = np.array([small.shape[1] / cut.shape[1], small.shape[0] / cut.shape[0]])
    source = ((code - (left, top)) * scale).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    pixels = cv2.warpPerspective(small, matrix, (length, length), borderMode=cv2.BORDER_REPLICATE)
    to_cut = np.array([[scale[0], 0, -left * scale[0]], [0, scale[1], -top * scale[1]], [0, 0, 1]])
    return np.asarray(pixels, dtype=np.uint8), np.asarray(matrix @ to_cut, dtype=np.float64)


def _even(patch: Grey, white: float, bright: float) -> tuple[float, float]:
    """Return the shares of a code's place that are even: as bright as a part of white or brighter, and darker."""
    square = np.ones((_EVEN * _SAMPLES, _EVEN * _SAMPLES), dtype=np.uint8)
    high, low = cv2.dilate(patch, square), cv2.erode(patch, square)
    even = (high.astype(np.float32) - low < _FLAT * white).astype(np.uint8)
    reflecting = (low > bright * white).astype(np.uint8) & even
    return float(cv2.dilate(reflecting, square).mean()), float(cv2.dilate(even & ~reflecting & 1, square).mean())
