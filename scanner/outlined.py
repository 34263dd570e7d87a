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
"""Where the clearest so many cards tell nothing, the others will not."""

BLANK = 8
"""Where the surest so many cards show nothing like a code of the game, the others will not."""

HOPEFUL = 4.9
"""How far the most likely code must stand out where an outline says that it lies, to be looked for around that place:
of cards that can be told there 97 of 100 stand out as far, of the others half."""

NAMING, LAST = 120_000, 1_000_000
"""What giving the reason of a card afterwards takes, and what telling decks and hints: as long as decoding a JPEG of so
many pixels."""

_OFF = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))
# Modules by which an outline may be off; the filter takes half a module more.


def read_outlined(search: Search, game: Game, outlines: Sequence[Quad]) -> None:
    """Compare the codes of cards with these outlines, surest first, with all codes of the game, while there is time.

    First each at its place, then those that were not told but stand out there around it. What is told goes to the
    search. A place takes a quarter of a millisecond to one, a card 2 or 18 places.
    """
    book = Codebook.of(game)
    naming = decode_seconds(NAMING * len(outlines) + LAST)
    near: list[tuple[float, list[Quad], list[Reading | None]]] = []
    told = blank = 0
    for outline in outlines:
        if blank >= BLANK and not told:
            break
        codes = codes_of(outline, game.geometry)
        readings, found = _read(search, book, codes, _OFF[:1], naming)
        search.add(found)
        told += bool(found)
        clear = max((one.clear for one in readings if one is not None), default=0.0)
        blank = 0 if clear >= HOPEFUL else blank + 1
        if clear >= HOPEFUL and not found:
            near.append((clear, codes, readings))
    near.sort(key=lambda one: -one[0])
    for tried, (_, codes, readings) in enumerate(near):
        if tried >= HOPELESS and not told:
            return
        more, found = _read(search, book, codes, _OFF[1:], naming)
        found = found or _by_both(codes, [readings, more], book)
        search.add(found)
        told += bool(found)


def _read(
    search: Search, book: Codebook, codes: Sequence[Quad], offs: Sequence[tuple[int, int]], left: float
) -> tuple[list[Reading | None], list[Found]]:
    """Return for each code of a card the clearest reading of these places around it, and the code that is sure.

    It ends when fewer than so many seconds of work are left.
    """
    clearest: list[Reading | None] = []
    for code in codes:
        readings = []
        for off in offs:
            if not search.budget.affords(left):
                return [], []
            moved = code + np.array(off) * (side(code) / modules_of(VERSION))
            reading = own.read(search.pyramid, moved, book)
            if reading is not None and reading.text is not None:
                return [], [Found(reading.text, moved, VERSION)]
            if reading is not None:
                readings.append(reading)
        clearest.append(min(readings, key=lambda one: one.error, default=None))
    return clearest, []


def _by_both(codes: Sequence[Quad], readings: Sequence[Sequence[Reading | None]], book: Codebook) -> list[Found]:
    """Return the codes of a card if the sum of their best readings is sure."""
    if not all(readings):
        return []
    best = [
        min((one for one in both if one is not None), key=lambda one: one.error, default=None)
        for both in zip(*readings, strict=True)
    ]
    some = [one for one in best if one is not None]
    if len(some) < len(codes) or len(some) < 2:  # noqa: PLR2004 - a card's two codes
        return []
    text, _ = own.told(some[0].modules / some[0].error + some[1].modules / some[1].error, book)
    return [Found(text, one.quad, VERSION) for one in some] if text is not None else []
