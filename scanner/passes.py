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

from scanner import grid
from scanner.pixels import adaptive, cut_out, equalised, resized, sharpen, smooth, untouched
from scanner.readers import Found, Pyzbar, Zxing
from scanner.search import Search, no_hunch
from scanner.table import slant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scanner.readers import Reader
    from scanner.result import Grey

    Prepare = Callable[[Grey, float], Grey]
    """Makes pixels easier to read; it is told the size of a module in them."""

ZXING = Zxing()
GLOBAL = Zxing(binarizer=zxingcpp.Binarizer.GlobalHistogram)
INVERTED = Zxing(invert=True)
PYZBAR = Pyzbar()

MARGIN = 0.3
"""What is cut out around a located code on each side, as a share of its side: more than the quiet zone."""

MODULE_WANTED = 5.0
"""Pixels a module to which cut-outs are enlarged."""

MODULE_SMALL = 3.0
"""Below this many pixels a module codes are missed, and the whole picture is enlarged without further signs."""

MODULE_FINE = 3.8
"""Pixels a module to which a whole picture is shrunk, or turned upright."""

LARGER = 2.0
"""How much a whole picture with small modules is enlarged."""

SLANTED = 1.3
"""From this ratio of a square's longest to its shortest width on, finder patterns are missed: about 40 degrees."""

MOST_BENT = 30
"""So many located codes are read module by module: each takes up to 40 ms."""

CROWDED = 70
"""So many codes found in one picture mean that there may be more: on crowded pages zxing-cpp ends soon after that."""

LARGEST_ENLARGED = 32_000_000
"""Pixels of an enlarged whole picture: what can be searched in a fraction of a second."""


def plain(search: Search) -> None:
    """Read the whole picture as it is, and where it is crowded with codes, its quarters too."""
    height, width = search.grey.shape
    _read_part(search, 0, 0, width, height)


def sharpened_cutouts(search: Search) -> None:
    """Read located codes again, sharpened."""
    _retry(search, ZXING, lambda cut, module: sharpen(cut, module / 2), 1)


def smoothed_cutouts(search: Search) -> None:
    """Read located codes again with less noise, where modules are large enough for that."""
    _retry(search, ZXING, lambda cut, module: sharpen(smooth(cut, 0.4 * module), module / 2), 1)


def enlarged_cutouts(search: Search) -> None:
    """Read located codes again, enlarged and sharpened more, with a threshold a region and with one for the cut-out."""
    for reader in (ZXING, GLOBAL):
        _retry(search, reader, lambda cut, module: sharpen(cut, module / 2, 5))


def second_opinion(search: Search) -> None:
    """Read located codes again with the other reader."""
    _retry(search, PYZBAR, untouched)


def module_by_module(search: Search) -> None:
    """Read located codes on a grid that bends with the paper. It costs most a code, so there is a limit."""
    for one in search.suspects:
        if len(search.bent) >= MOST_BENT or search.late:
            return
        if one not in search.bent and not any(one.is_at(code) for code in search.codes):
            search.bent.append(one)
            code = grid.read(search.grey, one)
            if code is not None:
                search.add([code])


def smoothed_picture(search: Search) -> None:
    """Read the whole picture shrunk, smoothed and sharpened, when modules are large: noise hides codes."""
    if search.module >= MODULE_SMALL and search.wants_more:
        _read_resized(
            search, min(MODULE_FINE / search.module, 1), lambda grey, m: sharpen(smooth(grey, 0.4 * m), m / 2)
        )


def enlarged_picture(search: Search) -> None:
    """Read the whole picture enlarged and sharpened, when its modules are small or codes are missing."""
    if search.module < MODULE_SMALL or search.wants_more:
        factor = LARGER if search.module < MODULE_SMALL else 1
        _read_resized(search, factor, lambda grey, module: sharpen(grey, module / 2, 5 if factor > 1 else 2))


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
    matrix = np.linalg.inv(squeezed) * min(scale, 2)
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)]) @ matrix.T
    low, span = frame.min(axis=0), np.ptp(frame, axis=0)
    if span.prod() > 2 * LARGEST_ENLARGED:
        return
    moved = np.column_stack((matrix, -low))
    upright = cv2.warpAffine(search.grey, moved, tuple(int(length) + 1 for length in span), flags=cv2.INTER_CUBIC)
    back = np.linalg.inv(matrix)
    sharp = sharpen(np.asarray(upright, dtype=np.uint8), search.module * min(scale, 2) / 2)
    search.add(Found(one.text, (one.quad + low) @ back.T, one.version) for one in ZXING(sharp))


def last_resorts(search: Search) -> None:
    """Nothing was read at all, so time matters less: try everything that ever helped, cheap and likely first."""
    for reader, prepare, across, down in LAST_RESORTS:
        if search.codes or search.late:
            return
        small = resized(search.grey, across, down)
        search.add(_moved(reader(prepare(small, 0)), (across, down)))


LAST_RESORTS: tuple[tuple[Reader, Prepare, float, float], ...] = (
    (GLOBAL, untouched, 1, 1),
    (ZXING, untouched, 0.5, 0.5),
    (GLOBAL, untouched, 0.5, 0.5),
    (INVERTED, untouched, 1, 1),
    (ZXING, adaptive, 0.5, 0.5),
    (ZXING, equalised, 0.5, 0.5),
    (ZXING, untouched, 0.6, 1),
    (ZXING, untouched, 1, 0.6),
    (ZXING, adaptive, 1, 1),
    (ZXING, equalised, 1, 1),
    (PYZBAR, untouched, 0.5, 0.5),
)
"""What is tried where nothing was read: reader, preparation, and the size across and down."""


PASSES: tuple[Callable[[Search], None], ...] = (
    plain,
    sharpened_cutouts,
    smoothed_cutouts,
    enlarged_cutouts,
    second_opinion,
    module_by_module,
    smoothed_picture,
    enlarged_picture,
    upright_picture,
    module_by_module,
    last_resorts,
)
"""All passes in the order in which they run."""


def run(
    grey: Grey, seconds: float, hunch: Callable[[Sequence[Found]], bool] = no_hunch
) -> tuple[Search, dict[str, float]]:
    """Search a picture for codes until all passes ran or the time is used up.

    `hunch` tells from the codes read so far whether more must be there. Timings are in milliseconds.
    """
    search = Search(grey, time.monotonic() + seconds, hunch)
    timings: dict[str, float] = {}
    for one in PASSES:
        if search.late:
            break
        began = time.perf_counter()
        one(search)
        timings[one.__name__] = timings.get(one.__name__, 0) + (time.perf_counter() - began) * 1000
    return search, timings


def _read_part(search: Search, left: int, top: int, right: int, bottom: int) -> None:
    """Read a part of the picture; zxing-cpp finds a limited number at once, so a crowded part is read in quarters.

    Where the first quarter gives nothing new, the others would not either.
    """
    found = ZXING(np.ascontiguousarray(search.grey[top:bottom, left:right]))
    search.add(_moved(found, (1, 1), left, top))
    # Quarters overlap by more than a code, so that each lies whole in one of them.
    overlap = int(1.5 * max((one.side for one in found if one.text is not None), default=0))
    if len(found) < CROWDED or not 0 < 4 * overlap < min(right - left, bottom - top):
        return
    middle_x, middle_y = (left + right) // 2, (top + bottom) // 2
    before = len(search.codes)
    for x in ((left, middle_x + overlap), (middle_x - overlap, right)):
        for y in ((top, middle_y + overlap), (middle_y - overlap, bottom)):
            if not search.late:
                _read_part(search, x[0], y[0], x[1], y[1])
            if len(search.codes) == before:
                return


def _read_resized(search: Search, factor: float, prepare: Prepare) -> None:
    """Read the whole picture at another size; the module's size at it goes to `prepare`."""
    factor = min(factor, (LARGEST_ENLARGED / search.grey.size) ** 0.5)
    pixels = resized(search.grey, factor, factor)
    # Where no code was even located, the module is a guess: that of a picture in which codes are missed.
    module = (search.module or MODULE_SMALL) * factor
    search.add(_moved(ZXING(prepare(pixels, module)), (factor, factor)))


def _retry(search: Search, reader: Reader, prepare: Prepare, scale: float | None = None) -> None:
    """Read a cut-out around each located code; without a scale, enlarge it to the wanted size of a module."""
    for one in search.suspects:
        if search.late:
            return
        if any(one.is_at(code) for code in search.codes):
            continue
        x, y, cut = cut_out(search.grey, one.quad, MARGIN * one.side)
        factor = scale or float(np.clip(MODULE_WANTED / one.module, 1, 4))
        large = prepare(resized(cut, factor, factor), max(one.module * factor, 1))
        found = _moved(reader(large), (factor, factor), x, y)
        if any(code.text is not None for code in found):
            search.add(code for code in found if code.text is not None)


def _moved(found: Sequence[Found], factors: tuple[float, float], left: float = 0, top: float = 0) -> list[Found]:
    """Return what was found in a resized cut-out in pixels of the picture."""
    corner = np.array([left, top], dtype=np.float64)
    return [Found(one.text, one.quad / factors + corner, one.version) for one in found]
