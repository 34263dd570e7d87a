"""Pictures crowded with codes: zxing-cpp ends at about a hundred in one picture, and takes ever longer to get there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scanner.readers import ZXING, moved

if TYPE_CHECKING:
    from scanner.readers import Found
    from scanner.search import Search

CROWDED = 70
"""So many codes found in one picture mean that there may be more."""

PROBE = 640
"""Pixels a side of the part in the middle that is read first, to see whether a large picture is crowded."""

PROBED = 4_000_000
"""Pixels of a picture from which on it is: what that costs hardly counts then."""

DENSE = 25
"""So many codes in that part mean that a thousand or more lie in the picture."""

_CODES = (6, 4, 3)
# Codes along the side of a tile, round by round.
_APART = 1.4
# From code to code, in sides of a code: its quiet zones lie between.
_OVERLAP = 1.5
# Tiles and parts overlap by so many sides of a code, so that each code lies whole in one of them.


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
