"""Of which categories each part of the rules reads anything, and how the search can be divided by that."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from server.search.parts import Part, parts
from server.search.questions import TOTAL, Questions
from server.search.stock import kinds_of
from server.search.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.search.space import Space
    from server.search.watch import Log

_WIDTHS = (0, 1, 2, 3, 9)
_DEPTHS = (1, 2, 3, 4, 8)


class Block(NamedTuple):
    """Parts of the rules that are counted together, and what they read: categories, and TOTAL."""

    part: Part
    scope: frozenset[str]


class Plan(NamedTuple):
    """How the search is divided.

    `main` counts the cards of the main categories, whose holdings are gone through; `total` reads the number of cards
    alone; each of `sides` reads one category besides the main ones; nothing reads the `unread` categories.
    """

    categories: tuple[str, ...]
    main: Block
    total: Block
    sides: Mapping[str, Block]
    unread: tuple[str, ...]


class Scopes:
    """What each part of an edition's rules is known to read."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._questions = Questions(space.edition)
        keys = [rule.key for rule in space.edition.rules if rule.key in space.active]
        self._of = {part: frozenset(space.edition.valued if part.cards else ()) for part in parts(space.edition, keys)}
        self._watches = {part: self.watch(part) for part in self._of}
        for cards in self._examples():
            self.learn(cards, sum(cards.values()))

    def watch(self, part: Part) -> Watch:
        """Return a counter of a part of the rules."""
        space = self._space
        return Watch(space.edition, space.settings, part, space.others, space.player)

    def learn(self, cards: Mapping[str, int], total: int) -> None:
        """Let every part count a hand, and keep what it has read."""
        for part, watch in self._watches.items():
            _, log = watch.points(cards, total)
            self._of[part] = self._of[part].union(*(self._questions.about(read) for read in log))

    def covers(self, block: Block, log: Log) -> bool:
        """Tell whether all that was read was known to be read by a block."""
        return all(self._questions.about(read) <= block.scope for read in log)

    def plan(self) -> Plan:
        """Divide the search by what is known."""
        main = frozenset(self._space.edition.valued)
        grown = None
        while grown != main:
            grown = main
            for part, scope in self._of.items():
                rest = scope - main - {TOTAL}
                if part.cards or len(rest) > 1 or (rest and TOTAL in scope):
                    main |= rest
        sides: dict[str, list[Part]] = {}
        of_main, of_total = [], []
        for part, scope in self._of.items():
            rest = scope - main - {TOTAL}
            if rest:
                sides.setdefault(min(rest), []).append(part)
            elif part.cards or scope - {TOTAL}:
                of_main.append(part)
            else:
                of_total.append(part)
        order = [deal.category for deal in self._space.edition.deal]
        return Plan(
            categories=tuple(category for category in order if category in main),
            main=self._block(of_main),
            total=self._block(of_total),
            sides={category: self._block(side) for category, side in sides.items()},
            unread=tuple(category for category in order if category not in main and category not in sides),
        )

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
