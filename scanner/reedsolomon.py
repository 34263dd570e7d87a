"""Reed-Solomon codes over the field of 256 elements that QR codes use, with erasures: places known to be doubtful.

An erased byte costs one byte of error correction, a wrong one costs two. Nothing is corrected up to the very limit:
some bytes are kept back as a check, so that by chance a wrong word passes once in 256 ^ `SPARE` tries at most.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Bytes = npt.NDArray[np.int64]

SPARE = 3
"""Bytes of error correction that are never used up, but must come out right."""

_FIELD = 0x11D
_SIZE = 255


def _tables() -> tuple[Bytes, Bytes]:
    powers, logs = np.zeros(2 * _SIZE, dtype=np.int64), np.zeros(_SIZE + 1, dtype=np.int64)
    value = 1
    for exponent in range(_SIZE):
        powers[exponent] = powers[exponent + _SIZE] = value
        logs[value] = exponent
        value <<= 1
        if value > _SIZE:
            value ^= _FIELD
    return powers, logs


_POWERS, _LOGS = _tables()


def corrected(word: Bytes, checks: int, erased: Sequence[int]) -> Bytes | None:
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
    """Return the check bytes of a block's data: the rest of dividing it by the code's polynomial."""
    return np.asarray(np.bitwise_xor.reduce(_times(single_checks(len(data), checks), data[:, np.newaxis]), axis=0))


@cache
def single_checks(length: int, checks: int) -> Bytes:
    """Return the check bytes of a 1 at each place of a block with so much data, shape (length, checks).

    They are linear: those of any data are the sum of these, each times what is at its place.
    """
    generator = np.array([1], dtype=np.int64)
    for exponent in range(checks):
        generator = _product(generator, np.array([1, _POWERS[exponent]]))
    rests = [generator[1:]]
    for _ in range(length - 1):
        rests.append(np.append(rests[-1][1:], 0) ^ _times(generator[1:], int(rests[-1][0])))
    return np.array(rests[::-1])


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
    """Find by how much each byte is wrong, by Forney's formula."""
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
