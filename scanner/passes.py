"""The passes over a picture, cheap first. Each is a small function that returns at once when it is not needed.

To add a pass: write a function that takes a `Search` and gives what it finds to `search.add`, put it into `PASSES`
in the order of its cost, stop when `search.late`, and measure it with `haggle bench scan`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import cv2
import numpy as np
import zxingcpp

from scanner.readers import Found, Pyzbar, Zxing
from scanner.search import Search

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scanner.readers import Reader
    from scanner.result import Grey

ZXING = Zxing()
GLOBAL = Zxing(binarizer=zxingcpp.Binarizer.GlobalHistogram)
INVERTED = Zxing(invert=True)
PYZBAR = Pyzbar()

MARGIN = 0.3
"""What is cut out around a located code on each side, as a share of its side: more than the quiet zone."""

MODULE_WANTED = 5.0
"""Pixels a module to which cut-outs are enlarged."""

MODULE_SMALL = 3.0
"""Below this many pixels a module whole codes are missed; then the whole picture is enlarged."""

LARGEST_ENLARGED = 32_000_000
"""Pixels of an enlarged whole picture: what can be searched in a fraction of a second."""


def sharpen(grey: Grey, sigma: float, amount: float = 2.0) -> Grey:
    """Unsharp mask; `sigma` in pixels should be half a module, else noise grows or nothing happens."""
    soft = cv2.GaussianBlur(grey, (0, 0), sigma)
    return np.asarray(cv2.addWeighted(grey, 1 + amount, soft, -amount, 0), dtype=np.uint8)


def plain(search: Search) -> None:
    """Read the whole picture as it is."""
    search.add(ZXING(search.grey))


def sharpened_cutouts(search: Search) -> None:
    """Read located codes again, sharpened by half a module."""
    _retry(search, ZXING, scale=1, sharp=True)


def enlarged_cutouts(search: Search) -> None:
    """Read located codes again, enlarged and sharpened, with a threshold a region and with one for the cut-out."""
    for reader in (ZXING, GLOBAL):
        _retry(search, reader, scale=None, sharp=True)


def second_opinion(search: Search) -> None:
    """Read located codes again with the other reader."""
    _retry(search, PYZBAR, scale=None, sharp=False)


def enlarged_picture(search: Search) -> None:
    """Read the whole picture enlarged and sharpened, when its codes are small or some are still not read."""
    if search.codes and search.module >= MODULE_SMALL and not search.unread:
        return
    factor = 2.0 if search.module < MODULE_SMALL else 1.0
    factor = min(factor, (LARGEST_ENLARGED / search.grey.size) ** 0.5)
    if factor < 1:
        return
    size = search.module or 2.0
    large = _resized(search.grey, factor)
    search.add(_moved(ZXING(sharpen(large, factor * size / 2)), 1 / factor))


def other_thresholds(search: Search) -> None:
    """Nothing was read at all: try one threshold for the picture, half the size, and white on black."""
    tries: Sequence[tuple[Reader, float]] = ((GLOBAL, 1), (ZXING, 0.5), (GLOBAL, 0.5), (INVERTED, 1))
    for reader, factor in tries:
        if search.codes or search.late:
            return
        search.add(_moved(reader(_resized(search.grey, factor)), 1 / factor))


PASSES: tuple[Callable[[Search], None], ...] = (
    plain,
    sharpened_cutouts,
    enlarged_cutouts,
    second_opinion,
    enlarged_picture,
    other_thresholds,
)
"""All passes in the order in which they run."""


def run(grey: Grey, seconds: float) -> tuple[Search, dict[str, float]]:
    """Search a picture for codes until all passes ran or the time is used up. Timings are in milliseconds."""
    started = time.monotonic()
    search = Search(grey, started + seconds)
    timings: dict[str, float] = {}
    for one in PASSES:
        if search.late:
            break
        began = time.perf_counter()
        one(search)
        timings[one.__name__] = (time.perf_counter() - began) * 1000
    return search, timings


def _retry(search: Search, reader: Reader, scale: float | None, *, sharp: bool) -> None:
    """Read a cut-out around each located code; without a scale, enlarge it to the wanted size of a module."""
    for one in list(search.unread):
        if search.late:
            return
        if any(one.is_at(code) for code in search.codes):
            continue
        x, y, cut = _cut_out(search.grey, one)
        size = one.module
        factor = scale or float(np.clip(MODULE_WANTED / size, 1, 4))
        large = _resized(cut, factor)
        if sharp:
            large = sharpen(large, max(size * factor / 2, 0.5))
        found = _moved(reader(large), 1 / factor, x, y)
        search.add(code for code in found if code.text is not None)


def _cut_out(grey: Grey, found: Found) -> tuple[int, int, Grey]:
    """Return the place of a cut-out's corner and its pixels."""
    margin = MARGIN * found.side
    height, width = grey.shape
    left, top = np.clip(found.quad.min(axis=0) - margin, 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.ceil(found.quad.max(axis=0) + margin).astype(int)
    return int(left), int(top), np.ascontiguousarray(grey[top : max(bottom, top + 1), left : max(right, left + 1)])


def _resized(grey: Grey, factor: float) -> Grey:
    if factor == 1:
        return grey
    smooth = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=smooth), dtype=np.uint8)


def _moved(found: Sequence[Found], factor: float, left: float = 0, top: float = 0) -> list[Found]:
    """Return what was found in an enlarged cut-out in pixels of the picture."""
    corner = np.array([left, top], dtype=np.float64)
    return [Found(one.text, one.quad * factor + corner, one.version) for one in found]
