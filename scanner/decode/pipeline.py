"""The order of the search: a plain pass, close-ups of codes that were only located, then further passes.

A pass over the whole picture is an `ImagePass` or a function that takes a `SearchState` and passes its results to
`SearchState.add`; `PASSES` has them in the order of gain per time, `KNOWN_PASSES` those with a game. Close-ups are in
`CLOSE_UPS`. Measure changes with `haggle bench scan`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from scanner.decode import curved_sampling, sampling
from scanner.decode.backends import GLOBAL, PYZBAR, ZXING, Zxing, to_picture
from scanner.decode.full_image_passes import (
    ImagePass,
    doubled_again,
    doubled_picture,
    enlarged_picture,
    enlarged_unseen,
    plain,
    sharpened_picture,
    smoothed_picture,
    upright_picture,
)
from scanner.decode.known_code_passes import blurred_symbols, matched_cutouts, matched_picture
from scanner.decode.search_state import MAX_UNREAD, SearchState, StopCriterion
from scanner.image.filters import (
    SOFTER,
    adaptive,
    bridged,
    cut_out,
    equalised,
    evened,
    resized,
    sharpen,
    sharpened,
    sharpened_modules,
    untouched,
)
from scanner.time_budget import TimeBudget, decode_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardgen.cards import PrintedGame
    from scanner.decode.backends import Reader
    from scanner.image.filters import Prepare
    from scanner.result import Grey


MARGIN = 0.3
"""Margin of cut-outs around a located code, as a share of its side: more than the quiet zone."""

MODULE_WANTED = 5.0
"""Pixels per module to which cut-outs are resized."""

MODULE_ENOUGH = 8.0
"""Maximum pixels per module of cut-outs that are not enlarged: more only cost time."""

GLANCES, GLANCED = 3, 0.1
"""Number of located codes that ZBar tries first if nothing was read, and the share of the remaining work for that."""

ZBAR_COST = 24
"""Cost of ZBar for a pixel of a cut-out: the time of decoding a JPEG with this number of pixels."""

LEGIBLE = 2.5
"""Pixels per module below which ZBar reads hardly any code."""

BENT = 0.5
"""Share of the remaining work that module sampling may take before all passes have run."""

FOLLOWING, FOLLOWING_A_MODULE = 2_500_000, 1_200
"""Cost of curved sampling of a symbol, fixed and per module: the time of decoding a JPEG with this number of pixels."""

MOST_BENT = 30
"""Maximum number of located codes that are sampled module by module: each takes up to 40 ms."""


def sharpened_cutouts(search: SearchState) -> None:
    """Read cut-outs of located codes, sharpened."""
    _retry(search, "sharpened", ZXING, sharpened_modules, larger=False)


def smoothed_cutouts(search: SearchState) -> None:
    """Read cut-outs of located codes, smoothed and sharpened, against noise."""
    _retry(search, "smoothed", ZXING, lambda cut, module: sharpened_modules(cut, module, SOFTER), larger=False)


def enlarged_cutouts(search: SearchState) -> None:
    """Read cut-outs of located codes, enlarged and sharpened more, with local and with global thresholds."""
    for way, reader in (("enlarged", ZXING), ("enlarged, one threshold", GLOBAL)):
        _retry(search, way, reader, lambda cut, module: sharpen(cut, module / 2, 5))


def zbar_first_cutouts(search: SearchState) -> None:
    """Read a few located codes with ZBar if zxing-cpp read none: at a steep slant it reads more.

    With a game it adds 15 codes in a photograph at 65 degrees, for 2 ms in each of 180.
    """
    if search.codes or search.module < LEGIBLE:
        return
    with search.limited(GLANCED):
        _retry(search, "zbar", PYZBAR, untouched, most=GLANCES)
    if search.codes:
        zbar_cutouts(search)


def zbar_cutouts(search: SearchState) -> None:
    """Read cut-outs of located codes with ZBar."""
    _retry(search, "zbar", PYZBAR, untouched)


def _read_curved(search: SearchState, *, others: bool) -> None:
    """Read located codes of any version on paper that is not flat, by curved sampling."""
    for one in search.fresh("curved", MOST_BENT, others=others):
        if not search.whole.affords(decode_seconds(FOLLOWING + FOLLOWING_A_MODULE * one.modules**2)):
            search.tried["curved"].remove(one)
            search.cut_short = True
            continue
        code = curved_sampling.read(search.grey, one, lambda: search.late)
        if code is not None:
            search.add([code])
        elif search.late and not search.whole.late:
            # It had only a share of the time, and may be tried again.
            search.tried["curved"].remove(one)


def _read_bent(search: SearchState) -> None:
    """Read located codes by sampling a grid that bends with the paper."""
    for one in search.fresh("bent", MOST_BENT):
        code = sampling.read(search.grey, one, lambda: search.whole.late)
        if code is not None:
            search.add([code])


def module_by_module(search: SearchState) -> None:
    """Read located codes module by module, on bent paper and through blur: takes up to 100 ms per place."""
    with search.limited(BENT):
        _read_curved(search, others=False)
        _read_bent(search)


def module_by_module_again(search: SearchState) -> None:
    """Repeat module sampling with all remaining time, also from alternative quads of the same places.

    With a game it adds 4 bent cards in 178 photographs, for 6 ms each.
    """
    _read_curved(search, others=False)
    _read_bent(search)
    _read_curved(search, others=True)


CLOSE_UPS: tuple[Callable[[SearchState], None], ...] = (
    sharpened_cutouts,
    smoothed_cutouts,
    enlarged_cutouts,
    zbar_cutouts,
)
"""Close-ups of located codes that take a millisecond per place, in order."""

KNOWN_CLOSE_UPS = (matched_cutouts,)
"""The same with a game. All others together read no card more in 180 photographs of which 35 had located codes."""


def _retry(
    search: SearchState, way: str, reader: Reader, prepare: Prepare, *, larger: bool = True, most: int = MAX_UNREAD
) -> None:
    """Read a cut-out around each located code, shrunk or, if `larger`, resized to `MODULE_WANTED`."""
    for one in search.fresh(way, most):
        x, y, cut = cut_out(search.grey, one.quad, MARGIN * one.side)
        factor = float(np.clip(MODULE_WANTED / one.module, 0.2, 4)) if larger else min(MODULE_ENOUGH / one.module, 1)
        if reader is PYZBAR and not search.budget.affords(decode_seconds(round(ZBAR_COST * cut.size * factor**2))):
            search.tried[way].remove(one)
            continue
        ready = prepare(resized(cut, factor, factor), max(one.module * factor, 1))
        found = to_picture(reader(ready), (factor, factor), x, y)
        search.add(code for code in found if code.text is not None)


CLOSER, CLOSER_LATER = 0.5, 0.1
"""Shares of the remaining work that close-ups may take after the first passes, and after each later one.

Places that only a filtered picture shows are seldom codes. After the last pass close-ups may take all remaining work.
"""

HOPEFUL = 5
"""Number of located codes that, like one that was read, grant the search its full share of time."""

INVERTED = Zxing(invert=True)
INVERTED_GLOBAL = Zxing(binarizer=GLOBAL.binarizer, invert=True)

PASSES: tuple[Callable[[SearchState], None], ...] = (
    plain,
    zbar_first_cutouts,
    blurred_symbols,
    enlarged_picture,
    upright_picture,
    smoothed_picture,
    ImagePass("half", ZXING, across=0.5, down=0.5, cost=0.5),
    ImagePass("one threshold", GLOBAL, cost=0.6),
    ImagePass("half, one threshold", GLOBAL, across=0.5, down=0.5, cost=0.3),
    ImagePass("half, local threshold", ZXING, adaptive, 0.5, 0.5, cost=0.6),
    ImagePass("half, equalised", ZXING, equalised, 0.5, 0.5, cost=1.0),
    ImagePass("quarter, one threshold", GLOBAL, across=0.25, down=0.25, cost=0.4),
    ImagePass("white on black, one threshold", INVERTED_GLOBAL, cost=0.7),
    ImagePass("bridged", ZXING, bridged, cost=1),
    ImagePass("quarter, sharpened", ZXING, sharpened(1), 0.25, 0.25, cost=0.5),
    ImagePass("sharpened", ZXING, sharpened(1), cost=1.7),
    ImagePass("half, sharpened", ZXING, sharpened(1.5), 0.5, 0.5, cost=0.9),
    doubled_picture,
    sharpened_picture,
    module_by_module,
    ImagePass("local threshold", ZXING, adaptive, cost=1.6),
    ImagePass("quarter, ZBar", PYZBAR, across=0.25, down=0.25, cost=2),
    ImagePass("equalised", ZXING, equalised, cost=3.0),
    ImagePass("half, ZBar", PYZBAR, across=0.5, down=0.5, cost=4.2),
    module_by_module,
    ImagePass("white on black", INVERTED, cost=1.5),
    ImagePass("narrower", ZXING, untouched, 0.6, 1, cost=1.4),
    ImagePass("lower", ZXING, untouched, 1, 0.6, cost=1.3),
    ImagePass("evened", ZXING, evened, cost=2),
    enlarged_unseen,
    doubled_again,
    ImagePass("sharpened widely", ZXING, sharpened(6), cost=5),
    ImagePass("double, sharpened", ZXING, sharpened(2.5), 2, 2, cost=10),
    ImagePass("ZBar", PYZBAR, cost=16),
    module_by_module_again,
)
"""All passes over the whole picture in order; each runs only if more codes are wanted."""

KNOWN_PASSES: tuple[Callable[[SearchState], None], ...] = (
    plain,
    zbar_first_cutouts,
    matched_picture,
    enlarged_picture,
    upright_picture,
    smoothed_picture,
    module_by_module_again,
)
"""The passes with a game. After comparing the picture with the game's codes all others together read 1 of 620 cards."""

FIRST, SECOND = (plain, zbar_first_cutouts), (blurred_symbols, matched_picture)
"""The passes before the first close-ups, since they read located codes more cheaply than close-ups do."""


def run(
    grey: Grey,
    budget: TimeBudget | None = None,
    criterion: StopCriterion | None = None,
    game: PrintedGame | None = None,
) -> tuple[SearchState, dict[str, float]]:
    """Search a picture for codes until all passes have run or the time is up.

    `criterion` decides from the codes read so far whether codes are missing. Returns the state and the milliseconds of
    each pass. The state's budget then includes the time reserved for the steps that follow.
    """
    search = SearchState(grey, budget or TimeBudget.of(grey.size), criterion or StopCriterion(), game)
    timings: dict[str, float] = {}
    for one in PASSES if game is None else KNOWN_PASSES:
        # The plain pass always runs unless the time on the clock is up.
        if search.budget.timed_out if one is plain else search.late:
            search.cut_short = search.cut_short or search.wants_more
            break
        worked = time.thread_time()
        _timed(one, search, timings)
        search.unit = search.unit or time.thread_time() - worked
        if len(search.unread) >= HOPEFUL:
            search.whole.grant()
        if one in FIRST:
            continue
        with search.limited(CLOSER if one in SECOND else CLOSER_LATER):
            _look_closer(search, timings)
    _look_closer(search, timings)
    search.cut_short = search.cut_short and search.wants_more
    search.budget = search.whole = search.whole.released()
    return search, timings


def name_of(one: Callable[[SearchState], None]) -> str:
    """Return the name of a pass in the timings."""
    return one.name if isinstance(one, ImagePass) else one.__name__


def _look_closer(search: SearchState, timings: dict[str, float]) -> None:
    for one in CLOSE_UPS if search.game is None else KNOWN_CLOSE_UPS:
        if not search.unread:
            return
        _timed(one, search, timings)


def _timed(one: Callable[[SearchState], None], search: SearchState, timings: dict[str, float]) -> None:
    began = time.perf_counter()
    one(search)
    timings[name_of(one)] = timings.get(name_of(one), 0) + (time.perf_counter() - began) * 1000
