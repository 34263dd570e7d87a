"""Dependencies of rules on cells: the cells that each group of rules reads, and the division of the search."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from server.optimizer.access_log import EVERYTHING, TracedCount
from server.optimizer.cells import RuleGroup, affects_everything, rule_groups
from server.optimizer.space import card_mark, fact_mark, kinds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from server.optimizer.access_log import Log, Read
    from server.optimizer.cells import Cells
    from server.optimizer.space import Holding, Space
    from server.scoring import Edition, Seat
    from server.scoring.rules import Points


TOTAL = "total"
"""The name, besides those of the cells, for the number of all cards."""

_ADDITIVE = frozenset({"has", "size", "handed_in"})
"""Questions whose answer is the sum of the answers for the cells."""


class Questions:
    """The cells that the questions of an edition's rules are about."""

    def __init__(self, edition: Edition, cells: Cells) -> None:
        self._cells = cells
        self._categories = frozenset(deal.category for deal in edition.deal)
        self._category = {kind.slug: kind.category for kind in edition.kinds}
        self._groups = {group.slug: group.kinds for group in edition.groups}
        self._known: dict[Read, frozenset[str]] = {}

    def about(self, read: Read) -> frozenset[str]:
        """Return the cells that a question is about; TOTAL is the number of all cards."""
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
        """Return the categories of a kind, a group or a category."""
        if name in self._categories:
            return frozenset({name})
        kinds = self._groups.get(name, (name,))
        return frozenset(self._category[kind] for kind in kinds if kind in self._category)

    def share(self, cell: str, holding: Holding, seat: Seat, read: Read) -> Any:  # noqa: ANN401 - all sorts of things
        """Return the contribution of a holding, alone in `seat`, to an answer; equal ones give equal answers."""
        if self.about(read) == {cell} or read.what in _ADDITIVE:
            return answer_of(seat, read)
        return tuple(holding.cards.items())


def answer_of(seat: Seat, read: Read) -> Any:  # noqa: ANN401 - rules ask for all sorts of things
    """Return the answer of a hand to a question about its cards."""
    if read.what == "part":
        slug, what, name = read.about
        found = getattr(seat.part(slug), what)(name)
    else:
        what = read.what
        found = getattr(seat, what)(read.about)
    return tuple(found.items()) if what == "counts" else found


class AnswerTree:
    """Points by answers, as a tree: the next question of rules depends only on the answers so far."""

    def __init__(self) -> None:
        self._root: list[Any] = []
        self.reads: dict[Read, None] = {}

    def points(self, ask: Callable[[Read], Any], count: Callable[[], tuple[Points | None, Log]]) -> Points | None:
        """Return the points of a hand that answers by `ask`; `count` is called if its answers are new."""
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


_WIDTHS = (0, 1, 2, 3, 9)
_DEPTHS = (1, 2, 3, 4, 8)


class RuleBlock(NamedTuple):
    """Groups of rules that are scored together, and what they read: cells and TOTAL."""

    part: RuleGroup
    scope: frozenset[str]


class SearchPlan(NamedTuple):
    """The division of the search.

    `main` scores the cards of the main `cells`, whose holdings are tried; `total` only reads the number of cards; each
    of `sides` reads one cell besides the main ones; no rule reads the `unread` cells. If there are several main cells,
    `own` has the rules that only read one of them, which are then not in `main`.
    """

    cells: tuple[str, ...]
    main: RuleBlock
    own: Mapping[str, RuleBlock]
    total: RuleBlock
    sides: Mapping[str, RuleBlock]
    unread: tuple[str, ...]


class RuleDependencies:
    """The cells that each group of an edition's rules is known to read."""

    def __init__(self, space: Space, cells: Cells) -> None:
        self._space = space
        self._cells = cells
        self.questions = Questions(space.edition, cells)
        keys = [rule.key for rule in space.edition.rules if rule.key in space.active]
        self._whole = affects_everything(space.edition, keys)
        self._valued = frozenset().union(*(cells.of(category) for category in space.edition.valued))
        self._of = {part: self._valued if part.cards else frozenset() for part in rule_groups(space.edition, keys)}
        self._asked: dict[RuleGroup, set[Read]] = {part: set() for part in self._of}
        self._counters = {part: self.traced_count(part) for part in self._of}
        for cards in self._examples():
            self.learn(cards, sum(cards.values()))

    def traced_count(self, part: RuleGroup) -> TracedCount:
        """Return a traced scorer for a group of rules."""
        space = self._space
        return TracedCount(space.edition, space.settings, part, space.others, space.player, space.facts)

    def learn(self, cards: Mapping[str, int], total: int) -> None:
        """Score a hand with every group, and record what it reads."""
        for part, counter in self._counters.items():
            _, log = counter.points(cards, total)
            self._asked[part].update(log)
            self._of[part] = self._of[part].union(*(self.questions.about(read) for read in log))

    def covers(self, block: RuleBlock, log: Log) -> bool:
        """Return whether a block was known to read everything in the log."""
        return all(self.questions.about(read) <= block.scope for read in log)

    def asked(self, cell: str) -> set[Read]:
        """Return the known questions about a main cell, without those of its own rules."""
        return {
            read
            for part, reads in self._asked.items()
            if not self._is_own(part, cell)
            for read in reads
            if cell in self.questions.about(read)
        }

    def _is_own(self, part: RuleGroup, cell: str) -> bool:
        """Return whether a group of rules only reads one cell, and not the worth of its cards."""
        return not self._whole and not part.cards and self._of[part] == {cell}

    def plan(self) -> SearchPlan:
        """Divide the search by the known dependencies."""
        main = self._valued
        grown = None
        while grown != main:
            grown = main
            for part, scope in self._of.items():
                rest = scope - main - {TOTAL}
                if part.cards or len(rest) > 1 or (rest and TOTAL in scope) or (rest & self._joint(part)):
                    main |= rest
        sides: dict[str, list[RuleGroup]] = {}
        own: dict[str, list[RuleGroup]] = {}
        of_main, of_total = [], []
        several = len(main) > 1
        for part, scope in self._of.items():
            rest = scope - main - {TOTAL}
            if rest:
                sides.setdefault(min(rest), []).append(part)
            elif several and any(self.reducible(cell) and self._is_own(part, cell) for cell in main):
                own.setdefault(min(scope), []).append(part)
            elif part.cards or scope - {TOTAL}:
                of_main.append(part)
            else:
                of_total.append(part)
        order = self._cells.names
        return SearchPlan(
            cells=tuple(cell for cell in order if cell in main),
            main=self._block(of_main),
            own={cell: self._block(mine) for cell, mine in own.items()},
            total=self._block(of_total),
            sides={cell: self._block(side) for cell, side in sides.items()},
            unread=tuple(cell for cell in order if cell not in main and cell not in sides),
        )

    def reducible(self, cell: str) -> bool:
        """Return whether holdings of a main cell that rules do not distinguish are equally good.

        They are not if cards have a worth, if rules remove cards or act by them, or if a rule reads everything.
        """
        everything = any(EVERYTHING in reads for reads in self._asked.values())
        return not self._whole and not everything and cell not in self._valued

    def _joint(self, part: RuleGroup) -> frozenset[str]:
        """Return the cells in questions about several cells, such as the sum of their cards."""
        abouts = (self.questions.about(read) for read in self._asked[part])
        return frozenset().union(*(about for about in abouts if len(about) > 1))

    def _block(self, members: Sequence[RuleGroup]) -> RuleBlock:
        """Combine several groups into a block."""
        rules = tuple(key for part in members for key in part.rules)
        part = RuleGroup(rules, cards=any(part.cards for part in members))
        return RuleBlock(part, frozenset().union(*(self._of[part] for part in members)))

    def _examples(self) -> Iterator[dict[str, int]]:
        """Yield hands of different shapes. They only determine what is known at first."""
        edition = self._space.edition
        for width, depth in product(_WIDTHS, _DEPTHS):
            cards: dict[str, int] = {}
            for deal in edition.deal:
                kinds = kinds_of(edition, deal.category)[:width]
                cards |= {kind: 1 if place else depth for place, kind in enumerate(kinds)}
            yield cards
            for part in edition.parts:
                yield {card_mark(kind, part.slug): number for kind, number in cards.items()}
