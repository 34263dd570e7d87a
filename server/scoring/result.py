"""The result of scoring: hands in rank order, each with its score and breakdown, and its JSON form."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from server.scoring.breakdown import Line, breakdown_lines, decimal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from server.scoring.count import Count
    from server.scoring.edition import Edition
    from server.scoring.hand import Hand
    from server.scoring.table import Seat


@dataclass(frozen=True)
class HandResult:
    """A scored hand. `decided_by` names the tie-break that separated it from hands of equal score, or is None.

    The `score` of an eliminated hand is 0, and its `lines` only give the reason.
    """

    edition: Edition
    hand: Hand
    score: Fraction
    rank: int
    decided_by: str | None
    seat: Seat = field(repr=False)
    count: Count = field(repr=False)
    eliminated: bool = False

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The breakdown in the edition's language; the points of lines that are not void add up to the score.

        The sentences are made at the first access, so that scoring alone is fast.
        """
        return self.lines_in(self.edition)

    def lines_in(self, edition: Edition, called: Mapping[str, str] | None = None) -> tuple[Line, ...]:
        """Return the breakdown in the language of `edition`, the same edition in any language.

        `called` maps players to the names to show, for readers who must not see the players' own names.
        """
        return breakdown_lines(edition, self.seat, self.count, eliminated=self.eliminated, called=called)


@dataclass(frozen=True)
class Result:
    """All hands of a game in rank order, with the settings and the seed that were used.

    If `provisional`, each hand was scored without knowledge of the others, and the seed is not that of the game.
    """

    edition: Edition
    settings: Mapping[str, int]
    hands: tuple[HandResult, ...]
    seed: str = ""
    provisional: bool = False


def result_document(result: Result) -> dict[str, Any]:
    """Return a result as JSON data. Scores and points are exact decimals as text."""
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
    """Return a line of a breakdown as JSON data."""
    return {
        "rule": line.rule,
        "points": decimal(line.points),
        "text": line.text,
        "void": line.void,
        "voided_by": line.voided_by,
    }
