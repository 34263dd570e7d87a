"""Reads blurred codes like ours where the game is not known: by error correction alone, without any guess.

Places come from corner patterns as a whole (`spots`), the blur is taken out by what is known of a symbol (`equaliser`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scanner import spots
from scanner.codebook import VERSION
from scanner.deep import must_compare
from scanner.equaliser import equalised, sampled
from scanner.own import FINE, HOPELESS
from scanner.readers import Found
from scanner.symbol import decode

if TYPE_CHECKING:
    from scanner.search import Search

ENOUGH = 3
"""Places from which on their size is taken for that of all."""

MISSES = 30
"""So many likely places in a row that cannot be read end the search at one size."""


def blurred_symbols(search: Search) -> None:
    """Read symbols of version 1 that are too blurred, too small or too noisy for readers, at the size of those seen.

    Where too few were even located to tell a size, nothing is done.
    """
    if search.game is not None or not search.wants_more:
        return
    alike = [one.module for one in search.codes or search.unread if one.version in {None, VERSION}]
    if len(alike) >= ENOUGH:
        _look(search, float(np.median(alike)))


def _look(search: Search, module: float) -> None:
    small = search.pyramid.shrunk(module, spots.FINE)
    middles = small.down(np.array([one.middle for one in search.codes]).reshape(-1, 2))
    found: list[Found] = []
    misses = 0
    pixels = module * float(small.scale.mean())
    for quad in small.up(spots.symbols(small.pixels, pixels, middles, lambda: must_compare(search))):
        place = Found(None, quad, VERSION)
        if any(place.is_at(one) for one in found):
            continue
        misses += 1
        if search.late or misses > MISSES:
            break
        level = search.pyramid.halved(place.module, FINE)
        modules, error = equalised(sampled(level.pixels, level.down(quad), VERSION), VERSION)
        text = decode(modules < 0, VERSION) if error < HOPELESS else None
        if text is not None:
            misses = 0
            found.append(Found(text, quad, VERSION))
    search.add(found)
