"""The functions of formulas on a hand of the model, named as in `server.editions.formulas.functions`."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from server.editions.formulas.functions import Cards
from server.optimizer.solver.arithmetic import (
    ONE,
    ZERO,
    Arithmetic,
    Condition,
    Number,
    UnsupportedRuleError,
    as_number,
    constant,
    negated,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from server.optimizer.solver.deck import TableDeck


Kinds = dict[str, Condition]
"""Kinds that a function returns, each with the condition that it is one of them."""


class Held(NamedTuple):
    """A kind, the `number` of its cards, and whether the hand has it."""

    name: str
    number: Number
    present: Condition


class Functions:
    """The functions for one hand at a table with `others`. Equal calls return the same variables."""

    def __init__(
        self, arithmetic: Arithmetic, deck: TableDeck, others: Sequence[TableDeck], active: Iterable[str]
    ) -> None:
        self.deck = deck
        self._arithmetic = arithmetic
        self._others = others
        self._active = frozenset(active)
        self._known: dict[object, Any] = {}

    def call(self, name: str, arguments: Sequence[Any]) -> Any:  # noqa: ANN401 - a number, a condition or kinds
        """Return the value of a function."""
        act: Callable[..., Any] | None = _FUNCTIONS.get(name)
        if act is None:
            raise UnsupportedRuleError(f"the function {name}")
        if any(isinstance(argument, dict | Number) for argument in arguments):
            return act(self, *arguments)
        key = (name, *arguments)
        if key not in self._known:
            self._known[key] = act(self, *arguments)
        return self._known[key]

    def seat(self, others: Sequence[TableDeck]) -> None:
        """Replace the other hands."""
        self._others = others
        self._known.clear()

    def forget(self) -> None:
        """Forget all values, as cards have left a hand."""
        self._known.clear()

    def held(self, cards: Cards | Kinds) -> list[Held]:
        """Return the kinds that the hand may have."""
        positive = self._arithmetic.positive
        if isinstance(cards, Cards):
            members = cards.members
            counts = [(name, self.deck.has(name)) for name in members]
            return [Held(name, count, positive(count)) for name, count in counts if count.high]
        counts = [(name, self.deck.has(name)) for name in cards]
        return [
            Held(
                name,
                self._arithmetic.gated(cards[name], count),
                self._arithmetic.all_of((cards[name], positive(count))),
            )
            for name, count in counts
            if count.high
        ]

    # Counting

    def count(self, cards: Cards | Kinds) -> Number:
        """Return the number of cards."""
        if isinstance(cards, Cards):
            return self._arithmetic.total(map(self.deck.has, cards.names))
        return self._arithmetic.total(one.number for one in self.held(cards))

    def _kinds(self, cards: Cards | Kinds) -> Number:
        return self._arithmetic.total(as_number(one.present) for one in self.held(cards))

    def _handed_in(self, cards: Cards) -> Number:
        return self._arithmetic.total(map(self.deck.handed_in, cards.kinds))

    def _highest(self, cards: Cards | Kinds) -> Number:
        return self._arithmetic.maximum([ZERO, *(one.number for one in self.held(cards))])

    def _lowest(self, cards: Cards | Kinds) -> Number:
        held = self.held(cards)
        above = constant(max((one.number.high for one in held), default=0) + 1)
        return self._unless(above, [self._arithmetic.choose(one.present, one.number, above) for one in held])

    def _unless(self, above: Number, numbers: Sequence[Number]) -> Number:
        """Return the smallest number, or 0 if it is `above`."""
        found = self._arithmetic.minimum([above, *numbers])
        return self._arithmetic.gated(self._arithmetic.less(found, above), found)

    def _sets(self, cards: Cards) -> Number:
        return self._arithmetic.minimum(list(map(self.deck.has, cards.members))) if cards.members else ZERO

    def _equal_sets(self, cards: Cards | Kinds, number: Number) -> Number:
        divide = self._arithmetic.floor_divide
        sets = self._arithmetic.total(divide(one.number, number) for one in self.held(cards))
        return self._arithmetic.gated(self._arithmetic.positive(number), sets)

    # Kinds

    def _with_count(self, held: Iterable[Held], number: Number) -> Kinds:
        every, equal = self._arithmetic.all_of, self._arithmetic.equal
        return {one.name: every((one.present, equal(one.number, number))) for one in held}

    def _most(self, cards: Cards | Kinds) -> Kinds:
        return self._with_count(self.held(cards), self._highest(cards))

    def _least(self, cards: Cards | Kinds) -> Kinds:
        return self._with_count(self.held(cards), self._lowest(cards))

    def _only(self, kinds: Kinds) -> Kinds:
        single = self._arithmetic.equal(self._arithmetic.total(map(as_number, kinds.values())), ONE)
        return {name: self._arithmetic.all_of((one, single)) for name, one in kinds.items()}

    def _only_most(self, cards: Cards | Kinds) -> Kinds:
        return self._only(self._most(cards))

    def _only_least(self, cards: Cards | Kinds) -> Kinds:
        return self._only(self._least(cards))

    def _alone(self, held: Sequence[Held]) -> list[Held]:
        """Return the kinds with those conditions that they are there and tie with no other."""
        arithmetic = self._arithmetic
        return [
            one._replace(
                present=arithmetic.all_of(
                    (one.present, *(negated(self._tie(one, other)) for other in held if other is not one))
                )
            )
            for one in held
        ]

    def _tie(self, one: Held, other: Held) -> Condition:
        return self._arithmetic.all_of((one.present, self._arithmetic.equal(one.number, other.number)))

    def _next_most(self, cards: Cards | Kinds) -> Kinds:
        alone = self._alone(self.held(cards))
        highest = [self._arithmetic.gated(one.present, one.number) for one in alone]
        return self._with_count(alone, self._arithmetic.maximum([ZERO, *highest]))

    def _next_least(self, cards: Cards | Kinds) -> Kinds:
        alone = self._alone(self.held(cards))
        above = constant(max((one.number.high for one in alone), default=0) + 1)
        lows = [self._arithmetic.choose(one.present, one.number, above) for one in alone]
        return self._with_count(alone, self._arithmetic.minimum([above, *lows]))

    def _exactly(self, cards: Cards | Kinds, number: Number) -> Kinds:
        return self._with_count(self.held(cards), number)

    def _above(self, cards: Cards | Kinds, number: Number) -> Kinds:
        every, less = self._arithmetic.all_of, self._arithmetic.less
        return {one.name: every((one.present, less(number, one.number))) for one in self.held(cards)}

    def _below(self, cards: Cards | Kinds, number: Number) -> Kinds:
        every, less = self._arithmetic.all_of, self._arithmetic.less
        return {one.name: every((one.present, less(one.number, number))) for one in self.held(cards)}

    def _names(self, cards: Cards | Kinds) -> Kinds:
        return dict.fromkeys(cards.names, True) if isinstance(cards, Cards) else cards

    # The shape of a hand

    def _all_different(self, cards: Cards | Kinds) -> Condition:
        pairs = combinations(self.held(cards), 2)
        return self._arithmetic.all_of(negated(self._tie(one, other)) for one, other in pairs)

    def _is_shape(self, cards: Cards | Kinds, *numbers: Number) -> Condition:
        arithmetic = self._arithmetic
        values = [number.constant for number in numbers]
        if None in values:
            raise UnsupportedRuleError("is_shape with a number that depends on the deck")
        held = self.held(cards)
        if any(not value or value < 0 for value in values):
            return False
        matches = [arithmetic.equal(arithmetic.total(as_number(one.present) for one in held), constant(len(values)))]
        for value in {value for value in values if value is not None}:
            found = (arithmetic.equal(one.number, constant(value)) for one in held)
            matches.append(arithmetic.equal(arithmetic.total(map(as_number, found)), constant(values.count(value))))
        return arithmetic.all_of(matches)

    def _runs(self, cards: Cards, length: Number) -> Number:
        arithmetic = self._arithmetic
        size = length.constant
        if size is None:
            raise UnsupportedRuleError("runs of a length that depends on the deck")
        if size < 1 or size != size // 1:
            return ZERO
        left = [self.deck.has(name) for name in cards.members]
        found = ZERO
        for start in range(len(left) - int(size) + 1):
            here = arithmetic.minimum(left[start : start + int(size)])
            found = arithmetic.add(found, here)
            for index in range(start, start + int(size)):
                rest = arithmetic.subtract(left[index], here)
                left[index] = rest._replace(low=max(rest.low, 0))
        return found

    def _longest_run(self, cards: Cards) -> Number:
        arithmetic = self._arithmetic
        longest = here = ZERO
        for name in cards.members:
            here = arithmetic.gated(arithmetic.positive(self.deck.has(name)), arithmetic.add(here, ONE))
            longest = arithmetic.maximum([longest, here])
        return longest

    # Numbers on cards

    def _number(self, cards: Cards) -> Number:
        low, high = self.deck.extremes(cards.category)
        return self._arithmetic.gated(self._arithmetic.equal(low, high), low)

    def _highest_number(self, cards: Cards) -> Number:
        return self.deck.extremes(cards.category)[1]

    def _lowest_number(self, cards: Cards) -> Number:
        return self.deck.extremes(cards.category)[0]

    def _sum_of_numbers(self, cards: Cards) -> Number:
        held = self.deck.numbers(cards.category).items()
        positive = self._arithmetic.positive
        return self._arithmetic.total(
            self._arithmetic.gated(positive(self.deck.handed_in(kind)), constant(number)) for kind, number in held
        )

    # Other hands

    def _has_most(self, cards: Cards) -> Condition:
        arithmetic, mine = self._arithmetic, self.count(cards)
        others = (arithmetic.at_most(other.has(cards.names[0]), mine) for other in self._others)
        return arithmetic.all_of((arithmetic.positive(mine), *others))

    def _only_has_most(self, cards: Cards) -> Condition:
        arithmetic, mine = self._arithmetic, self.count(cards)
        others = (arithmetic.less(other.has(cards.names[0]), mine) for other in self._others)
        return arithmetic.all_of((arithmetic.positive(mine), *others))

    def _single(self, cards: Cards) -> list[Number]:
        """Return the number of these cards in each hand, this one first, or 0 where hands share it."""
        arithmetic, name = self._arithmetic, cards.names[0]
        counts = [self.deck.has(name), *(other.has(name) for other in self._others)]
        return [
            arithmetic.gated(
                arithmetic.all_of(
                    negated(arithmetic.equal(one, other)) for place, other in enumerate(counts) if place != index
                ),
                one,
            )
            for index, one in enumerate(counts)
        ]

    def _next_has_most(self, cards: Cards) -> Condition:
        mine, *others = self._single(cards)
        less = (self._arithmetic.at_most(other, mine) for other in others)
        return self._arithmetic.all_of((self._arithmetic.positive(mine), *less))

    def _next_most_of_hands(self, cards: Cards) -> Number:
        return self._arithmetic.maximum(self._single(cards))

    def _is_level(self, cards: Cards) -> Condition:
        arithmetic, mine = self._arithmetic, self.count(cards)
        level = arithmetic.any_of(arithmetic.equal(other.has(cards.names[0]), mine) for other in self._others)
        return arithmetic.all_of((arithmetic.positive(mine), level))

    def _of_others(self, cards: Cards) -> list[Number]:
        return [self._arithmetic.total(map(other.has, cards.names)) for other in self._others]

    def _most_of_others(self, cards: Cards) -> Number:
        return self._arithmetic.maximum(self._of_others(cards) or [ZERO])

    def _sum_of_others(self, cards: Cards) -> Number:
        return self._arithmetic.total(self._of_others(cards))

    # Parts of the deck, and rules

    def _part(self, deck: TableDeck, part: str, names: Iterable[str]) -> Number:
        groups: Mapping[str, Sequence[str]] = {group.slug: group.kinds for group in deck.edition.groups}
        categories = {deal.category for deal in deck.edition.deal}
        kinds = [
            kind for name in names for kind in (deck.kinds(name) if name in categories else groups.get(name, (name,)))
        ]
        return self._arithmetic.total(deck.in_part(part, kind) for kind in kinds)

    def _in_part(self, part: str, cards: Cards) -> Number:
        return self._part(self.deck, part, cards.names)

    def _kinds_in_part(self, part: str, cards: Cards) -> Number:
        positive = self._arithmetic.positive
        return self._arithmetic.total(as_number(positive(self.deck.in_part(part, kind))) for kind in cards.kinds)

    def _most_of_others_in_part(self, part: str, cards: Cards) -> Number:
        return self._arithmetic.maximum([ZERO, *(self._part(other, part, cards.names) for other in self._others)])

    def _is_active(self, *rules: str) -> Condition:
        return any(rule in self._active for rule in rules)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "count": Functions.count,
    **{
        name.removeprefix("_"): getattr(Functions, name)
        for name in (
            *("_kinds", "_handed_in", "_highest", "_lowest", "_sets", "_equal_sets", "_most", "_least", "_only_most"),
            *("_only_least", "_next_most", "_next_least", "_exactly", "_above", "_below", "_names", "_all_different"),
            *("_is_shape", "_runs", "_longest_run", "_number", "_highest_number", "_lowest_number", "_sum_of_numbers"),
            *("_has_most", "_only_has_most", "_next_has_most", "_next_most_of_hands", "_is_level", "_most_of_others"),
            *("_sum_of_others", "_in_part", "_kinds_in_part", "_most_of_others_in_part", "_is_active"),
        )
    },
}
"""The functions by name. `scoring` needs the points, and `best_sets` is not supported."""
