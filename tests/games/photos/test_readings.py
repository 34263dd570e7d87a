"""Readings: the results of scans as stored in the rows of photographs."""

from __future__ import annotations

import json

from cardgen.cards import CardId
from scanner.result import CardPile, Doubt, Hint, ScannedCode, ScanResult, SeenCard
from server.games.photos.readings import (
    MAX_TEXT,
    CodeReading,
    DoubtReading,
    HintReading,
    PileReading,
    Reading,
    SeenReading,
    reading_of,
    stored_reading,
)

SQUARE = ((0.04, 0.0), (9.06, 0.0), (9.06, 9.0), (0.04, 1234.56))
ROUNDED = ((0.0, 0.0), (9.1, 0.0), (9.1, 9.0), (0.0, 1234.6))
RED = CardId("red", 7)


def test_all_results_of_a_scan_are_stored() -> None:
    """Corners are rounded to a tenth of a pixel, and timings left out."""
    result = ScanResult(
        width=400,
        height=300,
        codes=(ScannedCode("ab", SQUARE, RED, "card"), ScannedCode("cd", SQUARE, None, "label")),
        seen=(SeenCard(RED, SQUARE, (0,)),),
        labels=(3,),
        decks=(CardPile(3, (0,)), CardPile(None, ())),
        doubts=(Doubt(SQUARE, "glare", 12.5, 3.0),),
        advice=(Hint("closer", "Go closer."),),
        timings={"find": 1.0},
        complete=False,
    )
    stored = stored_reading(result, b"a JPEG")
    assert (stored.labels, stored.image) == ((3,), b"a JPEG")
    assert reading_of(json.loads(stored.reading), "", b"") == Reading(
        width=400,
        height=300,
        codes=(
            CodeReading(text="ab", quad=ROUNDED, status="card", card="red-007"),
            CodeReading(text="cd", quad=ROUNDED, status="label"),
        ),
        seen=(SeenReading(card="red-007", outline=ROUNDED, codes=(0,)),),
        labels=(3,),
        decks=(PileReading(label=3, cards=(0,)), PileReading()),
        doubts=(DoubtReading(quad=ROUNDED, reason="glare"),),
        hints=(HintReading(slug="closer", text="Go closer."),),
        complete=False,
    )


def test_an_empty_scan_is_stored() -> None:
    """A photograph without cards has a complete reading too."""
    stored = stored_reading(ScanResult(90, 60, ()))
    assert stored.image is None
    assert json.loads(stored.reading) == Reading(width=90, height=60).as_json()


def test_text_of_foreign_codes_is_cleaned() -> None:
    """It is stored without control characters and surrogates, and with a limited length."""
    texts = ["plain, \u00e4\u4e2d", "a\0b\x1b[31m\ud800", "x" * 3000]
    result = ScanResult(90, 60, tuple(ScannedCode(text, SQUARE, None, "unchecked") for text in texts))
    codes = reading_of(json.loads(stored_reading(result).reading), "", b"").codes
    assert [code.text for code in codes] == [texts[0], "a\ufffdb\ufffd[31m\ufffd", "x" * MAX_TEXT]
    assert {code.status for code in codes} == {"foreign"}
