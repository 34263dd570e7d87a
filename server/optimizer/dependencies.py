"""Dependencies of rules on cells: the cells that each group of rules reads, and the division of the search."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from server.optimizer.access_log import EVERYTHING, TracedCount
from server.optimizer.partition import RuleGroup, affects_everything, rule_groups
from server.optimizer.space import card_variable, fact_variable, kinds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from server.optimizer.access_log import Log, Read
    from server.optimizer.partition import DeckPartition
    from server.optimizer.space import Holding, Space
    from server.scoring import Edition, Seat
    from server.scoring.rules import Points


TOTAL = "total"
"""The name, besides those of the cells, for the number of all cards."""

_ADDITIVE = frozenset({"has", "size", "handed_in"})
"""Methods whose value for a hand is the sum of the values for its cells."""


class ReadScopes:
    """The cells on which the values depend that the rules of an edition read."""

    def __init__(self, edition: Edition, partition: DeckPartition) -> None:
        self._partition = partition
        self._categories = frozenset(deal.category for deal in edition.deal)
        self._category = {kind.slug: kind.category for kind in edition.kinds}
        self._groups = {group.slug: group.kinds for group in edition.groups}
        self._known: dict[Read, frozenset[str]] = {}

    def cells(self, read: Read) -> frozenset[str]:
        """Return the cells on which a value depends; TOTAL is the number of all cards."""
        if read not in self._known:
            self._known[read] = self._find_cells(read)
        return self._known[read]

    def _find_cells(self, read: Read) -> frozenset[str]:
        if read == EVERYTHING:
            return frozenset({*self._partition.names, TOTAL})
        if read.method == "total":
            return frozenset({TOTAL})
        if read.method == "fact":
            return frozenset({fact_variable(read.argument)})
        if read.method == "part":
            part, _, name = read.argument
            return frozenset(self._partition.of_part(category, part) for category in self._named(name))
        return frozenset().union(*(self._partition.of(category) for category in self._named(read.argument)))

    def _named(self, name: str) -> frozenset[str]:
        """Return the categories of a kind, a group or a category."""
        if name in self._categories:
            return frozenset({name})
        kinds = self._groups.get(name, (name,))
        return frozenset(self._category[kind] for kind in kinds if kind in self._category)

    def share(self, cell: str, holding: Holding, seat: Seat, read: Read) -> Any:  # noqa: ANN401 - all sorts of things
        """Return the contribution of a holding, alone in `seat`, to a value; equal ones give equal values."""
        if self.cells(read) == {cell} or read.method in _ADDITIVE:
            return read_value(seat, read)
        return tuple(holding.cards.items())


def read_value(seat: Seat, read: Read) -> Any:  # noqa: ANN401 - rules read all sorts of things
    """Read a value of a hand."""
    if read.method == "part":
        slug, what, name = read.argument
        found = getattr(seat.part(slug), what)(name)
    else:
        what = read.method
        found = getattr(seat, what)(read.argument)
    return tuple(found.items()) if what == "counts" else found


class DecisionTree:
    """Points by the values that rules read: the next read depends only on the values so far."""

    def __init__(self) -> None:
        self._root: list[Any] = []
        self.reads: dict[Read, None] = {}

    def points(self, value_of: Callable[[Read], Any], count: Callable[[], tuple[Points | None, Log]]) -> Points | None:
        """Return the points of a hand with the values of `value_of`; `count` is called if they are new."""
        node = self._root
        while len(node) > 1:
            read, branches = node
            found = value_of(read)
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

    group: RuleGroup
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

    def __init__(self, space: Space, partition: DeckPartition) -> None:
        self._space = space
        self._partition = partition
        self.scopes = ReadScopes(space.edition, partition)
        keys = [rule.key for rule in space.edition.rules if rule.key in space.active]
        self._whole = affects_everything(space.edition, keys)
        self._valued = frozenset().union(*(partition.of(category) for category in space.edition.valued))
        # The cells, or TOTAL, that each group is known to read.
        self._group_cells = {
            group: self._valued if group.cards else frozenset() for group in rule_groups(space.edition, keys)
        }
        self._reads: dict[RuleGroup, set[Read]] = {group: set() for group in self._group_cells}
        self._counters = {group: self.traced_count(group) for group in self._group_cells}
        for cards in self._examples():
            self.learn(cards, sum(cards.values()))

    def traced_count(self, group: RuleGroup) -> TracedCount:
        """Return a traced scorer for a group of rules."""
        space = self._space
        return TracedCount(space.edition, space.settings, group, space.others, space.player, space.facts)

    def learn(self, cards: Mapping[str, int], total: int) -> None:
        """Score a hand with every group, and record what it reads."""
        for group, counter in self._counters.items():
            _, log = counter.points(cards, total)
            self._reads[group].update(log)
            self._group_cells[group] = self._group_cells[group].union(*(self.scopes.cells(read) for read in log))

    def covers(self, block: RuleBlock, log: Log) -> bool:
        """Return whether a block was known to read everything in the log."""
        return all(self.scopes.cells(read) <= block.scope for read in log)

    def reads(self, cell: str) -> set[Read]:
        """Return the known reads of a main cell, without those of its own rules."""
        return {
            read
            for group, reads in self._reads.items()
            if not self._is_own(group, cell)
            for read in reads
            if cell in self.scopes.cells(read)
        }

    def _is_own(self, group: RuleGroup, cell: str) -> bool:
        """Return whether a group of rules only reads one cell, and not the worth of its cards."""
        return not self._whole and not group.cards and self._group_cells[group] == {cell}

    def plan(self) -> SearchPlan:
        """Divide the search by the known dependencies."""
        main = self._valued
        # Cells that a group reads together with others, or with the total, become main cells.
        grown = None
        while grown != main:
            grown = main
            for group, scope in self._group_cells.items():
                rest = scope - main - {TOTAL}
                if group.cards or len(rest) > 1 or (rest and TOTAL in scope) or (rest & self._joint(group)):
                    main |= rest
        sides: dict[str, list[RuleGroup]] = {}
        own: dict[str, list[RuleGroup]] = {}
        of_main, of_total = [], []
        several = len(main) > 1
        for group, scope in self._group_cells.items():
            rest = scope - main - {TOTAL}
            if rest:
                sides.setdefault(min(rest), []).append(group)
            elif several and any(self.reducible(cell) and self._is_own(group, cell) for cell in main):
                own.setdefault(min(scope), []).append(group)
            elif group.cards or scope - {TOTAL}:
                of_main.append(group)
            else:
                of_total.append(group)
        order = self._partition.names
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
        everything = any(EVERYTHING in reads for reads in self._reads.values())
        return not self._whole and not everything and cell not in self._valued

    def _joint(self, group: RuleGroup) -> frozenset[str]:
        """Return the cells of reads that depend on several cells, such as the sum of their cards."""
        scopes = (self.scopes.cells(read) for read in self._reads[group])
        return frozenset().union(*(cells for cells in scopes if len(cells) > 1))

    def _block(self, members: Sequence[RuleGroup]) -> RuleBlock:
        """Combine several groups into a block."""
        rules = tuple(key for group in members for key in group.rules)
        group = RuleGroup(rules, cards=any(group.cards for group in members))
        return RuleBlock(group, frozenset().union(*(self._group_cells[group] for group in members)))

    def _examples(self) -> Iterator[dict[str, int]]:
        """Yield hands of different shapes. They only determine what is known at first."""
        edition = self._space.edition
        for width, depth in product(_WIDTHS, _DEPTHS):
            cards: dict[str, int] = {}
            for deal in edition.deal:
                kinds = kinds_of(edition, deal.category)[:width]
                cards |= {kind: 1 if index else depth for index, kind in enumerate(kinds)}
            yield cards
            for part in edition.parts:
                yield {card_variable(kind, part.slug): number for kind, number in cards.items()}
