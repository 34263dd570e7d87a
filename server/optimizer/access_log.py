"""Scoring with a log of everything that rules read of a hand.

Rules are functions of the values that they read, so hands with equal values have equal scores. The proofs of this
package depend only on this.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from server.optimizer.space import Encoding
from server.scoring import Hand, Scorer, Seat, Table
from server.scoring.hand import DeckPartCards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.optimizer.partition import RuleGroup
    from server.scoring import Edition
    from server.scoring.rules import Points

T = TypeVar("T")


class Read(NamedTuple):
    """A value that rules read of a hand: a method of `Seat` with its argument, or a calculation with the `total`."""

    method: str
    argument: Any


Log = dict[Read, Any]
"""The values that were read, in the order of the first reads."""

EVERYTHING = Read("hand", None)
"""A read that may depend on the whole hand."""

ITSELF = "itself"
"""Represents the total as the second operand of a calculation."""

_BINARY: dict[str, Callable[..., Any]] = {
    name: getattr(operator, name)
    for name in ("lt", "le", "gt", "ge", "eq", "ne", "add", "sub", "mul", "floordiv", "truediv", "mod")
} | {"pow": pow, "divmod": divmod}
_REFLECTED: dict[str, Callable[..., Any]] = {
    f"r{name}": lambda number, other, act=_BINARY[name]: act(other, number)
    for name in ("add", "sub", "mul", "floordiv", "truediv", "mod", "pow", "divmod")
}
_UNARY: dict[str, Callable[..., Any]] = {"neg": operator.neg, "abs": abs, "index": int, "int": int, "bool": bool}
_UNARY |= {"float": float, "hash": hash, "str": str, "round": round, "floor": int, "ceil": int, "trunc": int}
_CALCULATIONS = _BINARY | _REFLECTED | _UNARY


class TracedInt:
    """The number of cards handed in, which logs each calculation of rules with its result.

    So "more than 19" is a read with two possible values. It is no `int`, so that all calculations are logged.
    """

    __slots__ = ("_log", "_number")

    def __init__(self, number: int, log: Log) -> None:
        self._number = number
        self._log = log

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any attribute of an `int`
        return getattr(int(self), name)


def calculate_with_total(number: int, name: str, *others: object) -> Any:  # noqa: ANN401 - any calculation with any result
    """Return the result of a calculation with the total."""
    return _CALCULATIONS[name](number, *(number if other == ITSELF else other for other in others))


def _traced_method(name: str) -> Callable[..., Any]:
    def method(self: TracedInt, *others: object) -> Any:  # noqa: ANN401 - any calculation with any result
        plain = tuple(ITSELF if isinstance(other, TracedInt) else other for other in others)
        result = calculate_with_total(self._number, name, *plain)
        self._log[Read("total", (name, *plain))] = result
        return result

    return method


for _name in _CALCULATIONS:
    setattr(TracedInt, f"__{_name}__", _traced_method(_name))


class _TracedCards(Mapping[str, int]):
    """The cards of a traced hand. Iterating over them reads everything."""

    def __init__(self, cards: Mapping[str, int], log: Log) -> None:
        self._cards = cards
        self._log = log

    def __getitem__(self, kind: str) -> int:
        number = self._log[Read("handed_in", kind)] = self._cards.get(kind, 0)
        if kind not in self._cards:
            raise KeyError(kind)
        return number

    def __iter__(self) -> Iterator[str]:
        self._log[EVERYTHING] = tuple(sorted(self._cards.items()))
        return iter(self._cards)

    def __len__(self) -> int:
        self._log[EVERYTHING] = tuple(sorted(self._cards.items()))
        return len(self._cards)


class _TracedEntries(Mapping[str, Any]):
    """The facts or parts of a traced hand. Direct access to them reads everything."""

    def __init__(self, entered: Mapping[str, Any], log: Log) -> None:
        self._entered = entered
        self._log = log

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - a fact, or the cards of a part
        self._log[EVERYTHING] = ()
        return self._entered[name]

    def __iter__(self) -> Iterator[str]:
        self._log[EVERYTHING] = ()
        return iter(self._entered)

    def __len__(self) -> int:
        self._log[EVERYTHING] = ()
        return len(self._entered)


class _TracedDeckPart(DeckPartCards):
    """A part of a traced deck."""

    def __init__(self, edition: Edition, cards: Mapping[str, int], slug: str, log: Log) -> None:
        super().__init__(edition, cards)
        self._slug = slug
        self._log = log

    def has(self, name: str) -> int:
        """Return the number of cards of a kind, a group or a category in this part."""
        plain = DeckPartCards(self._edition, self._cards)  # as `super().has` calls `counts`, which would be logged
        number = self._log[Read("part", (self._slug, "has", name))] = plain.has(name)
        return number

    def counts(self, category: str) -> dict[str, int]:
        """Return the number of cards of each kind of a category in this part."""
        counts = super().counts(category)
        self._log[Read("part", (self._slug, "counts", category))] = tuple(counts.items())
        return counts


class TracedPlayer(Seat):
    """A hand that logs everything that rules read."""

    __slots__ = ("_plain", "log")

    def __init__(self, hand: Hand, table: Table, plain: Seat, log: Log) -> None:
        super().__init__(hand, table, plain._counts, plain._serials, plain.numbers)  # noqa: SLF001 - the same cards
        self.log = log
        self._plain = plain

    def has(self, name: str) -> int:
        """Return the number of cards of a kind, a group or a category that still score."""
        return self._record("has", name, super().has(name))

    def kinds(self, name: str) -> tuple[str, ...]:
        """Return the kinds of a group that still score."""
        return self._record("kinds", name, super().kinds(name))

    def counts(self, category: str) -> Mapping[str, int]:
        """Return the number of cards of each kind of a category that still score."""
        counts = super().counts(category)
        self.log[Read("counts", category)] = tuple(counts.items())
        return counts

    def size(self, category: str) -> int:
        """Return the number of cards of a category that still score."""
        return self._record("size", category, super().size(category))

    def highest(self, category: str) -> int:
        """Return the count of the most frequent kind of a category."""
        return self._record("highest", category, max(self._counts[category].values(), default=0))

    def most(self, category: str) -> tuple[str, ...]:
        """Return the most frequent kinds of a category."""
        highest = max(self._counts[category].values(), default=0)
        kinds = tuple(kind for kind, count in self._counts[category].items() if count == highest)
        return self._record("most", category, kinds)

    def serials(self, category: str) -> tuple[int, ...]:
        """Return the printed numbers of a category's cards as handed in."""
        return self._record("serials", category, super().serials(category))

    def fact(self, name: str) -> int:
        """Return the value that was entered for this hand."""
        value = self._plain.fact(name)
        return self._record("fact", name, value)

    def part(self, slug: str) -> DeckPartCards:
        """Return a labelled part of the deck."""
        self._plain.part(slug)  # raises EditionError for an unknown part
        return _TracedDeckPart(self.table.edition, self._plain.hand.parts.get(slug, {}), slug, self.log)

    def _record(self, method: str, argument: str, value: T) -> T:
        self.log[Read(method, argument)] = value
        return value


class TracedCount(Scorer):
    """A group of rules, ready to score a traced hand with or without other hands."""

    def __init__(
        self,
        edition: Edition,
        settings: Mapping[str, int | str] | None,
        group: RuleGroup,
        others: Sequence[Hand] = (),
        player: str = "",
        facts: Mapping[str, int] | None = None,
    ) -> None:
        # If another group includes the plain worth of the cards, no category has a worth here.
        super().__init__(edition if group.cards else replace(edition, valued=frozenset()), settings, group.rules)
        self._others = others
        self._player = player
        self._encoding = Encoding(edition, facts)

    def points(self, cards: Mapping[str, int], total: int, cancels: tuple[str, ...] = ()) -> tuple[Points | None, Log]:
        """Return the points (None: eliminated) of a hand of these variables, as if it had `total` cards, and the log.

        `cancels` are the rules that it cancels.
        """
        log: Log = {}
        table = Table(self.edition, self.seed, provisional=False)
        mine = self._traced(self._encoding.hand(self._player, cards, cancels), total, table, log)
        table.seat([mine, *(self._seat(hand, table) for hand in self._others)])
        counts = self._count(table)
        table.seat(())
        if self._by_card:
            log[EVERYTHING] = ()  # the engine looks for the cards of all rules that act by their cards
        return (counts[mine].points if mine in counts else None), log

    def _traced(self, hand: Hand, total: int, table: Table, log: Log) -> TracedPlayer:
        facts, parts = _TracedEntries(hand.facts, log), _TracedEntries(hand.parts, log)
        shown = Hand(hand.player, _TracedCards(hand.cards, log), cancels=hand.cancels, facts=facts, parts=parts)
        seat = TracedPlayer(shown, table, self._seat(hand, table), log)
        seat.total = TracedInt(total, log)  # type: ignore[assignment] # calculates like an int
        return seat
