"""What a case of a rule is: a hand just below, at or above a number, and what the rule then does to it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from server.scoring import Hand, score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.scoring import Edition, HandResult

Cards = dict[str, int]


class Case(NamedTuple):
    """A hand and what a rule (by its effect) brings it: points, 0 for a line without, None for no word of the rule.

    A case with a `number` stands just below, at or just above it. `others` are the other hands of the game.
    """

    effect: str
    number: str | None
    expected: Fraction | int | None
    cards: Mapping[str, int]
    others: tuple[Mapping[str, int], ...] = ()

    @property
    def name(self) -> str:
        """The case in a few words."""
        return f"{self.effect}-{self.number}-{'+'.join(f'{n}{kind}' for kind, n in self.cards.items())}"


def played(edition: Edition, case: Case) -> HandResult:
    """Score a case's hand among its others, as a whole game with a card of the rule in the hand where it needs one."""
    key = next(rule.key for rule in edition.rules if rule.effect == case.effect)
    cards = dict(case.cards)
    if edition.rule_of[key].scope.value != "always":
        cards.setdefault(f"rule-{key}", 1)
    hands = [Hand("Ada", cards), *(Hand(f"other {place}", other) for place, other in enumerate(case.others))]
    result = score(edition, hands, provisional=False)
    return next(hand for hand in result.hands if hand.hand.player == "Ada")


def outcome(edition: Edition, case: Case) -> Fraction | None:
    """Return what the rule of a case did: the points of its live lines, or of the cards whose worth it set.

    What the owner of a card gets whatever happens is left out.
    """
    result = played(edition, case)
    rule = next(rule for rule in edition.rules if rule.effect == case.effect)
    entries = [
        entry for entry in result.seat.journal if entry.rule is rule and entry.say not in ("worth", "owner", "unused")
    ]
    owner = sum(Fraction(entry.amount) for entry in result.seat.journal if entry.rule is rule and entry.say == "owner")
    lines = [line for line in result.lines if line.rule == rule.key and not line.void]
    if entries and lines:
        return sum((line.points for line in lines), Fraction(0)) - owner
    set_by = [kind for kind, entry in result.count.worths.items() if entry.rule is rule and result.seat.has(kind)]
    return (
        sum((result.seat.has(k) * Fraction(result.count.worths[k].amount) for k in set_by), Fraction(0))
        if set_by
        else None
    )
