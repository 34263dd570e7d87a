"""Words on cards: every text of every edition fits in every language, and no text ever leaves its place."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen import texts
from cardgen.cards import POKER, SIZES, CardId, Game, Geometry
from cardgen.faces import Face, Words, check_faces
from cardgen.faces.paragraphs import LARGEST, SMALLEST, SetParagraph, set_paragraphs
from cardgen.faces.worded import paragraphs_of, room_for_words
from cardgen.printing import PrintRun, write_run
from cardgen.raster import face_images
from cardgen.setup import PLAIN as PLAIN_SETUP
from cardgen.texts import LEADING, RoomError, TextError
from server.editions import load_edition
from server.jobs.faces import edition_faces

if TYPE_CHECKING:
    from pathlib import Path

EDITIONS, LANGUAGES = ("eurocg-2026", "sackson-1969", "tarot-fr"), ("en", "de", "fr")
PLAIN = Face("rule-1", "Name", "Rule 1", "Text", "#20263a", "seal", "GAME", 1)
WORDS = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzABCÄÖÜßéèçœ.,;:!"), min_size=1, max_size=14)
TEXTS = st.lists(WORDS, min_size=1, max_size=70).map(" ".join)

LEAST = {"poker": 8, "bridge": 8, "mini": 6, "business": 7.5, "business-us": 7.5}
"""Points of the smallest words on a size of card."""


@cache
def worded(edition: str, language: str, second: str | None = None) -> tuple[Face, ...]:
    """Return the faces with words of an edition, in one language or two."""
    other = None if second is None else load_edition(edition, second)
    return tuple(face for face in edition_faces(load_edition(edition, language), other).values() if face.text)


def drawn(face: Face, card: Geometry = POKER) -> None:
    """Draw a face onto paper that nobody sees."""
    check_faces([face], card)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_text_fits_a_card_in_letters_that_are_read_with_ease(edition: str, language: str) -> None:
    """On poker cards no text of any edition, in any language, is smaller than 8 points."""
    for face in worded(edition, language):
        name, *body = set_paragraphs(paragraphs_of(face), room_for_words(POKER))
        assert min(part.size for part in body) >= 8, face.kind
        assert name.size > body[0].size


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_texts_fit_every_size_of_card(language: str, name: str) -> None:
    """The six longest texts of all editions, in each language, on each size, as large as docs/printing.md says."""
    faces = [face for edition in EDITIONS for face in worded(edition, language)]
    for face in sorted(faces, key=lambda face: -len(face.text))[:6]:
        assert (
            min(part.size for part in set_paragraphs(paragraphs_of(face), room_for_words(SIZES[name]))) >= LEAST[name]
        )
        drawn(face, SIZES[name])


@pytest.mark.parametrize(("first", "second"), [("en", "de"), ("de", "fr"), ("fr", "en")])
def test_two_languages_fit_a_poker_card(first: str, second: str) -> None:
    """The twelve longest pairs of texts of all editions; both are set in one size."""
    faces = [face for edition in EDITIONS for face in worded(edition, first, second)]
    longest = sorted(faces, key=lambda face: -len(face.text + (face.second or Words("", "", "")).text))[:12]
    for face in longest:
        parts = set_paragraphs(paragraphs_of(face), room_for_words(POKER))
        assert len(parts) == 4
        assert parts[1].size == parts[3].size >= SMALLEST
        assert parts[2].rule is not None
        assert parts[1].end < parts[2].rule < parts[2].lines[0].y - 0.7 * parts[2].size
        assert said(parts) == [face.name, face.text, *([face.second.name, face.second.text] if face.second else [])]
        drawn(face)


def said(parts: list[SetParagraph]) -> list[str]:
    """Return the words of set paragraphs."""
    return [" ".join(line.text for line in part.lines) for part in parts]


@settings(max_examples=60, deadline=None)
@given(name=TEXTS, text=TEXTS, other=st.none() | st.tuples(TEXTS, TEXTS), size=st.sampled_from(list(SIZES)))
def test_words_stay_in_their_place_or_are_refused(
    name: str, text: str, other: tuple[str, str] | None, size: str
) -> None:
    """Of any words, no line is wider than its place, none lies on another or on a code, and none is lost."""
    room = room_for_words(SIZES[size])
    second = None if other is None else Words(other[0], "", other[1])
    face = replace(PLAIN, name=name, text=text, second=second)
    try:
        parts = set_paragraphs(paragraphs_of(face), room)
    except RoomError:
        return
    assert said(parts) == [name, text, *(other or ())]
    above = 0.0
    for part in parts:
        assert part.size <= (LARGEST if part.font == texts.TEXT else 12.5)
        for line in part.lines:
            ends = line.y + texts.DESCENT * part.size
            assert line.x == 0
            assert texts.width(line.text, part.font, part.size) <= (room.full if ends <= room.turn else room.narrow)
            assert ends <= room.depth
            # Letters may come as near to the line above as lines of one paragraph do.
            assert line.y - part.size >= above - (LEADING - 1) * part.size
            above = ends
    assert above <= room.depth


@pytest.mark.parametrize("name", SIZES)
def test_letters_that_are_printed_keep_clear_of_the_panels_edge(name: str) -> None:
    """Seen in pixels, a card full of the widest letters has none nearer to its outline than the gold line."""
    card = SIZES[name]
    many = (" ".join(["WMW"] * count) for count in range(60, 4, -1))
    full = next(face for face in (replace(PLAIN, text=text) for text in many) if fits(face, card))
    images = face_images(
        [(full, "H7K3Q0001AAAAAAAAAAA", "00-01-2"), (PLAIN, "H7K3Q0001AAAAAAAAAAA", "00-01-2")], card, 150
    )
    pixels, plain = (np.asarray(image).astype(int) for image in images)
    # Gold and the outline's ink are as they are without so many words.
    gold = (np.abs(pixels - (185, 138, 46)).max(axis=2) < 40).sum()
    assert gold >= 0.98 * (np.abs(plain - (185, 138, 46)).max(axis=2) < 40).sum()


def fits(face: Face, card: Geometry) -> bool:
    """Tell whether a face's words have room on cards of a size."""
    try:
        set_paragraphs(paragraphs_of(face), room_for_words(card))
    except RoomError:
        return False
    return True


def test_words_that_do_not_fit_are_told_with_the_sizes_that_do() -> None:
    """The message names the card, its size and what to choose instead; on no size, to shorten the words."""
    long = replace(PLAIN, kind="rule-7", text="many words " * 30)
    message = r"^rule-7 does not fit a card of 44 x 67 mm: too long .*; choose cards of another size: poker, bridge, "
    with pytest.raises(TextError, match=message):
        drawn(long, SIZES["mini"])
    with pytest.raises(TextError, match=r"^rule-7 does not fit a card of 63 x 88 mm: .*; shorten it$"):
        drawn(replace(long, text="many words " * 200))


@pytest.mark.parametrize("look", ["worded", "colour"])
def test_a_name_without_room_is_told(look: str) -> None:
    """Names are never cut, nor made too small to be read."""
    with pytest.raises(TextError, match=r"^rule-1 does not fit a card of 44 x 67 mm: "):
        drawn(replace(PLAIN, name="Donaudampfschifffahrt" * 3, look=look), SIZES["mini"])


@pytest.mark.parametrize("field", ["name", "text", "label", "mark"])
def test_a_sign_without_a_shape_is_told_with_its_card(field: str) -> None:
    """In whatever words it stands, the sign and the card are named in one line, and no size is proposed."""
    with pytest.raises(TextError, match=r"^rule-1 cannot be printed: the font has no character 漢 for: ") as caught:
        drawn(replace(PLAIN, **{field: "a 漢 sign"}))
    assert "\n" not in str(caught.value)
    assert "size" not in str(caught.value)


def test_a_sign_without_a_shape_in_the_second_language_is_told() -> None:
    """Two languages are checked alike."""
    with pytest.raises(TextError, match="rule-1 cannot be printed: the font has no character 漢"):
        drawn(replace(PLAIN, second=Words("Name", "漢 1", "Text")))


def test_french_colons_do_not_begin_a_line() -> None:
    """A fixed space holds a sign at its word, and is printed as a space."""
    room = texts.width("Général deux", texts.TEXT, 8)
    lines = texts.wrap("deux Général\u00a0: mots", texts.TEXT, 8, lambda _: (0, room), 99)
    assert [line.text for line in lines] == ["deux", "Général\u00a0:", "mots"]
    texts.check_characters("Général\u00a0: mots", texts.TEXT)


def test_a_run_that_cannot_be_drawn_writes_nothing(tmp_path: Path) -> None:
    """Though the card with the sign comes last, no file is begun."""
    kinds = ("red", "rule-1")
    faces = {"red": replace(PLAIN, kind="red", look="colour", symbol="heart"), "rule-1": replace(PLAIN, text="漢")}
    hands = {1: [CardId("red", copy) for copy in range(1, 12)], 2: [CardId("rule-1", 1)]}
    run = PrintRun(Game("7K3Q", "own", bytes(32), kinds, 2, "x"), "Tea", faces, hands, PLAIN_SETUP, [1, 2])
    with pytest.raises(TextError, match="rule-1 cannot be printed: the font has no character 漢"):
        write_run(run, tmp_path)
    assert list(tmp_path.iterdir()) == []
