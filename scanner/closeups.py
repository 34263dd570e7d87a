"""Looks closer at places where a code was located but not read. Each way goes over every such place once, cheap first.

To add a way: write a function that takes a `Search`, goes through `search.fresh(its name)` and gives what it reads
to `search.add`; put it into `CLOSE_UPS` in the order of its cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scanner import grid, lattice
from scanner.budget import decode_seconds
from scanner.deep import own_cutouts
from scanner.pixels import SOFTER, cut_out, resized, sharpen, sharpened_modules, untouched
from scanner.readers import GLOBAL, PYZBAR, ZXING, moved
from scanner.search import MAX_UNREAD

if TYPE_CHECKING:
    from collections.abc import Callable

    from scanner.pixels import Prepare
    from scanner.readers import Reader
    from scanner.search import Search

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


def sharpened_cutouts(search: Search) -> None:
    """Read located codes again, sharpened."""
    _retry(search, "sharpened", ZXING, sharpened_modules, larger=False)


def smoothed_cutouts(search: Search) -> None:
    """Read located codes again with less noise, where modules are large enough for that."""
    _retry(search, "smoothed", ZXING, lambda cut, module: sharpened_modules(cut, module, SOFTER), larger=False)


def enlarged_cutouts(search: Search) -> None:
    """Read located codes again, enlarged and sharpened more, with a threshold a region and with one for the cut-out."""
    for way, reader in (("enlarged", ZXING), ("enlarged, one threshold", GLOBAL)):
        _retry(search, way, reader, lambda cut, module: sharpen(cut, module / 2, 5))


def second_glance(search: Search) -> None:
    """Read a few located codes with the other reader where the first read none: at a steep slant it reads more."""
    if search.codes or search.module < LEGIBLE:
        return
    with search.limited(GLANCED):
        _retry(search, "second opinion", PYZBAR, untouched, most=GLANCES)
    if search.codes:
        second_opinion(search)


def second_opinion(search: Search) -> None:
    """Read located codes again with the other reader."""
    _retry(search, "second opinion", PYZBAR, untouched)


def _follow(search: Search, *, others: bool) -> None:
    """Read located codes of any version on paper that is not flat, by following their modules."""
    for one in search.fresh("followed", MOST_BENT, others=others):
        if not search.whole.affords(decode_seconds(FOLLOWING + FOLLOWING_A_MODULE * one.modules**2)):
            search.tried["followed"].remove(one)
            search.cut_short = True
            continue
        code = lattice.read(search.grey, one, lambda: search.late)
        if code is not None:
            search.add([code])
        elif search.late and not search.whole.late:
            # It had only a share of the time, and may have its turn again.
            search.tried["followed"].remove(one)


def _bend(search: Search) -> None:
    """Read located codes on a grid that bends with the paper."""
    for one in search.fresh("module by module", MOST_BENT):
        code = grid.read(search.grey, one, lambda: search.whole.late)
        if code is not None:
            search.add([code])


def module_by_module(search: Search) -> None:
    """Read located codes by their modules, on bent paper and through blur: that takes up to 100 ms a place."""
    with search.limited(BENT):
        _follow(search, others=False)
        _bend(search)


def module_by_module_again(search: Search) -> None:
    """Do the same with all the time that is left, and from the other quads that were located at the same places."""
    _follow(search, others=False)
    _bend(search)
    _follow(search, others=True)


CLOSE_UPS: tuple[Callable[[Search], None], ...] = (
    own_cutouts,
    sharpened_cutouts,
    smoothed_cutouts,
    enlarged_cutouts,
    second_opinion,
)
"""Ways of looking closer that take a millisecond a place, in the order in which they are tried."""


def _retry(
    search: Search, way: str, reader: Reader, prepare: Prepare, *, larger: bool = True, most: int = MAX_UNREAD
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
