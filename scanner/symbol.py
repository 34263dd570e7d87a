"""What is known of a QR code (ISO/IEC 18004, model 2) before it is read, and decoding one from its clean modules."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import zxingcpp

if TYPE_CHECKING:
    import numpy.typing as npt

    Modules = npt.NDArray[np.int8]

QUIET = 2
"""Modules of the quiet zone around a symbol that are taken as known: what our cards print."""

UNKNOWN, WHITE, BLACK = -1, 0, 1

_LARGEST = 40
_ONLY_STEP_OF_32 = 26
# The one version whose alignment patterns do not follow from dividing its side evenly.


def side(version: int) -> int:
    """Return the number of modules along a side of a symbol, without its quiet zone."""
    return 17 + 4 * version


def alignment(version: int) -> list[int]:
    """Return the rows (and columns) in which the alignment patterns of a version have their centres (annex E)."""
    if not 1 <= version <= _LARGEST:
        raise ValueError(f"there is no version {version}")
    if version == 1:
        return []
    gaps = version // 7 + 1
    last = side(version) - 7
    # The gaps are even and equal, but for the first, which takes what remains.
    step = -(-(last - 6) // (2 * gaps)) * 2 if version != 32 else _ONLY_STEP_OF_32  # noqa: PLR2004 - see above
    return [6, *(last - step * place for place in reversed(range(gaps)))]


@cache
def known(version: int) -> Modules:
    """Return the modules that every symbol of a version has, with its quiet zone, and UNKNOWN for all others.

    Shape (n, n) with n = side + 2 x QUIET: finder patterns with their separators, timing and alignment
    patterns, and the dark module. BLACK and WHITE are known.
    """
    length = side(version)
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
    """Return the text of a symbol from its modules, or None where they are none. Known modules are set right.

    `black` has the shape of `known(version)`. Error correction takes some wrong modules; a text comes only if the
    reader finds the very version that was meant.
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
