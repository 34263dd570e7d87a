"""Symbols that are partly washed out are restored, and nothing is made up."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
import qrcode
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.erasures import restored
from scanner.reedsolomon import SPARE, corrected
from scanner.symbol import QUIET, decode

if TYPE_CHECKING:
    import numpy.typing as npt

    Field = npt.NDArray[np.float32]

LEVELS = (qrcode.ERROR_CORRECT_L, qrcode.ERROR_CORRECT_M, qrcode.ERROR_CORRECT_Q, qrcode.ERROR_CORRECT_H)


@cache
def symbol(version: int, level: int) -> Field:
    """Return the modules of a code: -1 for black, 1 for white, quiet zone included."""
    made = qrcode.QRCode(version=version, error_correction=level, border=QUIET)
    made.add_data("HELLO 7")
    made.make(fit=False)
    return np.where(np.array(made.get_matrix()), -1, 1).astype(np.float32)


def spot(clear: Field, share: float, x: float = 0.55, y: float = 0.55, value: float = 1.0) -> Field:
    """Return the modules with a round part of them, a share of all, washed out."""
    rows, columns = np.indices(clear.shape)
    radius = np.sqrt(share * clear.size / np.pi)
    inside = np.hypot(rows - y * len(clear), columns - x * len(clear)) < radius
    return np.where(inside, np.float32(value), clear)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("version", [1, 2, 5, 6, 7, 10, 14, 27, 32, 40])
def test_a_clean_symbol_of_every_kind_is_decoded(version: int, level: int) -> None:
    """Blocks, masks, format and version bits are laid out as the reader lays them out, at each size and level."""
    clear = spot(symbol(version, level), 0.004)
    assert restored(clear, version) == "HELLO 7"


@pytest.mark.parametrize(("version", "level", "share"), [(3, 3, 0.16), (8, 3, 0.26), (8, 2, 0.2), (12, 1, 0.12)])
def test_a_washed_out_part_counts_as_erased(version: int, level: int, share: float) -> None:
    """With a bright spot too large for the reader, which takes it for white modules, the symbol is restored."""
    clear = spot(symbol(version, LEVELS[level]), share)
    assert decode(clear < 0, version) is None
    assert restored(clear, version) == "HELLO 7"


def test_a_grey_part_counts_as_erased() -> None:
    """Modules without any contrast are not trusted either."""
    clear = spot(symbol(8, LEVELS[3]), 0.26, value=-0.05)
    assert restored(clear, 8) == "HELLO 7"


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 10), st.integers(0, 3), st.floats(0, 0.6), st.floats(0, 1), st.floats(0, 1), st.integers(0, 99))
def test_nothing_else_is_ever_read(version: int, level: int, share: float, x: float, y: float, seed: int) -> None:
    """However much of a symbol is washed out or wrong, its own text comes or none."""
    clear = spot(symbol(version, LEVELS[level]), share, x, y)
    chance = np.random.default_rng(seed)
    noisy = clear * np.where(chance.random(clear.shape) < chance.uniform(0, 0.12), -1, 1)
    noisy = (noisy * chance.uniform(0.2, 1, clear.shape)).astype(np.float32)
    assert restored(noisy, version) in {None, "HELLO 7"}


def test_noise_is_no_symbol() -> None:
    """Random modules give no text at any version."""
    chance = np.random.default_rng(4)
    for version in range(1, 21):
        length = 17 + 4 * version + 2 * QUIET
        assert restored(chance.uniform(-1, 1, (length, length)).astype(np.float32), version) is None


@settings(max_examples=200, deadline=None)
@given(st.integers(4, 30), st.integers(1, 100), st.integers(0, 2**32 - 1))
def test_errors_and_erasures_are_corrected_up_to_the_bound(checks: int, data: int, seed: int) -> None:
    """Wrong bytes count twice and erased ones once; all are corrected while the spare bytes are left."""
    chance = np.random.default_rng(seed)
    # Zeros are a word of every such code, and the code is linear: what holds for them holds for all words.
    word = np.zeros(data + checks, dtype=np.int64)
    erased = int(chance.integers(0, min(max(checks - SPARE, 0), len(word)) + 1))
    wrong = min(int(chance.integers(0, max(checks - SPARE - erased, 0) // 2 + 1)), len(word) - erased)
    places = chance.permutation(len(word))[: erased + wrong]
    damaged = word.copy()
    damaged[places] = chance.integers(0, 256, len(places))
    fixed = corrected(damaged, checks, [int(place) for place in places[:erased]])
    assert fixed is not None
    assert not fixed.any()


def test_random_words_are_not_corrected() -> None:
    """Words that are far from any of the code are refused, whatever is taken as erased."""
    chance = np.random.default_rng(8)
    for _ in range(2000):
        word = chance.integers(0, 256, 26)
        erased = chance.permutation(26)[: chance.integers(0, 9)]
        assert corrected(word, 10, [int(place) for place in erased]) is None
