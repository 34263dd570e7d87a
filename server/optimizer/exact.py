"""The exact search: finds a deck of highest score and proves it, if there are not too many holdings.

Rules are split into groups whose points add up (`partition`), and a log of their reads shows the cells of a deck on
which each group depends (`dependencies`). All holdings of the main cells are tried, or only the best of those that
rules do not distinguish (`candidates`). For a side cell, which rules only read together with the main ones, the best
holding of each size is found for each set of values read of the main cards. Cards that no rule reads only fill up the
number. All scoring is logged: if a group reads more than was known, the search starts again with this knowledge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from server.optimizer.access_log import calculate_with_total
from server.optimizer.candidates import (
    BlockCounter,
    Fill,
    MainHoldings,
    SeatFactory,
    SideCell,
    UnknownReadError,
    combine_fills,
)
from server.optimizer.dependencies import RuleDependencies
from server.optimizer.partition import DeckPartition
from server.optimizer.space import DeckChoices, Holding, cards_of, is_card_variable, join, kind_of, one_of_each_size

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from server.optimizer.space import Space
    from server.scoring.rules import Points

LIMIT = 1_000_000
"""Most holdings of the main cells, or of a side cell, that are tried."""


class Candidate(NamedTuple):
    """The points of a deck, its cards by variable, and the rules that it cancels."""

    points: Points
    holding: Holding
    cancels: tuple[str, ...] = ()


def proven_best(space: Space, limit: int = LIMIT) -> Candidate | None:
    """Return the smallest deck of highest score; None if all decks are eliminated.

    If decks have parts, each part is first searched as if it could have all copies of a kind. If the best deck needs
    no more copies than there are, it is the best of all; otherwise whole decks are searched. SearchTooLargeError if
    there are more than `limit` holdings to try.
    """
    if space.edition.parts:
        best = _searched(space, DeckPartition(space, apart=True), limit)
        if best is None or all(space.supply[kind] >= number for kind, number in cards_of(best.holding.cards).items()):
            return best
    return _searched(space, DeckPartition(space), limit)


def _searched(space: Space, partition: DeckPartition, limit: int) -> Candidate | None:
    dependencies = RuleDependencies(space, partition)
    while True:
        try:
            main_holdings = MainHoldings(partition, dependencies, SeatFactory(space), space.most, limit)
            return ExactSearch(space, partition, dependencies, limit, main_holdings.reduced).run(main_holdings)
        except UnknownReadError as wider:
            dependencies.learn(wider.cards, wider.total)


class ExactSearch:
    """A run of the search with the known dependencies. Not all holdings of `reduced` main cells are tried.

    SearchTooLargeError if a side cell has more than `limit` holdings.
    """

    def __init__(
        self,
        space: Space,
        partition: DeckPartition,
        dependencies: RuleDependencies,
        limit: int,
        reduced: Collection[str] = (),
    ) -> None:
        self._space = space
        plan = dependencies.plan()
        seats = self._seats = SeatFactory(space)
        self._count = BlockCounter(dependencies, plan.main, reduced)
        of_total = BlockCounter(dependencies, plan.total)
        self._totals = [of_total.points({}, number)[0] or 0 for number in range(space.most + 1)]
        self._choices = DeckChoices(space)
        self._sides = [
            SideCell(
                seats,
                partition.holdings(cell, limit),
                BlockCounter(dependencies, block, reduced),
                cell,
                dependencies.scopes,
            )
            for cell, block in plan.sides.items()
        ]
        self._fillers = _unread_fill(space, partition, plan.unread)
        self._fills: dict[tuple[int, ...], Fill] = {}

    def run(self, main_holdings: MainHoldings) -> Candidate | None:
        """Try the holdings of the main cells."""
        best: Candidate | None = None
        for own, main in main_holdings:
            for cancels in self._choices.of(main.cards):
                best = self._better(best, own, main, cancels)
        return best

    def at(self, main: Holding) -> Candidate | None:
        """Return the best deck with these main cards."""
        return self._better(None, 0, main, ())

    def _better(self, best: Candidate | None, own: Points, main: Holding, cancels: tuple[str, ...]) -> Candidate | None:
        """Return the better of a deck and the best one with these main cards."""
        regions: list[tuple[list[tuple[Any, Any]], Points | None]] = []
        for extra, (more, holding) in self._fill(main).items():
            total = main.size + extra
            if total > self._space.most:
                continue
            points = self._points(main, total, cancels, regions)
            if points is None:
                continue
            points += own + more + self._totals[total]
            if best is None or (points, -total) > (best.points, -best.holding.size):
                best = Candidate(points, join(main, holding), cancels)
        return best

    def _points(
        self,
        main: Holding,
        total: int,
        cancels: tuple[str, ...],
        regions: list[tuple[list[tuple[Any, Any]], Points | None]],
    ) -> Points | None:
        """Score the main cards with `total` cards, or reuse the points of a total that rules cannot distinguish."""
        for calculations, points in regions:
            if all(calculate_with_total(total, *calculation) == found for calculation, found in calculations):
                return points
        points, log = self._count.points(main.cards, total, cancels)
        regions.append(([(read.argument, found) for read, found in log.items() if read.method == "total"], points))
        return points

    def _fill(self, main: Holding) -> Fill:
        """Return the most points that the other cards can bring."""
        seat = self._seats.seat(main.cards) if self._sides else None
        fills = [side.fill(main, seat) for side in self._sides] if seat else []
        key = tuple(number for number, _ in fills)
        if key not in self._fills:
            self._fills[key] = combine_fills([*(fill for _, fill in fills), self._fillers], self._space.most)
        return self._fills[key]


def _unread_fill(space: Space, partition: DeckPartition, unread: Iterable[str]) -> Fill:
    """Return a holding of each size from cells that no rule reads, with the first variable of each kind.

    Facts that no rule reads keep their defaults.
    """
    variables: dict[str, str] = {}
    for cell in unread:
        for variable in partition.variables(cell):
            if is_card_variable(variable):
                variables.setdefault(kind_of(variable), variable)
    supply = {variable: space.supply[kind] for kind, variable in variables.items()}
    fillers = one_of_each_size(list(supply), supply, space.most)
    return {holding.size: (0, holding) for holding in fillers}
