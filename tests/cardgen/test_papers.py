"""Packing lists and hand-outs; and the languages of all documents."""

from __future__ import annotations

from dataclasses import astuple, replace
from io import BytesIO
from typing import TYPE_CHECKING

import pypdfium2
import pytest
from reportlab.lib.units import mm

from cardgen.cards import POKER
from cardgen.documents.handout import HandoutSection
from cardgen.fonts import STRONG, TEXT, TextError, check_characters, width
from cardgen.pages.layout import PageSetup, grid
from cardgen.pages.paper import PaperError
from cardgen.print_run import CALIBRATION, HANDOUT, LABELS, PACKING, SHEETS, STICKERS, PrintPlan, write_document
from cardgen.strings import ENGLISH, WORDINGS, Wordings, wordings
from tests.cardgen.small_run import FACES, GAME, HELLO, RUN, STUCK, words, written
from tests.printed_pages import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BETWEEN_CODES = 25.6
"""Width in millimetres of the text between the two codes of a label, with a gap before the second code."""


def test_the_packing_list_has_the_contents_of_each_envelope() -> None:
    """Each envelope has its number of cards; the sum and a checklist follow. Only the contents are secret."""
    contents, ticks = words(RUN, PACKING)
    assert "1 3 Ace of spades, Blue token, Rule 1" in contents
    assert "2 3 2 \u00d7 Ace of spades, Blue token" in contents
    assert "3 1 Rule 1" in contents
    assert contents.index("Rule 1 7") > 0
    assert "Checklist" in ticks
    assert "Envelope Given Back Name" in ticks
    assert "Ace" not in ticks
    assert contents.count("Keep it away from players") == 2
    assert "Keep it away" not in ticks
    for page in (contents, ticks):
        assert page.count("Tea") == page.count(f"Game {GAME.game}") == 1
        assert "spare" not in page


def test_spare_envelopes_are_marked_in_both_lists() -> None:
    """So they can stay sealed."""
    contents, ticks = words(replace(RUN, spare=range(3, 4)), PACKING)
    assert contents.count("spare") == ticks.count("spare") == 1
    assert "3 spare 1 Rule 1" in contents
    assert ticks.rindex("3 spare") > ticks.rindex("2")


def test_a_document_of_nothing_is_refused() -> None:
    run = replace(RUN, stuck=frozenset(FACES), labels=[], handout=None)
    with pytest.raises(PaperError, match="all cards come as stickers"):
        write_document(run, BytesIO())


def test_the_hand_out_is_one_page_with_lines_to_fill_in() -> None:
    """Its text is set as small as is legible, and refused if it is longer."""
    (page,) = words(RUN, HANDOUT)
    for part in ("Tea", "A game.", "The aim", "Drink tea.", "one", "two", "Hand in by", "Where", "Your hosts"):
        assert part in page
    long = HandoutSection("Much", ("word " * 300,))
    written(replace(RUN, handout=replace(HELLO, sections=(long,) * 4)), HANDOUT)
    with pytest.raises(TextError, match="does not fit one page: shorten its sections"):
        written(replace(RUN, handout=replace(HELLO, sections=(long,) * 9)), HANDOUT)
    with pytest.raises(PaperError, match="no hand-out"):
        written(replace(RUN, handout=None), HANDOUT)


@pytest.mark.parametrize(
    ("part", "title", "abroad"),
    [
        (SHEETS, "Tea, game T3ST: cards", "eo"),
        (LABELS, "Tea, game T3ST: envelope labels", "en"),
        (STICKERS, "Tea, game T3ST: stickers", "eo"),
        (HANDOUT, "Tea: how to play", "eo"),
        (PACKING, "Tea: packing list", "en"),
        (CALIBRATION, "Calibration page", "en"),
    ],
)
def test_files_have_a_title_and_a_language(part: str, title: str, abroad: str) -> None:
    """They are written with the same bytes each time, in the oldest version of PDF that supports both.

    Other editions may be in any language; our own text is then in English.
    """
    for language, result in (("en", "en"), ("de", "de"), ("fr", "fr"), ("eo", abroad)):
        pdf = written(replace(STUCK, language=language), part)
        source = catalogue(pdf)
        assert f"/Lang ({result})" in source
        assert "/DisplayDocTitle true" in source
        with pypdfium2.PdfDocument(pdf) as document:
            facts, version = document.get_metadata_dict(), document.get_version()
        assert version == (17 if "/Duplex" in source else 16)
        assert not {"anonymous", "unspecified"} & set(facts.values())
        if language == "en":
            assert (facts["Title"], facts["Subject"]) == (title, title)
            assert (facts["Author"], facts["Creator"]) == ("Haggle", "Haggle")
            assert written(STUCK, part) == pdf


@pytest.mark.parametrize("words_of", WORDINGS.values(), ids=WORDINGS)
def test_texts_of_every_language_fit_and_have_all_characters(words_of: Wordings) -> None:
    """Text on labels does not overlap a code; the footer of a sheet fits the longest title and the largest numbers."""
    for heading, *lines in (words_of.scanner, words_of.join):
        assert width(heading, STRONG, 7) <= BETWEEN_CODES * mm
        for line in lines:
            assert width(line, TEXT, 7) <= BETWEEN_CODES * mm, line
    # The line for the name begins 33 mm from the left, and letters are spaced.
    assert width(words_of.envelope.upper(), STRONG, 7) + 0.9 * len(words_of.envelope) <= 26 * mm
    title = words_of.game_of.format(title="Le Haggle de Sackson", game="WWWW")
    span = words_of.span.format(envelopes=words_of.envelopes, first=590, last=600)
    output = "  ·  ".join((title, words_of.sheet.format(number=888, pages=888), span))
    room = grid(PageSetup(), POKER).columns * POKER.width - 4 - 52
    assert width(output, TEXT, 7) + width(words_of.ruler, TEXT, 7) + 3 * mm <= room * mm
    for text in _all(astuple(words_of)):
        check_characters(text, TEXT)
        check_characters(text.upper(), STRONG)


def _all(parts: Iterable[object]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, tuple):
            yield from _all(part)


@pytest.mark.parametrize(
    ("language", "label", "sheet"),
    [
        ("en", ("ENVELOPE", "Name", "Game T3ST"), "Tea, game T3ST · sheet 1 of 1 · envelopes 1 to 3"),
        ("de", ("UMSCHLAG", "Spiel T3ST"), "Tea, Spiel T3ST · Bogen 1 von 1 · Umschläge 1 bis 3"),
        ("fr", ("ENVELOPPE", "Nom", "Partie T3ST"), "Tea, partie T3ST · planche 1 sur 1 · enveloppes 1 à 3"),
    ],
)
def test_labels_and_margins_are_in_the_language_of_the_run(language: str, label: tuple[str, ...], sheet: str) -> None:
    run: PrintPlan = replace(RUN, language=language)
    assert sheet in words(run, SHEETS)[0]
    for text in label:
        assert text in words(run, LABELS)[0]
    assert wordings("eo") is ENGLISH
