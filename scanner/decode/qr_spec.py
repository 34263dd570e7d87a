"""Structure of QR codes (ISO/IEC 18004, model 2): function patterns, data placement, masks and format information."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import zxingcpp
from qrcode.main import QRCode
from qrcode.util import BCH_type_info, mask_func

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Modules = npt.NDArray[np.int8]
    Bits = npt.NDArray[np.bool_]
    Places = npt.NDArray[np.intp]


QUIET = 2
"""Modules of the quiet zone around a symbol that are taken as known: as printed on cards."""

UNKNOWN, WHITE, BLACK = -1, 0, 1

# Smallest version whose symbols have version information.
_VERSIONED = 7


def modules_of(version: int) -> int:
    """Return the number of modules along a side of a symbol, without its quiet zone."""
    return 17 + 4 * version


@cache
def known(version: int) -> Modules:
    """Return the modules that all symbols of a version share, with their quiet zone, and UNKNOWN for the others.

    Shape (n, n) with n = side + 2 x QUIET: finder patterns with their separators, timing and alignment
    patterns, and the dark module. BLACK and WHITE are known.
    """
    modules = np.array([[UNKNOWN if one is None else int(one) for one in row] for row in _blank(version).modules])
    modules[modules_of(version) - 8, 8] = BLACK
    return np.pad(modules.astype(np.int8), QUIET, constant_values=WHITE)


def _blank(version: int) -> QRCode:
    """Return a symbol with nothing but its function patterns: True for black, False for white, None for the others."""
    symbol, length = QRCode(version=version), modules_of(version)
    symbol.modules_count, symbol.modules = length, [[None] * length for _ in range(length)]
    for row, column in ((0, 0), (length - 7, 0), (0, length - 7)):
        symbol.setup_position_probe_pattern(row, column)
    symbol.setup_position_adjust_pattern()
    symbol.setup_timing_pattern()
    return symbol


def drawn(version: int, level: int, mask: int, data: Sequence[int]) -> Bits:
    """Return the modules, True for black, of a symbol of bytes with their error correction, in its order."""
    symbol = QRCode(version=version, error_correction=level)
    symbol.data_cache = list(data)
    symbol.makeImpl(test=False, mask_pattern=mask)
    return np.pad(np.array(symbol.modules, dtype=np.bool_), QUIET)


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


MASKS = 8
"""Mask patterns that an encoder may choose from."""


@cache
def data_places(version: int) -> Places:
    """Return the positions of the data modules in order, shape (n, 2): up and down in pairs of columns."""
    symbol, length = _blank(version), modules_of(version)
    symbol.setup_type_info(test=True, mask_pattern=0)
    if version >= _VERSIONED:
        symbol.setup_type_number(test=True)
    places, upwards = [], True
    for right in (*range(length - 1, 6, -2), 5, 3, 1):
        rows = range(length - 1, -1, -1) if upwards else range(length)
        places += [(y, x) for y in rows for x in (right, right - 1) if symbol.modules[y][x] is None]
        upwards = not upwards
    return np.array(places, dtype=np.intp)


@cache
def mask_pattern(version: int, mask: int) -> Bits:
    """Return the modules that a mask inverts."""
    along = range(modules_of(version))
    return np.array([[mask_func(mask)(y, x) for x in along] for y in along], dtype=np.bool_)


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
    word = BCH_type_info(level << 3 | mask)
    return tuple(bool(word >> place & 1) for place in reversed(range(15)))
