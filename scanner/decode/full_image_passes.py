"""Passes over the whole picture. Their order is in `scanner.decode.pipeline`, where most are a line in a table."""

from __future__ import annotations

import time
from dataclasses import dataclass
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
"""Number of codes found in one picture from which on there may be more."""

PROBE = 640
"""Pixels a side of the part in the middle that is read first, to see whether a large picture is crowded."""

PROBED = 4_000_000
"""Pixels of a picture from which on that part is read first, since its cost is then negligible."""

DENSE = 25
"""Number of codes in that part from which on the picture has a thousand codes or more."""

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

# Overlap of tiles and parts, in sides of a code, so that each code is complete in one of them.
_OVERLAP = 1.5


def has_too_many_finders(grey: Grey) -> bool:
    """Return whether zxing-cpp would take seconds or minutes for the picture, as no real photograph does.

    It compares each finder pattern with all others and cannot be interrupted.
    """
    return grey.size > FINDERS * _SMALLEST and _finders(grey) > FINDERS


def _finders(grey: Grey) -> int:
    """Estimate the number of finder patterns in a picture from a sample of its rows."""
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


def is_crowded(search: SearchState) -> bool:
    """Read a part in the middle of a large picture and return whether it is full of small codes."""
    height, width = search.grey.shape
    if search.grey.size < PROBED or min(height, width) < 2 * PROBE:
        return False
    left, top = (width - PROBE) // 2, (height - PROBE) // 2
    return len(_read(search, left, top, left + PROBE, top + PROBE)) >= DENSE


def read_tiles(search: SearchState) -> None:
    """Read a picture full of codes tile by tile until the time is up.

    If no code can be read, the usual limit on work applies. Another round with smaller tiles reads the codes that were
    missed, unless the last one gave none.
    """
    side = float(np.median([one.side for one in search.codes or search.unread]))
    over = int(_OVERLAP * side) + 1
    height, width = search.grey.shape
    for codes in _CODES:
        before = len(search.codes)
        step = int(codes * _APART * side) + 1
        for top in range(0, height, step):
            for left in range(0, width, step):
                if search.budget.timed_out or (search.late and not search.codes):
                    search.cut_short = True
                    return
                _read(search, left, top, left + step + over, top + step + over)
        if len(search.codes) == before:
            return


def read_parts(search: SearchState, left: int, top: int, right: int, bottom: int) -> None:
    """Read a part of the picture; if it is crowded, also its quarters, and if these are crowded too, tile by tile.

    This ends when a quarter gives nothing new, and is not needed if both codes of all cards of a game were read.
    """
    found = _read(search, left, top, right, bottom)
    if search.game is not None and not search.criterion.may_be_missing(search.codes):
        return
    over = int(_OVERLAP * max((one.side for one in found if one.text is not None), default=0))
    if len(found) < CROWDED or not 0 < 4 * over < min(right - left, bottom - top):
        return
    middle_x, middle_y = (left + right) // 2, (top + bottom) // 2
    before = len(search.codes)
    for x in ((left, middle_x + over), (middle_x - over, right)):
        for y in ((top, middle_y + over), (middle_y - over, bottom)):
            # Without a game a quarter that gives codes pays for another one.
            if search.budget.timed_out or (search.game is not None and search.late):
                search.cut_short = True
                return
            if len(_read(search, x[0], y[0], x[1], y[1])) >= CROWDED:
                read_tiles(search)
                return
            if len(search.codes) == before:
                return


def _read(search: SearchState, left: int, top: int, right: int, bottom: int) -> list[DecodedCode]:
    """Read a part of the picture and keep what is found."""
    found = ZXING(np.ascontiguousarray(search.grey[top:bottom, left:right]))
    search.add(to_picture(found, (1, 1), left, top))
    return found


MODULE_SMALL = 3.0
"""Below this many pixels a module codes are missed, and the whole picture is enlarged without further signs."""

MODULE_FINE = 3.8
"""Pixels a module to which a whole picture is shrunk, or turned upright."""

LARGER = 2.0
"""Factor by which a whole picture with small modules is enlarged."""

SLANTED = 1.3
"""From this ratio of a square's longest to its shortest width on, finder patterns are missed: about 40 degrees."""

SMOOTHED_COST, SMALLER_COST = 0.5, 4.0
"""Cost of the smoothed pass in plain passes: for shrinking, and for reading, by its relative area."""

ENLARGED_COST, DOUBLED_COST = 2.0, 1.2
"""Cost of reading the picture sharpened, or as it is, in plain passes, by its relative area."""

MODULE_UPRIGHT = 4.5
"""Pixels a module that are enough where it is turned upright: more only cost time."""

UPRIGHT_COST = 4.5
"""Cost of rectifying and reading the picture in plain passes, by its relative area."""

LASTING = 0.5
"""Cost, in plain passes, from which on a pass is a measure of its reader's speed in this picture."""

LARGE = 20_000_000
"""Pixels from which on a picture is read at half its size first."""

LARGEST_ENLARGED = 32_000_000
"""Pixels of an enlarged whole picture: what can be searched in a fraction of a second."""


@dataclass(frozen=True)
class ImagePass:
    """A pass over the whole picture, resized by `across` and `down` and filtered by `prepare` first.

    `cost` is its usual time relative to the plain pass: a pass that would exceed the remaining time is skipped.
    """

    name: str
    reader: Reader
    prepare: Prepare = untouched
    across: float = 1.0
    down: float = 1.0
    cost: float = 1.0

    def __call__(self, search: SearchState) -> None:
        """Run the pass if more codes are wanted and there is time for it."""
        if not search.can_run(self.cost, self.reader):
            return
        began = time.thread_time()
        found = _read_resized(search, self.reader, self.prepare, self.across, self.down)
        # A cheap pass is no measure of the reader's speed on a larger picture.
        if self.cost >= LASTING:
            search.slower[self.reader] = max((time.thread_time() - began) / (self.cost * search.unit), 1.0)
        _add(search, found)


def plain(search: SearchState) -> None:
    """Read the whole picture as it is, and in parts if it is crowded with codes.

    Tiles are for pages of a thousand codes, so only used without a game. A very large picture is read at half its size
    first, which is enough if its modules are large and no code seems to be missing.
    """
    if search.game is None and is_crowded(search):
        read_tiles(search)
        return
    if search.grey.size > LARGE:
        search.add(_read_resized(search, ZXING, untouched, 0.5, 0.5))
        if search.codes and search.module >= 2 * MODULE_SMALL and not search.wants_more:
            return
    height, width = search.grey.shape
    read_parts(search, 0, 0, width, height)


def smoothed_picture(search: SearchState) -> None:
    """Read the whole picture shrunk, smoothed and sharpened if modules are large: finds codes hidden by noise.

    With a game it adds 2 bent cards in 178 photographs, for 8 ms each.
    """
    factor = min(MODULE_FINE / (search.module or 1), 1)
    if search.module >= MODULE_SMALL and search.can_run(SMOOTHED_COST + SMALLER_COST * factor**2):
        _add(search, _read_resized(search, ZXING, lambda grey, m: sharpened_modules(grey, m, SOFTER), factor, factor))


def doubled_picture(search: SearchState) -> None:
    """Read the whole picture at twice its size if modules are small, without sharpening the noise."""
    if 0 < search.module < MODULE_SMALL:
        _doubled(search)


def doubled_again(search: SearchState) -> None:
    """Read the whole picture at twice its size if modules are large, or no code was located."""
    if search.module >= MODULE_SMALL or not search.module:
        _doubled(search)


def enlarged_picture(search: SearchState) -> None:
    """Read the whole picture enlarged, smoothed and sharpened if modules are small.

    With a game it adds 11 codes and 2 cards in 178 photographs, for 4 ms each.
    """
    if 0 < search.module < MODULE_SMALL:
        _enlarged(search)


def sharpened_picture(search: SearchState) -> None:
    """Read the whole picture sharpened by the size of its modules if these are large enough."""
    if search.module >= MODULE_SMALL and search.can_run(ENLARGED_COST):
        _add(search, _read_resized(search, ZXING, sharpened_modules, 1, 1))


def enlarged_unseen(search: SearchState) -> None:
    """Read the whole picture enlarged, smoothed and sharpened if no code was located: late, since it costs most."""
    if not search.module:
        _enlarged(search)


def _doubled(search: SearchState) -> None:
    factor = min(LARGER, (LARGEST_ENLARGED / search.grey.size) ** 0.5)
    if search.can_run(DOUBLED_COST * factor**2):
        _add(search, _read_resized(search, ZXING, untouched, factor, factor))


def _enlarged(search: SearchState) -> None:
    factor = min(LARGER, (LARGEST_ENLARGED / search.grey.size) ** 0.5)
    if search.can_run(ENLARGED_COST * factor**2):
        # Noise would be sharpened with the modules, were it not smoothed first.
        _add(search, _read_resized(search, ZXING, lambda grey, m: sharpened_modules(grey, m, SOFT), factor, factor))


def upright_picture(search: SearchState) -> None:
    """Read the whole picture rectified to a view from above, if it was taken at a slant.

    With a game it adds 23 codes in 3 photographs at 65 degrees, for 3 ms in each of 178.
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
    """Add the result of a pass. If no more codes were expected, only codes that were read count: see `surprised`."""
    if search.wants_more:
        search.add(found)
        return
    # Sharpened pictures have many places that look like codes.
    before = len(search.codes)
    search.add(one for one in found if one.text is not None)
    search.surprised = len(search.codes) > before


def _read_resized(
    search: SearchState, reader: Reader, prepare: Prepare, across: float, down: float
) -> list[DecodedCode]:
    """Read the whole picture at another size; the module's size at it goes to `prepare`."""
    # If no code was located, assume the size at which codes are usually missed.
    module = (search.module or MODULE_SMALL) * min(across, down)
    return to_picture(reader(prepare(resized(search.grey, across, down), module)), (across, down))
