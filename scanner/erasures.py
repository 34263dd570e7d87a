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
from scanner.symbol import QUIET, UNKNOWN, decode, known, side

if TYPE_CHECKING:
    import numpy.typing as npt

    Field = npt.NDArray[np.float32]
    Bits = npt.NDArray[np.bool_]
    Bytes = npt.NDArray[np.int64]
    Places = npt.NDArray[np.intp]

TRIES = 6
"""So many numbers of erased bytes are tried for each block, from none to as many as error correction takes."""

FORMAT_RIGHT = 22
"""How many of the format's 30 modules must be right: with two copies of a word that differs from others in 5 of 15."""

_FORMAT, _FORMAT_MASK = 0x537, 0x5412
# The code that protects the format, and what is laid over it (ISO/IEC 18004, annex C).
_VERSIONED = 7
# From this version on symbols tell their version.
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
    order = _order(version)
    y, x = order.T
    bits = (inner[y, x] < 0) ^ _masked(version, mask)[y, x]
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
    black[y + QUIET, x + QUIET] = right ^ _masked(version, mask)[y, x]
    for bit, places in zip(_word(level, mask), _format_places(version), strict=True):
        for row, column in places:
            black[row + QUIET, column + QUIET] = bit
    if version >= _VERSIONED:
        black = _with_version(black, version)
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
    places = _format_places(version)
    seen = np.array([[inner[place] for place in pair] for pair in places])
    best, form = 0.0, None
    for level in range(4):
        for mask in range(8):
            signs = np.where(_word(level, mask), -1, 1)[:, None]
            worth = float((seen * signs).sum())
            if worth > best and int((seen * signs > 0).sum()) >= FORMAT_RIGHT:
                best, form = worth, (level, mask)
    return form


@cache
def _word(level: int, mask: int) -> tuple[bool, ...]:
    """Return the 15 bits of the format, most significant first; True is black."""
    word = (level << 3 | mask) << 10
    rest = word
    for place in range(14, 9, -1):
        if rest >> place & 1:
            rest ^= _FORMAT << (place - 10)
    said = (word | rest) ^ _FORMAT_MASK
    return tuple(bool(said >> place & 1) for place in reversed(range(15)))


@cache
def _format_places(version: int) -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
    """Return the two places (row, column) of each bit of the format, most significant first (figure 25)."""
    last = side(version) - 1
    around = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    apart = [(y, 8) for y in range(last, last - 7, -1)] + [(8, x) for x in range(last - 7, last + 1)]
    return tuple(zip(around, apart, strict=True))


@cache
def _reserved(version: int) -> Bits:
    """Return which modules bear no data: the known ones, the format and the version."""
    length = side(version)
    taken: Bits = known(version)[QUIET:-QUIET, QUIET:-QUIET] != UNKNOWN
    for pair in _format_places(version):
        for place in pair:
            taken[place] = True
    if version >= _VERSIONED:
        taken[:6, length - 11 : length - 8] = taken[length - 11 : length - 8, :6] = True
    return taken


@cache
def _order(version: int) -> Places:
    """Return the places (row, column) of the data's modules in their order: up and down in pairs of columns."""
    length, taken = side(version), _reserved(version)
    places, upwards = [], True
    for right in (*range(length - 1, 6, -2), 5, 3, 1):
        rows = range(length - 1, -1, -1) if upwards else range(length)
        places += [(y, x) for y in rows for x in (right, right - 1) if not taken[y, x]]
        upwards = not upwards
    return np.array(places, dtype=np.intp)


@cache
def _masked(version: int, mask: int) -> Bits:
    """Return which modules a mask turns over (table 10)."""
    y, x = np.indices((side(version), side(version)))
    turned = (
        (y + x) % 2,
        y % 2,
        x % 3,
        (y + x) % 3,
        (y // 2 + x // 3) % 2,
        (y * x) % 2 + (y * x) % 3,
        ((y * x) % 2 + (y * x) % 3) % 2,
        ((y + x) % 2 + (y * x) % 3) % 2,
    )
    return np.asarray(turned[mask] == 0)


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


def _with_version(black: Bits, version: int) -> Bits:
    """Write the version's own bits (annex D): the reader insists on them."""
    rest = version << 12
    for place in range(17, 11, -1):
        if rest >> place & 1:
            rest ^= 0x1F25 << (place - 12)
    said = version << 12 | rest
    written = black.copy()
    start = side(version) - 11 + QUIET
    for place in range(18):
        row, column = place // 3 + QUIET, place % 3 + start
        written[row, column] = written[column, row] = said >> place & 1
    return written
