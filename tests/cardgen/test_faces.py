"""What the cards look like: words that fit, symbols that differ, colours that differ in grey."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cardgen import texts
from cardgen.art import SYMBOLS
from cardgen.cards import POKER, CardId
from cardgen.payload import card_text, short_code
from cardgen.raster import face_images
from cardgen.texts import TextError
from server.editions import load_edition
from server.jobs.faces import edition_faces

if TYPE_CHECKING:
    from cardgen.faces import Face
    from tests.conftest import PrintedFolder

EDITION = load_edition("eurocg-2026")
FACES = edition_faces(EDITION)
COLOURS = [kind.slug for kind in EDITION.kinds if kind.category == "colour"]


def draw(face: Face, dpi: float = 100) -> np.ndarray:
    """Return one face with a fixed code as an RGB array."""
    (image,) = face_images([(face, "H7K3Q0001AAAAAAAAAAA", "00-01-2")], POKER, dpi)
    return np.asarray(image)


def middle(image: np.ndarray) -> np.ndarray:
    """Return the medallion in the middle of a colour card."""
    height, width = image.shape[:2]
    r = round(width * 10 / 63)
    return image[height // 2 - r : height // 2 + r, width // 2 - r : width // 2 + r]


def test_every_kind_of_the_edition_can_be_drawn() -> None:
    """53 kinds, and each is drawn without a word that does not fit."""
    assert len(FACES) == 53
    drawn = list(face_images([(face, "H7K3Q0001AAAAAAAAAAA", "00-01-2") for face in FACES.values()], POKER, 60))
    assert len(drawn) == 53


def test_colours_have_symbols_and_names_of_their_own() -> None:
    """Six names, six symbols, six inks."""
    faces = [FACES[slug] for slug in COLOURS]
    for field in ("name", "symbol", "ink"):
        assert len({getattr(face, field) for face in faces}) == 6
    assert {face.symbol for face in faces} <= set(SYMBOLS)


def test_the_symbols_of_two_colours_differ_in_grey() -> None:
    """In black and white, an eighth of the medallion's pixels differ between any two colours' shapes or more."""
    shapes = {}
    for slug in COLOURS:
        grey = middle(draw(FACES[slug])).mean(axis=2)
        shapes[slug] = grey < 245
    for a in COLOURS:
        for b in COLOURS:
            if a < b:
                assert (shapes[a] != shapes[b]).mean() > 0.12, (a, b)


def test_a_large_symbol_fills_a_good_part_of_the_card() -> None:
    """The symbol is at least 15 mm high, so it is no mere corner glyph."""
    for slug in COLOURS:
        dark = (middle(draw(FACES[slug])).min(axis=2) < 235).any(axis=1)
        rows = np.flatnonzero(dark)
        assert (rows[-1] - rows[0]) / 100 * 25.4 > 15, slug


def test_the_name_is_printed_twice_once_turned() -> None:
    """A colour card looks the same from both ends, but for nothing: it is symmetric by half a turn."""
    image = draw(FACES["blue"]).astype(int)
    turned = image[::-1, ::-1]
    height, width = image.shape[:2]
    heading = (slice(0, int(height * 0.3)), slice(int(width * 0.48), width))
    assert np.abs(image[heading] - turned[heading]).mean() < 12


def test_a_rule_that_is_too_long_for_its_card_is_refused() -> None:
    """The longest wording that fits is drawn; one that does not is an error that shows the text."""
    rule = FACES["rule-7"]
    words = "word " * 60
    draw(_with_text(rule, words))
    with pytest.raises(TextError, match="too long for its place"):
        draw(_with_text(rule, words * 4))


def test_a_word_that_is_too_wide_is_refused() -> None:
    """Words are never cut."""
    with pytest.raises(TextError, match="too wide"):
        draw(_with_text(FACES["rule-7"], "x" * 80))


def test_a_character_that_the_font_lacks_is_refused() -> None:
    """Better no card than one with boxes on it."""
    with pytest.raises(TextError, match="no character 漢"):
        draw(_with_text(FACES["rule-7"], "a 漢 sign"))


def test_wrapping_keeps_every_word_and_the_width() -> None:
    """Lines are no wider than their room, and together they say the text."""
    for face in FACES.values():
        if face.text:
            lines = texts.wrap(face.text, texts.TEXT, 8, lambda y: (0, 150 if y < 40 else 80), 500)
            assert " ".join(line.text for line in lines) == " ".join(face.text.split())
            assert all(texts.width(line.text, texts.TEXT, 8) <= (150 if line.y < 40 else 80) for line in lines)


def test_png_faces_are_300_dpi_and_say_their_kind_in_words(printed: PrintedFolder) -> None:
    """63 by 88 mm at 300 dpi, and the short code in print is the one of the list."""
    printed_card = printed.cards[0]
    face = FACES[printed_card.card.kind]
    (image,) = face_images([(face, printed_card.payload, printed_card.code)], POKER, 300)
    assert image.size == (745, 1040)
    assert printed_card.code == short_code(printed.game, printed_card.card)
    assert printed_card.payload == card_text(printed.game, CardId(printed_card.card.kind, printed_card.card.copy))
    assert re.fullmatch(r"[0-9A-Z]{2}-[0-9A-Z]{2}-[0-9A-Z]", printed_card.code)


def _with_text(face: Face, text: str) -> Face:
    return replace(face, text=text)
