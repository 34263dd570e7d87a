"""The QR symbols: of the smallest size, and readable by another library than the one that made them."""

from __future__ import annotations

from string import ascii_letters

import numpy as np
import pytest
import qrcode
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from qrcode.constants import ERROR_CORRECT_M
from qrcode.util import MODE_ALPHA_NUM, QRData

from cardgen.cards import POKER, CardId, Game
from cardgen.payload import card_text
from cardgen.symbols import matrix, runs

GAME = Game("7K3Q", "eurocg-2026", bytes(range(32)), ("red", "blue"), players=24, seed="s")


@given(st.sampled_from(["red", "blue"]), st.integers(1, 1023))
@settings(max_examples=60, deadline=None)
def test_every_card_fits_a_version_1_symbol_of_level_m(kind: str, copy: int) -> None:
    """21 modules a side; another library reads the text, and says error correction M and version 1."""
    text = card_text(GAME, CardId(kind, copy))
    modules = matrix(text)
    assert len(modules) == POKER.modules == 21
    pixels = np.kron(np.pad(np.where(np.array(modules), 0, 255), 2, constant_values=255), np.ones((4, 4)))
    (code,) = zxingcpp.read_barcodes(pixels.astype(np.uint8))
    assert code.text == text
    assert code.ec_level == "M"
    assert code.content_type == zxingcpp.ContentType.Text


@given(
    st.one_of(
        st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=20, max_size=20),
        st.text(ascii_letters, min_size=1, max_size=180),
    )
)
@settings(max_examples=40, deadline=None)
def test_a_symbol_is_the_one_that_the_library_makes(text: str) -> None:
    """With the same mask, though it is found without making all eight: a game is printed the same again."""
    alphanumeric = text.upper() == text
    code = qrcode.QRCode(border=0, error_correction=ERROR_CORRECT_M)
    code.add_data(QRData(text, mode=MODE_ALPHA_NUM) if alphanumeric else text)
    code.make(fit=True)
    assert [list(row) for row in matrix(text, alphanumeric=alphanumeric)] == code.get_matrix()


def test_lower_case_is_not_alphanumeric() -> None:
    """The small symbol depends on QR's 45 characters, so others are refused."""
    with pytest.raises(ValueError, match="mode"):
        matrix("lower case")


def test_runs_cover_exactly_the_black_modules() -> None:
    """Every black module lies in one run, no white one does, and neighbouring runs never touch."""
    modules = matrix(card_text(GAME, CardId("red", 7)))
    drawn = [[0] * len(modules) for _ in modules]
    for row, column, length in runs(modules):
        for n in range(column, column + length):
            drawn[row][n] += 1
        assert column + length == len(modules) or not modules[row][column + length]
    assert drawn == [[int(black) for black in row] for row in modules]
