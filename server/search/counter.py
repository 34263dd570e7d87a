"""Counts a block of rules, and stops where it reads more than the search was built on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from server.scoring.journal import Points
    from server.search.scopes import Block, Scopes
    from server.search.watch import Log, Read


class WiderError(Exception):
    """Counting a hand, with its `total`, rules have read more than was known."""

    def __init__(self, cards: Mapping[str, int], total: int) -> None:
        super().__init__()
        self.cards = cards
        self.total = total


class Counter:
    """A block of rules, ready to count hands."""

    def __init__(self, scopes: Scopes, block: Block, reduced: Iterable[str] = ()) -> None:
        """`reduced` are the cells about which no question may come up that is not known by now."""
        self._scopes = scopes
        self._block = block
        self._asked = {cell: scopes.asked(cell) for cell in reduced}
        self._watch = scopes.watch(block.part)
        self._covered: set[Read] = set()

    def points(self, cards: Mapping[str, int], total: int, cancels: tuple[str, ...] = ()) -> tuple[Points | None, Log]:
        """Return the points of a hand (None: eliminated), and what was read of it; WiderError if that is too much."""
        points, log = self._watch.points(cards, total, cancels)
        if not self._covered.issuperset(log):
            if not self._scopes.covers(self._block, log) or self._unknown(log):
                raise WiderError(cards, total)
            self._covered.update(log)
        return points, log

    def _unknown(self, log: Log) -> bool:
        """Tell whether a question about a reduced cell is a new one."""
        about = self._scopes.questions.about
        return any(read not in known for cell, known in self._asked.items() for read in log if cell in about(read))
