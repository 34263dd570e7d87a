"""Finds a deck of highest score and proves it, where the number of different hands allows it.

Rules are split into parts whose points add up (`parts`), and each part is watched (`watch`): it tells of which
categories it reads anything (`scopes`). The holdings of the main categories are gone through one by one. Of a side
category, of which rules read nothing but together with the main ones, the best holding of each size is found for each
set of answers that the main cards give (`fills`). Cards that no rule reads only fill up the number. Every count is
watched, so a part that reads more than was known is found out, and the search starts again with that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from server.search.counter import Counter, WiderError
from server.search.fills import Desk, Fill, Side, combined
from server.search.holdings import NOTHING, Holding, every, joined, not_alike, number_of, one_of_each_size
from server.search.questions import Questions
from server.search.scopes import Scopes
from server.search.stock import kinds_of
from server.search.watch import answer_of_total

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.scoring.journal import Points
    from server.search.space import Space

LIMIT = 1_000_000
"""Most holdings of the main categories, or of a side category, that are gone through."""


class TooManyError(Exception):
    """There are too many different hands for a proof."""


class Best(NamedTuple):
    """A deck and its points."""

    points: Points
    holding: Holding


def proven_best(space: Space, limit: int = LIMIT) -> Best | None:
    """Return a deck of highest score, of those the smallest; None if every deck is eliminated.

    TooManyError where there are more than `limit` holdings to go through.
    """
    scopes = Scopes(space)
    while True:
        try:
            return _Search(space, scopes, limit).run()
        except WiderError as wider:
            scopes.learn(wider.cards, wider.total)


class _Search:
    """One run, with what is known about the scopes."""

    def __init__(self, space: Space, scopes: Scopes, limit: int) -> None:
        self._space = space
        self._limit = limit
        plan = scopes.plan()
        self._categories = plan.categories
        self._count = Counter(scopes, plan.main)
        of_total = Counter(scopes, plan.total)
        self._totals = [of_total.points({}, number)[0] or 0 for number in range(space.most + 1)]
        self._desk = Desk(space.edition, space.settings)
        self._check_number()
        questions = Questions(space.edition)
        self._sides = [
            Side(self._desk, self._holdings(category), Counter(scopes, block), category, questions)
            for category, block in plan.sides.items()
        ]
        unread = [kind for category in plan.unread for kind in kinds_of(space.edition, category)]
        fillers = one_of_each_size(unread, space.stock, space.most)
        self._fillers: Fill = {holding.size: (0, holding) for holding in fillers}
        self._fills: dict[tuple[int, ...], Fill] = {}

    def run(self) -> Best | None:
        """Go through all holdings of the main categories."""
        best: Best | None = None
        for main in self._main(self._categories):
            regions: list[tuple[list[tuple[Any, Any]], Points | None]] = []
            for extra, (more, holding) in self._fill(main).items():
                total = main.size + extra
                if total > self._space.most:
                    continue
                points = self._points(main, total, regions)
                if points is None:
                    continue
                points += more + self._totals[total]
                if best is None or (points, -total) > (best.points, -best.holding.size):
                    best = Best(points, joined(main, holding))
        return best

    def _points(
        self, main: Holding, total: int, regions: list[tuple[list[tuple[Any, Any]], Points | None]]
    ) -> Points | None:
        """Count the main cards in a deck of `total`, or remember them from a total that answered the same."""
        for questions, points in regions:
            if all(answer_of_total(total, *question) == found for question, found in questions):
                return points
        points, log = self._count.points(main.cards, total)
        regions.append(([(read.about, found) for read, found in log.items() if read.what == "total"], points))
        return points

    def _fill(self, main: Holding) -> Fill:
        """Return what the other cards bring at most."""
        seat = self._desk.seat(main.cards) if self._sides else None
        fills = [side.fill(main, seat) for side in self._sides] if seat else []
        key = tuple(number for number, _ in fills)
        if key not in self._fills:
            self._fills[key] = combined([*(fill for _, fill in fills), self._fillers], self._space.most)
        return self._fills[key]

    def _main(self, categories: tuple[str, ...]) -> Iterator[Holding]:
        if not categories:
            yield NOTHING
            return
        *earlier, last = categories
        options = None if not earlier else self._holdings(last)
        for holding in self._main(tuple(earlier)):
            for other in options or self._all(last):
                if holding.size + other.size <= self._space.most:
                    yield joined(holding, other)

    def _all(self, category: str) -> Iterator[Holding]:
        return every(kinds_of(self._space.edition, category), self._space.stock, self._space.most)

    def _holdings(self, category: str) -> list[Holding]:
        """Return the holdings of a category that rules may tell apart; TooManyError if they are too many."""
        space = self._space
        kinds = kinds_of(space.edition, category)
        alike = space.edition.alike.get(category)
        if alike:
            return not_alike(space.edition, alike, kinds, space.stock, space.most)
        if number_of([space.stock[kind] for kind in kinds], space.most) > self._limit:
            raise TooManyError
        return list(self._all(category))

    def _check_number(self) -> None:
        """Raise TooManyError if the main categories have too many holdings."""
        kinds = [kind for category in self._categories for kind in kinds_of(self._space.edition, category)]
        if number_of([self._space.stock[kind] for kind in kinds], self._space.most) > self._limit:
            raise TooManyError
