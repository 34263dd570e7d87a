"""The order of the search: a plain pass, then further passes, and close-ups of codes that were only located.

A pass is an `ImagePass` or a function that takes a `SearchState` and passes its results to `SearchState.add`. `PASSES`
are those without a game, `KNOWN_PASSES` those with one. Most run only while codes seem to be missing.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import zxingcpp

from scanner.decode.backends import PYZBAR, ZXING, Zxing
from scanner.decode.passes import (
    ImagePass,
    equalised_cutouts,
    has_too_many_finders,
    matched_cutouts,
    matched_picture,
    module_by_module,
    plain,
    rescaled_picture,
    upright_picture,
)
from scanner.decode.search_state import SearchState
from scanner.image.filters import evened

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardgen.cards import PrintedGame
    from scanner.result import Grey
    from scanner.time_budget import TimeBudget


PASSES: tuple[Callable[[SearchState], None], ...] = (
    plain,
    upright_picture,
    equalised_cutouts,
    rescaled_picture,
    ImagePass("white on black, one threshold", Zxing(zxingcpp.Binarizer.GlobalHistogram, invert=True), always=True),
    module_by_module,
    ImagePass("evened", ZXING, evened),
    ImagePass("white on black", Zxing(invert=True)),
    ImagePass("half, ZBar", PYZBAR, scale=0.5),
    equalised_cutouts,
)
"""The passes without a game. Those in the table read, beside all others: one threshold 9 codes, for 3 ms in 829
photographs; evened 24, for 2 ms in 164; white on black 8, for 1 ms in 86; and ZBar 39, for 2 ms in 335
(`scanner.decode.passes` says of which). Those that run `always` find codes where none seems to be missing; evened ones
did not, in 408 real photographs and enlargements, for up to 1.2 times their decoding. A picture of half the size,
sharpened ones, and ones with thin dark lines closed gained nothing beside these.
"""

KNOWN_PASSES: tuple[Callable[[SearchState], None], ...] = (
    plain,
    matched_cutouts,
    matched_picture,
    rescaled_picture,
    upright_picture,
    matched_cutouts,
    module_by_module,
)
"""The passes with a game."""


def run(grey: Grey, budget: TimeBudget, game: PrintedGame | None = None) -> tuple[SearchState, dict[str, float]]:
    """Search a picture for codes until all passes have run or the time is up.

    Returns the state and the milliseconds of each pass.
    """
    search = SearchState(grey, budget, game)
    timings: dict[str, float] = {}
    passes = PASSES if game is None else KNOWN_PASSES
    # With a game such pictures are refused, and none is inverted.
    if game is None and (has_too_many_finders(grey) or has_too_many_finders(~grey)):
        passes, search.overlooked = (plain,), True
    for one in passes:
        # The plain pass always runs.
        if one is not plain and not search.allows():
            search.cut_short = True
            break
        _timed(one, search, timings)
    search.cut_short = search.cut_short and search.wants_more
    return search, timings


def name_of(one: Callable[[SearchState], None]) -> str:
    """Return the name of a pass in the timings."""
    return one.name if isinstance(one, ImagePass) else one.__name__


def _timed(one: Callable[[SearchState], None], search: SearchState, timings: dict[str, float]) -> None:
    began = time.perf_counter()
    one(search)
    timings[name_of(one)] = timings.get(name_of(one), 0) + (time.perf_counter() - began) * 1000
