"""What the codes say: form, signature and the short code that people type."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.cards import CardId, Game
from cardgen.payload import (
    ALPHABET,
    MAX_NUMBER,
    card_of,
    card_of_short_code,
    card_text,
    encode,
    is_signed,
    label_text,
    new_game_id,
    new_key,
    parse,
    short_code,
)

KINDS = tuple(f"kind-{n}" for n in range(1, MAX_NUMBER + 2))
GAME = Game("7K3Q", "eurocg-2026", bytes(range(32)), KINDS, players=24, seed="s")
CARDS = st.builds(CardId, st.sampled_from(KINDS), st.integers(1, MAX_NUMBER))


@given(CARDS)
def test_a_card_comes_back_from_what_its_code_says(card: CardId) -> None:
    """A code has 20 characters, names its game and its card, and is signed with the game's key."""
    text = card_text(GAME, card)
    payload = parse(text)
    assert len(text) == 20
    assert payload is not None
    assert (payload.letter, payload.game) == ("H", "7K3Q")
    assert card_of(GAME, payload) == card
    assert is_signed(text, GAME.key)


def test_the_form_is_the_documented_one() -> None:
    """Format letter, game, kind, copy and the first 55 bits of the HMAC, each in Crockford's base32."""
    text = card_text(GAME, CardId("kind-35", 33))
    assert text[:9] == "H7K3Q" + "12" + "11"
    digest = hmac.new(GAME.key, b"H7K3Q1211", hashlib.sha256).digest()
    bits = "".join(f"{byte:08b}" for byte in digest)[:55]
    assert text[9:] == "".join(ALPHABET[int(bits[n : n + 5], 2)] for n in range(0, 55, 5))


@given(CARDS, st.integers(0, 19), st.integers(1, 31))
def test_any_changed_character_breaks_the_signature(card: CardId, place: int, shift: int) -> None:
    """No code with one character changed is both of our form and signed."""
    text = card_text(GAME, card)
    old = ALPHABET.index(text[place])
    forged = text[:place] + ALPHABET[(old + shift) % 32] + text[place + 1 :]
    assert parse(forged) is None or not is_signed(forged, GAME.key)


@given(CARDS)
def test_another_key_signs_otherwise(card: CardId) -> None:
    """A code signed with another key is not signed for this game."""
    assert not is_signed(card_text(GAME, card), bytes(32))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "H7K3Q",
        "X" * 20,
        "H7K3Q00011234567890A ",
        "h7k3q000112345678901",
        "H7K3Q0001123456789IL",
        "https://a.example/",
    ],
)
def test_other_texts_are_not_of_our_form(text: str) -> None:
    """Wrong length, letter, case or alphabet: not our code."""
    assert parse(text) is None


def test_a_label_names_its_envelope() -> None:
    """A label's code has its own letter, carries numbers above 1023, and names no card."""
    for envelope in (1, 140, 1024, 2500):
        payload = parse(label_text(GAME, envelope))
        assert payload is not None
        assert (payload.letter, payload.number) == ("E", envelope)
        assert card_of(GAME, payload) is None
        assert is_signed(payload.text, GAME.key)


def test_a_signed_code_of_a_kind_or_copy_that_does_not_exist_names_no_card() -> None:
    """Kind numbers beyond the game's kinds and the copy 0 name nothing."""
    small = Game("7K3Q", "eurocg-2026", GAME.key, KINDS[:2], players=24, seed="s")
    for body in ("H7K3Q0201", "H7K3Q0100"):
        payload = parse(body + "0" * 11)
        assert payload is not None
        assert card_of(small, payload) is None


@pytest.mark.parametrize("copy", [0, MAX_NUMBER + 1])
def test_a_copy_that_the_code_cannot_carry_is_refused(copy: int) -> None:
    """Copies run from 1 to 1023."""
    with pytest.raises(ValueError, match="copies"):
        card_text(GAME, CardId("kind-1", copy))


def test_a_number_that_does_not_fit_is_refused() -> None:
    """32 characters to the power of the length is the first number that does not fit."""
    assert encode(1023, 2) == "ZZ"
    with pytest.raises(ValueError, match="1024"):
        encode(1024, 2)


@given(CARDS)
def test_a_typed_short_code_finds_its_card_however_it_is_typed(card: CardId) -> None:
    """Case, dashes, blanks and look-alike letters do not matter."""
    code = short_code(GAME, card)
    sloppy = code.replace("0", "o").replace("1", "l").replace("-", " ").lower()
    assert card_of_short_code(GAME, code) == card
    assert card_of_short_code(GAME, sloppy) == card


@given(CARDS, st.integers(0, 4), st.integers(1, 31))
def test_one_wrong_character_in_a_short_code_is_noticed(card: CardId, place: int, shift: int) -> None:
    """The check character catches every single mistake."""
    digits = short_code(GAME, card).replace("-", "")
    wrong = ALPHABET[(ALPHABET.index(digits[place]) + shift) % 32]
    assert card_of_short_code(GAME, digits[:place] + wrong + digits[place + 1 :]) is None


@given(CARDS, st.integers(0, 3))
def test_two_swapped_characters_in_a_short_code_are_noticed(card: CardId, place: int) -> None:
    """The check character catches every swap of neighbours that differ."""
    digits = short_code(GAME, card).replace("-", "")
    swapped = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
    if swapped != digits:
        assert card_of_short_code(GAME, swapped) is None


@pytest.mark.parametrize("typed", ["", "0", "00-01", "00-01-2-3", "U0-01-2", "00-01-é", "00-00-0"])
def test_nonsense_for_a_short_code_finds_nothing(typed: str) -> None:
    """Too short, too long, outside the alphabet, or copy 0."""
    assert card_of_short_code(GAME, typed) is None


def test_keys_and_game_ids_are_fresh() -> None:
    """Each game gets an id of four characters and a key of 32 bytes of its own."""
    assert len({new_key() for _ in range(50)}) == 50
    assert all(len(new_key()) == 32 for _ in range(3))
    ids = {new_game_id() for _ in range(50)}
    assert len(ids) > 45
    assert all(len(game) == 4 and set(game) <= set(ALPHABET) for game in ids)
