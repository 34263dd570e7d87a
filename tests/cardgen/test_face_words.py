"""Text on cards: every text of every edition fits in every language, and no text exceeds its area."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen import fonts
from cardgen.cards import POKER, SIZES, CardId, Geometry, PrintedGame
from cardgen.faces.draw import check_faces
from cardgen.faces.face import Face, SecondLanguage
from cardgen.faces.text import LARGEST, SMALLEST, SetParagraph, set_paragraphs
from cardgen.faces.worded import paragraphs_of, text_box
from cardgen.fonts import LEADING, RoomError, TextError
from cardgen.pages.layout import PLAIN as PLAIN_SETUP
from cardgen.print_run import PrintPlan, write_run
from server.editions import load_edition
from server.printing.card_faces import edition_faces

if TYPE_CHECKING:
    from pathlib import Path

EDITIONS, LANGUAGES = ("eurocg-2026", "sackson-1969", "tarot-fr"), ("en", "de", "fr")
PLAIN = Face("rule-1", "Name", "Rule 1", "Text", "#20263a", "seal", "GAME", 1)
WORDS = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzABCÄÖÜßéèçœ.,;:!"), min_size=1, max_size=14)
TEXTS = st.lists(WORDS, min_size=1, max_size=70).map(" ".join)
LEAST = {"poker": 8, "bridge": 8, "mini": 6, "business": 7.5, "business-us": 7.5}
"""Points of the smallest text on each size of card, as in docs/printing.md."""


@cache
def worded(language: str, second: str | None = None) -> tuple[Face, ...]:
    """Return the faces with text of all editions, in one language or two, the longest text first."""
    faces: list[Face] = []
    for edition in EDITIONS:
        other = None if second is None else load_edition(edition, second)
        faces += (face for face in edition_faces(load_edition(edition, language), other).values() if face.text)
    return tuple(sorted(faces, key=lambda face: -len(face.text + (face.second.text if face.second else ""))))


def parts_of(face: Face, size: str = "poker") -> list[SetParagraph]:
    """Return a face's text, set on cards of a size."""
    return set_paragraphs(paragraphs_of(face), text_box(SIZES[size]))


def texts_of(parts: list[SetParagraph]) -> list[str]:
    """Return the words of set paragraphs."""
    return [" ".join(line.text for line in part.lines) for part in parts]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_fits_at_a_legible_size(language: str) -> None:
    """All texts of all editions on poker cards, and the six longest on other sizes."""
    faces = worded(language)
    for face in faces:
        name, *body = parts_of(face)
        assert min(part.size for part in body) >= LEAST["poker"], face.kind
        assert name.size > body[0].size
    for size, least in LEAST.items():
        assert min(part.size for face in faces[:6] for part in parts_of(face, size)) >= least
        check_faces(faces[:6], SIZES[size])


@pytest.mark.parametrize(("first", "second"), [("en", "de"), ("de", "fr"), ("fr", "en")])
def test_two_languages_fit_a_poker_card(first: str, second: str) -> None:
    """The twelve longest pairs of texts of all editions; both are set at the same size."""
    longest = worded(first, second)[:12]
    for face in longest:
        parts = parts_of(face)
        assert parts[1].size == parts[3].size >= SMALLEST
        assert parts[2].rule is not None
        assert parts[1].end < parts[2].rule < parts[2].lines[0].y - 0.7 * parts[2].size
        assert texts_of(parts) == [face.name, face.text, *([face.second.name, face.second.text] if face.second else [])]
    check_faces(longest, POKER)


@settings(max_examples=40, deadline=None)
@given(name=TEXTS, text=TEXTS, other=st.none() | st.tuples(TEXTS, TEXTS), size=st.sampled_from(list(SIZES)))
def test_text_stays_in_its_area_or_is_refused(name: str, text: str, other: tuple[str, str] | None, size: str) -> None:
    """No line is wider than its area or overlaps another one or a code, and no word is lost."""
    room = text_box(SIZES[size])
    second = None if other is None else SecondLanguage(other[0], "", other[1])
    try:
        parts = parts_of(replace(PLAIN, name=name, text=text, second=second), size)
    except RoomError:
        return
    assert texts_of(parts) == [name, text, *(other or ())]
    above = 0.0
    for part in parts:
        assert part.size <= (LARGEST if part.font == fonts.TEXT else 12.5)
        for line in part.lines:
            ends = line.y + fonts.DESCENT * part.size
            assert line.x == 0
            assert fonts.width(line.text, part.font, part.size) <= (room.full if ends <= room.turn else room.narrow)
            assert ends <= room.depth
            # Letters may be as near to the line above as lines of one paragraph are.
            assert line.y - part.size >= above - (LEADING - 1) * part.size
            above = ends


@pytest.mark.parametrize(
    ("face", "card", "message"),
    [
        (
            replace(PLAIN, text="many words " * 30),
            SIZES["mini"],
            "does not fit a card of 44 x 67 mm: too long .*; choose cards of another size: poker, bridge, ",
        ),
        (
            replace(PLAIN, text="many words " * 200),
            POKER,
            "does not fit a card of 63 x 88 mm: too long .*; shorten it$",
        ),
        (replace(PLAIN, text="x" * 80), POKER, "does not fit a card of 63 x 88 mm: the word x* is too wide"),
        (replace(PLAIN, name="Donaudampfschifffahrt" * 3), SIZES["mini"], "does not fit a card of 44 x 67 mm: "),
        (
            replace(PLAIN, name="Donaudampfschifffahrt" * 3, look="colour"),
            SIZES["mini"],
            "does not fit a card of 44 x 67 mm: ",
        ),
        *(
            (
                replace(PLAIN, **{field: "a 漢 sign"}),
                POKER,
                "cannot be printed: the font has no character 漢 for: [^\n]*$",
            )
            for field in ("name", "text", "label", "mark")
        ),
        (
            replace(PLAIN, second=SecondLanguage("Name", "漢 1", "Text")),
            POKER,
            "cannot be printed: the font has no character 漢",
        ),
    ],
)
def test_text_that_cannot_be_printed_is_refused_in_one_line(face: Face, card: Geometry, message: str) -> None:
    """The message names the card, its size, and the sizes that have enough room."""
    with pytest.raises(TextError, match=f"^rule-1 {message}") as caught:
        check_faces([face], card)
    assert "\n" not in str(caught.value)


def test_french_colons_do_not_begin_a_line() -> None:
    """A no-break space keeps a colon at its word, and is printed as a space."""
    room = fonts.width("Général deux", fonts.TEXT, 8)
    lines = fonts.wrap("deux Général\u00a0: mots", fonts.TEXT, 8, lambda _: (0, room), 99)
    assert [line.text for line in lines] == ["deux", "Général\u00a0:", "mots"]
    fonts.check_characters("Général\u00a0: mots", fonts.TEXT)


def test_a_run_with_a_face_that_cannot_be_drawn_writes_nothing(tmp_path: Path) -> None:
    """Even if it is the last one, no file is created."""
    kinds = ("red", "rule-1")
    faces = {"red": replace(PLAIN, kind="red", look="colour", symbol="heart"), "rule-1": replace(PLAIN, text="漢")}
    hands = {1: [CardId("red", copy) for copy in range(1, 12)], 2: [CardId("rule-1", 1)]}
    run = PrintPlan(PrintedGame("7K3Q", "own", bytes(32), kinds, 2, "x"), "Tea", faces, hands, PLAIN_SETUP, [1, 2])
    with pytest.raises(TextError, match="rule-1 cannot be printed: the font has no character 漢"):
        write_run(run, tmp_path)
    assert list(tmp_path.iterdir()) == []
