"""Splits the rules of an edition into parts whose points add up, whatever the hand.

What makes rules depend on each other is the engine's business: a rule may touch others only if it declares so, all
rules about the worth of cards are folded together, and what eliminates, removes, multiplies all, or acts by cards
held reaches everything. Rules that nothing of this joins add their points independently.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.scoring.edition import Scope
from server.scoring.phases import Phase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.scoring import Edition, Rule

_WORTH = frozenset({Phase.BASE, Phase.COUNT, Phase.WORTH})
_ALL = frozenset({Phase.ELIMINATE, Phase.REMOVE, Phase.DOUBLE})


@dataclass(frozen=True)
class Part:
    """Rules that are counted together; the one part with `cards` has the plain worth of the cards as well."""

    rules: tuple[str, ...]
    cards: bool


def parts(edition: Edition, active: Iterable[str]) -> list[Part]:
    """Return the parts, that with the cards first; one part alone if a rule reaches everything."""
    rules = [edition.rule_of[key] for key in active]
    if reaches_all(edition, [rule.key for rule in rules]):
        return [Part(tuple(rule.key for rule in rules), cards=True)]
    group = {rule.key: rule.key for rule in rules}

    def find(key: str) -> str:
        while group[key] != key:
            key = group[key]
        return key

    worths = [rule.key for rule in rules if rule.phases & _WORTH]
    pairs = [(rule.key, other) for rule in rules for other in rule.touches if other in group]
    for one, other in pairs + [(worths[0], key) for key in worths]:
        group[find(other)] = find(one)
    members: dict[str, list[str]] = {}
    for rule in rules:
        members.setdefault(find(rule.key), []).append(rule.key)
    first = members.pop(find(worths[0]), []) if worths else []
    return [Part(tuple(first), cards=True), *(Part(tuple(keys), cards=False) for keys in members.values())]


def reaches_all(edition: Edition, active: Iterable[str]) -> bool:
    """Tell whether one of the rules reaches everything, so that all are one part."""
    return any(_reaches_all(edition.rule_of[key]) for key in active)


def _reaches_all(rule: Rule) -> bool:
    return bool(rule.phases & _ALL) or rule.scope is not Scope.ALWAYS
