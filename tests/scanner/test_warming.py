"""What is made once in a process is made before the first photograph."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cardgen.cards import SIZES, Game
from scanner import codebook, patches, warming
from scanner.reedsolomon import checks_of, corrected
from scanner.scan import scan_photo

GAME = Game(game="WARM", edition="", key=bytes(32), kinds=("A", "B"), players=2, seed="")


@pytest.mark.parametrize("game", [GAME, None])
def test_the_made_up_deck_takes_the_way_of_a_hopeless_photograph(
    monkeypatch: pytest.MonkeyPatch, game: Game | None
) -> None:
    """Warming up makes a game's book and scans a picture in which every card is a doubt and none is read.

    A server's readers do not know yet whose cards will come: templates are the same for all.
    """
    scanned = []

    def scan(data: bytes, game: Game) -> None:
        scanned.append(scan_photo(data, game))

    monkeypatch.setattr(warming, "scan_photo", scan)
    codebook._book.cache_clear()  # the books of other tests
    patches._turned_templates.cache_clear()  # their templates
    warming.warm_up(game)
    (result,) = scanned
    assert not result.codes
    assert len(result.doubts) == 12
    assert codebook._book.cache_info().currsize == 1
    assert patches._turned_templates.cache_info().currsize == 1


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
