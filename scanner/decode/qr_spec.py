"""Structure of QR codes (ISO/IEC 18004, model 2): function patterns, data placement, masks and format information."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import zxingcpp

if TYPE_CHECKING:
    import numpy.typing as npt

    Modules = npt.NDArray[np.int8]
    Bits = npt.NDArray[np.bool_]
    Places = npt.NDArray[np.intp]


QUIET = 2
"""Modules of the quiet zone around a symbol that are taken as known: as printed on cards."""

UNKNOWN, WHITE, BLACK = -1, 0, 1

_LARGEST = 40

# The one version whose alignment patterns do not follow from dividing its side evenly.
_ONLY_STEP_OF_32 = 26


def modules_of(version: int) -> int:
    """Return the number of modules along a side of a symbol, without its quiet zone."""
    return 17 + 4 * version


def alignment(version: int) -> list[int]:
    """Return the rows (and columns) in which the alignment patterns of a version have their centres (annex E)."""
    if not 1 <= version <= _LARGEST:
        raise ValueError(f"there is no version {version}")
    if version == 1:
        return []
    gaps = version // 7 + 1
    last = modules_of(version) - 7
    # The gaps are even and equal, but for the first, which takes what remains.
    step = -(-(last - 6) // (2 * gaps)) * 2 if version != 32 else _ONLY_STEP_OF_32  # noqa: PLR2004 - see above
    return [6, *(last - step * place for place in reversed(range(gaps)))]


@cache
def known(version: int) -> Modules:
    """Return the modules that all symbols of a version share, with their quiet zone, and UNKNOWN for the others.

    Shape (n, n) with n = side + 2 x QUIET: finder patterns with their separators, timing and alignment
    patterns, and the dark module. BLACK and WHITE are known.
    """
    length = modules_of(version)
    modules = np.full((length, length), UNKNOWN, dtype=np.int8)
    finder = np.zeros((8, 8), dtype=np.int8)
    finder[:7, :7] = _rings(7)
    modules[:8, :8], modules[:8, -8:], modules[-8:, :8] = finder, finder[:, ::-1], finder[::-1]
    timing = (np.arange(8, length - 8) + 1) % 2
    modules[6, 8:-8] = modules[8:-8, 6] = timing
    places = alignment(version)
    for y in places:
        for x in places:
            if not (x in places[:: len(places) - 1] and y in places[:: len(places) - 1]) or x == y == places[-1]:
                modules[y - 2 : y + 3, x - 2 : x + 3] = _rings(5)
    modules[length - 8, 8] = BLACK
    return np.pad(modules, QUIET, constant_values=WHITE)


def decode(black: npt.NDArray[np.bool_], version: int) -> str | None:
    """Decode a symbol from its modules, with the known ones corrected; None if that fails.

    `black` has the shape of `known(version)`. A text is only returned if zxing-cpp finds the expected version.
    """
    sure = known(version)
    modules = np.where(sure == UNKNOWN, black, sure == BLACK)
    pixels = np.kron(np.where(np.pad(modules, QUIET), 0, 255).astype(np.uint8), np.ones((3, 3), dtype=np.uint8))
    barcodes = zxingcpp.read_barcodes(
        pixels,
        formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode),
        text_mode=zxingcpp.TextMode.Plain,
        is_pure=True,
        try_invert=False,
    )
    for barcode in barcodes:
        details = barcode.extra
        if isinstance(details, dict) and str(details.get("Version")) == str(version):
            return barcode.text
    return None


def _rings(size: int) -> Modules:
    """Return nested squares: black outside, then white, then black."""
    centre = size // 2
    y, x = np.mgrid[:size, :size]
    distance = np.maximum(abs(x - centre), abs(y - centre))
    return np.asarray(distance != centre - 1, dtype=np.int8)


MASKS = 8
"""Mask patterns that an encoder may choose from."""

VERSIONED = 7
"""Smallest version whose symbols have version information."""

# Generator polynomial of the format information, its check bits, and the mask over all bits (annex C).
_FORMAT, _FORMAT_LENGTH, _FORMAT_MASK = 0x537, 10, 0x5412

# Generator polynomial of the version information, and its check bits (annex D).
_VERSION, _VERSION_LENGTH = 0x1F25, 12


@cache
def data_places(version: int) -> Places:
    """Return the positions of the data modules in order, shape (n, 2): up and down in pairs of columns."""
    length, taken = modules_of(version), _reserved(version)
    places, upwards = [], True
    for right in (*range(length - 1, 6, -2), 5, 3, 1):
        rows = range(length - 1, -1, -1) if upwards else range(length)
        places += [(y, x) for y in rows for x in (right, right - 1) if not taken[y, x]]
        upwards = not upwards
    return np.array(places, dtype=np.intp)


@cache
def mask_pattern(version: int, mask: int) -> Bits:
    """Return the modules that a mask inverts (table 10)."""
    y, x = np.indices((modules_of(version), modules_of(version)))
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
    last = modules_of(version) - 1
    around = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    apart = [(y, 8) for y in range(last, last - 7, -1)] + [(8, x) for x in range(last - 7, last + 1)]
    return tuple(zip(around, apart, strict=True))


@cache
def format_word(level: int, mask: int) -> tuple[bool, ...]:
    """Return the 15 bits of the format for the level's two bits, most significant first; True is black."""
    word = _protected(level << 3 | mask, _FORMAT, _FORMAT_LENGTH) ^ _FORMAT_MASK
    return tuple(bool(word >> place & 1) for place in reversed(range(15)))


def with_version(black: Bits, version: int) -> Bits:
    """Return the modules, quiet zone included, with the version information that the decoder requires."""
    word = _protected(version, _VERSION, _VERSION_LENGTH)
    written = black.copy()
    start = modules_of(version) - 11 + QUIET
    for place in range(18):
        row, column = place // 3 + QUIET, place % 3 + start
        written[row, column] = written[column, row] = word >> place & 1
    return written


def _reserved(version: int) -> Bits:
    """Return the modules without data: function patterns, format and version information."""
    length = modules_of(version)
    taken: Bits = known(version)[QUIET:-QUIET, QUIET:-QUIET] != UNKNOWN
    for pair in format_places(version):
        for place in pair:
            taken[place] = True
    if version >= VERSIONED:
        taken[:6, length - 11 : length - 8] = taken[length - 11 : length - 8, :6] = True
    return taken


def _protected(bits: int, code: int, length: int) -> int:
    """Return bits followed by their BCH check bits: the remainder modulo the code's polynomial, `length` bits."""
    rest = bits << length
    while rest.bit_length() > length:
        rest ^= code << (rest.bit_length() - length - 1)
    return bits << length | rest
