"""A case of a rule: a hand just below, at or above a number, and the effect of the rule on it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from server.scoring import Hand, score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.scoring import Edition

Cards = dict[str, int]


class Case(NamedTuple):
    """A hand and the points that a rule (by its effect) gives it: 0 for a line without points, None for no line.

    A case with a `number` is just below, at or just above it. `others` are the other hands of the game.
    """

    effect: str
    number: str | None
    expected: Fraction | int | None
    cards: Mapping[str, int]
    others: tuple[Mapping[str, int], ...] = ()


def outcome(edition: Edition, case: Case) -> Fraction | None:
    """Return the effect of a rule in a whole game: the points of its live lines, or of cards whose worth it sets.

    The hand gets a card of the rule if it needs one, but not the points that the card always brings its owner.
    """
    rule = next(rule for rule in edition.rules if rule.effect == case.effect)
    cards = dict(case.cards) if rule.scope.value == "always" else {rule.card: 1} | dict(case.cards)
    hands = [Hand("Ada", cards), *(Hand(f"other {index}", other) for index, other in enumerate(case.others))]
    result = next(hand for hand in score(edition, hands, provisional=False).hands if hand.hand is hands[0])
    entries = [entry for entry in result.seat.journal if entry.rule is rule]
    if any(entry.say not in {"worth", "owner", "unused"} for entry in entries):
        lines = [line.points for line in result.lines if line.rule == rule.key and not line.void]
        owner = sum(Fraction(entry.amount) for entry in entries if entry.say == "owner")
        if lines:
            return sum(lines, -owner)
    worths = {kind: entry.amount for kind, entry in result.count.worths.items() if entry.rule is rule}
    held = [kind for kind in worths if result.seat.has(kind)]
    return sum((result.seat.has(kind) * Fraction(worths[kind]) for kind in held), Fraction(0)) if held else None
