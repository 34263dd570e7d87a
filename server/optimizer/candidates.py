"""Holdings with their points: those of the main cells, and the best ones of side cells for each number of cards.

Of holdings of a main cell with the same size and the same values for all reads of other rules, only the one with
most own points is kept: it can replace the others in any deck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.optimizer.dependencies import DecisionTree, read_value
from server.optimizer.space import EMPTY, Encoding, Holding, SearchTooLargeError, join
from server.scoring import Scorer, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from server.optimizer.access_log import Log, Read
    from server.optimizer.dependencies import ReadScopes, RuleBlock, RuleDependencies
    from server.optimizer.partition import DeckPartition
    from server.optimizer.space import Space
    from server.scoring import Seat
    from server.scoring.rules import Points


Fill = dict[int, tuple["Points", Holding]]
"""For each possible number of cards, the most points and the cards that bring them."""


class SeatFactory(Scorer):
    """Builds hands that are not scored, for rules to read."""

    def __init__(self, space: Space) -> None:
        super().__init__(space.edition, space.settings)
        self._encoding = Encoding(space.edition, space.facts)

    def seat(self, cards: Mapping[str, int]) -> Seat:
        """Return a hand of these variables, alone at a table."""
        table = Table(self.edition, "", provisional=False)
        seat = self._seat(self._encoding.hand("", cards), table)
        table.seat([seat])
        return seat


class SideCell:
    """A cell whose rules only read it and the main cells, with the holdings that they may distinguish."""

    def __init__(
        self, seats: SeatFactory, holdings: Sequence[Holding], counter: BlockCounter, mine: str, scopes: ReadScopes
    ) -> None:
        self._counter = counter
        self._mine = mine
        self._scopes = scopes
        self._tree = DecisionTree()
        self._holdings: list[tuple[Holding, Seat, dict[Read, Any]]] = [
            (holding, seats.seat(holding.cards), {}) for holding in holdings
        ]
        self._memory: dict[tuple[Any, ...], tuple[int, Fill]] = {}
        self._reads: tuple[Read, ...] = ()
        self._known = 0
        self._next = 0

    def fill(self, main: Holding, seat: Seat) -> tuple[int, Fill]:
        """Return a number that identifies the fill, and the fill: the best holdings for the main cards in `seat`.

        Fills are cached by the values that rules read of the main cards. New reads invalidate the cache.
        """
        key = tuple(read_value(seat, read) for read in self._reads)
        if key in self._memory:
            return self._memory[key]
        values: dict[Read, Any] = {}
        best: Fill = {}
        for holding, side_seat, side_values in self._holdings:
            points = self._points(main, seat, values, holding, side_seat, side_values)
            if holding.size not in best or points > best[holding.size][0]:
                best[holding.size] = (points, holding)
        if self._known != len(self._tree.reads):
            self._known = len(self._tree.reads)
            self._reads = tuple(read for read in self._tree.reads if self._mine not in self._scopes.cells(read))
            self._memory.clear()
            key = tuple(read_value(seat, read) for read in self._reads)
        self._next += 1
        return self._memory.setdefault(key, (self._next, best))

    def _points(
        self,
        main: Holding,
        seat: Seat,
        values: dict[Read, Any],
        holding: Holding,
        side_seat: Seat,
        side_values: dict[Read, Any],
    ) -> Points:
        def value_of(read: Read) -> Any:  # noqa: ANN401 - rules read all sorts of things
            mine = self._mine in self._scopes.cells(read)
            known, who = (side_values, side_seat) if mine else (values, seat)
            if read not in known:
                known[read] = read_value(who, read)
            return known[read]

        points = self._tree.points(
            value_of, lambda: self._counter.points(join(main, holding).cards, main.size + holding.size)
        )
        if points is None:  # eliminating affects everything, so its group is the main one
            raise AssertionError("a side category cannot eliminate a hand")
        return points


def combine_fills(fills: Iterable[Fill], most: int) -> Fill:
    """Combine fills: return the best cards of all of them together, for each number of cards up to `most`."""
    whole: Fill = {0: (0, Holding({}, 0))}
    for fill in fills:
        found: Fill = {}
        for points, holding in whole.values():
            for more, other in fill.values():
                size = holding.size + other.size
                if size <= most and (size not in found or points + more > found[size][0]):
                    found[size] = (points + more, join(holding, other))
        whole = found
    return whole


class UnknownReadError(Exception):
    """Rules have read more than expected when a hand with this `total` was scored."""

    def __init__(self, cards: Mapping[str, int], total: int) -> None:
        super().__init__()
        self.cards = cards
        self.total = total


class BlockCounter:
    """A block of rules, ready to score hands."""

    def __init__(self, dependencies: RuleDependencies, block: RuleBlock, reduced: Iterable[str] = ()) -> None:
        """`reduced` are the cells of which rules may not read anything new."""
        self._dependencies = dependencies
        self._block = block
        self._reads = {cell: dependencies.reads(cell) for cell in reduced}
        self._counter = dependencies.traced_count(block.group)
        self._covered: set[Read] = set()

    def points(self, cards: Mapping[str, int], total: int, cancels: tuple[str, ...] = ()) -> tuple[Points | None, Log]:
        """Return the points of a hand (None: eliminated) and the log; UnknownReadError if rules read too much."""
        points, log = self._counter.points(cards, total, cancels)
        if not self._covered.issuperset(log):
            if not self._dependencies.covers(self._block, log) or self._unknown(log):
                raise UnknownReadError(cards, total)
            self._covered.update(log)
        return points, log

    def _unknown(self, log: Log) -> bool:
        """Return whether rules read something new of a reduced cell."""
        cells = self._dependencies.scopes.cells
        return any(read not in known for cell, known in self._reads.items() for read in log if cell in cells(read))


ScoredHolding = tuple["Points", Holding]
"""A holding, after the points of its own rules."""


class MainHoldings:
    """The holdings of the main cells with the points of their own rules; SearchTooLargeError for more than `limit`."""

    def __init__(
        self, partition: DeckPartition, dependencies: RuleDependencies, seats: SeatFactory, most: int, limit: int
    ) -> None:
        plan = dependencies.plan()
        self._dependencies = dependencies
        self._seats = seats
        self._most = most
        self._partition = partition
        self._names = plan.cells
        several = len(plan.cells) > 1
        self.reduced = tuple(cell for cell in plan.cells if several and dependencies.reducible(cell))
        """The cells of which only the holdings that rules distinguish are tried."""
        if not self.reduced and partition.number([cell for cell in plan.cells if not partition.alike(cell)]) > limit:
            raise SearchTooLargeError
        self._options: dict[str, Sequence[ScoredHolding]] = {}
        for cell in plan.cells if self.reduced else plan.cells[1:]:
            owned: Sequence[ScoredHolding] = [(0, holding) for holding in partition.holdings(cell, limit)]
            if cell in plan.own:
                own = BlockCounter(dependencies, plan.own[cell])
                owned = [(own.points(holding.cards, holding.size)[0] or 0, holding) for _, holding in owned]
            self._options[cell] = self._best(cell, owned) if cell in self.reduced else owned
        if self._number() > limit:
            raise SearchTooLargeError

    def _number(self) -> int:
        """Return the number of holdings of the cells whose holdings are known in advance."""
        by_size = [1] + [0] * self._most
        for owned in self._options.values():
            sizes = [0] * (self._most + 1)
            for _, holding in owned:
                sizes[holding.size] += 1
            by_size = [sum(by_size[size - n] * sizes[n] for n in range(size + 1)) for size in range(self._most + 1)]
        return sum(by_size)

    def __iter__(self) -> Iterator[ScoredHolding]:
        return self._of(self._names)

    def _of(self, names: tuple[str, ...]) -> Iterator[ScoredHolding]:
        if not names:
            yield 0, EMPTY
            return
        *earlier, last = names
        for points, holding in self._of(tuple(earlier)):
            for more, other in self._all(last):
                if holding.size + other.size <= self._most:
                    yield points + more, join(holding, other) if earlier else other

    def _all(self, cell: str) -> Iterable[ScoredHolding]:
        if cell in self._options:
            return self._options[cell]
        return ((0, holding) for holding in self._partition.every(cell))

    def _best(self, cell: str, owned: Iterable[ScoredHolding]) -> list[ScoredHolding]:
        """Keep the best of the holdings of a cell that rules do not distinguish."""
        reads = sorted(self._dependencies.reads(cell), key=repr)
        share = self._dependencies.scopes.share
        found: dict[tuple[Any, ...], ScoredHolding] = {}
        for points, holding in owned:
            seat = self._seats.seat(holding.cards)
            key = (holding.size, *(share(cell, holding, seat, read) for read in reads))
            if key not in found or points > found[key][0]:
                found[key] = points, holding
        return list(found.values())
