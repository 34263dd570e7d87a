"""Finds symbols by template matching of their finder patterns: in blur, in noise, and where modules are very small.

Decoders search for runs of 1, 1, 3, 1, 1 modules along a line, which a blur of one module destroys. But a whole finder
pattern is then still a dark spot in a bright ring of known size. The picture is correlated with a blurred finder
pattern at the expected module size, and three matches at the corners of a square are a candidate symbol.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.decode.qr_spec import QUIET, known, modules_of
from scanner.image.filters import percentiles, values_at

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from scanner.result import Grey

    Points = npt.NDArray[np.float64]
    Quads = npt.NDArray[np.float64]
    Places = npt.NDArray[np.intp]
    Field = npt.NDArray[np.float32]


FINE = 1.5
"""Pixels per module to which a picture is shrunk before the search: more costs time and leaves more noise."""

LIKE_SPOT = 0.45
"""Minimum correlation of a finder pattern; true ones have 0.55 to 0.95 in blur, noise and motion."""

LIKE_SYMBOL = 0.45
"""Minimum correlation of the known modules of a symbol: with 0.32 the same codes are read, with 0.63, 15 fewer.

Figures in this module are of about 390 codes that are read in 23 simulated photographs: hopeless, hard, rolled and
covered ones of 2 megapixels, and hopeless ones of 5."""

MOST_SPOTS = 700
"""Maximum number of finder patterns in a small picture: wood and print give thousands. With half of it, and of the
next, two of 173 codes more are read, with twice as many none."""

SPOTS_A_PIXEL = 1 / 600
"""The same per pixel for a large picture."""

MOST_SQUARES = 3000
"""Maximum number of squares whose known modules are compared, those with the clearest finder patterns."""

_VERSION = 1
_LENGTH = modules_of(_VERSION)

# Modules along a side of a finder pattern with its white margin.
_WIDTH = 9

# Modules from the middle of a finder pattern to the edges of its core, white ring and black ring (ISO/IEC 18004).
_CORE, _WHITE_RING, _BLACK_RING = 1.5, 2.5, 3.5

# Sigma of the template's blur, in modules: with 0.42, 12 fewer codes are read, with 0.84 four.
_BLUR = 0.6

# Number of rotations over which the template is averaged: with 3, 11 fewer codes are read, with 9 four.
_TURNS = 6

# Samples per pixel along each side when the template is drawn.
_SAMPLES = 4

# Modules between the middles of two finder patterns of a symbol: half of each, which has 7, lies beyond.
_LEG = _LENGTH - 7

# Maximum distance of a symbol's finder patterns from its middle, in sides: on a square it is 0.47, half of a diagonal
# between them.
_CORNER = 0.6

# Maximum ratio of a leg (the side between two finder patterns) to its length at the expected module size: sizes differ
# from those that are searched by the root of `STRIDE`, 1.22, at most. With 1.2 two fewer codes are read, with 1.45
# one more.
_LONGER = 1.3

# Maximum distance of the third finder pattern from its place in a square, in legs: with 0.25 seven fewer codes are
# read, at a slant, with 0.6 four.
_UNEVEN = 0.35

# FLANN's exact search, and the number of nearest finder patterns among which the others of a symbol are searched:
# with 22 and 45 the same codes are read.
_KD_TREE, _NEIGHBOURS = 4, 32

# Side of the tiles that are searched, in pixels: with 128 and 512 the same codes are read.
_TILE = 256

# Factor by which the picture is shrunk to choose tiles: with 3 and 5 the same cards are read and named in 16 hopeless
# photographs of 2 megapixels.
_COARSE = 4

# Contrast of a tile from which on it is searched, relative to the places with most contrast, and the share of places
# that have less than these: relative to the most of all, 6 of 229 codes are lost. With 0.2 and 0.4 the same cards are
# read and named in these 16 photographs, since it only saves time; with 0.7 one card fewer is read in 4 of them.
_QUIETER, _BUSIEST = 0.3, 0.999

# Variance, in grey values squared, that counts as no contrast.
_FLAT = 4.0

# Step by which the known modules are subsampled for a quick check, which takes half of the time: with 17 as much.
_FEW = 7


def find_symbols(grey: Grey, module: float, read: Points, is_late: Callable[[], bool]) -> Quads:
    """Return the quads of candidate symbols of version 1, likely ones first, shape (n, 4, 2).

    `module` is the expected module size in pixels, to 22 %; symbols should be nearly square. Symbols with their middles
    at places `read` already, shape (n, 2), are left out. Once `is_late` returns True the rest is skipped.
    """
    places = _spots(grey, _pattern(round(module, 2)), is_late)
    if len(read) and len(places):
        far = np.linalg.norm(places[:, np.newaxis] - read, axis=2).min(axis=1)
        places = places[far > _CORNER * _LENGTH * module]
    quads = _squares(places, module)
    likely = likeness(grey, quads)
    best = np.argsort(-likely)
    return np.asarray(quads[best[likely[best] > LIKE_SYMBOL]], dtype=np.float64)


def _spots(grey: Grey, pattern: Field, is_late: Callable[[], bool]) -> Points:
    """Return the places where the picture matches a pattern, shape (n, 2), best first."""
    reach = len(pattern) // 2
    places, likeness = [np.empty((0, 2))], [np.empty(0, dtype=np.float32)]
    for top, left in _busy(grey):
        if is_late():
            break
        above, before = max(top - reach - 1, 0), max(left - reach - 1, 0)
        like = correlation(grey[above : top + _TILE + reach + 1, before : left + _TILE + reach + 1], pattern)
        if like is None:
            continue
        peak = (like >= cv2.dilate(like, np.ones((5, 5), dtype=np.uint8))) & (like > LIKE_SPOT)
        # Of a flat array that takes a tenth of the time.
        rows, columns = (found + 1 for found in divmod(np.flatnonzero(peak[1:-1, 1:-1]), peak.shape[1] - 2))
        exact = np.column_stack((columns + _top(like, rows, columns, 1), rows + _top(like, rows, columns, 0)))
        places.append(exact + np.array([reach + before, reach + above]))
        likeness.append(like[rows, columns])
    every = np.concatenate(likeness)
    best = np.argsort(-every)[: max(MOST_SPOTS, round(grey.size * SPOTS_A_PIXEL))]
    return np.asarray(np.concatenate(places)[best], dtype=np.float64)


def _busy(grey: Grey) -> list[tuple[int, int]]:
    """Return the upper left corners of the tiles with enough contrast to contain codes.

    In a picture from afar most tiles show nothing but the table.
    """
    height, width = grey.shape
    size = -(-width // _COARSE), -(-height // _COARSE)
    small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
    around = (_TILE // _COARSE // 4,) * 2
    spread = cv2.sqrBoxFilter(small, -1, around) - cv2.blur(small, around) ** 2
    # That takes a tenth of the time of a percentile between two of them.
    enough = _QUIETER**2 * float(np.partition(spread, at := round(_BUSIEST * (spread.size - 1)), axis=None)[at])
    return [
        (top, left)
        for top in range(0, height, _TILE)
        for left in range(0, width, _TILE)
        if float(_part(spread, top, left).max()) >= enough
    ]


def _part(spread: Field, top: int, left: int) -> Field:
    """Return the part of the small picture that a tile covers."""
    end = _TILE // _COARSE + 1
    return spread[top // _COARSE :, left // _COARSE :][:end, :end]


def correlation(grey: Grey | Field, pattern: Field, flat: float = _FLAT) -> Field | None:
    """Return the correlation of a band with a square pattern of mean 0 and norm 1 wherever that fits in, if anywhere.

    A variance below `flat` counts as no contrast. OpenCV's own normalised correlation takes twice as long.
    """
    width = len(pattern)
    if min(grey.shape) < width + 2:
        return None
    products = cv2.matchTemplate(grey.astype(np.float32), pattern, cv2.TM_CCORR)
    inside = (slice(width // 2, -(width // 2)),) * 2
    mean = cv2.boxFilter(grey, cv2.CV_32F, (width, width))[inside]
    square = cv2.sqrBoxFilter(grey, cv2.CV_32F, (width, width))[inside]
    spread = cv2.sqrt(np.maximum(square - cv2.multiply(mean, mean), np.float32(flat)))
    return np.asarray(cv2.divide(products, spread, scale=1 / width), dtype=np.float32)


def _top(like: Field, rows: Places, columns: Places, axis: int) -> Points:
    """Return where between pixels a peak is highest along an axis: the top of a parabola through three values."""
    before = like[rows - (axis == 0), columns - (axis == 1)]
    after = like[rows + (axis == 0), columns + (axis == 1)]
    bent = before + after - 2 * like[rows, columns]
    return np.asarray(np.clip((before - after) / np.minimum(2 * bent, -1e-6), -0.5, 0.5), dtype=np.float64)


def _squares(places: Points, module: float) -> Quads:
    """Return the symbols whose three finder patterns are among the places, as parallelograms, shape (n, 4, 2)."""
    if len(places) < 3:  # noqa: PLR2004 - three corners
        return np.empty((0, 4, 2))
    leg, exact = _LEG * module, places.astype(np.float32)
    index = cv2.flann.Index(exact, {"algorithm": _KD_TREE})
    near, apart = index.knnSearch(exact, min(_NEIGHBOURS, len(places)), params={})
    corner, at = np.nonzero((apart > (leg / _LONGER) ** 2) & (apart < (leg * _LONGER) ** 2))
    if not len(corner):
        return np.empty((0, 4, 2))
    right = near[corner, at]
    # The leg to the right turned by a quarter is the leg down, whatever way the symbol lies.
    legs = exact[right] - exact[corner]
    down, off = index.knnSearch(exact[corner] + np.column_stack((-legs[:, 1], legs[:, 0])), 1, params={})
    whole = (off[:, 0] < (_UNEVEN * leg) ** 2) & (down[:, 0] != right)
    three = np.stack((corner, right, down[:, 0]))[:, whole]
    # The places come best first.
    three = three[:, np.argsort(three.sum(axis=0))[:MOST_SQUARES]]
    start, across, along = places[three]
    across, along = (across - start) / _LEG, (along - start) / _LEG
    start = start - _BLACK_RING * (across + along)
    return np.stack(
        (start, start + _LENGTH * across, start + _LENGTH * (across + along), start + _LENGTH * along), axis=1
    )


def likeness(grey: Grey, quads: Quads) -> Field:
    """Return the correlation of each place with the known modules of a symbol; 0 if a sample of them does not fit."""
    found = np.zeros(len(quads), dtype=np.float32)
    some = np.flatnonzero(_correlation(grey, quads, *_known(_FEW)) > LIKE_SYMBOL / 2)
    found[some] = _correlation(grey, quads[some], *_known(1))
    return found


def _correlation(grey: Grey, quads: Quads, share: Field, wanted: Field) -> Field:
    if not len(quads):
        return np.empty(0, dtype=np.float32)
    corners = quads.astype(np.float32)
    start, across, along = corners[:, :1], corners[:, 1:2] - corners[:, :1], corners[:, 3:] - corners[:, :1]
    values = values_at(grey, start + share[:, :1] * across + share[:, 1:] * along)
    values -= values.mean(axis=1, keepdims=True)
    return np.asarray((values @ wanted) / np.maximum(np.linalg.norm(values, axis=1), 1e-3), dtype=np.float32)


@cache
def _known(step: int) -> tuple[Field, Field]:
    """Return the positions of every `step`-th known module, as shares of the sides, shape (n, 2), and their values.

    The values have a mean of 0 and a norm of 1.
    """
    sure = known(_VERSION)
    rows, columns = (places[::step] for places in np.nonzero(sure))
    share = (np.column_stack((columns, rows)) + 0.5 - QUIET).astype(np.float32) / _LENGTH
    wanted = sure[rows, columns] - sure[rows, columns].mean(dtype=np.float32)
    return np.asarray(share, dtype=np.float32), np.asarray(wanted / np.linalg.norm(wanted), dtype=np.float32)


@lru_cache(maxsize=64)
def _pattern(module: float) -> Field:
    """Return the template: a blurred finder pattern averaged over all rotations, with mean 0 and norm 1."""
    width = round(_WIDTH * module) | 1
    fine = (np.arange(width * _SAMPLES) + 0.5) / _SAMPLES - width / 2
    x, y = np.meshgrid(fine / module, fine / module)
    drawn = np.zeros(x.shape, dtype=np.float32)
    for turn in np.arange(_TURNS) * (np.pi / 2 / _TURNS):
        across, along = np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x
        far = np.maximum(abs(across), abs(along))
        drawn += (far > _BLACK_RING) | ((far > _CORE) & (far < _WHITE_RING))
    soft = np.asarray(cv2.GaussianBlur(drawn, (0, 0), _BLUR * module * _SAMPLES), dtype=np.float32)
    shrunk = soft.reshape(width, _SAMPLES, width, _SAMPLES).mean(axis=(1, 3))
    shrunk -= shrunk.mean()
    return np.asarray(shrunk / np.linalg.norm(shrunk), dtype=np.float32)


STRIDE = 1.5
"""Ratio between successive sizes: coarse, since it is enough to find some symbols. With 1.35 three of 173 codes more
are read, for 65 ms, with 1.7 one more."""

SMALLEST = 1.45
"""The smallest size, in pixels per module; modules smaller by a fifth are still found."""

SHARP = 0.25
"""Step between neighbouring pixels, relative to the contrast, in a sharp picture: these have 0.32, with a blur of a
module 0.17."""

NOISY = 0.4
"""The same step, if not only edges have it, from which on it is noise."""

# Modules along the shorter side of a picture, at least: that of a single card.
_LARGEST = 70

# Step between the rows that are sampled.
_EVERY = 32

# Percentiles of brightness that count as black and white, and of the steps between neighbouring pixels that are noise,
# and edges.
_EXTREMES, _USUAL, _STEEPEST = (0.5, 99.5), 99, 99.9


def module_sizes(grey: Grey) -> list[float]:
    """Return sizes of a module in pixels: large ones first, which cost least."""
    largest = max(min(grey.shape) / _LARGEST, SMALLEST)
    steps = round(np.log(largest / SMALLEST) / np.log(STRIDE))
    return [SMALLEST * STRIDE**step for step in range(steps, -1, -1)]


def is_sharp(grey: Grey) -> bool:
    """Return whether the picture has sharp edges that are not noise."""
    rows = np.ascontiguousarray(grey[_EVERY // 2 :: _EVERY])
    if rows.shape[0] < 1 or rows.shape[1] < 2:  # noqa: PLR2004 - two neighbours
        return False
    low, high = percentiles(rows, *_EXTREMES)
    steps = np.asarray(cv2.absdiff(rows[:, 1:], rows[:, :-1]), dtype=np.uint8)
    usual, steepest = percentiles(steps, _USUAL, _STEEPEST)
    contrast = max(high - low, 1)
    return steepest > SHARP * contrast and usual < NOISY * contrast
