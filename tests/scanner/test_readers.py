"""The readers behind their interface, with and without ZBar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import qrcode

from scanner import read_codes, readers
from scanner.readers import Pyzbar, available
from tests.scanner.shots import code, page

if TYPE_CHECKING:
    import numpy.typing as npt

needs_zbar = pytest.mark.skipif("pyzbar" not in available(), reason="this machine has no libzbar")


@needs_zbar
@pytest.mark.parametrize("turns", range(4))
def test_zbar_gives_corners_in_the_order_of_the_code(turns: int) -> None:
    """ZBar's hull of corners is brought into the code's own order, as zxing-cpp gives it."""
    picture = np.ascontiguousarray(np.rot90(page(("ONE", 100, 60), size=(300, 300)), -turns))
    (found,) = Pyzbar()(picture)
    (expected,) = read_codes(picture)
    assert found.text == expected.text == "ONE"
    assert np.allclose(found.quad, expected.quad, atol=4)


def test_without_zbar_the_scanner_runs_on_zxing_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where libzbar is missing, the second reader finds nothing and everything else works."""
    monkeypatch.setattr(readers, "pyzbar", None)
    assert available() == ("zxing-cpp",)
    assert Pyzbar()(code("ONE")) == []
    assert [found.text for found in read_codes(code("ONE"))] == ["ONE"]


@needs_zbar
def test_both_readers_are_named() -> None:
    """Where libzbar is there, both readers are named."""
    assert available() == ("zxing-cpp", "pyzbar")


@needs_zbar
@pytest.mark.parametrize(
    ("text", "characters"),
    [
        ("HELLO", "ascii"),
        ("Grüße aus Köln", "utf-8"),
        ("世界 hello", "utf-8"),
        ("äöüß", "utf-8"),
        ("Grüße aus Köln", "latin-1"),
        ("naïve café", "latin-1"),
        ("世界 hello", "shift_jis"),
        ("にほん", "shift_jis"),
        ("你好 hello 中文", "utf-8"),
        ("Привет мир", "utf-8"),
    ],
)
def test_zbar_is_not_believed_in_its_guess_of_a_character_set(text: str, characters: str) -> None:
    """ZBar takes UTF-8 for Japanese: the text is put right."""
    assert {found.text for found in Pyzbar()(drawn(text.encode(characters)))} == {text}


@needs_zbar
def test_a_text_of_which_nobody_can_tell_the_letters_is_none() -> None:
    """Latin letters that make sense as Chinese ones too are a place without a text, and never a wrong text."""
    (found,) = Pyzbar()(drawn("eöAa ie fTgkyTR q nöuözgvßq".encode("latin-1")))
    assert found.text is None


def drawn(data: bytes) -> npt.NDArray[np.uint8]:
    """Return a QR code of bytes, without a note of their character set."""
    symbol = qrcode.QRCode(border=4, box_size=6)
    symbol.add_data(data, optimize=0)
    symbol.make()
    return np.asarray(symbol.make_image().get_image().convert("L"), dtype=np.uint8)
