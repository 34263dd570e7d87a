"""Of which cells each part of the rules reads anything, and how the search can be divided by that."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from server.optimizer.access_log import EVERYTHING, TracedCount
from server.optimizer.cells import RuleGroup, affects_everything, rule_groups
from server.optimizer.space import card_mark, fact_mark, kinds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from server.optimizer.access_log import Log, Question
    from server.optimizer.cells import Cells
    from server.optimizer.space import Holding, Space
    from server.scoring import Edition, Seat
    from server.scoring.rules import Points


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
        self._known: dict[Question, frozenset[str]] = {}

    def about(self, read: Question) -> frozenset[str]:
        """Return the cells that a question is about; TOTAL for one about the number of all cards."""
        if read not in self._known:
            self._known[read] = self._about(read)
        return self._known[read]

    def _about(self, read: Question) -> frozenset[str]:
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

    def share(self, cell: str, holding: Holding, seat: Seat, read: Question) -> Any:  # noqa: ANN401 - all sorts of things
        """Return what a holding of a cell, alone in `seat`, adds to the answer: two that add the same answer alike."""
        if self.about(read) == {cell} or read.what in _ADDITIVE:
            return answer_of(seat, read)
        return tuple(holding.cards.items())


def answer_of(seat: Seat, read: Question) -> Any:  # noqa: ANN401 - rules ask for all sorts of things
    """Return what a hand answers to a question about its cards."""
    if read.what == "part":
        slug, what, name = read.about
        found = getattr(seat.part(slug), what)(name)
    else:
        what = read.what
        found = getattr(seat, what)(read.about)
    return tuple(found.items()) if what == "counts" else found


class AnswerTree:
    """Points by the answers of a hand. What rules ask next depends only on the answers so far, so this is a tree."""

    def __init__(self) -> None:
        self._root: list[Any] = []
        self.reads: dict[Question, None] = {}

    def points(self, ask: Callable[[Question], Any], count: Callable[[], tuple[Points | None, Log]]) -> Points | None:
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


_WIDTHS = (0, 1, 2, 3, 9)
_DEPTHS = (1, 2, 3, 4, 8)


class RuleBlock(NamedTuple):
    """Parts of the rules that are counted together, and what they read: cells, and TOTAL."""

    part: RuleGroup
    scope: frozenset[str]


class SearchPlan(NamedTuple):
    """How the search is divided.

    `main` counts the cards of the main `cells`, whose holdings are gone through; `total` reads the number of cards
    alone; each of `sides` reads one cell besides the main ones; nothing reads the `unread` cells. Where there are
    several main cells, `own` has for some of them the rules that read nothing else, which `main` then leaves out.
    """

    cells: tuple[str, ...]
    main: RuleBlock
    own: Mapping[str, RuleBlock]
    total: RuleBlock
    sides: Mapping[str, RuleBlock]
    unread: tuple[str, ...]


class RuleDependencies:
    """What each part of an edition's rules is known to read."""

    def __init__(self, space: Space, cells: Cells) -> None:
        self._space = space
        self._cells = cells
        self.questions = Questions(space.edition, cells)
        keys = [rule.key for rule in space.edition.rules if rule.key in space.active]
        self._whole = affects_everything(space.edition, keys)
        self._valued = frozenset().union(*(cells.of(category) for category in space.edition.valued))
        self._of = {part: self._valued if part.cards else frozenset() for part in rule_groups(space.edition, keys)}
        self._asked: dict[RuleGroup, set[Question]] = {part: set() for part in self._of}
        self._watches = {part: self.watch(part) for part in self._of}
        for cards in self._examples():
            self.learn(cards, sum(cards.values()))

    def watch(self, part: RuleGroup) -> TracedCount:
        """Return a counter of a part of the rules."""
        space = self._space
        return TracedCount(space.edition, space.settings, part, space.others, space.player, space.facts)

    def learn(self, cards: Mapping[str, int], total: int) -> None:
        """Let every part count a hand, and keep what it has read."""
        for part, watch in self._watches.items():
            _, log = watch.points(cards, total)
            self._asked[part].update(log)
            self._of[part] = self._of[part].union(*(self.questions.about(read) for read in log))

    def covers(self, block: RuleBlock, log: Log) -> bool:
        """Tell whether all that was read was known to be read by a block."""
        return all(self.questions.about(read) <= block.scope for read in log)

    def asked(self, cell: str) -> set[Question]:
        """Return the questions that are known to be asked about a main cell, besides those of its own rules."""
        return {
            read
            for part, reads in self._asked.items()
            if not self._is_own(part, cell)
            for read in reads
            if cell in self.questions.about(read)
        }

    def _is_own(self, part: RuleGroup, cell: str) -> bool:
        """Tell whether rules read one cell alone, of which nothing but rules reads."""
        return not self._whole and not part.cards and self._of[part] == {cell}

    def plan(self) -> SearchPlan:
        """Divide the search by what is known."""
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
        """Tell whether holdings of a main cell of which rules read the same are as good as each other.

        Not where cards have a worth, where rules remove cards or act by them, or where all is read at once.
        """
        everything = any(EVERYTHING in reads for reads in self._asked.values())
        return not self._whole and not everything and cell not in self._valued

    def _joint(self, part: RuleGroup) -> frozenset[str]:
        """Return the cells about which rules ask together with others, such as for the sum of their cards."""
        abouts = (self.questions.about(read) for read in self._asked[part])
        return frozenset().union(*(about for about in abouts if len(about) > 1))

    def _block(self, members: Sequence[RuleGroup]) -> RuleBlock:
        """Count several parts as one."""
        rules = tuple(key for part in members for key in part.rules)
        part = RuleGroup(rules, cards=any(part.cards for part in members))
        return RuleBlock(part, frozenset().union(*(self._of[part] for part in members)))

    def _examples(self) -> Iterator[dict[str, int]]:
        """Yield a few hands of different shapes. With others less would be known at first, and nothing be wrong."""
        edition = self._space.edition
        for width, depth in product(_WIDTHS, _DEPTHS):
            cards: dict[str, int] = {}
            for deal in edition.deal:
                kinds = kinds_of(edition, deal.category)[:width]
                cards |= {kind: 1 if place else depth for place, kind in enumerate(kinds)}
            yield cards
            for part in edition.parts:
                yield {card_mark(kind, part.slug): number for kind, number in cards.items()}
