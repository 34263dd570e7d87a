"""Reed-Solomon decoding of QR codes with erasures: bytes known to be doubtful.

An erased byte costs one byte of error correction, an unknown error two. `SPARE` check bytes are never used up, so a
wrong word passes by chance at most once in 256 ^ `SPARE` attempts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
import qrcode.base

from scanner.decode.qr_spec import (
    MASKS,
    QUIET,
    data_places,
    decode,
    drawn,
    format_places,
    format_word,
    mask_pattern,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Bytes = npt.NDArray[np.int64]
    Field = npt.NDArray[np.float32]


SPARE = 3
"""Bytes of error correction that are never used up, but must come out right."""

# Powers of the field's generator, twice over so that sums of two logarithms need no remainder, and logarithms.
_SIZE = 255
_POWERS = np.tile(np.array(qrcode.base.EXP_TABLE[:_SIZE], dtype=np.int64), 2)
_LOGS = np.array(qrcode.base.LOG_TABLE, dtype=np.int64)


def correct_block(word: Bytes, checks: int, erased: Sequence[int]) -> Bytes | None:
    """Return the word of data and check bytes with its errors corrected, or None if there are too many.

    The last `checks` of its bytes are for error correction; `erased` are the places of doubtful ones.
    """
    syndromes = _syndromes(word, checks)
    if not syndromes.any():
        return word
    if len(erased) > checks - SPARE:
        return None
    # The locator polynomial begins with the erased places, and Berlekamp and Massey's steps find the wrong ones.
    length = len(word)
    locator = np.array([1], dtype=np.int64)
    for place in erased:
        locator = _product(locator, np.array([1, _POWERS[length - 1 - place]]))
    locator = _with_errors(locator, syndromes, len(erased))
    errors = len(locator) - 1 - len(erased)
    if errors < 0 or len(erased) + 2 * errors > checks - SPARE:
        return None
    places = [place for place in range(length) if not _value(locator, -(length - 1 - place))]
    if len(places) != len(locator) - 1:
        return None
    fixed = _fixed(word, syndromes, locator, places)
    return None if fixed is None or _syndromes(fixed, checks).any() else fixed


def checks_of(data: Bytes, checks: int) -> Bytes:
    """Return the check bytes of a block's data: its remainder modulo the generator polynomial."""
    generator = np.array([1], dtype=np.int64)
    for exponent in range(checks):
        generator = _product(generator, np.array([1, _POWERS[exponent]]))
    rest = np.zeros(checks, dtype=np.int64)
    for byte in data.tolist():
        rest = np.append(rest[1:], 0) ^ _times(generator[1:], byte ^ int(rest[0]))
    return rest


def _with_errors(locator: Bytes, syndromes: Bytes, erased: int) -> Bytes:
    former = locator.copy()
    for step in range(erased, len(syndromes)):
        terms = min(len(locator), step + 1)
        off = int(np.bitwise_xor.reduce(_times(locator[:terms], syndromes[step - np.arange(terms)])))
        former = np.concatenate(([0], former))
        if not off:
            continue
        if len(former) > len(locator):
            longer = _times(former, off)
            former = _times(locator, int(_POWERS[_SIZE - _LOGS[off]]))
            locator = longer
        locator = _sum(locator, _times(former, off))
    return np.trim_zeros(locator, "b")


def _fixed(word: Bytes, syndromes: Bytes, locator: Bytes, places: Sequence[int]) -> Bytes | None:
    """Correct the bytes at the error positions by Forney's formula."""
    evaluator = _product(syndromes, locator)[: len(syndromes)]
    slope = locator[1:].copy()
    slope[1::2] = 0
    fixed = word.copy()
    for place in places:
        power = len(word) - 1 - place
        below = _value(slope, -power)
        if not below:
            return None
        above = _value(evaluator, -power)
        if above:
            fixed[place] ^= _POWERS[(_LOGS[above] - _LOGS[below] + power + _SIZE) % _SIZE]
    return fixed


def _syndromes(word: Bytes, checks: int) -> Bytes:
    used = word != 0
    powers = np.outer(np.arange(checks), np.arange(len(word))[::-1][used])
    return np.asarray(np.bitwise_xor.reduce(_POWERS[(powers + _LOGS[word[used]]) % _SIZE], axis=1, initial=0))


def _value(polynomial: Bytes, exponent: int) -> int:
    """Return the value of a polynomial, lowest power first, at a power of the field's generator."""
    used = np.nonzero(polynomial)[0]
    return int(np.bitwise_xor.reduce(_POWERS[(_LOGS[polynomial[used]] + used * exponent) % _SIZE], initial=0))


def _product(one: Bytes, other: Bytes) -> Bytes:
    product = np.zeros(len(one) + len(other) - 1, dtype=np.int64)
    for place, factor in enumerate(other):
        product[place : place + len(one)] ^= _times(one, int(factor))
    return product


def _times(values: Bytes, factor: int | Bytes) -> Bytes:
    product = _POWERS[_LOGS[values] + _LOGS[factor]]
    return np.where((values == 0) | (np.asarray(factor) == 0), 0, product)


def _sum(one: Bytes, other: Bytes) -> Bytes:
    total = np.zeros(max(len(one), len(other)), dtype=np.int64)
    total[: len(one)] ^= one
    total[: len(other)] ^= other
    return total


TRIES = 6
"""Number of erasure counts that are tried for each block, from none to the most that can be corrected."""

FORMAT_RIGHT = 22
"""Number of the 30 format modules that must be right: two copies of a word that differs from others in 5 of 15 bits."""

# Modules a side of the surroundings that should not all look the same.
_AROUND = 5

# Spread of the modules there from which on they look varied.
_VARIED = 0.5


@dataclass(frozen=True)
class _Block:
    """Places of a block's bytes, in its own order, among all bytes of the symbol; the last `checks` correct errors."""

    places: tuple[int, ...]
    checks: int


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
    said = np.packbits(bits[: 8 * number]).astype(np.int64)
    doubt = trust[: 8 * number].reshape(-1, 8).min(axis=1)
    for block in _blocks(version, level):
        word = _block(said[list(block.places)], doubt[list(block.places)], block.checks)
        if word is None:
            return None
        said[list(block.places)] = word
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
def _blocks(version: int, level: int) -> tuple[_Block, ...]:
    """Return the blocks, whose data bytes are interleaved, followed by their interleaved check bytes."""
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
