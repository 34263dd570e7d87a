"""Finds a deck of highest score and proves it, where the number of different hands allows it.

Rules are split into parts whose points add up (`parts`), and each part is watched (`watch`): it tells of which
cells of a deck (`cells`) it reads anything (`scopes`). The holdings of the main cells are gone through one by one, or
of several main cells the best of those of which rules read the same (`mains`). Of a side cell, of which rules read
nothing but together with the main ones, the best holding of each size is found for each set of answers that the main
cards give (`fills`). Cards that no rule reads only fill up the number. Every count is watched, so a part that reads
more than was known is found out, and the search starts again with that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from server.optimizer.access_log import answer_of_total
from server.optimizer.candidates import (
    BlockCounter,
    Fill,
    MainPartitions,
    SeatFactory,
    SideCell,
    UnknownReadError,
    combine_fills,
)
from server.optimizer.cells import Cells
from server.optimizer.dependencies import RuleDependencies
from server.optimizer.space import DeckChoices, Holding, cards_of, is_card_mark, join, kind_of, one_of_each_size

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from server.optimizer.space import Space
    from server.scoring.rules import Points

LIMIT = 1_000_000
"""Most holdings of the main cells, or of a side cell, that are gone through."""


class Candidate(NamedTuple):
    """A deck (by marks), the rules that it cancels, and its points."""

    points: Points
    holding: Holding
    cancels: tuple[str, ...] = ()


def proven_best(space: Space, limit: int = LIMIT) -> Candidate | None:
    """Return a deck of highest score, of those the smallest; None if every deck is eliminated.

    Where decks have parts, these are first searched each as if it could have all copies of a kind. If the best deck
    needs no more than there are, it is the best of all; otherwise whole decks are gone through. TooManyError where
    there are more than `limit` holdings to go through.
    """
    if space.edition.parts:
        best = _searched(space, Cells(space, apart=True), limit)
        if best is None or all(space.stock[kind] >= number for kind, number in cards_of(best.holding.cards).items()):
            return best
    return _searched(space, Cells(space), limit)


def _searched(space: Space, cells: Cells, limit: int) -> Candidate | None:
    scopes = RuleDependencies(space, cells)
    while True:
        try:
            mains = MainPartitions(cells, scopes, SeatFactory(space), space.most, limit)
            return ExactSearch(space, cells, scopes, limit, mains.reduced).run(mains)
        except UnknownReadError as wider:
            scopes.learn(wider.cards, wider.total)


class ExactSearch:
    """One run, with what is known about the scopes. `reduced` are the main cells of which not all holdings are tried.

    TooManyError where a side cell has more than `limit` holdings.
    """

    def __init__(
        self, space: Space, cells: Cells, scopes: RuleDependencies, limit: int, reduced: Collection[str] = ()
    ) -> None:
        self._space = space
        plan = scopes.plan()
        desk = self._desk = SeatFactory(space)
        self._count = BlockCounter(scopes, plan.main, reduced)
        of_total = BlockCounter(scopes, plan.total)
        self._totals = [of_total.points({}, number)[0] or 0 for number in range(space.most + 1)]
        self._choices = DeckChoices(space)
        self._sides = [
            SideCell(desk, cells.holdings(cell, limit), BlockCounter(scopes, block, reduced), cell, scopes.questions)
            for cell, block in plan.sides.items()
        ]
        self._fillers = _filled(space, cells, plan.unread)
        self._fills: dict[tuple[int, ...], Fill] = {}

    def run(self, mains: MainPartitions) -> Candidate | None:
        """Go through holdings of the main cells."""
        best: Candidate | None = None
        for own, main in mains:
            for cancels in self._choices.of(main.cards):
                best = self._better(best, own, main, cancels)
        return best

    def at(self, main: Holding) -> Candidate | None:
        """Return the best deck with these main cards."""
        return self._better(None, 0, main, ())

    def _better(self, best: Candidate | None, own: Points, main: Holding, cancels: tuple[str, ...]) -> Candidate | None:
        """Return the better of a deck and of the best one with these main cards."""
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
        """Count the main cards in a deck of `total`, or remember them from a total that answered the same."""
        for questions, points in regions:
            if all(answer_of_total(total, *question) == found for question, found in questions):
                return points
        points, log = self._count.points(main.cards, total, cancels)
        regions.append(([(read.about, found) for read, found in log.items() if read.what == "total"], points))
        return points

    def _fill(self, main: Holding) -> Fill:
        """Return what the other cards bring at most."""
        seat = self._desk.seat(main.cards) if self._sides else None
        fills = [side.fill(main, seat) for side in self._sides] if seat else []
        key = tuple(number for number, _ in fills)
        if key not in self._fills:
            self._fills[key] = combine_fills([*(fill for _, fill in fills), self._fillers], self._space.most)
        return self._fills[key]


def _filled(space: Space, cells: Cells, unread: Iterable[str]) -> Fill:
    """Return a holding of each size from cells of which nothing is read: of a kind with several marks, the first.

    A fact of which nothing is read keeps its default.
    """
    marks: dict[str, str] = {}
    for cell in unread:
        for mark in cells.marks(cell):
            if is_card_mark(mark):
                marks.setdefault(kind_of(mark), mark)
    stock = {mark: space.stock[kind] for kind, mark in marks.items()}
    fillers = one_of_each_size(list(stock), stock, space.most)
    return {holding.size: (0, holding) for holding in fillers}
