"""Labels and margins in each language: every text has room, and every character a shape."""

from __future__ import annotations

from dataclasses import astuple
from io import BytesIO
from typing import TYPE_CHECKING

import pypdfium2
import pytest
from reportlab.lib.units import mm

from cardgen.cards import POKER, CardId, Game
from cardgen.layout import grid
from cardgen.paper import PAPERS
from cardgen.printing import LABELS, SHEETS, PrintRun, write_part
from cardgen.setup import Setup
from cardgen.texts import STRONG, TEXT, check_characters, width
from cardgen.wordings import ENGLISH, WORDINGS, Wordings, wordings
from server.editions import load_edition
from server.jobs.faces import edition_faces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BETWEEN_CODES = 25.6
"""Millimetres that the words between the two codes of a label may take, with a gap before the other code."""
LONGEST_TITLE = "Le Haggle de Sackson"


@pytest.mark.parametrize("words", WORDINGS.values(), ids=WORDINGS)
def test_words_fit_between_the_codes_of_a_label(words: Wordings) -> None:
    """Neither the words for the scanner nor those for the phone run into the other's code."""
    for heading, *lines in (words.scanner, words.join):
        assert width(heading, STRONG, 7) <= BETWEEN_CODES * mm
        for line in lines:
            assert width(line, TEXT, 7) <= BETWEEN_CODES * mm, line
    # The line for the name begins 33 mm from the left, and letters are spread a little.
    assert width(words.envelope.upper(), STRONG, 7) + 0.9 * len(words.envelope) <= 26 * mm


@pytest.mark.parametrize("words", WORDINGS.values(), ids=WORDINGS)
def test_the_foot_of_a_sheet_has_room_for_its_words(words: Wordings) -> None:
    """With the longest title and the largest numbers the words end before those beside the ruler."""
    layout = grid(Setup(), POKER)
    title = words.game_of.format(title=LONGEST_TITLE, game="WWWW")
    span = words.span.format(envelopes=words.envelopes, first=590, last=600)
    said = "  ·  ".join((title, words.sheet.format(number=888, pages=888), span))
    room = layout.columns * POKER.width - 4 - 52
    assert width(said, TEXT, 7) + width(words.ruler, TEXT, 7) + 3 * mm <= room * mm


@pytest.mark.parametrize("words", WORDINGS.values(), ids=WORDINGS)
def test_the_fonts_have_every_character(words: Wordings) -> None:
    """No word prints as a box."""
    for text in _all(astuple(words)):
        check_characters(text, TEXT)
        check_characters(text.upper(), STRONG)


def _all(words: Iterable[object]) -> Iterator[str]:
    for text in words:
        if isinstance(text, str):
            yield text
        elif isinstance(text, tuple):
            yield from _all(text)


@pytest.mark.parametrize(
    ("language", "label", "sheet"),
    [
        ("en", ("ENVELOPE", "Name", "Game 7K3Q"), ("EuroCG 2026, game 7K3Q · sheet 1 of 1 · envelope 3",)),
        ("de", ("UMSCHLAG", "Spiel 7K3Q"), ("EuroCG 2026, Spiel 7K3Q · Bogen 1 von 1 · Umschlag 3",)),
        ("fr", ("ENVELOPPE", "Nom", "Partie 7K3Q"), ("EuroCG 2026, partie 7K3Q · planche 1 sur 1 · enveloppe 3",)),
    ],
)
def test_a_run_is_printed_in_its_language(language: str, label: tuple[str, ...], sheet: tuple[str, ...]) -> None:
    """Labels and margins speak the language of the run."""
    run = _run(language)
    for name, wanted in ((LABELS, label), (SHEETS, sheet)):
        out = BytesIO()
        write_part(run, name, out)
        said = " ".join(pypdfium2.PdfDocument(out.getvalue())[0].get_textpage().get_text_range().split())
        for text in wanted:
            assert text in said


def test_a_language_that_is_not_known_gets_english() -> None:
    """An edition of one's own may speak any language."""
    assert wordings("eo") is ENGLISH


def _run(language: str) -> PrintRun:
    """Return a run of one envelope with two cards."""
    edition = load_edition("eurocg-2026", language)
    game = Game("7K3Q", edition.slug, bytes(32), tuple(kind.slug for kind in edition.kinds), 6, "x")
    hands = {3: [CardId("red", 1), CardId("red", 2)]}
    links = {3: "https://haggle.example.org/j#7K3Q"}
    faces = edition_faces(edition)
    return PrintRun(game, edition.title, faces, hands, Setup(PAPERS["a4"]), [3], links, language)
