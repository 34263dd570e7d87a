"""Where a symbol's bits are written (ISO/IEC 18004, model 2): the order of the data, the masks, format and version.

Places are (row, column) without the quiet zone, unless something else is said.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from scanner.symbol import QUIET, UNKNOWN, known, side

if TYPE_CHECKING:
    import numpy.typing as npt

    Bits = npt.NDArray[np.bool_]
    Places = npt.NDArray[np.intp]

MASKS = 8
"""Mask patterns that an encoder may choose from."""

VERSIONED = 7
"""From this version on symbols tell their version."""

_FORMAT, _FORMAT_LENGTH, _FORMAT_MASK = 0x537, 10, 0x5412
# The code that protects the format, the bits that it adds, and what is laid over all (annex C).
_VERSION, _VERSION_LENGTH = 0x1F25, 12
# The code that protects the version, and the bits that it adds (annex D).


@cache
def data_places(version: int) -> Places:
    """Return the places of the data's modules in their order, shape (n, 2): up and down in pairs of columns."""
    length, taken = side(version), _reserved(version)
    places, upwards = [], True
    for right in (*range(length - 1, 6, -2), 5, 3, 1):
        rows = range(length - 1, -1, -1) if upwards else range(length)
        places += [(y, x) for y in rows for x in (right, right - 1) if not taken[y, x]]
        upwards = not upwards
    return np.array(places, dtype=np.intp)


@cache
def turned(version: int, mask: int) -> Bits:
    """Return which modules a mask turns over (table 10)."""
    y, x = np.indices((side(version), side(version)))
    rests = (
        (y + x) % 2,
        y % 2,
        x % 3,
        (y + x) % 3,
        (y // 2 + x // 3) % 2,
        (y * x) % 2 + (y * x) % 3,
        ((y * x) % 2 + (y * x) % 3) % 2,
        ((y + x) % 2 + (y * x) % 3) % 2,
    )
    return np.asarray(rests[mask] == 0)


@cache
def format_places(version: int) -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
    """Return the two places of each bit of the format, most significant first (figure 25)."""
    last = side(version) - 1
    around = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    apart = [(y, 8) for y in range(last, last - 7, -1)] + [(8, x) for x in range(last - 7, last + 1)]
    return tuple(zip(around, apart, strict=True))


@cache
def format_word(level: int, mask: int) -> tuple[bool, ...]:
    """Return the 15 bits of the format for the level's two bits, most significant first; True is black."""
    word = _protected(level << 3 | mask, _FORMAT, _FORMAT_LENGTH) ^ _FORMAT_MASK
    return tuple(bool(word >> place & 1) for place in reversed(range(15)))


def with_version(black: Bits, version: int) -> Bits:
    """Return the modules, quiet zone included, with the version's own bits: the reader insists on them."""
    word = _protected(version, _VERSION, _VERSION_LENGTH)
    written = black.copy()
    start = side(version) - 11 + QUIET
    for place in range(18):
        row, column = place // 3 + QUIET, place % 3 + start
        written[row, column] = written[column, row] = word >> place & 1
    return written


def _reserved(version: int) -> Bits:
    """Return which modules bear no data: the known ones, the format and the version."""
    length = side(version)
    taken: Bits = known(version)[QUIET:-QUIET, QUIET:-QUIET] != UNKNOWN
    for pair in format_places(version):
        for place in pair:
            taken[place] = True
    if version >= VERSIONED:
        taken[:6, length - 11 : length - 8] = taken[length - 11 : length - 8, :6] = True
    return taken


def _protected(bits: int, code: int, length: int) -> int:
    """Return bits followed by the rest, `length` bits long, of dividing them by a code's polynomial."""
    rest = bits << length
    while rest.bit_length() > length:
        rest ^= code << (rest.bit_length() - length - 1)
    return bits << length | rest
