"""Looks for a good deck where there are too many to go through: annealing from random decks, then the best improved.

A deck changes by random steps. A step up is taken; a step down only by chance, less and less often, so that early on
the search leaves a hill that others overtop. The best decks are then improved until no single step helps. Nothing is
proven by that.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from server.search.chance import Chance
from server.search.holdings import TooManyError
from server.search.judge import DeckJudge, Judge, MainJudge, Merit, Whole
from server.search.marks import cards_of
from server.search.steps import Deck, Steps

if TYPE_CHECKING:
    from server.search.space import Space

STEPS = 500
"""Random steps from each start, and so many more for each mark of a card."""
STEPS_OF_A_MARK = 40
_POLISHED = 3
"""So many of the best decks are improved."""
_AGAIN = 0.3
_TRIAL = 100
_COLD = 1 / 40
"""What is left of the first temperature at the end."""


def found_best(space: Space, starts: int, seed: str = "best") -> Whole | None:
    """Return the best deck found from so many random starts; None if all were eliminated."""
    try:
        return _Search(space, MainJudge(space), Chance(seed)).best(starts)
    except TooManyError:
        return _Search(space, DeckJudge(space), Chance(seed)).best(starts)


class _Search:
    """Improves decks of a space."""

    def __init__(self, space: Space, judge: Judge, chance: Chance) -> None:
        self._chance = chance
        self._judge = judge
        self._steps = Steps(space, judge, chance)
        self._number = STEPS + STEPS_OF_A_MARK * len(judge.cards)

    def best(self, starts: int) -> Whole | None:
        """Return the best deck found from so many starts; None if none is in the game."""
        afresh = [self.annealed(self._steps.start()) for _ in range(starts - starts // 2)]
        decks = sorted(afresh, key=self.order)[:_POLISHED]
        for turn in range(starts // 2):  # the other half goes on from the best, less warm
            decks[turn % len(decks)] = self.annealed(decks[turn % len(decks)], _AGAIN)
        decks.sort(key=self.order)
        best = min((self.improved(deck) for deck in decks), key=self.order)
        return self._judge.whole(best) if self._judge.merit(best)[0] else None

    def order(self, deck: Deck) -> tuple[bool, float, int]:
        """Return by what decks are sorted: the better first, then the smaller."""
        inside, points = self._judge.merit(deck)
        return not inside, -float(points), sum(cards_of(deck).values())

    def annealed(self, start: Deck, warmth: float = 1.0) -> Deck:
        """Return the best deck on a random way from a start."""
        deck = best = start
        merit = highest = self._judge.merit(deck)
        warm = warmth * self._warmth(deck, merit)
        for turn in range(self._number):
            step = self._steps.random(deck)
            if step is None:
                continue
            tried = self._judge.merit(step)
            if self._taken(merit, tried, warm * _COLD ** (turn / self._number)):
                deck, merit = step, tried
                if merit > highest:
                    best, highest = deck, merit
        return best

    def improved(self, deck: Deck) -> Deck:
        """Return a deck that no single step improves."""
        merit = self._judge.merit(deck)
        better = True
        while better:
            better = False
            for step in self._steps.every(deck):
                tried = self._judge.merit(step)
                if tried > merit:
                    deck, merit, better = step, tried, True
                    break
        return deck

    def _taken(self, merit: Merit, tried: Merit, heat: float) -> bool:
        if tried >= merit:
            return True
        return tried[0] and self._chance.share() < exp(float(tried[1] - merit[1]) / heat)

    def _warmth(self, deck: Deck, merit: Merit) -> float:
        """Return the mean difference that a random step makes: at this temperature most are taken."""
        differences = []
        for _ in range(_TRIAL):
            step = self._steps.random(deck)
            if step is not None:
                tried = self._judge.merit(step)
                if tried[0] and merit[0] and tried[1] != merit[1]:
                    differences.append(abs(float(tried[1] - merit[1])))
        return sum(differences) / len(differences) if differences else 1.0
