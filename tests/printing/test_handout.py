"""Hand-outs: they contain the public rules of play, and no secrets."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING

import pytest

from cardgen.documents.handout import write_handout
from cardgen.pages.paper import PAPERS
from cardgen.strings import wordings
from server.editions import load_edition
from server.printing.plan import handout_of

if TYPE_CHECKING:
    from pathlib import Path

    from cardgen.documents.handout import Handout

EDITIONS = ("eurocg-2026", "sackson-1969", "tarot-fr")
LANGUAGES = ("en", "de", "fr")


def text_of(handout: Handout) -> str:
    """Return the text of a hand-out."""
    return "\n".join(line for section in handout.sections for line in (section.heading, *section.paragraphs))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EDITIONS)
def test_every_hand_out_fits_one_page_and_contains_no_secret(name: str, language: str) -> None:
    """On both papers, without placeholders, sentences of rule cards, or tie-breaks that a rule decides."""
    edition = load_edition(name, language)
    handout = handout_of(edition, 40)
    words = wordings(language).handout
    for paper in PAPERS.values():
        assert write_handout(BytesIO(), handout, paper, words, language=language) == 1
    assert not re.search(r"[{}']", text_of(handout))
    text = text_of(handout).lower()
    sentences = [part.strip() for kind in edition.kinds for part in kind.text.replace("'", "\u2019").lower().split(".")]
    assert len(sentences) > 30
    assert not [sentence for sentence in sentences if " " in sentence and sentence in text]
    assert not [tie.label for tie in edition.ties if tie.rule is not None and tie.label.lower() in text]
    assert all(tie.label.lower().replace("'", "\u2019") in text for tie in edition.ties if tie.rule is None)


def test_it_lists_the_contents_of_an_envelope() -> None:
    """If a category has a fixed supply, the number of cards depends on that of the players."""
    assert "\u2022 Rule cards: 2, all different" in text_of(handout_of(load_edition("eurocg-2026", "en"), 23))
    few, many = (text_of(handout_of(load_edition("tarot-fr", "en"), players)) for players in (35, 70))
    assert "\u2022 Tarot cards: 11" in few
    assert "\u2022 Rule cards: 4" in few
    assert "\u2022 Tarot cards: 10" in many
    assert "\u2022 Rule cards: 2" in many
    assert few.count("\u2022 Tokens: 9") == many.count("\u2022 Tokens: 9") == 1


def test_an_edition_replaces_a_section_and_adds_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A section of a known name is replaced in its place; others come before the last one, about fair play."""
    folder = tmp_path / "tea"
    folder.mkdir()
    (folder / "edition.toml").write_text(
        """
slug = "tea"
title.en = "Tea"
summary.en = "Tea and cake."
players = { min = 2, max = 9 }
[[categories]]
slug = "plate"
name.en = "Plates"
each = 3
[[cards]]
slug = "cup"
category = "plate"
name.en = "Cup"
[[handout]]
name = "aim"
heading.en = "Why we are here"
text.en = "For tea."
[[handout]]
name = "songs"
heading.en = "Songs"
text.en = "Sing."
""",
        encoding="utf-8",
    )
    (folder / "rules.py").write_text("from server.scoring import Rulebook\n\nbook = Rulebook()\n", encoding="utf-8")
    monkeypatch.setenv("HAGGLE_EDITIONS", str(tmp_path))
    handout = handout_of(load_edition("tea"), 4)
    headings = [section.heading for section in handout.sections]
    assert headings[0] == "Why we are here"
    assert headings[-2:] == ["Songs", "Fair play"]
    assert "The aim" not in headings
    assert handout.sections[1].paragraphs[:2] == ("Your envelope holds:", "\u2022 Plates: 3")
