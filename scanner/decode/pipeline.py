"""The order in which a picture is searched: one plain look, closer looks at what was only located, more looks.

To add a look at the whole picture: write a function that takes a `Search` and gives what it finds to `search.add`, or a
line for the table of `scanner.decode.full_image_passes.Look`; put it into `PASSES` in the order of gain for its time.
To add a way of looking closer at a place, see `scanner.decode.pipeline`. Measure both with `haggle bench scan`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from scanner.decode import curved_sampling, sampling
from scanner.decode.backends import GLOBAL, PYZBAR, ZXING, Zxing, moved
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
from scanner.decode.known_code_passes import blurred_symbols, own_cutouts, own_picture
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
"""What is cut out around a located code on each side, as a share of its side: more than the quiet zone."""

MODULE_WANTED = 5.0
"""Pixels a module to which cut-outs are enlarged, or shrunk."""

MODULE_ENOUGH = 8.0
"""Pixels a module that are enough where nothing is enlarged: more only cost time."""

GLANCES, GLANCED = 3, 0.1
"""So many located codes are read with the other reader while nothing else was read, in this share of the work left."""

ZBAR = 24
"""ZBar takes as long for a pixel of a large cut-out of print as decoding a JPEG takes for so many."""

LEGIBLE = 2.5
"""Pixels a module below which the other reader reads hardly any code: a glance at them would only cost time."""

BENT = 0.5
"""Share of the work that is left that this may take before all looks had their turn."""

FOLLOWING, FOLLOWING_A_MODULE = 2_500_000, 1_200
"""Following the modules of a symbol takes as long as decoding a JPEG of so many pixels, and so many for each module."""

MOST_BENT = 30
"""So many located codes are read module by module: each takes up to 40 ms."""


def sharpened_cutouts(search: SearchState) -> None:
    """Read located codes again, sharpened."""
    _retry(search, "sharpened", ZXING, sharpened_modules, larger=False)


def smoothed_cutouts(search: SearchState) -> None:
    """Read located codes again with less noise, where modules are large enough for that."""
    _retry(search, "smoothed", ZXING, lambda cut, module: sharpened_modules(cut, module, SOFTER), larger=False)


def enlarged_cutouts(search: SearchState) -> None:
    """Read located codes again, enlarged and sharpened more, with a threshold a region and with one for the cut-out."""
    for way, reader in (("enlarged", ZXING), ("enlarged, one threshold", GLOBAL)):
        _retry(search, way, reader, lambda cut, module: sharpen(cut, module / 2, 5))


def second_glance(search: SearchState) -> None:
    """Read a few located codes with the other reader where the first read none: at a steep slant it reads more."""
    if search.codes or search.module < LEGIBLE:
        return
    with search.limited(GLANCED):
        _retry(search, "second opinion", PYZBAR, untouched, most=GLANCES)
    if search.codes:
        second_opinion(search)


def second_opinion(search: SearchState) -> None:
    """Read located codes again with the other reader."""
    _retry(search, "second opinion", PYZBAR, untouched)


def _follow(search: SearchState, *, others: bool) -> None:
    """Read located codes of any version on paper that is not flat, by following their modules."""
    for one in search.fresh("followed", MOST_BENT, others=others):
        if not search.whole.affords(decode_seconds(FOLLOWING + FOLLOWING_A_MODULE * one.modules**2)):
            search.tried["followed"].remove(one)
            search.cut_short = True
            continue
        code = curved_sampling.read(search.grey, one, lambda: search.late)
        if code is not None:
            search.add([code])
        elif search.late and not search.whole.late:
            # It had only a share of the time, and may have its turn again.
            search.tried["followed"].remove(one)


def _bend(search: SearchState) -> None:
    """Read located codes on a grid that bends with the paper."""
    for one in search.fresh("module by module", MOST_BENT):
        code = sampling.read(search.grey, one, lambda: search.whole.late)
        if code is not None:
            search.add([code])


def module_by_module(search: SearchState) -> None:
    """Read located codes by their modules, on bent paper and through blur: that takes up to 100 ms a place."""
    with search.limited(BENT):
        _follow(search, others=False)
        _bend(search)


def module_by_module_again(search: SearchState) -> None:
    """Do the same with all the time that is left, and from the other quads that were located at the same places."""
    _follow(search, others=False)
    _bend(search)
    _follow(search, others=True)


CLOSE_UPS: tuple[Callable[[SearchState], None], ...] = (
    own_cutouts,
    sharpened_cutouts,
    smoothed_cutouts,
    enlarged_cutouts,
    second_opinion,
)
"""Ways of looking closer that take a millisecond a place, in the order in which they are tried."""


def _retry(
    search: SearchState, way: str, reader: Reader, prepare: Prepare, *, larger: bool = True, most: int = MAX_UNREAD
) -> None:
    """Read a cut-out around each located code, shrunk or, if it may be `larger`, enlarged to the wanted module."""
    for one in search.fresh(way, most):
        x, y, cut = cut_out(search.grey, one.quad, MARGIN * one.side)
        factor = float(np.clip(MODULE_WANTED / one.module, 0.2, 4)) if larger else min(MODULE_ENOUGH / one.module, 1)
        if reader is PYZBAR and not search.budget.affords(decode_seconds(round(ZBAR * cut.size * factor**2))):
            search.tried[way].remove(one)
            continue
        ready = prepare(resized(cut, factor, factor), max(one.module * factor, 1))
        found = moved(reader(ready), (factor, factor), x, y)
        search.add(code for code in found if code.text is not None)


CLOSER, CLOSER_LATER = 0.5, 0.1
"""Shares of the work that is left that closer looks may take after the first look, and after each later one.

What only a prepared picture shows is seldom a code. At the end they may take all that is left.
"""

HOPEFUL = 5
"""So many located codes are as good a sign as one that was read that the search is worth its full share."""

INVERTED = Zxing(invert=True)
INVERTED_GLOBAL = Zxing(binarizer=GLOBAL.binarizer, invert=True)

PASSES: tuple[Callable[[SearchState], None], ...] = (
    plain,
    second_glance,
    blurred_symbols,
    own_picture,
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
    ImagePass("quarter, second reader", PYZBAR, across=0.25, down=0.25, cost=2),
    ImagePass("equalised", ZXING, equalised, cost=3.0),
    ImagePass("half, second reader", PYZBAR, across=0.5, down=0.5, cost=4.2),
    module_by_module,
    ImagePass("white on black", INVERTED, cost=1.5),
    ImagePass("narrower", ZXING, untouched, 0.6, 1, cost=1.4),
    ImagePass("lower", ZXING, untouched, 1, 0.6, cost=1.3),
    ImagePass("evened", ZXING, evened, cost=2),
    enlarged_unseen,
    doubled_again,
    ImagePass("sharpened widely", ZXING, sharpened(6), cost=5),
    ImagePass("double, sharpened", ZXING, sharpened(2.5), 2, 2, cost=10),
    ImagePass("second reader", PYZBAR, cost=16),
    module_by_module_again,
)
"""All looks at the whole picture in the order in which they are taken, each only where it is wanted."""


FIRST = (plain, second_glance, blurred_symbols, own_picture)
"""The looks after which what was located is likely a code; the later ones read it more cheaply than looking closer."""


def run(
    grey: Grey, budget: TimeBudget | None = None, signs: StopCriterion | None = None, game: PrintedGame | None = None
) -> tuple[SearchState, dict[str, float]]:
    """Search a picture for codes until all passes had their turn or the time is used up.

    `signs` tell from the codes read so far whether more must be there. Timings are in milliseconds. What the budget
    keeps back is the search's from then on, for the steps that follow.
    """
    search = SearchState(grey, budget or TimeBudget.of(grey.size), signs or StopCriterion(), game)
    timings: dict[str, float] = {}
    for one in PASSES:
        # The plain look is always taken, if only it may be waited for: what it costs it is worth.
        if search.budget.timed_out if one is PASSES[0] else search.late:
            search.cut_short = search.cut_short or search.wants_more
            break
        worked = time.thread_time()
        _timed(one, search, timings)
        search.unit = search.unit or time.thread_time() - worked
        if len(search.unread) >= HOPEFUL:
            search.whole.see()
        if one in FIRST[:-1]:
            continue
        with search.limited(CLOSER if one is FIRST[-1] else CLOSER_LATER):
            _look_closer(search, timings)
    _look_closer(search, timings)
    search.cut_short = search.cut_short and search.wants_more
    search.budget = search.whole = search.whole.released()
    return search, timings


def name_of(one: Callable[[SearchState], None]) -> str:
    """Return the name under which a pass's time is given."""
    return one.name if isinstance(one, ImagePass) else one.__name__


def _look_closer(search: SearchState, timings: dict[str, float]) -> None:
    for one in CLOSE_UPS:
        if not search.unread:
            return
        _timed(one, search, timings)


def _timed(one: Callable[[SearchState], None], search: SearchState, timings: dict[str, float]) -> None:
    began = time.perf_counter()
    one(search)
    timings[name_of(one)] = timings.get(name_of(one), 0) + (time.perf_counter() - began) * 1000
