"""Looks at the whole picture: as it is, cheaper and dearer ones after it. See `scanner.passes` for their order.

Most are a line in a table: a reader, what is done to the pixels first, and their size. Sharpening goes by modules.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.crowds import is_crowded, read_parts, read_tiles
from scanner.pixels import SOFT, SOFTER, resized, sharpen, sharpened_modules, untouched
from scanner.readers import ZXING, Found, moved
from scanner.table import slant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scanner.pixels import Prepare
    from scanner.readers import Reader
    from scanner.search import Search

MODULE_SMALL = 3.0
"""Below this many pixels a module codes are missed, and the whole picture is enlarged without further signs."""

MODULE_FINE = 3.8
"""Pixels a module to which a whole picture is shrunk, or turned upright."""

LARGER = 2.0
"""How much a whole picture with small modules is enlarged."""

SLANTED = 1.3
"""From this ratio of a square's longest to its shortest width on, finder patterns are missed: about 40 degrees."""

SMOOTHED_COST, SMALLER_COST = 0.5, 4.0
"""What looking at the smoothed picture costs in plain looks: for making it small, and for what follows at its size."""

ENLARGED_COST, DOUBLED_COST = 2.0, 1.2
"""What looking at the picture sharpened, or as it is, costs in plain looks; at twice the size four times that."""

MODULE_UPRIGHT = 4.5
"""Pixels a module that are enough where it is turned upright: more only cost time."""

UPRIGHT_COST = 4.5
"""What turning the picture upright and looking at it costs in plain looks, at the same number of pixels."""

LASTING = 0.5
"""Looks that cost less than so many plain ones tell nothing of how slow their reader is in this picture."""

LARGE = 20_000_000
"""Pixels from which on a picture is read at half its size first."""

LARGEST_ENLARGED = 32_000_000
"""Pixels of an enlarged whole picture: what can be searched in a fraction of a second."""


@dataclass(frozen=True)
class Look:
    """One more look at the whole picture, which is shrunk or enlarged by `across` and `down` and prepared first.

    `cost` is its time in plain looks, as measured on pictures of many kinds: a look that would take more than what is
    left is not begun.
    """

    name: str
    reader: Reader
    prepare: Prepare = untouched
    across: float = 1.0
    down: float = 1.0
    cost: float = 1.0

    def __call__(self, search: Search) -> None:
        """Take the look if it is wanted and affordable."""
        if not search.takes(self.cost, self.reader):
            return
        began = time.thread_time()
        found = _look(search, self.reader, self.prepare, self.across, self.down)
        # What costs little tells little of what the same reader takes for more.
        if self.cost >= LASTING:
            search.slower[self.reader] = max((time.thread_time() - began) / (self.cost * search.unit), 1.0)
        _add(search, found)


def plain(search: Search) -> None:
    """Read the whole picture as it is, and where it is crowded with codes, in parts.

    Tiles by the clock are for pages of a thousand codes, which no photograph of a deck is.
    Of a very large picture half the size is enough, if modules are large in it and nothing seems to be missing.
    """
    if search.game is None and is_crowded(search):
        read_tiles(search)
        return
    if search.grey.size > LARGE:
        search.add(_look(search, ZXING, untouched, 0.5, 0.5))
        if search.codes and search.module >= 2 * MODULE_SMALL and not search.wants_more:
            return
    height, width = search.grey.shape
    read_parts(search, 0, 0, width, height)


def smoothed_picture(search: Search) -> None:
    """Read the whole picture shrunk, smoothed and sharpened, when modules are large: noise hides codes."""
    factor = min(MODULE_FINE / (search.module or 1), 1)
    if search.module >= MODULE_SMALL and search.takes(SMOOTHED_COST + SMALLER_COST * factor**2):
        _add(search, _look(search, ZXING, lambda grey, m: sharpened_modules(grey, m, SOFTER), factor, factor))


def doubled_picture(search: Search) -> None:
    """Read the whole picture at twice its size, when its modules are small: noise is not sharpened with it."""
    if 0 < search.module < MODULE_SMALL:
        _doubled(search)


def doubled_again(search: Search) -> None:
    """Do the same where modules are large, or nothing was even located."""
    if search.module >= MODULE_SMALL or not search.module:
        _doubled(search)


def enlarged_picture(search: Search) -> None:
    """Read the whole picture enlarged, smoothed and sharpened, when its modules are small."""
    if 0 < search.module < MODULE_SMALL:
        _enlarged(search)


def sharpened_picture(search: Search) -> None:
    """Read the whole picture sharpened by the size of its modules, when these are large enough for that."""
    if search.module >= MODULE_SMALL and search.takes(ENLARGED_COST):
        _add(search, _look(search, ZXING, sharpened_modules, 1, 1))


def enlarged_unseen(search: Search) -> None:
    """Read the whole picture enlarged where nothing was even located: late, since it costs most."""
    if not search.module:
        _enlarged(search)


def _doubled(search: Search) -> None:
    factor = min(LARGER, (LARGEST_ENLARGED / search.grey.size) ** 0.5)
    if search.takes(DOUBLED_COST * factor**2):
        _add(search, _look(search, ZXING, untouched, factor, factor))


def _enlarged(search: Search) -> None:
    factor = min(LARGER, (LARGEST_ENLARGED / search.grey.size) ** 0.5)
    if search.takes(ENLARGED_COST * factor**2):
        # Noise would be sharpened with the modules, were it not smoothed first.
        _add(search, _look(search, ZXING, lambda grey, m: sharpened_modules(grey, m, SOFT), factor, factor))


def upright_picture(search: Search) -> None:
    """Read the whole picture as if seen from straight above, when it was taken at a slant."""
    if not search.codes:
        return
    squeezed = slant([one.quad for one in search.codes])
    values = np.linalg.eigvalsh(squeezed)
    if values[1] < SLANTED * values[0]:
        return
    height, width = search.grey.shape
    scale = max(1.0, MODULE_FINE / search.module) * float(np.sqrt(values[1] / values[0]))
    scale = min(scale, 2, MODULE_UPRIGHT / search.module)
    matrix = np.linalg.inv(squeezed) * scale
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)]) @ matrix.T
    low, span = frame.min(axis=0), np.ptp(frame, axis=0)
    if span.prod() > 2 * LARGEST_ENLARGED or not search.takes(UPRIGHT_COST * span.prod() / search.grey.size):
        return
    moving = np.column_stack((matrix, -low))
    upright = cv2.warpAffine(search.grey, moving, tuple(int(length) + 1 for length in span), flags=cv2.INTER_CUBIC)
    back = np.linalg.inv(matrix)
    sharp = sharpen(np.asarray(upright, dtype=np.uint8), search.module * scale / 2)
    _add(search, [Found(one.text, (one.quad + low) @ back.T, one.version) for one in ZXING(sharp)])


def _add(search: Search, found: Sequence[Found]) -> None:
    """Take over what a look gave. One that no sign called for tells only by what it reads: see `Search.surprised`."""
    if search.wants_more:
        search.add(found)
        return
    # What is only located says nothing here: sharpened pictures show many places that look like codes.
    before = len(search.codes)
    search.add(one for one in found if one.text is not None)
    search.surprised = len(search.codes) > before


def _look(search: Search, reader: Reader, prepare: Prepare, across: float, down: float) -> list[Found]:
    """Read the whole picture at another size; the module's size at it goes to `prepare`."""
    # Where no code was even located, the module is a guess: that of a picture in which codes are missed.
    module = (search.module or MODULE_SMALL) * min(across, down)
    return moved(reader(prepare(resized(search.grey, across, down), module)), (across, down))
