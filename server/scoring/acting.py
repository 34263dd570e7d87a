"""Which of the rules whose cards a hand holds act for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring.edition import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.scoring.edition import Rule
    from server.scoring.seat import Seat


def acting(seat: Seat, rules: Iterable[Rule]) -> tuple[list[Rule], list[tuple[Rule, Rule]]]:
    """Return those of the rules whose card a hand holds, one of each effect, and pairs (idle rule, rule that acts).

    Of cards with the same effect the one of the first rule acts; a rule held several times is idle beside itself.
    """
    first: dict[str, Rule] = {}
    idle: list[tuple[Rule, Rule]] = []
    for rule in sorted(rules, key=lambda rule: rule.place):
        copies = seat.handed_in(rule.card) if rule.scope is not Scope.ALWAYS else 0
        if not copies:
            continue
        if rule.effect in first:
            idle.append((rule, first[rule.effect]))
        else:
            first[rule.effect] = rule
            if copies > 1:
                idle.append((rule, rule))
    return list(first.values()), idle
