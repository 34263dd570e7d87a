"""Looks for a good deck where there are too many to go through: random starts, improved card by card.

A deck is as good as can be found this way once no card added, left out or exchanged for another improves it. Nothing
is proven by that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring import Hand, Scorer
from server.search.chance import Chance
from server.search.holdings import Holding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from server.scoring.journal import Points
    from server.search.space import Space


def found_best(space: Space, starts: int, seed: str = "best") -> Holding | None:
    """Return the best deck found from so many random starts; None if all were eliminated."""
    climb = _Climb(space, Chance(seed))
    decks = [climb.improved(climb.start()) for _ in range(starts)]
    best = max(decks, key=lambda deck: (climb.merit(deck), -sum(deck.values())))
    return Holding(best, sum(best.values())) if climb.merit(best)[0] else None


Merit = tuple[bool, "Points"]
"""Whether a hand is in the game, and its points: compared in this order."""


class _Climb:
    """Improves decks of a space."""

    def __init__(self, space: Space, chance: Chance) -> None:
        self._space = space
        self._chance = chance
        self._scorer = Scorer(space.edition, space.settings, space.active)
        self._kinds = [kind for kind, copies in space.stock.items() if copies]

    def merit(self, cards: Mapping[str, int]) -> Merit:
        """Score a deck beside the other hands."""
        hands = [Hand(self._space.player, cards), *self._space.others]
        result = self._scorer.score(hands, provisional=False)
        mine = next(hand for hand in result.hands if hand.hand.player == self._space.player)
        return not mine.eliminated, mine.score

    def start(self) -> dict[str, int]:
        """Return a random deck of a random size, or of all that there is.

        Few kinds are in it, so that some kinds come often.
        """
        deck: dict[str, int] = {}
        kinds = self._chance.shuffled(self._kinds)[: 1 + self._chance.below(max(self._space.most, 1))]
        for _ in range(self._chance.below(self._space.most + 1)):
            room = [kind for kind in kinds if deck.get(kind, 0) < self._space.stock[kind]]
            if room:
                kind = self._chance.one_of(room)
                deck[kind] = deck.get(kind, 0) + 1
        return deck

    def improved(self, deck: dict[str, int]) -> dict[str, int]:
        """Return a deck that no single step improves. Steps come in a random order, every good one is taken."""
        merit = self.merit(deck)
        better = True
        while better:
            better = False
            for kind in self._chance.shuffled(self._kinds):
                for step in self._steps(deck, kind):
                    tried = self.merit(step)
                    if tried > merit:
                        deck, merit, better = step, tried, True
        return deck

    def _steps(self, deck: Mapping[str, int], kind: str) -> Iterator[dict[str, int]]:
        """Yield the decks with one card of a kind more, one less, and one instead of each other card."""
        if kind in deck:
            yield _changed(deck, kind, -1)
        if deck.get(kind, 0) < self._space.stock[kind]:
            if sum(deck.values()) < self._space.most:
                yield _changed(deck, kind, 1)
            for other in deck:
                if other != kind:
                    yield _changed(_changed(deck, other, -1), kind, 1)


def _changed(deck: Mapping[str, int], kind: str, by: int) -> dict[str, int]:
    changed = {**deck, kind: deck.get(kind, 0) + by}
    return {name: number for name, number in changed.items() if number}
