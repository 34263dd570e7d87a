"""The cards of each hand in the model: variables of the model for the deck that is searched, constants for other hands.

Variables are made when a rule reads them. Kinds that no rule distinguishes remain one number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.optimizer.solver.arithmetic import ZERO, Condition, Number, as_number, constant
from server.optimizer.space import kinds_of
from server.scoring import Hand

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from server.optimizer.solver.arithmetic import Arithmetic
    from server.optimizer.space import Space
    from server.scoring import Edition


class TableDeck:
    """A hand: `handed_in`, numbers on cards, facts and parts, and the cards that still score."""

    def __init__(self, arithmetic: Arithmetic, edition: Edition, player: str) -> None:
        self.player = player
        self.edition = edition
        self._arithmetic = arithmetic
        self._categories = {deal.category: kinds_of(edition, deal.category) for deal in edition.deal}
        self._groups = {group.slug: group.kinds for group in edition.groups}
        self._left: dict[str, Number] = {}
        """The number of cards of each kind of a category from which cards were removed."""

    # Cards that still score

    def has(self, name: str) -> Number:
        """Return the number of cards of a kind, a group or a category that still score."""
        if name in self._categories:
            if self._left and any(kind in self._left for kind in self._categories[name]):
                return self._arithmetic.total(self.has(kind) for kind in self._categories[name])
            return self.size(name)
        if name in self._groups:
            return self.limited(self._arithmetic.total(self.has(kind) for kind in self._groups[name]))
        return self._left[name] if name in self._left else self.handed_in(name)

    def remove(
        self, category: str, number: Number, order: Callable[[dict[str, int]], Sequence[tuple[str, int]]]
    ) -> None:
        """Remove a number of cards of a category. `order` returns kinds and copies in the order of the draw."""
        arithmetic = self._arithmetic
        kinds = self._categories[category]
        removed: dict[str, list[Number]] = {kind: [] for kind in kinds}
        before = ZERO
        for kind, copy in order({kind: self.handed_in(kind).high for kind in kinds}):
            held = arithmetic.at_most(constant(copy), self.handed_in(kind))
            gone = arithmetic.all_of((held, arithmetic.less(before, number)))
            removed[kind].append(as_number(gone))
            before = arithmetic.add(before, as_number(held))
        for kind in kinds:
            self._left[kind] = arithmetic.subtract(self.handed_in(kind), arithmetic.total(removed[kind]))

    def kinds(self, category: str) -> tuple[str, ...]:
        """Return all kinds of a category."""
        return self._categories[category]

    def single(self, name: str) -> tuple[str, ...]:
        """Return the kinds of a group, or the kind itself."""
        return self._groups.get(name, (name,))

    # What was handed in

    @property
    def total(self) -> Number:
        """The number of all cards."""
        return self.limited(self._arithmetic.total(self.size(category) for category in self._categories))

    def size(self, category: str) -> Number:
        """Return the number of cards of a category, as handed in."""
        raise NotImplementedError

    def handed_in(self, kind: str) -> Number:
        """Return the number of cards of a kind, as handed in."""
        raise NotImplementedError

    def any_handed_in(self, kinds: tuple[str, ...]) -> Condition:
        """Return whether there is a card of one of some kinds that rules do not tell apart."""
        raise NotImplementedError

    def extremes(self, category: str) -> tuple[Number, Number]:
        """Return the lowest and the highest number on cards of a category; 0 if there is none."""
        raise NotImplementedError

    def fact(self, name: str) -> Number:
        """Return the value of a fact."""
        raise NotImplementedError

    def in_part(self, part: str, kind: str) -> Number:
        """Return the number of cards of a kind in a part."""
        raise NotImplementedError

    def numbers(self, category: str) -> dict[str, int]:
        """Return the printed numbers of the kinds of a category."""
        kinds = (self.edition.kind_of[kind] for kind in self._categories[category])
        return {kind.slug: kind.number for kind in kinds if kind.number is not None}

    def limited(self, number: Number) -> Number:
        """Return a number of cards with the tightest bounds that are known."""
        return number


class GivenDeck(TableDeck):
    """Another hand at the table."""

    def __init__(self, arithmetic: Arithmetic, edition: Edition, hand: Hand) -> None:
        super().__init__(arithmetic, edition, hand.player)
        self.hand = hand

    def size(self, category: str) -> Number:
        """Return the number of cards of a category."""
        return constant(sum(self.hand.cards.get(kind, 0) for kind in self._categories[category]))

    def handed_in(self, kind: str) -> Number:
        """Return the number of cards of a kind."""
        return constant(self.hand.cards.get(kind, 0))

    def any_handed_in(self, kinds: tuple[str, ...]) -> Condition:
        """Return whether there is a card of one of some kinds."""
        return any(self.hand.cards.get(kind, 0) for kind in kinds)

    def extremes(self, category: str) -> tuple[Number, Number]:
        """Return the lowest and the highest number on cards of a category."""
        held = [number for kind, number in self.numbers(category).items() if self.hand.cards.get(kind, 0)]
        return constant(min(held, default=0)), constant(max(held, default=0))

    def fact(self, name: str) -> Number:
        """Return the value of a fact."""
        return constant(self.hand.facts.get(name, self.edition.fact_of[name].default))

    def in_part(self, part: str, kind: str) -> Number:
        """Return the number of cards of a kind in a part."""
        return constant(self.hand.parts.get(part, {}).get(kind, 0))


class SearchedDeck(TableDeck):
    """The deck that is searched, with at most `space.most` cards."""

    def __init__(self, arithmetic: Arithmetic, space: Space) -> None:
        super().__init__(arithmetic, space.edition, space.player)
        self._space = space
        self._most = space.most
        self._kinds: dict[str, Number] = {}
        self._unions: dict[tuple[str, ...], Number] = {}
        self._parts: dict[tuple[str, str], Number] = {}
        self._facts: dict[str, Number] = {}
        self._extremes: dict[str, tuple[Number, Number]] = {}
        self._sizes = {
            category: arithmetic.variable(0, self._supply(kinds)) for category, kinds in self._categories.items()
        }
        self._rest: dict[tuple[str, ...], Number] = {}
        self._summarized: list[str] = []
        """Categories of which rules read only the number of cards and the extreme numbers on them."""
        self._size = arithmetic.total(self._sizes.values())
        arithmetic.require(arithmetic.at_most(self._size, constant(self._most)))

    def size(self, category: str) -> Number:
        """Return the number of cards of a category."""
        return self._sizes[category]

    def handed_in(self, kind: str) -> Number:
        """Return the number of cards of a kind."""
        if kind not in self._kinds:
            self._kinds[kind] = self._arithmetic.variable(0, self._supply((kind,)))
        return self._kinds[kind]

    def any_handed_in(self, kinds: tuple[str, ...]) -> Condition:
        """Return whether there is a card of one of some kinds."""
        if len(kinds) == 1:
            return self._arithmetic.positive(self.handed_in(kinds[0]))
        if kinds not in self._unions:
            self._unions[kinds] = self._arithmetic.variable(0, self._supply(kinds))
        return self._arithmetic.positive(self._unions[kinds])

    def extremes(self, category: str) -> tuple[Number, Number]:
        """Return the lowest and the highest number on cards of a category."""
        if category not in self._extremes:
            largest = max(self.numbers(category).values(), default=0)
            low, high = (self._arithmetic.variable(0, largest) for _ in range(2))
            self._extremes[category] = low, high
        return self._extremes[category]

    def fact(self, name: str) -> Number:
        """Return the value of a fact."""
        fact = self.edition.fact_of[name]
        if name in self._space.facts:
            return constant(self._space.facts[name])
        if name not in self._facts:
            self._facts[name] = self._arithmetic.variable(fact.minimum, fact.maximum)
        return self._facts[name]

    def in_part(self, part: str, kind: str) -> Number:
        """Return the number of cards of a kind in a part."""
        self.handed_in(kind)
        if (part, kind) not in self._parts:
            self._parts[part, kind] = self._arithmetic.variable(0, self._supply((kind,)))
        return self._parts[part, kind]

    def finish(self) -> None:
        """Connect all variables, when all rules have read the deck."""
        arithmetic = self._arithmetic
        for category in list(self._extremes):
            self._finish_numbers(category)
        for category, kinds in self._categories.items():
            if category in self._summarized:
                continue
            unions = [union for union in self._unions if union[0] in kinds]
            merged = {kind for union in unions for kind in union}
            for union in unions:
                inside = [self._kinds[kind] for kind in union if kind in self._kinds]
                self._equate(self._unions[union], [*inside, self._remainder(union)])
            parts = [self._kinds[kind] for kind in kinds if kind in self._kinds and kind not in merged]
            parts += [self._unions[union] for union in unions]
            others = tuple(kind for kind in kinds if kind not in merged)
            self._equate(self._sizes[category], [*parts, self._remainder(others)])
        for kind, number in self._kinds.items():
            labelled = arithmetic.total(part for (_, other), part in self._parts.items() if other == kind)
            arithmetic.require(arithmetic.at_most(labelled, number))

    def hand(self, value: Callable[[Number], int]) -> Hand:
        """Return the deck of a solution; `value` returns the value of a number in it."""
        cards = {kind: value(number) for kind, number in self._kinds.items()}
        for category in self._summarized:
            low, high = (value(number) for number in self._extremes[category])
            cards |= self._with_numbers(category, low, high, value(self._sizes[category]))
        for kinds, number in self._rest.items():
            left = value(number)
            for kind in kinds:
                cards[kind] = min(left, self._space.supply.get(kind, 0))
                left -= cards[kind]
        parts: dict[str, dict[str, int]] = {}
        for (part, kind), number in self._parts.items():
            if copies := value(number):
                parts.setdefault(part, {})[kind] = copies
        yes_no = {fact.name for fact in self.edition.facts if fact.yes_no}
        facts: dict[str, int] = {
            name: bool(value(number)) if name in yes_no else value(number) for name, number in self._facts.items()
        }
        held = {kind: number for kind, number in cards.items() if number}
        return Hand(self.player, held, facts={**self._space.facts, **facts}, parts=parts)

    def _equate(self, number: Number, parts: Sequence[Number]) -> None:
        self._arithmetic.require(self._arithmetic.equal(number, self._arithmetic.total(parts)))

    def _supply(self, kinds: Sequence[str]) -> int:
        return min(sum(self._space.supply.get(kind, 0) for kind in kinds), self._most)

    def limited(self, number: Number) -> Number:
        """Return a number of cards, which cannot be more than those of the deck."""
        return number._replace(high=max(number.low, min(number.high, self._most)))

    def _remainder(self, kinds: Sequence[str]) -> Number:
        """Return the number of cards of those kinds that no rule reads by themselves."""
        unread = tuple(kind for kind in kinds if kind not in self._kinds)
        if not unread:
            return ZERO
        self._rest[unread] = self._arithmetic.variable(0, self._supply(unread))
        return self._rest[unread]

    def _finish_numbers(self, category: str) -> None:
        """Connect the lowest and highest number with the cards of a category."""
        arithmetic = self._arithmetic
        kinds, numbers = self._categories[category], self.numbers(category)
        low, high = self._extremes[category]
        if (
            len(numbers) < len(kinds)
            or any(kind in self._kinds for kind in kinds)
            or any(union[0] in kinds for union in self._unions)
        ):
            held = {kind: arithmetic.positive(self.handed_in(kind)) for kind in numbers}
            some = arithmetic.any_of(held.values())
            above = constant(max(numbers.values(), default=0) + 1)
            lows = [arithmetic.choose(held[kind], constant(number), above) for kind, number in numbers.items()]
            highs = [arithmetic.gated(held[kind], constant(number)) for kind, number in numbers.items()]
            self._equate(low, [arithmetic.gated(some, arithmetic.minimum([above, *lows]))])
            self._equate(high, [arithmetic.maximum([ZERO, *highs])])
            return
        self._summarized.append(category)
        supply = {numbers[kind]: self._space.supply.get(kind, 0) for kind in kinds if self._space.supply.get(kind, 0)}
        rows = [(0, 0, 0, 0)]
        for lowest in supply:
            for highest in supply:
                if lowest <= highest and (lowest == highest or self._most > 1):
                    between = sum(copies for number, copies in supply.items() if lowest <= number <= highest)
                    rows.append((lowest, highest, 1 if lowest == highest else 2, min(between, self._most)))
        least, most = arithmetic.variable(0, 2), arithmetic.variable(0, self._most)
        arithmetic.table((low, high, least, most), rows)
        arithmetic.require(arithmetic.at_most(least, self._sizes[category]))
        arithmetic.require(arithmetic.at_most(self._sizes[category], most))

    def _with_numbers(self, category: str, low: int, high: int, size: int) -> dict[str, int]:
        """Return `size` cards of a category with these extreme numbers."""
        numbers = self.numbers(category)
        cards = {kind: int(number in {low, high} and size > 0) for kind, number in numbers.items()}
        left = size - sum(cards.values())
        for kind, number in numbers.items():
            if low <= number <= high:
                more = min(left, self._space.supply.get(kind, 0) - cards[kind])
                cards[kind] += more
                left -= more
        return cards
