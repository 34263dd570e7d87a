"""Passes over a picture, and close-ups of the places that were only located. `scanner.decode.pipeline` has their order.

Figures are what is lost without a pass, and the time that it takes in each photograph in which it runs: without a game
in 2,041 photographs with 2,455 codes (102 real ones, their enlargements, negatives, copies with blur, noise, spots of
light, shadows and dirt, and 343 simulated ones of 18 kinds), with one in simulated photographs of cards, most of them
hard or hopeless: `docs/scanner.md` describes them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import product
from math import dist
from typing import TYPE_CHECKING

import cv2
import numpy as np

from cardgen.payload import parse
from scanner.decode import curved_sampling, known_codes
from scanner.decode.backends import ZXING, DecodedCode, to_picture
from scanner.decode.finder_patterns import FINE, find_symbols, module_sizes
from scanner.decode.known_codes import VERSION, Codebook
from scanner.decode.qr_spec import modules_of
from scanner.geometry import (
    TablePlane,
    centre,
    code_on_card,
    foreshortening,
    rectangle,
    side,
    twin_on_card,
    upright_view,
)
from scanner.image.filters import SOFT, SOFTER, resized, sharpen, smooth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.decode.backends import Reader
    from scanner.decode.search_state import SearchState
    from scanner.result import Grey, Quad


CROWDED = 70
"""Number of codes found in one picture from which on there may be more: of 400 on a page zxing-cpp found 113."""

FINDERS = 20_000
"""Number of finder patterns with which zxing-cpp takes a second; ten times as many take minutes."""

# Rows from one to the next that is counted: every one would take 13 times as long. With 31 a page of ten thousand codes
# is not recognised.
_STEP = 13

# Pixels that the smallest of them takes: seven modules and a separator of one a side (ISO/IEC 18004), a pixel each.
_SMALLEST = 64

# Pixels along a row whose mean is the threshold: between 21 and 81 the same pictures are refused, and numbers differ by
# at most a tenth.
_AROUND = 41

# Dark and light along a line through the core of such a pattern (ISO/IEC 18004), and how far from its middle the line
# may run, in modules.
_SHAPE, _THROUGH = (1, 1, 3, 1, 1), (-0.8, 0.0, 0.8)

# Largest error of such a length, as a share of it and a module: with 0.7 times as much fewer than 20,000 patterns of a
# page of ten thousand codes are counted, and with 1.4 times as much two to three times as many in ordinary pictures.
_TOLERANCE = 1 / 3

# Number of codes along the side of a tile, round by round. Of 996 codes on four blurred pages 883 are read so, and as
# many with 3 alone, but then only 981 of 1,024 on a page of tiny ones instead of 1,010.
_CODES = (6, 4, 3)

# From code to code, in sides of a code: with the quiet zones of four modules (ISO/IEC 18004) 29/21 for version 1. With
# 1 and 2 as many codes are read as with 1.4.
_APART = 1.4

# Overlap of tiles, in sides of a code, so that each code is complete in one of them: its diagonal is the root of 2.
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
    alike = (np.abs(runs - shape * module) < _TOLERANCE * (shape + 1) * module).all(axis=0)
    start, module = edges[: 2 * number : 2][alike], module[alike]
    y = start // grey.shape[1] * _STEP + _STEP // 2
    x = np.minimum(start % grey.shape[1] + (sum(_SHAPE) / 2 * module).astype(int), grey.shape[1] - 1)
    level = mean.ravel()[start]

    def is_dark(modules: float) -> npt.NDArray[np.bool_]:
        return np.asarray(grey[np.clip(y + modules * module, 0, len(grey) - 1).astype(int), x] < level)

    # Whichever row of its core the line runs through.
    rings = [is_dark(up + 3) & ~is_dark(up + 2) & ~is_dark(up - 2) & is_dark(up - 3) for up in _THROUGH]
    # A pattern is met in as many rows as its core has.
    return int((_STEP * np.logical_or.reduce(rings) / (max(_SHAPE) * module)).sum())


def read_tiles(search: SearchState, side: float) -> None:
    """Read a picture full of codes of `side` pixels tile by tile until the time is up.

    Another round with smaller tiles reads the codes that were missed, unless the last one gave none. Without a game
    such a picture may take all seconds of the budget. Of 400 codes on a blurred page at a slant 309 are read with
    tiles, in 2.2 s, and 104 without them; of 196 codes 128, in 0.8 s, and 88.
    """
    over = int(_OVERLAP * side) + 1
    height, width = search.grey.shape
    for codes in _CODES:
        before = len(search.codes)
        step = int(codes * _APART * side) + 1
        for top, left in product(range(0, height, step), range(0, width, step)):
            if search.budget.timed_out or (not search.allows() and (search.game or not search.codes)):
                search.cut_short = True
                # Without a game nothing else says that codes are missing.
                search.overlooked = search.game is None
                return
            tile = np.ascontiguousarray(search.grey[top : top + step + over, left : left + step + over])
            search.add(to_picture(ZXING(tile), 1, left, top))
        if len(search.codes) == before:
            return


MODULE_SMALL = 3.0
"""Pixels a module below which codes are missed: the whole picture is searched, and enlarged, without further signs."""

MODULE_FINE = 3.8
"""Pixels a module to which a whole picture is shrunk, or turned upright."""

LARGER = 2.0
"""Factor by which a whole picture with small modules is enlarged."""

SLANTED = 1.3
"""From this ratio of a square's longest to its shortest width on, finder patterns are missed: about 40 degrees."""

MODULE_UPRIGHT = 4.5
"""Pixels a module that are enough where it is turned upright: more only cost time."""

LARGE = 20_000_000
"""Number of pixels from which on a picture is read at half its size first."""

LARGEST_ENLARGED = 32_000_000
"""Maximum number of pixels of an enlarged whole picture: what can be searched in a fraction of a second."""

LARGEST_UPRIGHT = 2 * LARGEST_ENLARGED
"""Maximum number of pixels of a rectified picture. Derived, not measured: turned by 45 degrees half of it is empty."""


@dataclass(frozen=True)
class ImagePass:
    """A pass over the whole picture, resized by `scale` and filtered by `prepare` first.

    It runs only while codes seem to be missing, or `always` if that pays.
    """

    name: str
    reader: Reader
    prepare: Callable[[Grey], Grey] | None = None
    scale: float = 1.0
    always: bool = False

    def __call__(self, search: SearchState) -> None:
        """Run the pass if it is wanted and there is time for it."""
        if search.can_run(always=self.always):
            grey = resized(search.grey, self.scale)
            search.add(to_picture(self.reader(grey if self.prepare is None else self.prepare(grey)), self.scale))


def plain(search: SearchState) -> None:
    """Read the whole picture as it is, and tile by tile if it is crowded with codes.

    Without a game a page of ten thousand codes is only read tile by tile, since zxing-cpp would take too long. A very
    large picture is read at half its size first, which is enough if its modules are large and no code seems to be
    missing.
    """
    # With a game such pictures are refused.
    finders = _finders(search.grey) if search.game is None else 0
    if finders > FINDERS:
        read_tiles(search, float(np.sqrt(3 * search.grey.size / finders)) / _APART)
        return
    if search.grey.size > LARGE:
        search.add(to_picture(ZXING(resized(search.grey, 0.5)), 0.5))
        if search.codes and search.module >= 2 * MODULE_SMALL and not search.wants_more:
            return
    found = ZXING(search.grey)
    search.add(found)
    complete = search.game is not None and not search.expects_cards
    if search.codes and len(found) >= CROWDED and not complete:
        read_tiles(search, float(np.median([one.side for one in search.codes])))


def rescaled_picture(search: SearchState) -> None:
    """Read the whole picture enlarged if modules are small, or else shrunk; smoothed, then sharpened.

    Without a game it adds 83 of 1,566 codes in 48 photographs of cards of 2 megapixels, for 20 ms in each; with one 20
    codes and 12 of 403 cards, most of them bent, for 26 ms in 22 photographs; shrinking alone one or two of 24.
    """
    if not search.module:
        return
    small = search.module < MODULE_SMALL
    factor = min(LARGER, (LARGEST_ENLARGED / search.grey.size) ** 0.5) if small else min(MODULE_FINE / search.module, 1)
    if search.can_run(search.grey.size * factor**2, always=small):
        module = search.module * factor
        # Noise would be sharpened with the modules, were it not smoothed first.
        soft = smooth(resized(search.grey, factor), (SOFT if small else SOFTER) * module)
        search.add(to_picture(ZXING(sharpen(soft, module / 2)), factor))


def upright_picture(search: SearchState) -> None:
    """Read the whole picture rectified to a view from above, if it was taken at a slant.

    With a game it adds 15 codes, for 10 ms in 22 photographs. Without one it adds 6 of 35 codes at 45 to 72 degrees,
    for 3 ms in 97 photographs, and in six others at 60 to 64 degrees 124 of 240.
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
    frame = rectangle(width, height) @ matrix.T
    low, span = frame.min(axis=0), np.ptp(frame, axis=0)
    if span.prod() > LARGEST_UPRIGHT or not search.can_run(span.prod(), always=True):
        return
    moving = np.column_stack((matrix, -low))
    upright = cv2.warpAffine(search.grey, moving, tuple(int(length) + 1 for length in span), flags=cv2.INTER_CUBIC)
    back = np.linalg.inv(matrix)
    sharp = sharpen(np.asarray(upright, dtype=np.uint8), search.module * scale / 2)
    search.add([DecodedCode(one.text, (one.quad + low) @ back.T, one.version) for one in ZXING(sharp)])


SAMPLING_COST = 3_000_000
"""Cost of reading a place module by module, in pixels."""

MOST_SAMPLED = 30
"""Maximum number of located codes that are sampled module by module: each takes up to 40 ms."""


def equalised_cutouts(search: SearchState) -> None:
    """Read located codes module by module on flat paper, after undoing blur and motion.

    It adds 8 of 775 codes in 611 photographs, half of them in blurred ones, and costs nothing, since later passes have
    fewer places to look at. Six of these are located by the passes in between, and read at the second time.
    """
    for one in search.fresh("equalised"):
        text = known_codes.read_flat(search.pyramid, one.quad, one.version or VERSION)
        search.add([DecodedCode(text, one.quad, one.version or VERSION)] if text else [])


def module_by_module(search: SearchState) -> None:
    """Read located codes module by module, on bent paper and through blur: takes up to 40 ms per place.

    Without a game it adds 89 codes, for 28 ms in 151 of 1,465 photographs; with one 31 of 403 cards, most of them bent,
    for 6 ms in 22. Within it erasures (`decode_with_erasures`) add 6 codes in 146 real photographs with spots of light,
    and none in 430 with shadows and dirt.
    """
    for one in search.fresh("sampled", MOST_SAMPLED, SAMPLING_COST):
        code = curved_sampling.read(search.grey, one, lambda: not search.allows())
        if code is not None:
            search.add([code])


MISSES = 25
"""Number of likely places in a row without a match that end the search at one size: with 17 and 35 the same codes are
read, with 12 four of 20 are lost in three blurred photographs at a slant."""

ALWAYS_MATCHED = 6
"""Number of likely places that are matched even if time is up, so that the search for them was not in vain."""

SEARCHING = 2
"""Cost of searching for finder patterns in the part of a view that is worth rectifying it, in pixels for each."""


def matched_cutouts(search: SearchState) -> None:
    """Match located, unread codes against the codes of the game.

    It adds 3 codes in 19 of 85 photographs, and less is searched afterwards: without it a photograph of 60 cards of
    2 megapixels takes 0.75 s instead of 0.53.
    """
    if search.game is None:
        return
    found: list[DecodedCode] = []
    misses = 0
    for one in search.fresh("own", twins=True):
        reading = known_codes.read(search.pyramid, one.quad, Codebook.of(search.game))
        misses = misses + 1 if reading is None else 0
        if reading is None:
            search.dismissed.append(one)
        elif reading.text is not None:
            found.append(DecodedCode(reading.text, one.quad, VERSION))
        if misses >= MISSES:
            break
    search.add(found)


def matched_picture(search: SearchState) -> None:
    """Search the whole picture for finder patterns at the size of the codes read, or if there are none, at any size.

    It adds 50 codes and 15 cards beside what `read_missing_cards` then reads, for 86 ms in 84 photographs, of which 44
    that are not hopeless have 19 of these codes, for 16 ms.
    """
    if search.codes and search.module >= MODULE_SMALL and not search.wants_more:
        return
    if not search.codes:
        _search_all_sizes(search)
    if search.codes:
        _search_rectified(search)


def _search_all_sizes(search: SearchState) -> None:
    """Search at one size after another until a code is read.

    It adds 29 codes and 15 cards, for 200 ms in 36 photographs.
    """
    for module in module_sizes(search.grey):
        if search.codes:
            return
        if not search.allows(search.grey.size * min(FINE / module, 1.0) ** 2):
            search.cut_short = True
            return
        _search_at_size(search, module)


def _search_at_size(search: SearchState, module: float) -> None:
    small = search.pyramid.shrunk(module, FINE)
    middles = small.down(np.array([one.middle for one in search.codes]).reshape(-1, 2))
    quads = find_symbols(small.pixels, module * float(small.scale.mean()), middles, lambda: _must_match(search))
    _match(search, small.up(quads))


def _search_rectified(search: SearchState) -> None:
    """Search the picture rectified to a view from above, in which all modules have one size.

    The picture itself is searched if rectification makes no difference.
    """
    # A join link is printed in another size.
    own = [code for code in search.layout.codes if code.status in {"card", "label"} and parse(code.text)]
    quads = [np.array(code.quad) for code in own]
    if not quads:
        return
    module = float(np.median([side(quad) for quad in quads])) / modules_of(VERSION)
    if not search.allows((SEARCHING * min(FINE / module, 1.0) ** 2 + 1) * search.grey.size):
        return
    view = upright_view(search.pyramid, TablePlane.under(quads), quads, FINE * modules_of(VERSION))
    if view is None:
        _search_at_size(search, module)
    else:
        middles = view.down(np.array([one.middle for one in search.codes]))
        symbols = find_symbols(view.grey, FINE, middles, lambda: _must_match(search))
        _match(search, view.up(symbols))


def _must_match(search: SearchState) -> bool:
    """Return whether the remaining time is needed to match the places found: about as long as decoding the picture."""
    return not search.allows(search.grey.size)


def _match(search: SearchState, quads: Iterable[Quad]) -> None:
    """Match places against the codes of the game, until `MISSES` in a row do not match.

    Second codes of cards that were read come last, since they add nothing if time runs out: with them in order 15 of
    312 cards of 2 megapixels are not read in time.
    """
    if search.game is None:
        return
    found: list[DecodedCode] = []
    twins = [_twin_middle(one.quad, search.game.geometry) for one in search.codes]
    places = deque(DecodedCode(None, quad, VERSION) for quad in quads)
    later: deque[DecodedCode] = deque()
    misses = tried = 0
    while places or later:
        if misses >= MISSES or not places:
            places, later, twins, misses = later, deque(), [], 0
            continue
        if not search.allows() and tried >= ALWAYS_MATCHED:
            # If most of the likelier places were cards, the others probably are too.
            search.unverified += [one.quad for one in (*places, *later)] if 2 * len(found) >= tried else []
            break
        place = places.popleft()
        if search.is_read(place) or any(place.is_at(other) for other in found):
            continue
        if any(dist(place.middle, twin) < place.side / 2 for twin in twins):
            later.append(place)
            continue
        tried, misses = tried + 1, misses + 1
        reading = known_codes.read(search.pyramid, place.quad, Codebook.of(search.game))
        if reading is not None and reading.text is not None:
            misses = 0
            found.append(DecodedCode(reading.text, place.quad, VERSION))
            twins.append(_twin_middle(place.quad, search.game.geometry))
    search.add(found)


def _twin_middle(quad: Quad, geometry: Geometry) -> Quad:
    """Return the expected middle of the twin of a code, by an affine approximation from this one alone."""
    matrix = cv2.getAffineTransform(code_on_card(geometry)[:3].astype(np.float32), quad[:3].astype(np.float32))
    return np.asarray(matrix @ (*centre(twin_on_card(geometry)), 1.0), dtype=np.float64)
