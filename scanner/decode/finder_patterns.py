"""Finds symbols where readers see none: in blur, in noise, and where modules are very small.

Readers look for runs of 1, 1, 3, 1, 1 modules along a line, and blur of one module ends them. But a corner pattern as a
whole is still a dark spot in a bright ring of a known size. So the picture is compared with the image of a blurred one,
at the size that modules have in it, and three spots at the corners of a square make a place to be read.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.decode.qr_spec import BLACK, QUIET, UNKNOWN, known, modules_of
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
"""Pixels a module to which a picture is shrunk before it is searched: more costs time, and less noise is taken out."""

LIKE_SPOT = 0.45
"""From this correlation on a spot may be a corner pattern; true ones have 0.55 to 0.95, in blur, noise and motion."""

LIKE_SYMBOL = 0.45
"""From this correlation of the known modules on a place may be a symbol."""

MOST_SPOTS = 700
"""The best so many spots are taken of a small picture: wood and print make thousands."""

SPOTS_A_PIXEL = 1 / 600
"""Of a large one so many for each pixel."""

MOST_SQUARES = 3000
"""Of so many squares the known modules are looked at, those with the clearest spots."""

_VERSION = 1
_LENGTH = modules_of(_VERSION)

# Modules along a side of a corner pattern and the white around it.
_WIDTH = 9

# Spread of the blur of the pattern that is looked for, in modules.
_BLUR = 0.6

# The pattern is drawn in so many ways that it may be turned.
_TURNS = 6

# Samples a pixel along each side when the pattern is drawn.
_SAMPLES = 4

# Modules between the middles of two corner patterns of a symbol.
_LEG = 14

# Modules from a symbol's corner to the middle of its corner pattern.
_OFF = 3.5

# A symbol's corner patterns lie this near to its middle, in sides.
_CORNER = 0.6

# A leg may be longer or shorter by this factor than at the module's size.
_LONGER = 1.3

# How far the third corner pattern may be off its place in a square, in legs.
_UNEVEN = 0.25

# Pixels a side of what is searched at once.
_TILE = 256

# Tiles are chosen in a picture so many times smaller.
_COARSE = 4

# A tile is searched if its contrast is somewhere this share of what it is in the busiest places.
_QUIETER = 0.3

# Variance below which there is nothing to be seen, in grey values squared.
_FLAT = 4.0

# Every so many of the known modules are compared first.
_FEW = (17, 7)


def symbols(
    grey: Grey, module: float, read: Points | None = None, is_late: Callable[[], bool] = lambda: False
) -> Quads:
    """Return the places of what may be symbols of version 1 with modules of about so many pixels, likely ones first.

    Shape (n, 4, 2). A module may be up to 14 % larger or smaller, and squares should be nearly square. Symbols with
    their middles at places that are `read` already, shape (n, 2), are left out. Once it `is_late` the rest of the
    picture is not looked at.
    """
    places = _spots(grey, _pattern(round(module, 2)), is_late)
    if read is not None and len(read) and len(places):
        far = np.linalg.norm(places[:, np.newaxis] - read, axis=2).min(axis=1)
        places = places[far > _CORNER * _LENGTH * module]
    quads = _squares(places, module)
    likely = _likeness(grey, quads)
    best = np.argsort(-likely)
    return np.asarray(quads[best[likely[best] > LIKE_SYMBOL]], dtype=np.float64)


def _spots(grey: Grey, pattern: Field, is_late: Callable[[], bool]) -> Points:
    """Return where the picture is like a pattern, shape (n, 2), best first."""
    reach = len(pattern) // 2
    places, likeness = [np.empty((0, 2))], [np.empty(0, dtype=np.float32)]
    for top, left in _busy(grey):
        if is_late():
            break
        above, before = max(top - reach - 1, 0), max(left - reach - 1, 0)
        like = _like(grey[above : top + _TILE + reach + 1, before : left + _TILE + reach + 1], pattern)
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
    """Return the upper left corners of the tiles in which something stands out from its surroundings.

    Codes do so most; in a picture from afar most tiles show nothing but the table.
    """
    height, width = grey.shape
    size = -(-width // _COARSE), -(-height // _COARSE)
    small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
    around = (_TILE // _COARSE // 4,) * 2
    spread = cv2.sqrBoxFilter(small, -1, around) - cv2.blur(small, around) ** 2
    # That takes a tenth of the time of a percentile between two of them.
    enough = _QUIETER**2 * float(np.partition(spread, at := round(0.999 * (spread.size - 1)), axis=None)[at])
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


def _like(grey: Grey, pattern: Field) -> Field | None:
    """Return the correlation of a band with a pattern of mean 0 and norm 1 wherever that fits in, if anywhere.

    OpenCV's own normalised correlation takes twice as long.
    """
    width = len(pattern)
    if min(grey.shape) < width + 2:
        return None
    products = cv2.matchTemplate(grey.astype(np.float32), pattern, cv2.TM_CCORR)
    inside = (slice(width // 2, -(width // 2)),) * 2
    mean = cv2.boxFilter(grey, cv2.CV_32F, (width, width))[inside]
    square = cv2.sqrBoxFilter(grey, cv2.CV_32F, (width, width))[inside]
    spread = cv2.sqrt(np.maximum(square - cv2.multiply(mean, mean), np.float32(_FLAT)))
    return np.asarray(cv2.divide(products, spread, scale=1 / width), dtype=np.float32)


def _top(like: Field, rows: Places, columns: Places, axis: int) -> Points:
    """Return where between pixels a peak is highest along an axis: the top of a parabola through three values."""
    before = like[rows - (axis == 0), columns - (axis == 1)]
    after = like[rows + (axis == 0), columns + (axis == 1)]
    bent = before + after - 2 * like[rows, columns]
    return np.asarray(np.clip((before - after) / np.minimum(2 * bent, -1e-6), -0.5, 0.5), dtype=np.float64)


def _squares(places: Points, module: float) -> Quads:
    """Return the symbols whose three corner patterns are among the spots, shape (n, 4, 2).

    The fourth corner is taken as that of a parallelogram.
    """
    if len(places) < 3:  # noqa: PLR2004 - three corners
        return np.empty((0, 4, 2))
    corner, right = _legs(places / (_LEG * module))
    legs = places[right] - places[corner]
    # The leg to the right turned by a quarter is the leg down, whatever way the symbol lies.
    wanted = places[corner] + np.column_stack((-legs[:, 1], legs[:, 0]))
    down = _at(places, wanted, _UNEVEN * _LEG * module)
    whole = (down >= 0) & (down != right)
    three = np.stack((corner[whole], right[whole], down[whole]))
    # The places come best first.
    three = three[:, np.argsort(three.sum(axis=0))[:MOST_SQUARES]]
    start, across, along = places[three]
    across, along = (across - start) / _LEG, (along - start) / _LEG
    start = start - _OFF * (across + along)
    return np.stack(
        (start, start + _LENGTH * across, start + _LENGTH * (across + along), start + _LENGTH * along), axis=1
    )


def _legs(places: Points) -> tuple[Places, Places]:
    """Return the pairs of places that are about 1 apart, each in both directions."""
    # Sorted by bands as high as a leg may be long, and along each, the partners of a place follow each other.
    band = np.floor(places[:, 1] / _LONGER)
    wide = float(np.ptp(places[:, 0])) + 4 * _LONGER
    along = places[:, 0] - places[:, 0].min() + band * wide
    order = np.argsort(along)
    along = along[order]
    one, other = [], []
    # To the right in its own band, and on both sides in the next one.
    for low, high in ((0.0, _LONGER), (wide - _LONGER, wide + _LONGER)):
        first = np.searchsorted(along, along + low, side="right")
        number = np.searchsorted(along, along + high) - first
        one.append(np.arange(len(along)).repeat(number))
        other.append(np.arange(number.sum()) + (first - np.cumsum(number) + number).repeat(number))
    ends = order[np.concatenate(one)], order[np.concatenate(other)]
    apart = ((places[ends[0]] - places[ends[1]]) ** 2).sum(axis=1)
    near = (apart > _LONGER**-2) & (apart < _LONGER**2)
    return np.concatenate((ends[0][near], ends[1][near])), np.concatenate((ends[1][near], ends[0][near]))


def _at(places: Points, wanted: Points, reach: float) -> Places:
    """Return for each wanted place which of the places, best first, lies within reach; -1 where none does."""
    low = places.min(axis=0) - 2 * reach
    cells = ((places - low) / reach).astype(np.intp)
    looked = ((wanted - low) / reach).astype(np.intp)
    width, height = cells.max(axis=0) + 3
    table = np.full((height, width), -1, dtype=np.intp)
    # The last one written into a cell stays, so the best comes last.
    table[cells[::-1, 1], cells[::-1, 0]] = np.arange(len(places))[::-1]
    found = np.full(len(wanted), -1, dtype=np.intp)
    nearest = np.full(len(wanted), reach)
    for down in (-1, 0, 1):
        for across in (-1, 0, 1):
            x, y = looked[:, 0] + across, looked[:, 1] + down
            inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
            there = np.where(inside, table[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)], -1)
            far = np.where(there >= 0, np.linalg.norm(places[there] - wanted, axis=1), np.inf)
            found, nearest = np.where(far < nearest, there, found), np.minimum(far, nearest)
    return found


def _likeness(grey: Grey, quads: Quads) -> Field:
    """Return for each place how well the known modules of a symbol fit: the correlation, at most 1.

    Where a few of the modules do not fit at all, it is 0.
    """
    likeness = np.zeros(len(quads), dtype=np.float32)
    some = np.arange(len(quads))
    for step in _FEW:
        some = some[_correlation(grey, quads[some], *_known(step)) > LIKE_SYMBOL / 2]
    likeness[some] = _correlation(grey, quads[some], *_known(1))
    return likeness


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
    """Return where every so many of the known modules lie, as shares of the sides, shape (n, 2), and their values.

    The values have a mean of 0 and a norm of 1.
    """
    sure = known(_VERSION)
    rows, columns = (places[::step] for places in np.nonzero(sure != UNKNOWN))
    share = (np.column_stack((columns, rows)) + 0.5 - QUIET).astype(np.float32) / _LENGTH
    wanted = np.where(sure[rows, columns] == BLACK, np.float32(-1), np.float32(1))
    wanted -= wanted.mean()
    return np.asarray(share, dtype=np.float32), np.asarray(wanted / np.linalg.norm(wanted), dtype=np.float32)


@lru_cache(maxsize=64)
def _pattern(module: float) -> Field:
    """Return the image of a blurred corner pattern, the mean over all ways that it may be turned: mean 0 and norm 1."""
    width = round(_WIDTH * module) | 1
    fine = (np.arange(width * _SAMPLES) + 0.5) / _SAMPLES - width / 2
    x, y = np.meshgrid(fine / module, fine / module)
    drawn = np.zeros(x.shape, dtype=np.float32)
    for turn in np.arange(_TURNS) * (np.pi / 2 / _TURNS):
        across, along = np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x
        far = np.maximum(abs(across), abs(along))
        drawn += (far > 3.5) | ((far > 1.5) & (far < 2.5))  # noqa: PLR2004 - white around, white ring
    soft = np.asarray(cv2.GaussianBlur(drawn, (0, 0), _BLUR * module * _SAMPLES), dtype=np.float32)
    shrunk = soft.reshape(width, _SAMPLES, width, _SAMPLES).mean(axis=(1, 3))
    shrunk -= shrunk.mean()
    return np.asarray(shrunk / np.linalg.norm(shrunk), dtype=np.float32)


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

# The shorter side of a picture has at least so many modules: a single card from near.
_LARGEST = 70

# Of so many rows one is looked at.
_EVERY = 32


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
