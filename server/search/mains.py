"""The main cells of a search: their holdings together, each with what its cells' own rules bring.

Where there are several main cells, rules that read one of them alone are counted for each of its holdings by itself.
Of holdings of the same size that answer alike to all that other rules ask, the one of most own points is enough: in
any deck it can stand for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.search.counter import Counter
from server.search.holdings import NOTHING, Holding, TooManyError, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from server.scoring.journal import Points
    from server.search.cells import Cells
    from server.search.fills import Desk
    from server.search.scopes import Scopes

Owned = tuple["Points", Holding]
"""A holding and the points of its own rules."""


class Mains:
    """The holdings of the main cells, each with the points of its own rules; TooManyError for more than `limit`."""

    def __init__(self, cells: Cells, scopes: Scopes, desk: Desk, most: int, limit: int) -> None:
        plan = scopes.plan()
        self._scopes = scopes
        self._desk = desk
        self._most = most
        self._cells = cells
        self._names = plan.cells
        several = len(plan.cells) > 1
        self.reduced = tuple(cell for cell in plan.cells if several and scopes.reducible(cell))
        """The cells of which not all holdings are gone through, but only those that rules tell apart."""
        if not self.reduced and cells.number([cell for cell in plan.cells if not cells.alike(cell)]) > limit:
            raise TooManyError
        self._options: dict[str, Sequence[Owned]] = {}
        for cell in plan.cells if self.reduced else plan.cells[1:]:
            owned: Sequence[Owned] = [(0, holding) for holding in cells.holdings(cell, limit)]
            if cell in plan.own:
                own = Counter(scopes, plan.own[cell])
                owned = [(own.points(holding.cards, holding.size)[0] or 0, holding) for _, holding in owned]
            self._options[cell] = self._best(cell, owned) if cell in self.reduced else owned
        if self._number() > limit:
            raise TooManyError

    def _number(self) -> int:
        """Return how many holdings there are, of the cells whose holdings are known beforehand."""
        by_size = [1] + [0] * self._most
        for owned in self._options.values():
            sizes = [0] * (self._most + 1)
            for _, holding in owned:
                sizes[holding.size] += 1
            by_size = [sum(by_size[size - n] * sizes[n] for n in range(size + 1)) for size in range(self._most + 1)]
        return sum(by_size)

    def __iter__(self) -> Iterator[Owned]:
        return self._of(self._names)

    def _of(self, names: tuple[str, ...]) -> Iterator[Owned]:
        if not names:
            yield 0, NOTHING
            return
        *earlier, last = names
        for points, holding in self._of(tuple(earlier)):
            for more, other in self._all(last):
                if holding.size + other.size <= self._most:
                    yield points + more, joined(holding, other) if earlier else other

    def _all(self, cell: str) -> Iterable[Owned]:
        if cell in self._options:
            return self._options[cell]
        return ((0, holding) for holding in self._cells.every(cell))

    def _best(self, cell: str, owned: Iterable[Owned]) -> list[Owned]:
        """Keep the best of those holdings of a cell of which rules read the same."""
        asked = sorted(self._scopes.asked(cell), key=repr)
        share = self._scopes.questions.share
        found: dict[tuple[Any, ...], Owned] = {}
        for points, holding in owned:
            seat = self._desk.seat(holding.cards)
            key = (holding.size, *(share(cell, holding, seat, read) for read in asked))
            if key not in found or points > found[key][0]:
                found[key] = points, holding
        return list(found.values())
