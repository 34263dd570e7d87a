"""Pictures crowded with codes: zxing-cpp ends at about a hundred in one picture, and takes ever longer to get there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.readers import ZXING, moved

if TYPE_CHECKING:
    import numpy.typing as npt

    from scanner.readers import Found
    from scanner.result import Grey
    from scanner.search import Search

CROWDED = 70
"""So many codes found in one picture mean that there may be more."""

PROBE = 640
"""Pixels a side of the part in the middle that is read first, to see whether a large picture is crowded."""

PROBED = 4_000_000
"""Pixels of a picture from which on it is: what that costs hardly counts then."""

DENSE = 25
"""So many codes in that part mean that a thousand or more lie in the picture."""

FINDERS = 20_000
"""Patterns like those in the corners of codes with which zxing-cpp takes a second; ten times as many take minutes."""

_STEP = 13
# Rows from one to the next in which they are counted.
_SMALLEST = 64
# Pixels that the smallest of them takes.
_AROUND = 41
# Pixels along a row whose mean tells dark from light.
_SHAPE = (1, 1, 3, 1, 1)
# Dark and light along a line through the middle of such a pattern, in modules.
_CODES = (6, 4, 3)
# Codes along the side of a tile, round by round.
_APART = 1.4
# From code to code, in sides of a code: its quiet zones lie between.
_OVERLAP = 1.5
# Tiles and parts overlap by so many sides of a code, so that each code lies whole in one of them.


def has_too_many_finders(grey: Grey) -> bool:
    """Tell whether zxing-cpp would take seconds or minutes for one look at a picture, as nobody's photograph needs.

    It compares each pattern like those in the corners of codes with all others, and nothing can end it.
    """
    return grey.size > FINDERS * _SMALLEST and _finders(grey) > FINDERS


def _finders(grey: Grey) -> int:
    """Estimate how many patterns like those in the corners of codes lie in a picture, from a few of its rows."""
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


def is_crowded(search: Search) -> bool:
    """Read a part in the middle of a large picture and tell whether it is full of small codes."""
    height, width = search.grey.shape
    if search.grey.size < PROBED or min(height, width) < 2 * PROBE:
        return False
    left, top = (width - PROBE) // 2, (height - PROBE) // 2
    return len(_read(search, left, top, left + PROBE, top + PROBE)) >= DENSE


def read_tiles(search: Search) -> None:
    """Read a picture full of codes tile by tile, until the clock says that it is enough.

    If no code can be read the work ends it: then it may be anything. Another round with smaller tiles reads those that
    were missed, unless the last one gave none.
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


def read_parts(search: Search, left: int, top: int, right: int, bottom: int) -> None:
    """Read a part of the picture, and where it is crowded, its quarters; where these are crowded too, tile by tile.

    Where the first quarter gives nothing new, the others would not either; and none is needed where the twins of a
    game's cards are all there.
    """
    found = _read(search, left, top, right, bottom)
    if search.game is not None and not search.signs.halved(search.codes):
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


def _read(search: Search, left: int, top: int, right: int, bottom: int) -> list[Found]:
    """Read a part of the picture and keep what is found."""
    found = ZXING(np.ascontiguousarray(search.grey[top:bottom, left:right]))
    search.add(moved(found, (1, 1), left, top))
    return found
