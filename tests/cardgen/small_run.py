"""A tiny game of three kinds of cards, and its print run, for the tests of labels and papers."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pypdfium2

from cardgen.cards import CardId, PrintedGame
from cardgen.documents.handout import Handout, HandoutSection
from cardgen.faces.face import Face
from cardgen.pages.layout import PageSetup
from cardgen.print_run import PrintPlan, write_part

KINDS = ("ace", "coin", "rule-1")
GAME = PrintedGame("T3ST", "tea", b"k" * 32, KINDS, 3, "seed")
FACES = {
    "ace": Face("ace", "Ace of spades", "Ace of spades", "", "#20263a", "heart", "TEA"),
    "coin": Face("coin", "Blue token", "Blue token", "", "#163A86", "drop", "TEA"),
    "rule-1": Face("rule-1", "A rule", "Rule 1", "Tea is worth 3.", "#20263a", "seal", "TEA", 1),
}
HANDS = {
    1: [CardId("ace", 1), CardId("coin", 1), CardId("rule-1", 1)],
    2: [CardId("ace", 2), CardId("ace", 3), CardId("coin", 2)],
    3: [CardId("rule-1", 2)],
}
HELLO = Handout("Tea", "A game.", (HandoutSection("The aim", ("Drink tea.", "• one", "• two")),))
RUN = PrintPlan(GAME, "Tea", FACES, HANDS, PageSetup(), [1, 2, 3], handout=HELLO)
STUCK = replace(RUN, stuck=frozenset({"ace", "coin"}), once=frozenset({"coin"}))
"""The same with two kinds on stickers, one of them with a single code."""


def written(run: PrintPlan, name: str, only: int | None = None) -> bytes:
    """Return a file of a run."""
    out = BytesIO()
    write_part(run, name, out, only=only)
    return out.getvalue()


def words(run: PrintPlan, name: str) -> list[str]:
    """Return the words of each page, in the order in which they were drawn."""
    with pypdfium2.PdfDocument(written(run, name)) as document:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]
