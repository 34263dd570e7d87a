"""The order in which a picture is searched: one plain look, closer looks at what was only located, more looks.

To add a look at the whole picture: write a function that takes a `Search` and gives what it finds to `search.add`, or a
line for the table of `scanner.looks.Look`; put it into `PASSES` in the order of gain for its time. To add
a way of looking closer at a place, see `scanner.closeups`. Measure both with `haggle bench scan`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from scanner.blurred import blurred_symbols
from scanner.budget import Budget
from scanner.closeups import CLOSE_UPS, module_by_module, module_by_module_again, second_glance
from scanner.deep import own_picture
from scanner.looks import (
    Look,
    doubled_again,
    doubled_picture,
    enlarged_picture,
    enlarged_unseen,
    plain,
    sharpened_picture,
    smoothed_picture,
    upright_picture,
)
from scanner.pixels import adaptive, bridged, equalised, evened, sharpened, untouched
from scanner.readers import GLOBAL, PYZBAR, ZXING, Zxing
from scanner.search import Search, Signs

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardgen.cards import Game
    from scanner.result import Grey

CLOSER, CLOSER_LATER = 0.5, 0.1
"""Shares of the work that is left that closer looks may take after the first look, and after each later one.

What only a prepared picture shows is seldom a code. At the end they may take all that is left.
"""

HOPEFUL = 5
"""So many located codes are as good a sign as one that was read that the search is worth its full share."""

INVERTED = Zxing(invert=True)
INVERTED_GLOBAL = Zxing(binarizer=GLOBAL.binarizer, invert=True)

PASSES: tuple[Callable[[Search], None], ...] = (
    plain,
    second_glance,
    blurred_symbols,
    own_picture,
    enlarged_picture,
    upright_picture,
    smoothed_picture,
    Look("half", ZXING, across=0.5, down=0.5, cost=0.5),
    Look("one threshold", GLOBAL, cost=0.6),
    Look("half, one threshold", GLOBAL, across=0.5, down=0.5, cost=0.3),
    Look("half, local threshold", ZXING, adaptive, 0.5, 0.5, cost=0.6),
    Look("half, equalised", ZXING, equalised, 0.5, 0.5, cost=1.0),
    Look("quarter, one threshold", GLOBAL, across=0.25, down=0.25, cost=0.4),
    Look("white on black, one threshold", INVERTED_GLOBAL, cost=0.7),
    Look("bridged", ZXING, bridged, cost=1),
    Look("quarter, sharpened", ZXING, sharpened(1), 0.25, 0.25, cost=0.5),
    Look("sharpened", ZXING, sharpened(1), cost=1.7),
    Look("half, sharpened", ZXING, sharpened(1.5), 0.5, 0.5, cost=0.9),
    doubled_picture,
    sharpened_picture,
    module_by_module,
    Look("local threshold", ZXING, adaptive, cost=1.6),
    Look("quarter, second reader", PYZBAR, across=0.25, down=0.25, cost=2),
    Look("equalised", ZXING, equalised, cost=3.0),
    Look("half, second reader", PYZBAR, across=0.5, down=0.5, cost=4.2),
    module_by_module,
    Look("white on black", INVERTED, cost=1.5),
    Look("narrower", ZXING, untouched, 0.6, 1, cost=1.4),
    Look("lower", ZXING, untouched, 1, 0.6, cost=1.3),
    Look("evened", ZXING, evened, cost=2),
    enlarged_unseen,
    doubled_again,
    Look("sharpened widely", ZXING, sharpened(6), cost=5),
    Look("double, sharpened", ZXING, sharpened(2.5), 2, 2, cost=10),
    Look("second reader", PYZBAR, cost=16),
    module_by_module_again,
)
"""All looks at the whole picture in the order in which they are taken, each only where it is wanted."""


FIRST = (plain, second_glance, blurred_symbols, own_picture)
"""The looks after which what was located is likely a code; the later ones read it more cheaply than looking closer."""


def run(
    grey: Grey, budget: Budget | None = None, signs: Signs | None = None, game: Game | None = None
) -> tuple[Search, dict[str, float]]:
    """Search a picture for codes until all passes had their turn or the time is used up.

    `signs` tell from the codes read so far whether more must be there. Timings are in milliseconds. What the budget
    keeps back is the search's from then on, for the steps that follow.
    """
    search = Search(grey, budget or Budget.of(grey.size), signs or Signs(), game)
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


def name_of(one: Callable[[Search], None]) -> str:
    """Return the name under which a pass's time is given."""
    return one.name if isinstance(one, Look) else one.__name__


def _look_closer(search: Search, timings: dict[str, float]) -> None:
    for one in CLOSE_UPS:
        if not search.unread:
            return
        _timed(one, search, timings)


def _timed(one: Callable[[Search], None], search: Search, timings: dict[str, float]) -> None:
    began = time.perf_counter()
    one(search)
    timings[name_of(one)] = timings.get(name_of(one), 0) + (time.perf_counter() - began) * 1000
