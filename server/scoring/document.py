"""A result as a JSON document, going out. The command line and the HTTP API give the same form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.scoring.wording import decimal

if TYPE_CHECKING:
    from server.scoring.breakdown import Line
    from server.scoring.result import HandResult, Result


def document_of(result: Result) -> dict[str, Any]:
    """Return a result with every hand in rank order. Scores and points are exact decimals as text."""
    return {"edition": result.edition.slug, "hands": [_hand(hand) for hand in result.hands]}


def _hand(hand: HandResult) -> dict[str, Any]:
    return {
        "player": hand.hand.player,
        "score": None if hand.eliminated else decimal(hand.score),
        "rank": hand.rank,
        "eliminated": hand.eliminated,
        "decided_by": hand.decided_by,
        "lines": [line_document(line) for line in hand.lines],
    }


def line_document(line: Line) -> dict[str, Any]:
    """Return one line of a breakdown."""
    return {
        "rule": line.rule,
        "points": decimal(line.points),
        "text": line.text,
        "void": line.void,
        "voided_by": line.voided_by,
    }
