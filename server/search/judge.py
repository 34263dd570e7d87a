"""Tells how good single decks of a space are, for the search that proves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from server.scoring import Scorer, Table
from server.search.cells import Cells
from server.search.choices import Choices
from server.search.counter import WiderError
from server.search.exact import LIMIT, Search
from server.search.holdings import Holding, TooManyError
from server.search.marks import Marks, cancel_mark, cancelled, cards_of, fact_mark, is_card, kind_of, placed
from server.search.scopes import Scopes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.scoring.journal import Points
    from server.search.exact import Best
    from server.search.space import Space

Merit = tuple[bool, "Points"]
"""Whether a hand is in the game, and its points: compared in this order."""

OUT: Merit = (False, 0)


class Whole(NamedTuple):
    """A whole deck by marks, and the rules that it cancels."""

    holding: Holding
    cancels: tuple[str, ...]


class Judge(Protocol):
    """Judges decks that are made of some marks: of `cards`, of `facts` with their values, and of rules to cancel."""

    cards: Sequence[str]
    facts: Mapping[str, range]

    def cancels(self, deck: Mapping[str, int]) -> tuple[int, Sequence[str]]:
        """Return how many rules a deck may cancel, and the marks of those from which it can choose."""

    def merit(self, deck: Mapping[str, int]) -> Merit:
        """Return how good a deck is at best."""

    def whole(self, deck: Mapping[str, int]) -> Whole:
        """Return the best deck that has these marks."""


class DeckJudge(Scorer):
    """Judges whole decks, as fast as the engine goes."""

    def __init__(self, space: Space) -> None:
        super().__init__(space.edition, space.settings, space.active)
        self._space = space
        self._marks = Marks(space.edition, space.facts)
        self._choices = Choices(space)
        places = ("", *(part.slug for part in space.edition.parts))
        self.cards: Sequence[str] = [
            placed(kind, place) for kind, copies in space.stock.items() if copies for place in places
        ]
        self.facts: Mapping[str, range] = {
            fact_mark(fact.name): range(fact.minimum, fact.maximum + 1)
            for fact in space.edition.facts
            if fact.name not in space.facts
        }
        self._targets = [cancel_mark(key) for key in self._choices.targets]

    def cancels(self, deck: Mapping[str, int]) -> tuple[int, Sequence[str]]:
        """Return how many rules a deck may cancel, and the marks of all that can be cancelled."""
        return (self._choices.number(deck), self._targets) if self._targets else (0, ())

    def merit(self, deck: Mapping[str, int]) -> Merit:
        """Score a deck beside the other hands; marks of rules that it must not cancel count for nothing."""
        table = Table(self.edition, self.seed, provisional=False)
        hand = self._marks.hand(self._space.player, deck, self.whole(deck).cancels)
        mine = self._seat(hand, table)
        table.seat([mine, *(self._seat(other, table) for other in self._space.others)])
        found = self._count(table)
        table.seat(())  # hands that do not refer to each other through the table are freed at once
        return (True, found[mine].points) if mine in found else OUT

    def whole(self, deck: Mapping[str, int]) -> Whole:
        """Return the deck itself, with the rules that it may cancel of those marked."""
        keys = cancelled(deck) if self._targets else []
        chosen = self._choices.allowed(deck, keys) if keys else ()
        return Whole(Holding(deck, sum(cards_of(deck).values())), chosen)


class MainJudge:
    """Judges the main cards of decks by the best of the other cards beside them, which are found exactly.

    TooManyError where nothing is left to find, or too much.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self._cells = Cells(space)
        self._scopes = Scopes(space, self._cells)
        self._known: dict[tuple[tuple[str, int], ...], Best | None] = {}
        self._search = self._made()

    def cancels(self, deck: Mapping[str, int]) -> tuple[int, Sequence[str]]:  # noqa: ARG002 - the same for all decks
        """Return that nothing can be cancelled: where that is possible, all cards are main ones."""
        return 0, ()

    def merit(self, deck: Mapping[str, int]) -> Merit:
        """Return how good the best deck with these main cards is."""
        best = self._best(deck)
        return OUT if best is None else (True, best.points)

    def whole(self, deck: Mapping[str, int]) -> Whole:
        """Return the best deck with these main cards."""
        best = self._best(deck)
        return Whole(Holding(deck, 0), ()) if best is None else Whole(best.holding, ())

    def _best(self, deck: Mapping[str, int]) -> Best | None:
        key = tuple(sorted(deck.items()))
        while key not in self._known:
            try:
                self._known[key] = self._search.at(Holding(deck, sum(cards_of(deck).values())))
            except WiderError as wider:
                self._scopes.learn(wider.cards, wider.total)
                self._search = self._made()
        return self._known[key]

    def _made(self) -> Search:
        """Return a search that knows what is known now."""
        plan = self._scopes.plan()
        if plan.own or not (plan.sides or plan.unread):
            raise TooManyError
        marks = [mark for cell in plan.cells for mark in self._cells.marks(cell)]
        self.cards: Sequence[str] = [mark for mark in marks if is_card(mark) and self._space.stock[kind_of(mark)]]
        self.facts: Mapping[str, range] = {mark: self._cells.values(mark) for mark in marks if not is_card(mark)}
        return Search(self._space, self._cells, self._scopes, LIMIT)
