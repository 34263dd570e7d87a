"""Passes over the whole picture. Their order is in `scanner.decode.pipeline`, where most are a line in a table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.decode.backends import ZXING, DecodedCode, to_picture
from scanner.geometry.homography import foreshortening
from scanner.image.filters import SOFT, SOFTER, resized, sharpen, sharpened_modules, untouched

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from scanner.decode.backends import Reader
    from scanner.decode.search_state import SearchState
    from scanner.image.filters import Prepare
    from scanner.result import Grey


CROWDED = 70
"""Number of codes found in one picture from which on there may be more: zxing-cpp ends at about a hundred."""

FINDERS = 20_000
"""Number of finder patterns with which zxing-cpp takes a second; ten times as many take minutes."""

# Rows from one to the next in which they are counted.
_STEP = 13

# Pixels that the smallest of them takes.
_SMALLEST = 64

# Pixels along a row whose mean is the threshold.
_AROUND = 41

# Dark and light along a line through the middle of such a pattern, in modules.
_SHAPE = (1, 1, 3, 1, 1)

# Codes along the side of a tile, round by round.
_CODES = (6, 4, 3)

# From code to code, in sides of a code: its quiet zones lie between.
_APART = 1.4

# Overlap of tiles, in sides of a code, so that each code is complete in one of them.
_OVERLAP = 1.5


def has_too_many_finders(grey: Grey) -> bool:
    """Return whether zxing-cpp would take seconds or minutes for the picture, as no real photograph does.

    It compares each finder pattern with all others and cannot be interrupted.
    """
    return _finders(grey) > FINDERS


def _finders(grey: Grey) -> int:
    """Estimate the number of finder patterns in a picture from a sample of its rows; 0 if it cannot be too many."""
    if grey.size < FINDERS * _SMALLEST:
        return 0
    rows = grey[_STEP // 2 :: _STEP]
    mean = cv2.blur(rows, (_AROUND, 1))
    dark = rows < mean
    # No run goes on in the next row.
    dark[:, 0] = dark[:, -1] = False
    edges = np.flatnonzero(np.diff(dark.ravel())) + 1
    lengths = np.diff(edges)
    number = (len(lengths) - len(_SHAPE)) // 2 + 1
    if number < 1:
        return 0
    runs = np.stack([lengths[place : place + 2 * number : 2][:number] for place in range(len(_SHAPE))])
    module = runs.sum(axis=0) / sum(_SHAPE)
    shape = np.array(_SHAPE)[:, None]
    alike = (np.abs(runs - shape * module) < (shape + 1) / 3 * module).all(axis=0)
    start, module = edges[: 2 * number : 2][alike], module[alike]
    y = start // grey.shape[1] * _STEP + _STEP // 2
    x = np.minimum(start % grey.shape[1] + (sum(_SHAPE) / 2 * module).astype(int), grey.shape[1] - 1)
    level = mean.ravel()[start]

    def is_dark(modules: float) -> npt.NDArray[np.bool_]:
        return np.asarray(grey[np.clip(y + modules * module, 0, len(grey) - 1).astype(int), x] < level)

    # Whichever row of its middle the line runs through.
    rings = [is_dark(up + 3) & ~is_dark(up + 2) & ~is_dark(up - 2) & is_dark(up - 3) for up in (-0.8, 0.0, 0.8)]
    # A pattern is met in as many rows as its middle has.
    return int((_STEP * np.logical_or.reduce(rings) / (3 * module)).sum())


def read_tiles(search: SearchState, side: float) -> None:
    """Read a picture full of codes of `side` pixels tile by tile until the time is up.

    Another round with smaller tiles reads the codes that were missed, unless the last one gave none. Without a game
    such a picture may take all seconds of the budget.
    """
    over = int(_OVERLAP * side) + 1
    height, width = search.grey.shape
    for codes in _CODES:
        before = len(search.codes)
        step = int(codes * _APART * side) + 1
        for top, left in product(range(0, height, step), range(0, width, step)):
            if search.budget.timed_out or (search.late and (search.game or not search.codes)):
                search.cut_short = True
                return
            tile = np.ascontiguousarray(search.grey[top : top + step + over, left : left + step + over])
            search.add(to_picture(ZXING(tile), 1, left, top))
        if len(search.codes) == before:
            return


MODULE_SMALL = 3.0
"""Below this many pixels a module codes are missed, and the whole picture is enlarged without further signs."""

MODULE_FINE = 3.8
"""Pixels a module to which a whole picture is shrunk, or turned upright."""

LARGER = 2.0
"""Factor by which a whole picture with small modules is enlarged."""

SLANTED = 1.3
"""From this ratio of a square's longest to its shortest width on, finder patterns are missed: about 40 degrees."""

RESCALED_COST = (0.5, 2.0)
"""Cost of reading the picture rescaled, in plain passes: for resizing, and by its relative area."""

MODULE_UPRIGHT = 4.5
"""Pixels a module that are enough where it is turned upright: more only cost time."""

UPRIGHT_COST = 4.5
"""Cost of rectifying and reading the picture in plain passes, by its relative area."""

LARGE = 20_000_000
"""Pixels from which on a picture is read at half its size first."""

LARGEST_ENLARGED = 32_000_000
"""Pixels of an enlarged whole picture: what can be searched in a fraction of a second."""


@dataclass(frozen=True)
class ImagePass:
    """A pass over the whole picture, resized by `scale` and filtered by `prepare` first.

    `cost` is its usual time relative to the plain pass: a pass that would exceed the remaining time is skipped.
    """

    name: str
    reader: Reader
    prepare: Prepare = untouched
    scale: float = 1.0
    cost: float = 1.0

    def __call__(self, search: SearchState) -> None:
        """Run the pass if more codes are wanted and there is time for it."""
        if search.can_run(self.cost):
            _add(search, _read_resized(search, self.reader, self.prepare, self.scale))


def plain(search: SearchState) -> None:
    """Read the whole picture as it is, and tile by tile if it is crowded with codes.

    Without a game a page of ten thousand codes is only read tile by tile, since zxing-cpp would take too long. A very
    large picture is read at half its size first, which is enough if its modules are large and no code seems to be
    missing.
    """
    finders = _finders(search.grey)
    if finders > FINDERS:
        read_tiles(search, float(np.sqrt(3 * search.grey.size / finders)) / _APART)
        return
    if search.grey.size > LARGE:
        search.add(_read_resized(search, ZXING, untouched, 0.5))
        if search.codes and search.module >= 2 * MODULE_SMALL and not search.wants_more:
            return
    found = ZXING(search.grey)
    search.add(found)
    complete = search.game is not None and not search.expects_cards
    if search.codes and len(found) >= CROWDED and not complete:
        read_tiles(search, float(np.median([one.side for one in search.codes])))


def rescaled_picture(search: SearchState) -> None:
    """Read the whole picture enlarged if modules are small, or else shrunk; smoothed, then sharpened.

    Without a game it reads 21 of 455 codes by itself, in 0.4 to 1.5 plain passes; with one it adds 14 codes and 4 cards
    in 178 photographs, for 12 ms each.
    """
    if search.module:
        _rescaled(search)


def enlarged_unseen(search: SearchState) -> None:
    """Do the same, enlarged, if no code was located: late, since it costs most.

    It reads 27 of 455 codes by itself, in up to 8 plain passes.
    """
    if not search.module:
        _rescaled(search)


def _rescaled(search: SearchState) -> None:
    small = search.module < MODULE_SMALL
    factor = min(LARGER, (LARGEST_ENLARGED / search.grey.size) ** 0.5) if small else min(MODULE_FINE / search.module, 1)
    if search.can_run(RESCALED_COST[0] + RESCALED_COST[1] * factor**2):
        # Noise would be sharpened with the modules, were it not smoothed first.
        soft = SOFT if small else SOFTER
        _add(search, _read_resized(search, ZXING, lambda grey, module: sharpened_modules(grey, module, soft), factor))


def upright_picture(search: SearchState) -> None:
    """Read the whole picture rectified to a view from above, if it was taken at a slant.

    Without a game it reads 6 of 455 codes by itself, in 3 plain passes; with one it adds 23 codes in 3 photographs at
    65 degrees, for 3 ms in each of 178.
    """
    if not search.codes:
        return
    squeezed = foreshortening([one.quad for one in search.codes])
    values = np.linalg.eigvalsh(squeezed)
    if values[1] < SLANTED * values[0]:
        return
    height, width = search.grey.shape
    scale = max(1.0, MODULE_FINE / search.module) * float(np.sqrt(values[1] / values[0]))
    scale = min(scale, 2, MODULE_UPRIGHT / search.module)
    matrix = np.linalg.inv(squeezed) * scale
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)]) @ matrix.T
    low, span = frame.min(axis=0), np.ptp(frame, axis=0)
    if span.prod() > 2 * LARGEST_ENLARGED or not search.can_run(UPRIGHT_COST * span.prod() / search.grey.size):
        return
    moving = np.column_stack((matrix, -low))
    upright = cv2.warpAffine(search.grey, moving, tuple(int(length) + 1 for length in span), flags=cv2.INTER_CUBIC)
    back = np.linalg.inv(matrix)
    sharp = sharpen(np.asarray(upright, dtype=np.uint8), search.module * scale / 2)
    _add(search, [DecodedCode(one.text, (one.quad + low) @ back.T, one.version) for one in ZXING(sharp)])


def _add(search: SearchState, found: Sequence[DecodedCode]) -> None:
    """Add the result of a pass: if no more codes were expected, only those that were read.

    Sharpened pictures have many places that look like codes.
    """
    wanted = search.wants_more
    search.add(one for one in found if wanted or one.text is not None)


def _read_resized(search: SearchState, reader: Reader, prepare: Prepare, scale: float) -> list[DecodedCode]:
    """Read the whole picture at another size; the module's size at it goes to `prepare`."""
    # If no code was located, assume the size at which codes are usually missed.
    module = (search.module or MODULE_SMALL) * scale
    return to_picture(reader(prepare(resized(search.grey, scale), module)), scale)
