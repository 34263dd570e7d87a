"""What rules ask of a hand: which categories a question is about, its answer, and points remembered by answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.search.watch import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.scoring import Edition, Seat
    from server.scoring.journal import Points
    from server.search.watch import Log, Read

TOTAL = "total"
"""Stands beside the categories for the number of all cards; an edition's categories have other names in questions."""


class Questions:
    """The questions of an edition's rules."""

    def __init__(self, edition: Edition) -> None:
        self._every = frozenset(deal.category for deal in edition.deal)
        self._category = {kind.slug: kind.category for kind in edition.kinds}
        self._groups = {group.slug: group.kinds for group in edition.groups}

    def about(self, read: Read) -> frozenset[str]:
        """Return the categories that a question is about; TOTAL for one about the number of all cards."""
        if read == EVERYTHING:
            return self._every | {TOTAL}
        if read.what == "total":
            return frozenset({TOTAL})
        if read.about in self._every:
            return frozenset({read.about})
        kinds = self._groups.get(read.about, (read.about,))
        return frozenset(self._category[kind] for kind in kinds if kind in self._category)


def answer(seat: Seat, read: Read) -> Any:  # noqa: ANN401 - rules ask for all sorts of things
    """Return what a hand answers to a question about its cards."""
    found = getattr(seat, read.what)(read.about)
    return tuple(found.items()) if read.what == "counts" else found


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
