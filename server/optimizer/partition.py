"""The division of a deck into cells, and of an edition's rules into groups whose points add up.

A cell is a category, maybe in one part of the deck ("category@part"), or a fact (named like its variable). Rules are in
one group if one touches the other, if both concern the worth of cards, or if one affects everything, such as
eliminating.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

from server.optimizer.space import (
    EMPTY,
    Holding,
    SearchTooLargeError,
    all_holdings,
    card_variable,
    distinct_holdings,
    fact_variable,
    is_fact_variable,
    kinds_of,
)
from server.scoring.rules import Phase, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from server.optimizer.space import Space
    from server.scoring import Edition, Rule


class DeckPartition:
    """The cells of a space. If decks have parts, a category is one cell, or with `apart` one for each part.

    With `apart`, each part is searched as if it could have all copies of a kind.
    """

    def __init__(self, space: Space, *, apart: bool = False) -> None:
        self._space = space
        edition = space.edition
        self._parts = ("", *(part.slug for part in edition.parts))
        self._apart = apart
        self._categories = tuple(deal.category for deal in edition.deal)
        self._facts = {fact_variable(fact.name): fact for fact in edition.facts}
        names = [card_variable(category, part) for part in self._places() for category in self._categories]
        self.names = (*names, *self._facts)
        """All cells: first those in no part, then those in parts, then facts."""

    def _places(self) -> tuple[str, ...]:
        return self._parts if self._apart else ("",)

    def of(self, category: str) -> frozenset[str]:
        """Return the cells with cards of a category."""
        return frozenset(card_variable(category, part) for part in self._places())

    def of_part(self, category: str, part: str) -> str:
        """Return the cell with the cards of a category in a part."""
        return card_variable(category, part) if self._apart else category

    def category(self, cell: str) -> str:
        """Return the category of a cell; "" for a fact."""
        return "" if is_fact_variable(cell) else cell.partition("@")[0]

    def variables(self, cell: str) -> list[str]:
        """Return the variables of a cell, kind by kind."""
        if cell in self._facts:
            return [cell]
        _, _, part = cell.partition("@")
        parts = (part,) if self._apart else self._parts
        return [
            card_variable(kind, part) for kind in kinds_of(self._space.edition, self.category(cell)) for part in parts
        ]

    def number(self, cells: Sequence[str]) -> int:
        """Return the number of different holdings of these cells together."""
        most = self._space.most
        by_size = [1] + [0] * most
        places = 1 if self._apart else len(self._parts)
        for cell in cells:
            if cell in self._facts:
                by_size = [ways * len(self.values(cell)) for ways in by_size]
                continue
            for kind in kinds_of(self._space.edition, self.category(cell)):
                ways = [comb(n + places - 1, n) for n in range(min(self._space.supply[kind], most) + 1)]
                by_size = [
                    sum(by_size[size - n] * ways[n] for n in range(min(size, len(ways) - 1) + 1))
                    for size in range(most + 1)
                ]
        return sum(by_size)

    def every(self, cell: str) -> Iterator[Holding]:
        """Yield all holdings of a cell."""
        if cell in self._facts:
            for value in self.values(cell):
                yield Holding({cell: value}, 0)
            return
        kinds = kinds_of(self._space.edition, self.category(cell))
        if self._apart or len(self._parts) == 1:
            variables = self.variables(cell)
            supply = {variable: self._space.supply[kind] for variable, kind in zip(variables, kinds, strict=True)}
            yield from all_holdings(variables, supply, self._space.most)
        else:
            yield from self._every(kinds)

    def holdings(self, cell: str, limit: int) -> list[Holding]:
        """Return the holdings of a cell that rules may distinguish; SearchTooLargeError for more than `limit`."""
        edition, space = self._space.edition, self._space
        if self.alike(cell):
            category = self.category(cell)
            return distinct_holdings(
                edition, edition.alike[category], kinds_of(edition, category), space.supply, space.most
            )
        if self.number([cell]) > limit:
            raise SearchTooLargeError
        return list(self.every(cell))

    def alike(self, cell: str) -> bool:
        """Return whether the edition declares holdings of a cell alike."""
        return len(self._parts) == 1 and self.category(cell) in self._space.edition.alike

    def _every(self, kinds: Sequence[str]) -> Iterator[Holding]:
        if not kinds:
            yield EMPTY
            return
        *earlier, last = kinds
        variables = [card_variable(last, part) for part in self._parts]
        for holding in self._every(earlier):
            room = min(self._space.supply[last], self._space.most - holding.size)
            for counts, number in _spread(variables, room):
                yield Holding({**holding.cards, **counts}, holding.size + number) if number else holding

    def values(self, cell: str) -> range:
        """Return the possible values of a fact: only one if the space fixes it."""
        fact = self._facts[cell]
        if fact.name in self._space.facts:
            value = self._space.facts[fact.name]
            return range(value, value + 1)
        return range(fact.minimum, fact.maximum + 1)


def _spread(variables: Sequence[str], room: int) -> Iterator[tuple[dict[str, int], int]]:
    """Yield all distributions of up to `room` copies of a kind over its variables, with the number of copies."""
    if not variables:
        yield {}, 0
        return
    first, *others = variables
    for number in range(room + 1):
        for rest, more in _spread(others, room - number):
            yield ({first: number, **rest} if number else rest), number + more


_WORTH = frozenset({Phase.BASE, Phase.COUNT, Phase.WORTH})
_ALL = frozenset({Phase.ELIMINATE, Phase.REMOVE, Phase.DOUBLE})


@dataclass(frozen=True)
class RuleGroup:
    """Rules that are scored together. The one group with `cards` includes the plain worth of the cards."""

    rules: tuple[str, ...]
    cards: bool


def rule_groups(edition: Edition, active: Iterable[str]) -> list[RuleGroup]:
    """Return the groups, first the one with the cards; a single group if a rule affects everything."""
    rules = [edition.rule_of[key] for key in active]
    if affects_everything(edition, [rule.key for rule in rules]):
        return [RuleGroup(tuple(rule.key for rule in rules), cards=True)]
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
    return [RuleGroup(tuple(first), cards=True), *(RuleGroup(tuple(keys), cards=False) for keys in members.values())]


def affects_everything(edition: Edition, active: Iterable[str]) -> bool:
    """Return whether one of the rules affects everything, so that all form one group."""
    return any(_affects_everything(edition.rule_of[key]) for key in active)


def _affects_everything(rule: Rule) -> bool:
    reads_points = any(step.reads_points for step in rule.steps)
    return reads_points or bool(rule.phases & _ALL) or rule.scope is not Scope.ALWAYS
