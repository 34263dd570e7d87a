"""What rules ask of a hand: which cells a question is about, its answer, and points remembered by answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.search.marks import fact_mark
from server.search.watch import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.scoring import Edition, Seat
    from server.scoring.journal import Points
    from server.search.cells import Cells
    from server.search.holdings import Holding
    from server.search.watch import Log, Read

TOTAL = "total"
"""Stands beside the cells for the number of all cards; no cell has this name."""

_ADDITIVE = frozenset({"has", "size", "handed_in"})
"""Questions whose answer is the sum of what the cells answer."""


class Questions:
    """The questions of an edition's rules."""

    def __init__(self, edition: Edition, cells: Cells) -> None:
        self._cells = cells
        self._categories = frozenset(deal.category for deal in edition.deal)
        self._category = {kind.slug: kind.category for kind in edition.kinds}
        self._groups = {group.slug: group.kinds for group in edition.groups}
        self._known: dict[Read, frozenset[str]] = {}

    def about(self, read: Read) -> frozenset[str]:
        """Return the cells that a question is about; TOTAL for one about the number of all cards."""
        if read not in self._known:
            self._known[read] = self._about(read)
        return self._known[read]

    def _about(self, read: Read) -> frozenset[str]:
        if read == EVERYTHING:
            return frozenset({*self._cells.names, TOTAL})
        if read.what == "total":
            return frozenset({TOTAL})
        if read.what == "fact":
            return frozenset({fact_mark(read.about)})
        if read.what == "part":
            part, _, name = read.about
            return frozenset(self._cells.of_part(category, part) for category in self._named(name))
        return frozenset().union(*(self._cells.of(category) for category in self._named(read.about)))

    def _named(self, name: str) -> frozenset[str]:
        """Return the categories of what a kind, a group or a category names."""
        if name in self._categories:
            return frozenset({name})
        kinds = self._groups.get(name, (name,))
        return frozenset(self._category[kind] for kind in kinds if kind in self._category)

    def share(self, cell: str, holding: Holding, seat: Seat, read: Read) -> Any:  # noqa: ANN401 - all sorts of things
        """Return what a holding of a cell, alone in `seat`, adds to the answer: two that add the same answer alike."""
        if self.about(read) == {cell} or read.what in _ADDITIVE:
            return answer(seat, read)
        return tuple(holding.cards.items())


def answer(seat: Seat, read: Read) -> Any:  # noqa: ANN401 - rules ask for all sorts of things
    """Return what a hand answers to a question about its cards."""
    if read.what == "part":
        slug, what, name = read.about
        found = getattr(seat.part(slug), what)(name)
    else:
        what = read.what
        found = getattr(seat, what)(read.about)
    return tuple(found.items()) if what == "counts" else found


class Tree:
    """Points by the answers of a hand. What rules ask next depends only on the answers so far, so this is a tree."""

    def __init__(self) -> None:
        self._root: list[Any] = []
        self.reads: dict[Read, None] = {}

    def points(self, ask: Callable[[Read], Any], count: Callable[[], tuple[Points | None, Log]]) -> Points | None:
        """Return the points of a hand that answers by `ask`; `count` is called where its answers are new."""
        node = self._root
        while len(node) > 1:
            read, branches = node
            found = ask(read)
            if found not in branches:
                branches[found] = []
            node = branches[found]
        if not node:
            points, log = count()
            self._grow(points, log)
            return points
        found_points: Points | None = node[0]
        return found_points

    def _grow(self, points: Points | None, log: Log) -> None:
        node = self._root
        for read, found in log.items():
            if not node:
                self.reads.setdefault(read)
                node += [read, {}]
            node = node[1].setdefault(found, [])
        node.append(points)
