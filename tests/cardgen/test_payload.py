"""Payloads of codes, QR symbols, and short codes to type."""

from __future__ import annotations

import hashlib
import hmac

import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.cards import CardId, PrintedGame
from cardgen.payload import (
    ALPHABET,
    MAX_NUMBER,
    card_of,
    card_of_short_code,
    card_text,
    encode,
    is_join_code,
    is_signed,
    join_code,
    label_text,
    new_game_id,
    new_key,
    parse,
    parse_join_code,
    short_code,
)
from cardgen.qr import matrix, runs

KINDS = tuple(f"kind-{n}" for n in range(1, MAX_NUMBER + 2))
GAME = PrintedGame("7K3Q", "eurocg-2026", bytes(range(32)), KINDS, players=24, seed="s")
CARDS = st.builds(CardId, st.sampled_from(KINDS), st.integers(1, MAX_NUMBER))


@settings(max_examples=25, deadline=None)
@given(CARDS, st.integers(1, 31))
def test_a_card_is_read_from_its_code_but_not_from_a_changed_one(card: CardId, shift: int) -> None:
    text = card_text(GAME, card)
    payload = parse(text)
    assert len(text) == 20
    assert payload is not None
    assert (payload.letter, payload.game, card_of(GAME, payload)) == ("H", "7K3Q", card)
    assert is_signed(text, GAME.key)
    assert not is_signed(text, bytes(32))
    for index, old in enumerate(text):
        forged = text[:index] + ALPHABET[(ALPHABET.index(old) + shift) % 32] + text[index + 1 :]
        assert parse(forged) is None or not is_signed(forged, GAME.key)


def test_payloads_have_the_documented_format() -> None:
    """The format letter, game, kind, copy and the first 55 bits of the HMAC, in Crockford's base32."""
    text = card_text(GAME, CardId("kind-35", 33))
    assert text[:9] == "H7K3Q" + "12" + "11"
    digest = hmac.new(GAME.key, b"H7K3Q1211", hashlib.sha256).digest()
    bits = "".join(f"{byte:08b}" for byte in digest)[:55]
    assert text[9:] == "".join(ALPHABET[int(bits[n : n + 5], 2)] for n in range(0, 55, 5))


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
def test_other_texts_do_not_have_the_format(text: str) -> None:
    assert parse(text) is None


def test_labels_and_unknown_kinds_or_copies_are_not_cards() -> None:
    for envelope in (1, 140, 1024, 2500):
        payload = parse(label_text(GAME, envelope))
        assert payload is not None
        assert (payload.letter, payload.number, card_of(GAME, payload)) == ("E", envelope, None)
        assert is_signed(payload.text, GAME.key)
    small = PrintedGame("7K3Q", "eurocg-2026", GAME.key, KINDS[:2], players=24, seed="s")
    for body in ("H7K3Q0201", "H7K3Q0100"):
        payload = parse(body + "0" * 11)
        assert payload is not None
        assert card_of(small, payload) is None


def test_numbers_that_a_code_cannot_carry_are_refused() -> None:
    for copy in (0, MAX_NUMBER + 1):
        with pytest.raises(ValueError, match="copies"):
            card_text(GAME, CardId("kind-1", copy))
    assert encode(1023, 2) == "ZZ"
    with pytest.raises(ValueError, match="1024"):
        encode(1024, 2)


@settings(max_examples=25, deadline=None)
@given(CARDS, st.integers(1, 31))
def test_a_typed_short_code_finds_its_card_but_not_with_a_mistake(card: CardId, shift: int) -> None:
    """Case, dashes, spaces and similar letters are accepted; a wrong character or a swap is detected."""
    code = short_code(GAME, card)
    assert card_of_short_code(GAME, code) == card
    assert card_of_short_code(GAME, code.replace("0", "o").replace("1", "l").replace("-", " ").lower()) == card
    digits = code.replace("-", "")
    for index, old in enumerate(digits):
        wrong = ALPHABET[(ALPHABET.index(old) + shift) % 32]
        assert card_of_short_code(GAME, digits[:index] + wrong + digits[index + 1 :]) is None
        swapped = digits[:index] + digits[index : index + 2][::-1] + digits[index + 2 :]
        assert card_of_short_code(GAME, swapped) == (card if swapped == digits else None)


def test_a_join_code_is_typed_in_any_form_and_belongs_to_one_link() -> None:
    """Case, dashes and look-alikes do not matter; another key, game, envelope or version has another code."""
    code = join_code("T0ST", GAME.key, 110, 2)
    sloppy = code.replace("0", "o").replace("1", "l").replace("-", " ").lower()
    assert parse_join_code(sloppy) == parse_join_code(code) == ("T0ST", 110)
    assert is_join_code(sloppy, code)
    others = [("T0ST", b"x", 110, 2), ("T1ST", GAME.key, 110, 2), ("T0ST", GAME.key, 11, 2), ("T0ST", GAME.key, 110, 3)]
    assert len({join_code(*other)[-9:] for other in others} | {code[-9:]}) == 5
    assert not any(is_join_code(typed, code) for typed in ("", code[:-1], f"{code}0", f"é{code[1:]}"))
    assert not any(map(parse_join_code, ("", "T0ST", "T0ST-1", f"U{code[1:]}", f"{code}0000000000")))


@pytest.mark.parametrize("typed", ["", "0", "00-01", "00-01-2-3", "U0-01-2", "00-01-é", "00-00-0"])
def test_invalid_short_codes_match_no_card(typed: str) -> None:
    assert card_of_short_code(GAME, typed) is None


def test_keys_and_game_ids_are_random() -> None:
    keys, ids = {new_key() for _ in range(50)}, {new_game_id() for _ in range(50)}
    assert len(keys) == 50
    assert {len(key) for key in keys} == {32}
    assert len(ids) > 45
    assert all(len(game) == 4 and set(game) <= set(ALPHABET) for game in ids)


@settings(max_examples=25, deadline=None)
@given(CARDS)
def test_every_card_fits_a_version_1_symbol_of_level_m(card: CardId) -> None:
    """Another library reads text and level; the drawn rectangles cover exactly the black modules."""
    text = card_text(GAME, card)
    modules = matrix(text)
    assert len(modules) == 21
    pixels = np.kron(np.pad(np.where(np.array(modules), 0, 255), 2, constant_values=255), np.ones((4, 4)))
    (code,) = zxingcpp.read_barcodes(pixels.astype(np.uint8))
    assert (code.text, code.ec_level, code.content_type) == (text, "M", zxingcpp.ContentType.Text)
    painted = np.zeros((21, 21), dtype=int)
    for row, column, length in runs(modules):
        painted[row, column : column + length] += 1
        assert column + length == 21 or not modules[row][column + length]
    assert (painted == np.array(modules)).all()


def test_lower_case_is_not_alphanumeric() -> None:
    with pytest.raises(ValueError, match="mode"):
        matrix("lower case")
