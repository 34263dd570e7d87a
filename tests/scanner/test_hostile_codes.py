"""No wrong reads: whatever is done to a symbol, it is read as what it shows or not at all."""

from __future__ import annotations

import time

import numpy as np
import pytest

from cardgen.payload import ALPHABET, LENGTH
from devtools.wrong_reads import WAYS, case, drawn, game_of_tests, is_wrong, own_texts, run
from scanner import own
from scanner.codebook import Codebook, encoded, secret
from tests.scanner.test_codebook import signs

TRIES = 6_000
"""Symbols that are spoilt in every run of the tests; `python -m devtools.wrong_reads` does the same for millions."""

SECONDS = 60.0
"""When to end on a slow machine."""


def test_spoilt_symbols_are_never_misread() -> None:
    """Flips, bursts, blends, forgeries and near misses: all decoders of modules say the right text or none."""
    tally = run(0, TRIES, stop=time.monotonic() + SECONDS)
    assert tally.wrong == []
    assert tally.tried.total() >= TRIES / 4
    # What is tried is neither hopeless nor harmless.
    for way in WAYS:
        tried, read = tally.tried[way.__name__], tally.read[way.__name__]
        assert read < tried
        assert (read > 0) is (way.__name__ != "nothing")


def test_pictures_of_spoilt_symbols_are_never_misread() -> None:
    """The same through the whole search, with the game's key and without."""
    tally = run(500_000, len(WAYS) * 8, pictures=1, stop=time.monotonic() + SECONDS)
    assert tally.wrong == []


def near_misses(text: str) -> list[str]:
    """Return all texts that differ in one character, which good error correction then protects."""
    return [
        text[:place] + letter + text[place + 1 :]
        for place in range(1, LENGTH)
        for letter in ALPHABET
        if letter != text[place]
    ]


@pytest.mark.parametrize("noise", [0.0, 0.3, 0.6])
def test_the_nearest_misses_are_no_cards(noise: float) -> None:
    """Of all texts a character off, those that agree best with a card in the secret bits are not taken for it."""
    pairs = [(text, near) for text in own_texts()[:40] for near in near_misses(text) if near not in own_texts()]
    true, off = (encoded([pair[which] for pair in pairs]) for which in (0, 1))
    agree = (true == off)[:, secret()].mean(axis=1)
    worst = np.argsort(-agree)[:100]
    # Without the last check these would pass for cards: they stand out as far as cards do in noise.
    assert float(agree[worst[0]]) > 0.8
    chance = np.random.default_rng(1)
    book = Codebook.of(game_of_tests())
    for place in worst:
        modules = drawn(pairs[place][1], 2)
        noisy = modules + np.float32(noise) * chance.standard_normal(modules.shape, dtype=np.float32)
        assert own.told(noisy, book)[0] is None


@pytest.mark.parametrize("number", [193_052, 215_336, 335_744, 495_920, 768_740])
def test_what_was_misread_once_is_not_again(number: int) -> None:
    """Near misses in one or two characters that a run of a million found, before comparing looked for them."""
    assert run(number, 1).wrong == []


def test_symbols_are_drawn_as_they_are_printed() -> None:
    """One of the masks gives the symbol that is printed."""
    text = own_texts()[0]
    assert any(np.array_equal(drawn(text, mask).ravel(), signs(text)) for mask in range(8))


def test_a_number_gives_the_same_symbol_again() -> None:
    """What a long run found can be shown again by its number."""
    one, same, other = case(77), case(77), case(77 + len(WAYS))
    assert np.array_equal(one.modules, same.modules)
    assert not np.array_equal(one.modules, other.modules)


def test_a_wrong_read_is_told() -> None:
    """A card that the symbol does not show counts as misread, and so does a text in our form that nobody printed."""
    game, (one, other) = game_of_tests(), own_texts()[:2]
    assert not is_wrong(one, frozenset({one}), game)
    assert is_wrong(other, frozenset({one}), game)
    assert is_wrong("H" + "0" * (LENGTH - 1), frozenset({one}), game)
    assert not is_wrong("https://example.org", frozenset({one}), game)
