"""Reads cards of which only the outline was found: it says where their codes lie, to a module or so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scanner import own
from scanner.budget import decode_seconds
from scanner.codebook import VERSION, Codebook
from scanner.quads import codes_of, side
from scanner.readers import Found
from scanner.symbol import side as modules_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import Game
    from scanner.own import Reading
    from scanner.result import Quad
    from scanner.search import Search

HOPELESS = 3
"""Where the surest so many cards tell nothing, the others will not."""

READING = 6_000_000
"""What comparing takes as a rule: as long as decoding a JPEG of so many pixels."""

NAMING = 2_000_000
"""What giving the reasons afterwards takes, in the same way."""

_OFF = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))
# Modules by which an outline may be off; the filter takes half a module more.


def read_outlined(search: Search, game: Game, outlines: Sequence[Quad]) -> None:
    """Compare the codes of cards with these outlines, surest first, with all codes of the game, while there is time.

    What is told goes to the search. A place takes a quarter of a millisecond to one, a card at most 18 places.
    """
    book = Codebook.of(game)
    told = 0
    for tried, outline in enumerate(outlines):
        if (tried >= HOPELESS and not told) or not _has_time(search):
            return
        found = _told(search, book, codes_of(outline, game.geometry))
        search.add(found)
        told += bool(found)


def _has_time(search: Search) -> bool:
    return search.budget.affords(decode_seconds(NAMING))


def _told(search: Search, book: Codebook, codes: Sequence[Quad]) -> list[Found]:
    """Return the codes of one card that are sure: one of its places, or both where only their sum is."""
    best: list[Reading] = []
    for code in codes:
        readings = []
        for off in _OFF:
            if not _has_time(search):
                return []
            moved = code + np.array(off) * (side(code) / modules_of(VERSION))
            reading = own.read(search.pyramid, moved, book)
            if reading is not None and reading.text is not None:
                return [Found(reading.text, moved, VERSION)]
            if reading is not None:
                readings.append(reading)
        best += sorted(readings, key=lambda one: one.error)[:1]
    if len(best) == len(codes) > 1:
        text, _ = own.told(best[0].modules / best[0].error + best[1].modules / best[1].error, book)
        if text is not None:
            return [Found(text, one.quad, VERSION) for one in best]
    return []
