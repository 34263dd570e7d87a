"""What is made once in a process is made before the first photograph."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cardgen.cards import SIZES, Game
from scanner import warming
from scanner.reedsolomon import checks_of, corrected

GAME = Game(game="WARM", edition="", key=bytes(32), kinds=("A", "B"), players=2, seed="")


@pytest.mark.parametrize("size", SIZES)
def test_all_sizes_of_cards_can_be_warmed_up(size: str) -> None:
    """Cards of every size can be drawn: nothing is raised."""
    warming.warm_up(replace(GAME, geometry=SIZES[size]))


@pytest.mark.parametrize(("length", "checks"), [(1, 2), (16, 10), (19, 7), (60, 30)])
def test_check_bytes_make_a_word_without_errors(length: int, checks: int) -> None:
    """Data with its check bytes is right as it is, and is found again where a byte of it is wrong."""
    data = np.random.default_rng(length).integers(0, 256, length)
    word = np.concatenate((data, checks_of(data, checks)))
    spoiled = word.copy()
    spoiled[0] ^= 5
    assert np.array_equal(corrected(word, checks, []), word)
    assert (corrected(spoiled, checks, []) is None) == (checks < 5)
