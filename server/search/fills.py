"""What the cards besides the main ones bring, for each number of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.scoring import Scorer, Table
from server.search.holdings import Holding, joined
from server.search.marks import Marks
from server.search.questions import Tree, answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.scoring import Seat
    from server.scoring.journal import Points
    from server.search.counter import Counter
    from server.search.questions import Questions
    from server.search.space import Space
    from server.search.watch import Read

Fill = dict[int, tuple["Points", Holding]]
"""For each possible number of cards the most points that they bring, and which cards do."""


class Desk(Scorer):
    """Seats hands that nobody counts, to ask them what rules would ask."""

    def __init__(self, space: Space) -> None:
        super().__init__(space.edition, space.settings)
        self._marks = Marks(space.edition, space.facts)

    def seat(self, cards: Mapping[str, int]) -> Seat:
        """Return a hand of these marks, alone at a table."""
        table = Table(self.edition, "", provisional=False)
        seat = self._seat(self._marks.hand("", cards), table)
        table.seat([seat])
        return seat


class Side:
    """A cell whose rules read nothing but it and the main cells, with the holdings that they tell apart."""

    def __init__(self, desk: Desk, holdings: Sequence[Holding], counter: Counter, mine: str, about: Questions) -> None:
        self._counter = counter
        self._mine = mine
        self._about = about
        self._tree = Tree()
        self._holdings: list[tuple[Holding, Seat, dict[Read, Any]]] = [
            (holding, desk.seat(holding.cards), {}) for holding in holdings
        ]
        self._memory: dict[tuple[Any, ...], tuple[int, Fill]] = {}
        self._asked: tuple[Read, ...] = ()
        self._known = 0
        self._next = 0

    def fill(self, main: Holding, seat: Seat) -> tuple[int, Fill]:
        """Return the best holdings beside the main cards, whose `seat` answers; and a number that tells fills apart.

        It is the same for all main cards that answer the same to what has been asked so far. Where new questions have
        come up, what was remembered under fewer answers is dropped.
        """
        key = tuple(answer(seat, read) for read in self._asked)
        if key in self._memory:
            return self._memory[key]
        answers: dict[Read, Any] = {}
        best: Fill = {}
        for holding, side_seat, side_answers in self._holdings:
            points = self._points(main, seat, answers, holding, side_seat, side_answers)
            if holding.size not in best or points > best[holding.size][0]:
                best[holding.size] = (points, holding)
        if self._known != len(self._tree.reads):
            self._known = len(self._tree.reads)
            self._asked = tuple(read for read in self._tree.reads if self._mine not in self._about.about(read))
            self._memory.clear()
            key = tuple(answer(seat, read) for read in self._asked)
        self._next += 1
        return self._memory.setdefault(key, (self._next, best))

    def _points(
        self,
        main: Holding,
        seat: Seat,
        answers: dict[Read, Any],
        holding: Holding,
        side_seat: Seat,
        side_answers: dict[Read, Any],
    ) -> Points:
        def ask(read: Read) -> Any:  # noqa: ANN401 - rules ask for all sorts of things
            mine = self._mine in self._about.about(read)
            known, who = (side_answers, side_seat) if mine else (answers, seat)
            if read not in known:
                known[read] = answer(who, read)
            return known[read]

        points = self._tree.points(
            ask, lambda: self._counter.points(joined(main, holding).cards, main.size + holding.size)
        )
        if points is None:  # eliminating reaches everything, so its part is the main one
            raise AssertionError("a side category cannot eliminate a hand")
        return points


def combined(fills: Iterable[Fill], most: int) -> Fill:
    """Return the best of all fills together, for each number of cards up to `most`."""
    whole: Fill = {0: (0, Holding({}, 0))}
    for fill in fills:
        found: Fill = {}
        for points, holding in whole.values():
            for more, other in fill.values():
                size = holding.size + other.size
                if size <= most and (size not in found or points + more > found[size][0]):
                    found[size] = (points + more, joined(holding, other))
        whole = found
    return whole
