"""Decoding of QR symbols: Reed-Solomon with erasures restores overexposed parts, and never gives a wrong text."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
import qrcode
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.decode.qr_spec import QUIET, SPARE, checks_of, correct_block, decode, decode_with_erasures

if TYPE_CHECKING:
    import numpy.typing as npt

    Field = npt.NDArray[np.float32]

LEVELS = (qrcode.ERROR_CORRECT_L, qrcode.ERROR_CORRECT_M, qrcode.ERROR_CORRECT_Q, qrcode.ERROR_CORRECT_H)


@cache
def symbol(version: int, level: int) -> Field:
    """Return the modules of a code: -1 for black, 1 for white, quiet zone included."""
    made = qrcode.QRCode(version=version, error_correction=LEVELS[level], border=QUIET)
    made.add_data("HELLO 7")
    made.make(fit=False)
    return np.where(np.array(made.get_matrix()), -1, 1).astype(np.float32)


def spot(clear: Field, share: float, x: float = 0.55, y: float = 0.55, value: float = 1.0) -> Field:
    """Return the modules with a round part, a share of all, overexposed."""
    rows, columns = np.indices(clear.shape)
    radius = np.sqrt(share * clear.size / np.pi)
    inside = np.hypot(rows - y * len(clear), columns - x * len(clear)) < radius
    return np.where(inside, np.float32(value), clear)


@pytest.mark.parametrize("version", [1, 2, 6, 7, 14, 27, 40])
def test_an_intact_symbol_of_every_kind_is_decoded(version: int) -> None:
    """Blocks, masks, format and version bits agree with those of another library at each level."""
    for level in range(4):
        assert decode_with_erasures(spot(symbol(version, level), 0.004), version) == "HELLO 7"


@pytest.mark.parametrize(
    ("version", "level", "share", "value"),
    [(3, 3, 0.16, 1.0), (8, 3, 0.26, 1.0), (8, 2, 0.2, 1.0), (12, 1, 0.12, 1.0), (8, 3, 0.26, -0.05)],
)
def test_an_overexposed_or_grey_part_counts_as_erased(version: int, level: int, share: float, value: float) -> None:
    """A symbol with a spot that is too large for the plain reader is restored."""
    clear = spot(symbol(version, level), share, value=value)
    assert value < 0 or decode(clear < 0, version) is None
    assert decode_with_erasures(clear, version) == "HELLO 7"


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 10), st.integers(0, 3), st.floats(0, 0.6), st.floats(0, 1), st.floats(0, 1), st.integers(0, 99))
def test_no_other_text_is_ever_decoded(version: int, level: int, share: float, x: float, y: float, seed: int) -> None:
    """However much of a symbol is overexposed or wrong, its own text is decoded or none; noise is no symbol."""
    clear = spot(symbol(version, level), share, x, y)
    chance = np.random.default_rng(seed)
    noisy = clear * np.where(chance.random(clear.shape) < chance.uniform(0, 0.12), -1, 1)
    noisy = (noisy * chance.uniform(0.2, 1, clear.shape)).astype(np.float32)
    assert decode_with_erasures(noisy, version) in {None, "HELLO 7"}
    noise = chance.uniform(-1, 1, clear.shape).astype(np.float32)
    assert decode_with_erasures(noise, version) is None
    assert decode(noise < 0, version) is None


@settings(max_examples=50, deadline=None)
@given(st.integers(4, 30), st.integers(1, 100), st.integers(0, 2**32 - 1))
def test_errors_and_erasures_are_corrected_up_to_the_limit(checks: int, data: int, seed: int) -> None:
    """Wrong bytes count twice and erased ones once."""
    chance = np.random.default_rng(seed)
    said = chance.integers(0, 256, data, dtype=np.uint8)
    word = np.concatenate((said, checks_of(said, checks)))
    erased = int(chance.integers(0, min(max(checks - SPARE, 0), len(word)) + 1))
    wrong = min(int(chance.integers(0, max(checks - SPARE - erased, 0) // 2 + 1)), len(word) - erased)
    places = chance.permutation(len(word))[: erased + wrong]
    damaged = word.copy()
    damaged[places] = chance.integers(0, 256, len(places))
    fixed = correct_block(damaged, checks, [int(place) for place in places[:erased]])
    assert fixed is not None
    assert np.array_equal(fixed, word)


def test_random_words_are_not_corrected() -> None:
    """Words that are far from every code word are refused, whatever counts as erased."""
    chance = np.random.default_rng(8)
    for _, erased in product(range(60), range(9)):
        word = chance.integers(0, 256, 26)
        assert correct_block(word, 10, [int(place) for place in chance.permutation(26)[:erased]]) is None
