"""The page about the best deck names decks that have the scores it says."""

from __future__ import annotations

import re
from pathlib import Path

from server.editions import load_edition
from server.scoring import Hand, decimal, score

PAGE = Path(__file__).parents[2] / "docs" / "best.md"
NUMBERS = {"once": 1, "twice": 2}


def test_the_decks_of_the_table_have_their_scores() -> None:
    """Every row with a named deck is scored again, alone."""
    rows = re.findall(r"^\| `([a-z0-9-]+)`.*?\| \d+ \| \d+ \| (\d+): ([^|]+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 7
    for name, points, deck in rows:
        cards = {}
        for part in deck.split(", "):
            number, kind = re.fullmatch(r"(?:(\d+|once|twice) )?([a-z]+(?: \d+)?)", part).groups()  # type: ignore[union-attr] # a part that does not match fails
            cards[kind.replace(" ", "-")] = NUMBERS.get(number or "once") or int(number)
        (hand,) = score(load_edition(name), [Hand("A", cards)], provisional=False).hands
        assert decimal(hand.score) == points, deck
