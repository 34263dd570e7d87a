"""Of which cells each part of the rules reads anything, and how the search can be divided by that."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from server.search.marks import placed
from server.search.parts import Part, parts, reaches_all
from server.search.questions import TOTAL, Questions
from server.search.stock import kinds_of
from server.search.watch import EVERYTHING, Watch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.search.cells import Cells
    from server.search.space import Space
    from server.search.watch import Log, Read

_WIDTHS = (0, 1, 2, 3, 9)
_DEPTHS = (1, 2, 3, 4, 8)


class Block(NamedTuple):
    """Parts of the rules that are counted together, and what they read: cells, and TOTAL."""

    part: Part
    scope: frozenset[str]


class Plan(NamedTuple):
    """How the search is divided.

    `main` counts the cards of the main `cells`, whose holdings are gone through; `total` reads the number of cards
    alone; each of `sides` reads one cell besides the main ones; nothing reads the `unread` cells. Where there are
    several main cells, `own` has for some of them the rules that read nothing else, which `main` then leaves out.
    """

    cells: tuple[str, ...]
    main: Block
    own: Mapping[str, Block]
    total: Block
    sides: Mapping[str, Block]
    unread: tuple[str, ...]


class Scopes:
    """What each part of an edition's rules is known to read."""

    def __init__(self, space: Space, cells: Cells) -> None:
        self._space = space
        self._cells = cells
        self.questions = Questions(space.edition, cells)
        keys = [rule.key for rule in space.edition.rules if rule.key in space.active]
        self._whole = reaches_all(space.edition, keys)
        self._valued = frozenset().union(*(cells.of(category) for category in space.edition.valued))
        self._of = {part: self._valued if part.cards else frozenset() for part in parts(space.edition, keys)}
        self._asked: dict[Part, set[Read]] = {part: set() for part in self._of}
        self._watches = {part: self.watch(part) for part in self._of}
        for cards in self._examples():
            self.learn(cards, sum(cards.values()))

    def watch(self, part: Part) -> Watch:
        """Return a counter of a part of the rules."""
        space = self._space
        return Watch(space.edition, space.settings, part, space.others, space.player, space.facts)

    def learn(self, cards: Mapping[str, int], total: int) -> None:
        """Let every part count a hand, and keep what it has read."""
        for part, watch in self._watches.items():
            _, log = watch.points(cards, total)
            self._asked[part].update(log)
            self._of[part] = self._of[part].union(*(self.questions.about(read) for read in log))

    def covers(self, block: Block, log: Log) -> bool:
        """Tell whether all that was read was known to be read by a block."""
        return all(self.questions.about(read) <= block.scope for read in log)

    def asked(self, cell: str) -> set[Read]:
        """Return the questions that are known to be asked about a main cell, besides those of its own rules."""
        return {
            read
            for part, reads in self._asked.items()
            if not self._is_own(part, cell)
            for read in reads
            if cell in self.questions.about(read)
        }

    def _is_own(self, part: Part, cell: str) -> bool:
        """Tell whether rules read one cell alone, of which nothing but rules reads."""
        return not self._whole and not part.cards and self._of[part] == {cell}

    def plan(self) -> Plan:
        """Divide the search by what is known."""
        main = self._valued
        grown = None
        while grown != main:
            grown = main
            for part, scope in self._of.items():
                rest = scope - main - {TOTAL}
                if part.cards or len(rest) > 1 or (rest and TOTAL in scope) or (rest & self._joint(part)):
                    main |= rest
        sides: dict[str, list[Part]] = {}
        own: dict[str, list[Part]] = {}
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
        return Plan(
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

    def _joint(self, part: Part) -> frozenset[str]:
        """Return the cells about which rules ask together with others, such as for the sum of their cards."""
        abouts = (self.questions.about(read) for read in self._asked[part])
        return frozenset().union(*(about for about in abouts if len(about) > 1))

    def _block(self, members: Sequence[Part]) -> Block:
        """Count several parts as one."""
        rules = tuple(key for part in members for key in part.rules)
        part = Part(rules, cards=any(part.cards for part in members))
        return Block(part, frozenset().union(*(self._of[part] for part in members)))

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
                yield {placed(kind, part.slug): number for kind, number in cards.items()}
