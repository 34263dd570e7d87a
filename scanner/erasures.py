"""Decodes a symbol of which parts are washed out, covered or scratched: what is doubtful counts as erased.

A glossy spot takes all contrast from the modules in it. A reader that takes them for black or white has to find these
errors, which costs twice as much error correction as knowing where they are. Which modules are doubtful shows in how
clear they are, and in whether everything around them looks the same, which is not so in a masked code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
import qrcode.base

from scanner.reedsolomon import SPARE, corrected
from scanner.symbol import QUIET, decode
from scanner.written import MASKS, VERSIONED, data_places, format_places, format_word, turned, with_version

if TYPE_CHECKING:
    import numpy.typing as npt

    Field = npt.NDArray[np.float32]
    Bytes = npt.NDArray[np.int64]

TRIES = 6
"""So many numbers of erased bytes are tried for each block, from none to as many as error correction takes."""

FORMAT_RIGHT = 22
"""How many of the format's 30 modules must be right: with two copies of a word that differs from others in 5 of 15."""

_AROUND = 5
# Modules a side of the surroundings that should not all look the same.
_VARIED = 0.5
# Spread of the modules there from which on they look varied.


@dataclass(frozen=True)
class _Block:
    """Places of a block's bytes, in its own order, among all bytes of the symbol; the last `checks` correct errors."""

    places: tuple[int, ...]
    checks: int


def restored(clear: Field, version: int) -> str | None:
    """Return the text of a symbol from how white its modules are (1 to -1), quiet zone included, or None."""
    inner = clear[QUIET:-QUIET, QUIET:-QUIET]
    form = _format(inner, version)
    if form is None:
        return None
    level, mask = form
    order = data_places(version)
    y, x = order.T
    bits = (inner[y, x] < 0) ^ turned(version, mask)[y, x]
    trust = _trust(inner)[y, x]
    number = len(bits) // 8
    said = np.packbits(bits[: 8 * number]).astype(np.int64)
    doubt = trust[: 8 * number].reshape(-1, 8).min(axis=1)
    for block in _blocks(version, level):
        word = _block(said[list(block.places)], doubt[list(block.places)], block.checks)
        if word is None:
            return None
        said[list(block.places)] = word
    right = np.unpackbits(said.astype(np.uint8)).astype(bool)
    black = clear < 0
    y, x = order[: len(right)].T
    black[y + QUIET, x + QUIET] = right ^ turned(version, mask)[y, x]
    for bit, places in zip(format_word(level, mask), format_places(version), strict=True):
        for row, column in places:
            black[row + QUIET, column + QUIET] = bit
    if version >= VERSIONED:
        black = with_version(black, version)
    return decode(black, version)


def _block(word: Bytes, trust: Field, checks: int) -> Bytes | None:
    """Correct a block, with ever more of its least trusted bytes erased."""
    order = np.argsort(trust, kind="stable")
    for number in np.unique(np.linspace(0, max(checks - SPARE, 0), TRIES).astype(int)):
        fixed = corrected(word, checks, [int(place) for place in order[:number]])
        if fixed is not None:
            return fixed
    return None


def _trust(inner: Field) -> Field:
    """Return how far each module can be trusted: by its own clearness and by how varied its surroundings are."""
    size = (_AROUND, _AROUND)
    mean = cv2.blur(inner, size, borderType=cv2.BORDER_REFLECT)
    square = cv2.blur(inner**2, size, borderType=cv2.BORDER_REFLECT)
    varied = np.sqrt(np.maximum(square - mean**2, 0)) / _VARIED
    return np.asarray(np.abs(inner) * np.minimum(varied, 1), dtype=np.float32)


def _format(inner: Field, version: int) -> tuple[int, int] | None:
    """Return the level's two bits and the mask that the format says, or None where it is not clear enough."""
    places = format_places(version)
    seen = np.array([[inner[place] for place in pair] for pair in places])
    best, form = 0.0, None
    for level in range(4):
        for mask in range(MASKS):
            signs = np.where(format_word(level, mask), -1, 1)[:, None]
            worth = float((seen * signs).sum())
            if worth > best and int((seen * signs > 0).sum()) >= FORMAT_RIGHT:
                best, form = worth, (level, mask)
    return form


@cache
def _blocks(version: int, level: int) -> tuple[_Block, ...]:
    """Return the blocks: their data bytes lie one of each in turn, and after all data so do their check bytes."""
    made = qrcode.base.rs_blocks(version, level)
    places: list[list[int]] = [[] for _ in made]
    place = 0
    for sizes in ([one.data_count for one in made], [one.total_count - one.data_count for one in made]):
        for index in range(max(sizes)):
            for block, size in enumerate(sizes):
                if index < size:
                    places[block].append(place)
                    place += 1
    return tuple(_Block(tuple(own), one.total_count - one.data_count) for own, one in zip(places, made, strict=True))
