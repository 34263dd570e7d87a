"""The search without proof: hill climbing, which improves decks from random starts until no single step helps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from server.optimizer.simulation import SeededRandom
from server.scoring import Hand, Scorer, Table
from server.scoring.hand import cancelling_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from server.optimizer.space import Space
    from server.scoring import Rule
    from server.scoring.rules import Points

_MAX_START_VARIABLES = 5
"""Most variables of cards in a random start."""
_CARD, _FACT, _CANCEL = "card", "fact", "cancel"


class DeckVariable(NamedTuple):
    """A value that a deck is made of: the number of cards of a kind in a `part`, a fact, or 1 for a cancelled rule."""

    what: str
    name: str
    part: str = ""


Deck = dict[DeckVariable, int]
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
        self._yes_no = {fact.name for fact in space.edition.facts if fact.yes_no}
        self._choices = _Choices(space)
        places = ("", *(part.slug for part in space.edition.parts))
        self._cards = [
            DeckVariable(_CARD, kind, place) for kind, copies in space.supply.items() if copies for place in places
        ]
        self._facts = {
            DeckVariable(_FACT, fact.name): range(fact.minimum, fact.maximum + 1)
            for fact in space.edition.facts
            if fact.name not in space.facts
        }
        self._targets = [DeckVariable(_CANCEL, key) for key in self._choices.targets]

    def hand(self, deck: Deck) -> Hand:
        """Return the hand of a deck, with those of the marked rules that it may cancel."""
        facts = dict(self._space.facts)
        parts: dict[str, dict[str, int]] = {}
        for (what, name, part), number in deck.items():
            if what == _FACT:
                facts[name] = number
            elif part:
                parts.setdefault(part, {})[name] = number
        facts = {name: bool(value) if name in self._yes_no else value for name, value in facts.items()}
        keys = [variable.name for variable in deck if variable.what == _CANCEL]
        cancels = self._choices.allowed(deck, keys) if keys else ()
        return Hand(self._space.player, _cards_of(deck), cancels=cancels, facts=facts, parts=parts)

    def start(self) -> Deck:
        """Return a random deck of a random size, with many copies of few kinds."""
        chance = self._chance
        deck: Deck = {variable: chance.one_of(values) for variable, values in self._facts.items()}
        size = chance.below(self._space.most + 1)
        for variable in chance.shuffled(self._cards)[: 1 + chance.below(_MAX_START_VARIABLES)]:
            kind = variable.name
            room = min(size, self._space.supply[kind] - _cards_of(deck).get(kind, 0))
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
            elif variable.what == _CARD:
                yield from filter(self._fits, (_moved(deck, move) for move in self._moves(deck, variable)))
            else:
                yield _with_other_cancels(deck, variable, cancels)

    def _moves(self, deck: Deck, variable: DeckVariable) -> Iterator[Mapping[DeckVariable, int]]:
        """Yield changes of the number of a card: by one and as far as possible, alone and in exchange for another."""
        kind, held = variable.name, [one for one in deck if one.what == _CARD]
        cards = _cards_of(deck)
        copies = self._space.supply[kind] - cards.get(kind, 0)
        room = min(self._space.most - sum(cards.values()), copies)
        yield from ({variable: number} for number in dict.fromkeys((1, room, -1, -deck.get(variable, 0))))
        for other in held:
            if other != variable:
                most = min(deck[other], copies if kind != other.name else deck[other])
                yield from ({variable: number, other: -number} for number in dict.fromkeys((1, most)))

    def _fits(self, deck: Deck) -> bool:
        """Return whether there are enough cards of each kind, and not too many in all."""
        cards = _cards_of(deck)
        supply = self._space.supply
        enough = all(supply[kind] >= number for kind, number in cards.items())
        return enough and sum(cards.values()) <= self._space.most and all(map(_is_possible, deck.items()))


def _is_possible(entry: tuple[DeckVariable, int]) -> bool:
    variable, number = entry
    return number > 0 or variable.what != _CARD


def _cards_of(deck: Deck) -> dict[str, int]:
    """Return the number of cards of each kind, in all parts together."""
    cards: dict[str, int] = {}
    for (what, kind, _), number in deck.items():
        if what == _CARD and number:
            cards[kind] = cards.get(kind, 0) + number
    return cards


def _near(value: int, values: range) -> Iterator[int]:
    """Yield values of a fact at distances that halve down to 1, to cross a large range in few steps."""
    distance = 1 << len(values).bit_length()
    while distance := distance // 2:
        yield from (near for near in (value - distance, value + distance) if near in values)


def _moved(deck: Deck, by: Mapping[DeckVariable, int]) -> Deck:
    changed = deck | {variable: deck.get(variable, 0) + number for variable, number in by.items()}
    return {variable: number for variable, number in changed.items() if number or variable.what != _CARD}


def _with_other_cancels(deck: Deck, variable: DeckVariable, most: int) -> Deck:
    """Return a deck with one more or one less of at most `most` cancelled rules."""
    chosen = [one for one in deck if one.what == _CANCEL]
    chosen = [one for one in chosen if one != variable] if variable in chosen else [*chosen, variable][-most:]
    return {one: number for one, number in deck.items() if one.what != _CANCEL} | dict.fromkeys(chosen, 1)


class _Choices:
    """The rules that decks of a space may cancel, given the other hands."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._rules = cancelling_rules(space.edition, space.active)
        self._others = [hand.cards for hand in space.others]

    @property
    def targets(self) -> list[str]:
        """The keys of all rules that some card can cancel."""
        return sorted(set().union(*(rule.touches for rule in self._rules)) & set(self._space.active))

    def number(self, deck: Deck) -> int:
        """Return the number of rules that a deck may cancel."""
        return len({rule.effect for rule in self._held(_cards_of(deck))})

    def allowed(self, deck: Deck, keys: Sequence[str]) -> tuple[str, ...]:
        """Return the first of `keys` that a deck may cancel, up to its number."""
        cards = _cards_of(deck)
        held = self._held(cards)
        rules = self._space.edition.rule_of
        touched = frozenset().union(*(rule.touches for rule in held))
        allowed = [
            key for key in keys if key in touched and any(one.get(rules[key].card) for one in (cards, *self._others))
        ]
        return tuple(allowed[: len({rule.effect for rule in held})])

    def _held(self, cards: Mapping[str, int]) -> list[Rule]:
        return [rule for rule in self._rules if cards.get(rule.card)]
