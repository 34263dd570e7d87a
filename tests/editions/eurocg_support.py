"""What the tests of EuroCG's rules read in a breakdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.scoring.support import by_rule, scored

if TYPE_CHECKING:
    from server.scoring import Hand


def text(hand: Hand, rule: int) -> str:
    """Return the sentence of a rule that wrote exactly one line."""
    (line,) = by_rule(scored(hand), rule)
    return line.text


def worth(hand: Hand, kind: str, settings: dict[str, int] | None = None) -> tuple[int, str | None]:
    """Return the points of a colour's line and the rule that voided it."""
    (line,) = [line for line in scored(hand, settings).lines if line.kind == kind]
    assert line.void == (line.voided_by is not None)
    return int(line.points), line.voided_by
