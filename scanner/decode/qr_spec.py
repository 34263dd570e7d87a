"""QR codes (ISO/IEC 18004, model 2): function patterns, data placement, masks, format information, error correction."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
import qrcode.base
import reedsolo
import zxingcpp
from qrcode.main import QRCode
from qrcode.util import BCH_type_info, mask_func

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Modules = npt.NDArray[np.int8]
    Bits = npt.NDArray[np.bool_]
    Places = npt.NDArray[np.intp]
    Bytes = npt.NDArray[np.uint8]
    Field = npt.NDArray[np.float32]


QUIET = 2
"""Modules of the quiet zone around a symbol that are taken as known: as printed on cards."""

UNKNOWN, WHITE, BLACK = 0, 1, -1
"""Values of modules: also their signs where they are compared with brightness."""

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
    values = {None: UNKNOWN, False: WHITE, True: BLACK}
    modules = np.array([[values[one] for one in row] for row in _blank(version).modules])
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


SPARE = 3
"""Bytes of error correction that are never used up, but must come out right.

An erased byte costs one byte of error correction, an unknown error two. So a wrong word passes by chance at most once
in 256 ^ `SPARE` attempts.
"""

# The field of QR codes: x^8 + x^4 + x^3 + x^2 + 1.
reedsolo.init_tables(0x11D)


def correct_block(word: Bytes, checks: int, erased: Sequence[int]) -> Bytes | None:
    """Return the word of data and check bytes with its errors corrected, or None if there are too many.

    The last `checks` of its bytes are for error correction; `erased` are the places of doubtful ones.
    """
    try:
        data, check = reedsolo.rs_correct_msg(bytearray(word.tolist()), checks, erase_pos=list(erased))[:2]
    except (reedsolo.ReedSolomonError, ZeroDivisionError):
        return None
    fixed = np.frombuffer(data + check, dtype=np.uint8)
    errors = set(np.flatnonzero(fixed != word).tolist()) - set(erased)
    is_sure = not (fixed != word).any() or len(erased) + 2 * len(errors) <= checks - SPARE
    return fixed if is_sure else None


def checks_of(data: Bytes, checks: int) -> Bytes:
    """Return the check bytes of a block's data."""
    return np.frombuffer(reedsolo.rs_encode_msg(data.tobytes(), checks)[-checks:], dtype=np.uint8)


TRIES = 6
"""Number of erasure counts that are tried for each block, from none to the most that can be corrected."""

FORMAT_RIGHT = 22
"""Number of the 30 format modules that must be right: two copies of a word that differs from others in 5 of 15 bits."""

# Modules a side of the surroundings that should not all look the same.
_AROUND = 5

# Spread of the modules there from which on they look varied.
_VARIED = 0.5


def decode_with_erasures(clear: Field, version: int) -> str | None:
    """Return the text of a symbol from how white its modules are (1 to -1), quiet zone included, or None."""
    inner = clear[QUIET:-QUIET, QUIET:-QUIET]
    form = _format(inner, version)
    if form is None:
        return None
    level, mask = form
    y, x = data_places(version).T
    bits = (inner[y, x] < 0) ^ mask_pattern(version, mask)[y, x]
    trust = _trust(inner)[y, x]
    number = len(bits) // 8
    said = np.packbits(bits[: 8 * number])
    doubt = trust[: 8 * number].reshape(-1, 8).min(axis=1)
    for places, checks in _blocks(version, level):
        word = _block(said[places], doubt[places], checks)
        if word is None:
            return None
        said[places] = word
    return decode(drawn(version, level, mask, said.tolist()), version)


def _block(word: Bytes, trust: Field, checks: int) -> Bytes | None:
    """Correct a block, with ever more of its least trusted bytes erased."""
    order = np.argsort(trust, kind="stable")
    for number in np.unique(np.linspace(0, max(checks - SPARE, 0), TRIES).astype(int)):
        fixed = correct_block(word, checks, [int(place) for place in order[:number]])
        if fixed is not None:
            return fixed
    return None


def _trust(inner: Field) -> Field:
    """Return the reliability of each module: its own clearness times the variation of its surroundings."""
    size = (_AROUND, _AROUND)
    mean = cv2.blur(inner, size, borderType=cv2.BORDER_REFLECT)
    square = cv2.blur(inner**2, size, borderType=cv2.BORDER_REFLECT)
    varied = np.sqrt(np.maximum(square - mean**2, 0)) / _VARIED
    return np.asarray(np.abs(inner) * np.minimum(varied, 1), dtype=np.float32)


def _format(inner: Field, version: int) -> tuple[int, int] | None:
    """Return the error correction level's two bits and the mask of the format, or None if they are not clear enough."""
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
def _blocks(version: int, level: int) -> list[tuple[list[int], int]]:
    """Return the places of each block's bytes among all bytes of the symbol, and the number of its check bytes.

    The blocks' data bytes are interleaved, followed by their interleaved check bytes.
    """
    made = qrcode.base.rs_blocks(version, level)
    places: list[list[int]] = [[] for _ in made]
    place = 0
    for sizes in ([one.data_count for one in made], [one.total_count - one.data_count for one in made]):
        for index in range(max(sizes)):
            for block, size in enumerate(sizes):
                if index < size:
                    places[block].append(place)
                    place += 1
    return [(own, one.total_count - one.data_count) for own, one in zip(places, made, strict=True)]
