"""Scores a hand while writing down everything that the rules read of it.

Rules are functions of what they read, so two hands of which the rules read the same have the same score. That is all
that the proofs of this package rest on.
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

    from server.optimizer.cells import RuleGroup
    from server.scoring import Edition
    from server.scoring.rules import Points

T = TypeVar("T")


class Question(NamedTuple):
    """A question that rules asked of a hand: the name of a method of `Seat` with its argument, or of the `total`."""

    what: str
    about: Any


Log = dict[Question, Any]
"""The answers, in the order in which the questions came first."""

EVERYTHING = Question("hand", None)

ITSELF = "itself"
"""Stands for the total as the other operand of a calculation with itself."""

_FORTH: dict[str, Callable[..., Any]] = {
    name: getattr(operator, name)
    for name in ("lt", "le", "gt", "ge", "eq", "ne", "add", "sub", "mul", "floordiv", "truediv", "mod")
} | {"pow": pow, "divmod": divmod}
_BACK: dict[str, Callable[..., Any]] = {
    f"r{name}": lambda number, other, act=_FORTH[name]: act(other, number)
    for name in ("add", "sub", "mul", "floordiv", "truediv", "mod", "pow", "divmod")
}
_ALONE: dict[str, Callable[..., Any]] = {"neg": operator.neg, "abs": abs, "index": int, "int": int, "bool": bool}
_ALONE |= {"float": float, "hash": hash, "str": str, "round": round, "floor": int, "ceil": int, "trunc": int}
_CALCULATIONS = _FORTH | _BACK | _ALONE


class TracedInt:
    """The number of cards handed in, for rules to calculate with: each calculation is written down with its result.

    So "more than 19" is one question with two answers. It is no `int`, so that no calculation goes unseen.
    """

    __slots__ = ("_log", "_number")

    def __init__(self, number: int, log: Log) -> None:
        self._number = number
        self._log = log

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever an `int` has
        return getattr(int(self), name)


def answer_of_total(number: int, name: str, *others: object) -> Any:  # noqa: ANN401 - any calculation with any result
    """Return what a calculation with the total gives."""
    return _CALCULATIONS[name](number, *(number if other == ITSELF else other for other in others))


def _asking(name: str) -> Callable[..., Any]:
    def method(self: TracedInt, *others: object) -> Any:  # noqa: ANN401 - any calculation with any result
        plain = tuple(ITSELF if isinstance(other, TracedInt) else other for other in others)
        answer = answer_of_total(self._number, name, *plain)
        self._log[Question("total", (name, *plain))] = answer
        return answer

    return method


for _name in _CALCULATIONS:
    setattr(TracedInt, f"__{_name}__", _asking(_name))


class _TracedCards(Mapping[str, int]):
    """The cards of a watched hand; looking at all of them is one question about everything."""

    def __init__(self, cards: Mapping[str, int], log: Log) -> None:
        self._cards = cards
        self._log = log

    def __getitem__(self, kind: str) -> int:
        number = self._log[Question("handed_in", kind)] = self._cards.get(kind, 0)
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
    """What was entered with a watched hand, facts or parts: rules that look at it directly ask about everything."""

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
    """A part of a watched deck."""

    def __init__(self, edition: Edition, cards: Mapping[str, int], slug: str, log: Log) -> None:
        super().__init__(edition, cards)
        self._slug = slug
        self._log = log

    def has(self, name: str) -> int:
        """Return how many cards of a kind, a group or a category lie in this part."""
        number = self._log[Question("part", (self._slug, "has", name))] = DeckPartCards(self._edition, self._cards).has(
            name
        )
        return number

    def counts(self, category: str) -> dict[str, int]:
        """Return how many cards of each kind of a category lie here."""
        counts = super().counts(category)
        self._log[Question("part", (self._slug, "counts", category))] = tuple(counts.items())
        return counts


class TracedPlayer(Seat):
    """A hand of which every reading is written down, in the order of the first times."""

    __slots__ = ("_plain", "log")

    def __init__(self, hand: Hand, table: Table, plain: Seat, log: Log) -> None:
        super().__init__(hand, table, plain._counts, plain._serials, plain.numbers)  # noqa: SLF001 - the same cards
        self.log = log
        self._plain = plain

    def has(self, name: str) -> int:
        """Return how many cards of a kind, a group or a category still score."""
        return self._note("has", name, super().has(name))

    def kinds(self, name: str) -> tuple[str, ...]:
        """Return the kinds of a group of which cards still score."""
        return self._note("kinds", name, super().kinds(name))

    def counts(self, category: str) -> Mapping[str, int]:
        """Return how many cards of each kind of a category still score."""
        counts = super().counts(category)
        self.log[Question("counts", category)] = tuple(counts.items())
        return counts

    def size(self, category: str) -> int:
        """Return how many cards of a category still score."""
        return self._note("size", category, super().size(category))

    def highest(self, category: str) -> int:
        """Return the count of the most frequent kind of a category."""
        return self._note("highest", category, max(self._counts[category].values(), default=0))

    def most(self, category: str) -> tuple[str, ...]:
        """Return the most frequent kinds of a category."""
        highest = max(self._counts[category].values(), default=0)
        kinds = tuple(kind for kind, count in self._counts[category].items() if count == highest)
        return self._note("most", category, kinds)

    def serials(self, category: str) -> tuple[int, ...]:
        """Return the printed numbers of a category's cards as handed in."""
        return self._note("serials", category, super().serials(category))

    def fact(self, name: str) -> int:
        """Return what was entered for this hand."""
        value = self._plain.fact(name)
        return self._note("fact", name, value)

    def part(self, slug: str) -> DeckPartCards:
        """Return a labelled part of the deck."""
        self._plain.part(slug)  # refuses a part that there is not
        return _TracedDeckPart(self.table.edition, self._plain.hand.parts.get(slug, {}), slug, self.log)

    def _note(self, what: str, about: str, answer: T) -> T:
        self.log[Question(what, about)] = answer
        return answer


class TracedCount(Scorer):
    """A part of an edition's rules, ready to count one watched hand, beside other hands or alone."""

    def __init__(
        self,
        edition: Edition,
        settings: Mapping[str, int | str] | None,
        part: RuleGroup,
        others: Sequence[Hand] = (),
        player: str = "",
        facts: Mapping[str, int] | None = None,
    ) -> None:
        # Where the plain worth of the cards belongs to another part, no category has one here.
        super().__init__(edition if part.cards else replace(edition, valued=frozenset()), settings, part.rules)
        self._others = others
        self._player = player
        self._marks = Encoding(edition, facts)

    def points(self, cards: Mapping[str, int], total: int, cancels: tuple[str, ...] = ()) -> tuple[Points | None, Log]:
        """Return the points of a hand of these marks, as if it had `total` cards in all, and what was read of it.

        `cancels` are the rules that it switches off. None for an eliminated hand.
        """
        log: Log = {}
        table = Table(self.edition, self.seed, provisional=False)
        mine = self._watched(self._marks.hand(self._player, cards, cancels), total, table, log)
        table.seat([mine, *(self._seat(hand, table) for hand in self._others)])
        counts = self._count(table)
        table.seat(())
        if self._by_card:
            log[EVERYTHING] = ()  # the engine looks for the cards of all rules that act by cards
        return (counts[mine].points if mine in counts else None), log

    def _watched(self, hand: Hand, total: int, table: Table, log: Log) -> TracedPlayer:
        facts, parts = _TracedEntries(hand.facts, log), _TracedEntries(hand.parts, log)
        shown = Hand(hand.player, _TracedCards(hand.cards, log), cancels=hand.cancels, facts=facts, parts=parts)
        seat = TracedPlayer(shown, table, self._seat(hand, table), log)
        seat.total = TracedInt(total, log)  # type: ignore[assignment] # calculates like the int that it stands for
        return seat
