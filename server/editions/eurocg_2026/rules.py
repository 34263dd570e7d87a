"""EuroCG 2026 states its rules in edition.toml. This file only helps the search for the best deck."""

from __future__ import annotations

from server.scoring import Rulebook

book = Rulebook()


@book.alike("rule")
def rule_cards_alike(cards: int, low: int, high: int) -> int:
    """Return the number of a single rule card, or the span of several; rules read only these and the count."""
    return low if cards == 1 else high - low
