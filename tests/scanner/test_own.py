"""Telling a game's card from modules that no error correction gets right, and never a wrong one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.cards import CardId
from cardgen.payload import ALPHABET, card_text, label_text
from devtools.photo_simulator import Scene, dealt_cards, photograph, printed_faces
from devtools.photo_simulator.profiles import NOMINAL
from scanner import own, scan_photo
from scanner.codebook import COPIES, Codebook
from scanner.equaliser import equalised, sampled
from scanner.pixels import smooth
from scanner.pyramid import Pyramid
from tests.scanner.shots import CARDS, GAME, OTHER_GAME
from tests.scanner.test_codebook import signs
from tests.scanner.test_grid import drawn
from tests.scanner.test_grid import modules as modules_of

BOOK = Codebook.of(GAME)
TEXT = card_text(GAME, CARDS[0])


def shown(text: str) -> np.ndarray:
    """Return the modules of a code without any doubt."""
    return signs(text).astype(np.float32)


def noisy(modules: np.ndarray, noise: float, seed: int) -> np.ndarray:
    """Return modules with noise of so many times the difference between grey and white."""
    return (modules + noise * np.random.default_rng(seed).standard_normal(modules.shape)).astype(np.float32)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(CARDS), st.integers(0, 2**32 - 1))
def test_a_fifth_of_wrong_modules_is_no_trouble(card: CardId, seed: int) -> None:
    """Where noise turns 12 % of the modules over, the right card is told; error correction takes 8 % at best."""
    text = card_text(GAME, card)
    told, clear = own.told(noisy(shown(text), 0.85, seed), BOOK)
    assert told == text
    assert clear >= own.SURE


def test_labels_are_told_too() -> None:
    """The code on an envelope's label is one of the game's."""
    text = label_text(GAME, 3)
    assert own.told(noisy(shown(text), 0.8, 1), BOOK)[0] == text


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_noise_is_no_card(seed: int) -> None:
    """Modules by chance stand out far too little for any card."""
    told, clear = own.told(noisy(np.zeros(625), 1, seed), BOOK)
    assert told is None
    assert clear < own.SURE - 1


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(CARDS[:30]), st.integers(9, 19), st.sampled_from(ALPHABET), st.floats(0, 1.5))
def test_one_wrong_character_in_the_tag_is_no_card(card: CardId, place: int, letter: str, noise: float) -> None:
    """A code that differs from a true one in a single character of its tag is not taken for it, sharp or noisy."""
    text = card_text(GAME, card)
    forged = text[:place] + letter + text[place + 1 :]
    told, _ = own.told(noisy(shown(forged), noise, place), BOOK)
    assert told in ((None, text) if forged == text else (None,))


@pytest.mark.parametrize(
    "text",
    [
        card_text(OTHER_GAME, CARDS[0]),
        card_text(replace(GAME, key=b"wrong"), CARDS[0]),
        card_text(GAME, CardId(GAME.kinds[0], COPIES * GAME.players + 1)),
        "HTTPS://EXAMPLE.ORG.",
    ],
)
@pytest.mark.parametrize("noise", [0, 0.5, 1])
def test_a_code_that_is_not_in_the_book_is_no_card(text: str, noise: float) -> None:
    """Codes of other games, of a wrong key, of copies beyond the book and of others are not taken for a card."""
    assert own.told(noisy(shown(text), noise, 1), BOOK)[0] is None


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(CARDS[:40]), st.sampled_from(CARDS[40:80]), st.floats(0.45, 0.55))
def test_two_codes_mixed_give_neither(one: CardId, other: CardId, share: float) -> None:
    """Where the codes of two cards are mixed in like parts, neither card is told."""
    mixed = share * shown(card_text(GAME, one)) + (1 - share) * shown(card_text(GAME, other))
    assert own.told(mixed.astype(np.float32), BOOK)[0] is None


@pytest.mark.parametrize("module", [4, 12])
def test_a_blurred_code_is_read_where_it_lies(module: int) -> None:
    """Blur of a module is undone; in a large picture the code is read from a halved one."""
    pixels, found = drawn(TEXT, module)
    reading = own.read(Pyramid(smooth(pixels, 0.8 * module)), found.quad, BOOK)
    assert reading is not None
    assert reading.text == TEXT


def test_a_place_without_a_code_is_hopeless() -> None:
    """Where nothing of a symbol fits there is no reading."""
    chance = np.random.default_rng(1)
    blocks = np.kron(chance.integers(0, 2, (31, 31), dtype=np.uint8) * 255, np.ones((8, 8), dtype=np.uint8))
    quad = np.array([(40, 40), (208, 40), (208, 208), (40, 208)], dtype=np.float64)
    assert own.read(Pyramid(blocks), quad, BOOK) is None


def test_the_equaliser_takes_blur_out() -> None:
    """From blurred modules, of which every tenth is on the wrong side, the equaliser gets nearly all right."""
    pixels, found = drawn(TEXT, 6)
    blurred = smooth(pixels, 0.7 * 6)
    samples = sampled(blurred, found.quad)
    plain = samples[4:-4:2, 4:-4:2]
    modules, error = equalised(samples)
    true = np.where(modules_of(TEXT)[0], -1, 1)
    assert np.mean((plain < plain.mean()) == (true < 0)) < 0.93  # what a threshold would get right
    assert np.mean((modules < 0) == (true < 0)) > 0.98
    assert error < 0.1


@pytest.mark.parametrize("defocus", [0.7, 1.0, 1.3])
def test_cards_of_another_game_are_no_cards_in_blur(defocus: float) -> None:
    """However blurred, cards of another game are not taken for any of this one."""
    faces = printed_faces(OTHER_GAME, dealt_cards(OTHER_GAME)[:9], dpi=220)
    photo = photograph(faces, Scene(replace(NOMINAL, defocus=defocus), 2016, 1512), "other")
    result = scan_photo(photo.jpeg, GAME)
    assert result.seen == ()
    assert {code.status for code in result.codes} <= {"other-game"}
