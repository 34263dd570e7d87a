"""The search without proof: hill climbing, which improves decks from random starts until no single step helps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from server.optimizer.simulation import SeededRandom
from server.optimizer.space import (
    DeckChoices,
    Encoding,
    cancel_variable,
    cancelled_rules,
    card_variable,
    cards_of,
    fact_variable,
    is_card_variable,
    is_fact_variable,
    kind_of,
)
from server.scoring import Scorer, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from server.optimizer.space import Space
    from server.scoring import Hand
    from server.scoring.rules import Points

_MAX_START_VARIABLES = 5
"""Most variables of cards in a random start."""
Deck = dict[str, int]
"""A deck by variables; cards have no zeros."""


class Merit(NamedTuple):
    """The worth of a deck for the search: not eliminated, then many points, then few cards."""

    remains: bool
    points: Points
    fewness: int


def local_best(
    space: Space, starts: int, may_start: Callable[[], bool] = lambda: True, seed: str = "best"
) -> tuple[Hand | None, int]:
    """Return the best deck found, None if all were eliminated, and the number of random starts that it took.

    Each start but the first is only made if it `may_start`.
    """
    search = _Search(space, SeededRandom(seed))
    found = [search.improved(search.start())]
    while len(found) < starts and may_start():
        found.append(search.improved(search.start()))
    merit, deck = max(found, key=lambda one: one[0])
    return search.hand(deck) if merit.remains else None, len(found)


class _Search(Scorer):
    """Scores decks of a space, and takes steps from one to another."""

    def __init__(self, space: Space, chance: SeededRandom) -> None:
        super().__init__(space.edition, space.settings, space.active)
        self._space = space
        self._chance = chance
        self._encoding = Encoding(space.edition, space.facts)
        self._choices = DeckChoices(space)
        places = ("", *(part.slug for part in space.edition.parts))
        self._cards = [
            card_variable(kind, place) for kind, copies in space.supply.items() if copies for place in places
        ]
        self._facts = {
            fact_variable(fact.name): range(fact.minimum, fact.maximum + 1)
            for fact in space.edition.facts
            if fact.name not in space.facts
        }
        self._targets = [cancel_variable(key) for key in self._choices.targets]

    def hand(self, deck: Deck) -> Hand:
        """Return the hand of a deck, with those of the marked rules that it may cancel."""
        keys = cancelled_rules(deck) if self._targets else []
        cancels = self._choices.allowed(deck, keys) if keys else ()
        return self._encoding.hand(self._space.player, deck, cancels)

    def start(self) -> Deck:
        """Return a random deck of a random size, with many copies of few kinds."""
        chance = self._chance
        deck: Deck = {variable: chance.one_of(values) for variable, values in self._facts.items()}
        size = chance.below(self._space.most + 1)
        for variable in chance.shuffled(self._cards)[: 1 + chance.below(_MAX_START_VARIABLES)]:
            kind = kind_of(variable)
            room = min(size, self._space.supply[kind] - cards_of(deck).get(kind, 0))
            number = chance.below(room + 1)
            size -= number
            deck = _moved(deck, {variable: number})
        return deck

    def improved(self, deck: Deck) -> tuple[Merit, Deck]:
        """Return a deck that no single step improves, with its merit."""
        merit = self._merit(deck)
        better = True
        while better:
            better = False
            for step in self._neighbours(deck):
                tried = self._merit(step)
                if tried > merit:
                    deck, merit, better = step, tried, True
                    break
        return merit, deck

    def _merit(self, deck: Deck) -> Merit:
        table = Table(self.edition, self.seed, provisional=False)
        hand = self.hand(deck)
        mine = self._seat(hand, table)
        table.seat([mine, *(self._seat(other, table) for other in self._space.others)])
        found = self._count(table)
        # Breaks the reference cycles, so that the hands are freed at once.
        table.seat(())
        return Merit(mine in found, found[mine].points if mine in found else 0, -sum(hand.cards.values()))

    def _neighbours(self, deck: Deck) -> Iterator[Deck]:
        """Yield decks with other numbers of a card or two, another value of a fact, or another cancelled rule."""
        cancels = self._choices.number(deck) if self._targets else 0
        for variable in self._chance.shuffled([*self._cards, *self._facts, *(self._targets if cancels else ())]):
            if variable in self._facts:
                yield from ({**deck, variable: value} for value in _near(deck[variable], self._facts[variable]))
            elif is_card_variable(variable):
                yield from filter(self._fits, (_moved(deck, move) for move in self._moves(deck, variable)))
            else:
                yield _with_other_cancels(deck, variable, cancels)

    def _moves(self, deck: Deck, variable: str) -> Iterator[Mapping[str, int]]:
        """Yield changes of the number of a card: by one and as far as possible, alone and in exchange for another."""
        kind, held = kind_of(variable), [one for one in deck if is_card_variable(one)]
        cards = cards_of(deck)
        copies = self._space.supply[kind] - cards.get(kind, 0)
        room = min(self._space.most - sum(cards.values()), copies)
        yield from ({variable: number} for number in dict.fromkeys((1, room, -1, -deck.get(variable, 0))))
        for other in held:
            if other != variable:
                most = min(deck[other], copies if kind != kind_of(other) else deck[other])
                yield from ({variable: number, other: -number} for number in dict.fromkeys((1, most)))

    def _fits(self, deck: Deck) -> bool:
        """Return whether there are enough cards of each kind, and not too many in all."""
        cards = cards_of(deck)
        supply = self._space.supply
        enough = all(supply[kind] >= number for kind, number in cards.items())
        return enough and sum(cards.values()) <= self._space.most and all(map(_is_possible, deck.items()))


def _is_possible(entry: tuple[str, int]) -> bool:
    variable, number = entry
    return number > 0 or not is_card_variable(variable)


def _near(value: int, values: range) -> Iterator[int]:
    """Yield values of a fact at distances that halve down to 1, to cross a large range in few steps."""
    distance = 1 << len(values).bit_length()
    while distance := distance // 2:
        yield from (near for near in (value - distance, value + distance) if near in values)


def _moved(deck: Deck, by: Mapping[str, int]) -> Deck:
    changed = deck | {variable: deck.get(variable, 0) + number for variable, number in by.items()}
    return {variable: number for variable, number in changed.items() if number or not is_card_variable(variable)}


def _with_other_cancels(deck: Deck, variable: str, most: int) -> Deck:
    """Return a deck with one more or one less of at most `most` cancelled rules."""
    chosen = [cancel_variable(key) for key in cancelled_rules(deck)]
    chosen = [one for one in chosen if one != variable] if variable in chosen else [*chosen, variable][-most:]
    rest = {one: number for one, number in deck.items() if is_card_variable(one) or is_fact_variable(one)}
    return rest | dict.fromkeys(chosen, 1)
