"""The codes of a game as modules, as they are printed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.cards import CardId
from cardgen.payload import ALPHABET, card_text, label_text
from cardgen.symbols import matrix
from scanner import codebook, symbol
from scanner.codebook import COPIES, MOST, Codebook
from scanner.written import MASKS
from tests.scanner.shots import CARDS, GAME


def signs(text: str) -> np.ndarray:
    """Return the modules of a code as it is printed, with its quiet zone: flat, -1 for black."""
    return np.where(np.pad(matrix(text), symbol.QUIET), -1, 1).ravel()


@settings(max_examples=60, deadline=None)
@given(st.text(ALPHABET, min_size=20, max_size=20))
def test_data_and_checks_lie_where_they_are_printed(text: str) -> None:
    """For any text the bits, turned over by the mask that the format names, are those that are printed."""
    drawn = signs(text)
    places, named = codebook.formats()
    (mask,) = [mask for mask in range(MASKS) if (named[mask] == drawn[places]).all()]
    bits = codebook.encoded([text])[0]
    assert (drawn[codebook.order()] * codebook.masks()[mask] == 1 - 2 * bits.astype(int)).all()


def test_every_module_that_is_not_known_is_told_once() -> None:
    """Data, checks and format cover all modules of a symbol that differ between codes, each once."""
    places = [*codebook.order(), *codebook.formats()[0]]
    assert sorted(places) == list(np.nonzero(symbol.known(1).ravel() == symbol.UNKNOWN)[0])


def test_a_book_has_every_card_and_label_of_a_game() -> None:
    """Every dealt card is in the book, and the label of every envelope."""
    book = Codebook.of(GAME)
    assert {card_text(GAME, card) for card in CARDS} <= set(book.texts)
    assert {label_text(GAME, envelope) for envelope in range(1, GAME.players + 1)} <= set(book.texts)
    assert len(set(book.texts)) == len(book.texts) == len(book.signs)
    assert card_text(GAME, CardId(GAME.kinds[0], COPIES * GAME.players + 1)) not in book.texts


def test_books_of_games_differ_and_are_made_once() -> None:
    """Another key gives another book; the same game gives the one that was made before."""
    other = replace(GAME, key=b"another")
    assert not set(Codebook.of(GAME).texts) & set(Codebook.of(other).texts)
    assert Codebook.of(replace(GAME, settings={"any": 1})) is Codebook.of(GAME)


@pytest.mark.parametrize("players", [1, 5_000])
def test_a_book_has_a_bounded_size(players: int) -> None:
    """However many players a game has, its book stays small enough to be searched."""
    book = Codebook.of(replace(GAME, players=players))
    assert len(book.texts) <= MOST + players


def test_no_secret_bit_is_the_same_in_every_code() -> None:
    """Each bit that is compared is black in some codes and white in others: it tells codes apart."""
    told = Codebook.of(GAME).signs[:, codebook.secret()]
    assert (abs(told.mean(axis=0)) < 0.6).all()


def test_codes_of_another_key_agree_by_chance_only() -> None:
    """A wrong code agrees with a card as often as not: on the mean by nothing, at most by what so many coins do."""
    ours, theirs = (Codebook.of(game).signs[:, codebook.secret()] for game in (GAME, replace(GAME, key=b"another")))
    clear = theirs @ (ours - codebook.usual()).T / np.sqrt(len(codebook.secret()))
    assert abs(clear.mean()) < 0.05
    assert clear.std() == pytest.approx(1, abs=0.03)
    assert clear.max() < 6


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(CARDS), st.integers(0, 2**32 - 1))
def test_near_misses_agree_as_their_own_codes_do(card: CardId, seed: int) -> None:
    """How well a text of one other character fits a place is told from the card's own code, without encoding it."""
    text = card_text(GAME, card)
    place = np.random.default_rng(seed).normal(0, 1, 208).astype(np.float32)
    near = [text[:at] + letter + text[at + 1 :] for at in range(1, 20) for letter in ALPHABET if letter != text[at]]
    bits = 1 - 2 * codebook.encoded([text, *near]).astype(np.float32)
    less = codebook.near_misses(text, bits[0] * place)
    assert less.shape == (589,)
    assert np.allclose(np.sort(less), np.sort((bits[0] - bits[1:]) @ place / 2), atol=1e-3)
