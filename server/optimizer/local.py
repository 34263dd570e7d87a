"""Tells how good single decks of a space are, for the search that proves nothing."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple, Protocol

from server.optimizer.candidates import UnknownReadError
from server.optimizer.cells import Cells
from server.optimizer.dependencies import RuleDependencies
from server.optimizer.exact import LIMIT, ExactSearch
from server.optimizer.simulation import SeededRandom
from server.optimizer.space import (
    DeckChoices,
    Encoding,
    Holding,
    SearchTooLargeError,
    cancel_mark,
    cancelled_rules,
    card_mark,
    cards_of,
    fact_mark,
    is_card_mark,
    is_fact_mark,
    kind_of,
)
from server.scoring import Scorer, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.optimizer.exact import Candidate
    from server.optimizer.space import Space
    from server.scoring.rules import Points


Merit = tuple[bool, "Points"]
"""Whether a hand is in the game, and its points: compared in this order."""

ELIMINATED: Merit = (False, 0)


class WholeDeck(NamedTuple):
    """A whole deck by marks, and the rules that it cancels."""

    holding: Holding
    cancels: tuple[str, ...]


class DeckEvaluator(Protocol):
    """Judges decks that are made of some marks: of `cards`, of `facts` with their values, and of rules to cancel."""

    cards: Sequence[str]
    facts: Mapping[str, range]

    def cancels(self, deck: Mapping[str, int]) -> tuple[int, Sequence[str]]:
        """Return how many rules a deck may cancel, and the marks of those from which it can choose."""

    def merit(self, deck: Mapping[str, int]) -> Merit:
        """Return how good a deck is at best."""

    def whole(self, deck: Mapping[str, int]) -> WholeDeck:
        """Return the best deck that has these marks."""


class WholeDeckEvaluator(Scorer):
    """Judges whole decks, as fast as the engine goes."""

    def __init__(self, space: Space) -> None:
        super().__init__(space.edition, space.settings, space.active)
        self._space = space
        self._marks = Encoding(space.edition, space.facts)
        self._choices = DeckChoices(space)
        places = ("", *(part.slug for part in space.edition.parts))
        self.cards: Sequence[str] = [
            card_mark(kind, place) for kind, copies in space.stock.items() if copies for place in places
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
        return (True, found[mine].points) if mine in found else ELIMINATED

    def whole(self, deck: Mapping[str, int]) -> WholeDeck:
        """Return the deck itself, with the rules that it may cancel of those marked."""
        keys = cancelled_rules(deck) if self._targets else []
        chosen = self._choices.allowed(deck, keys) if keys else ()
        return WholeDeck(Holding(deck, sum(cards_of(deck).values())), chosen)


class MainCellEvaluator:
    """Judges the main cards of decks by the best of the other cards beside them, which are found exactly.

    TooManyError where nothing is left to find, or too much.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self._cells = Cells(space)
        self._scopes = RuleDependencies(space, self._cells)
        self._known: dict[tuple[tuple[str, int], ...], Candidate | None] = {}
        self._search = self._made()

    def cancels(self, deck: Mapping[str, int]) -> tuple[int, Sequence[str]]:  # noqa: ARG002 - the same for all decks
        """Return that nothing can be cancelled: where that is possible, all cards are main ones."""
        return 0, ()

    def merit(self, deck: Mapping[str, int]) -> Merit:
        """Return how good the best deck with these main cards is."""
        best = self._best(deck)
        return ELIMINATED if best is None else (True, best.points)

    def whole(self, deck: Mapping[str, int]) -> WholeDeck:
        """Return the best deck with these main cards."""
        best = self._best(deck)
        return WholeDeck(Holding(deck, 0), ()) if best is None else WholeDeck(best.holding, ())

    def _best(self, deck: Mapping[str, int]) -> Candidate | None:
        key = tuple(sorted(deck.items()))
        while key not in self._known:
            try:
                self._known[key] = self._search.at(Holding(deck, sum(cards_of(deck).values())))
            except UnknownReadError as wider:
                self._scopes.learn(wider.cards, wider.total)
                self._search = self._made()
        return self._known[key]

    def _made(self) -> ExactSearch:
        """Return a search that knows what is known now."""
        plan = self._scopes.plan()
        if plan.own or not (plan.sides or plan.unread):
            raise SearchTooLargeError
        marks = [mark for cell in plan.cells for mark in self._cells.marks(cell)]
        self.cards: Sequence[str] = [mark for mark in marks if is_card_mark(mark) and self._space.stock[kind_of(mark)]]
        self.facts: Mapping[str, range] = {mark: self._cells.values(mark) for mark in marks if not is_card_mark(mark)}
        return ExactSearch(self._space, self._cells, self._scopes, LIMIT)


Deck = dict[str, int]
"""A deck by marks; of cards none is counted 0 times."""

_OTHER = 8
"""One random step in so many is about a fact or a rule to cancel, where there are any."""
_WAYS = 9
"""Three ways in so many change several cards at once, the others one."""
_FEW = 5
"""A random start has at most so many marks of cards."""


class Moves:
    """The ways in which decks of a judge's marks can change."""

    def __init__(self, space: Space, judge: DeckEvaluator, chance: SeededRandom) -> None:
        self._space = space
        self._judge = judge
        self._chance = chance

    def start(self) -> Deck:
        """Return a random deck of a random size, of few kinds, so that some come often."""
        chance = self._chance
        deck: Deck = {mark: chance.one_of(values) for mark, values in self._judge.facts.items()}
        size = chance.below(self._space.most + 1)
        for mark in chance.shuffled(self._judge.cards)[: 1 + chance.below(_FEW)]:
            kind = kind_of(mark)
            room = min(size, self._space.stock[kind] - cards_of(deck).get(kind, 0))
            number = chance.below(room + 1)
            size -= number
            deck = _with(deck, {mark: number})
        return deck

    def random(self, deck: Deck) -> Deck | None:
        """Return a deck one random step away; None if that step cannot be taken."""
        chance, judge = self._chance, self._judge
        if not judge.cards or not chance.below(_OTHER):
            number, targets = judge.cancels(deck)
            other = [*judge.facts, *(targets if number else ())]
            if other:
                return self._entered(deck, chance.one_of(other), number)
        return self._within(self._random_cards(deck)) if judge.cards else None

    def _random_cards(self, deck: Deck) -> Deck:
        """Return a deck with other cards, which may be more than there are."""
        chance = self._chance
        mark = chance.one_of(self._judge.cards)
        held = [one for one in deck if is_card_mark(one)]
        if not held:
            return _moved(deck, {mark: 1})
        out = chance.one_of(held)
        number = 1 + chance.below(deck[out])
        room = self._space.most - sum(deck[one] for one in held) + deck.get(mark, 0)
        exchange = {out: -1, mark: 1} if out != mark else {}
        leaps = (
            lambda: _moved(deck, {out: -number, mark: number} if out != mark else {}),
            lambda: _with(deck, {out: deck.get(mark, 0), mark: deck[out]}),
            lambda: _with(deck, {mark: chance.below(room + 1)}),
        )
        turn = chance.below(_WAYS)
        return leaps[turn]() if turn < len(leaps) else _moved(deck, ({out: -1}, {mark: 1}, exchange)[turn % 3])

    def every(self, deck: Deck) -> Iterator[Deck]:
        """Yield all decks with one card more, less or exchanged, a fact moved, or another rule cancelled."""
        judge = self._judge
        held = [mark for mark in deck if is_card_mark(mark)]
        number, targets = judge.cancels(deck)
        for mark in self._chance.shuffled([*judge.cards, *judge.facts, *(targets if number else ())]):
            if mark in judge.facts:
                yield from ({**deck, mark: value} for value in _near(deck[mark], judge.facts[mark]))
            elif not is_card_mark(mark):
                yield self._entered(deck, mark, number)
            else:
                moves = [{mark: -1}, {mark: 1}, *({mark: 1, out: -1} for out in held if out != mark)]
                steps = (self._within(_moved(deck, move)) for move in moves)
                yield from (step for step in steps if step is not None)

    def _entered(self, deck: Deck, mark: str, cancels: int) -> Deck:
        """Return a deck with a fact drawn anew, or with a rule more or less to cancel, of so many the latest."""
        if mark in self._judge.facts:
            return {**deck, mark: self._chance.one_of(self._judge.facts[mark])}
        chosen = [cancel_mark(key) for key in cancelled_rules(deck)]
        chosen = [one for one in chosen if one != mark] if mark in chosen else [*chosen, mark][-cancels:]
        rest = {one: number for one, number in deck.items() if is_card_mark(one) or is_fact_mark(one)}
        return rest | dict.fromkeys(chosen, 1)

    def _within(self, deck: Deck) -> Deck | None:
        """Return a deck, or None if it needs cards that there are not, or is too large."""
        cards = cards_of(deck)
        stock = self._space.stock
        fits = sum(cards.values()) <= self._space.most and all(stock[kind] >= n for kind, n in cards.items())
        return deck if fits and all(number > 0 for mark, number in deck.items() if is_card_mark(mark)) else None


def _near(value: int, values: range) -> Iterator[int]:
    """Yield values of a fact at distances that halve down to 1, so that even a large range is crossed in few steps."""
    distance = 1 << len(values).bit_length()
    while distance := distance // 2:
        yield from (near for near in (value - distance, value + distance) if near in values)


def _with(deck: Deck, numbers: Mapping[str, int]) -> Deck:
    changed = {**deck, **numbers}
    return {mark: number for mark, number in changed.items() if number or not is_card_mark(mark)}


def _moved(deck: Deck, by: Mapping[str, int]) -> Deck:
    return _with(deck, {mark: deck.get(mark, 0) + number for mark, number in by.items()})


STEPS = 500
"""Random steps from each start, and so many more for each mark of a card."""
STEPS_OF_A_MARK = 40
_POLISHED = 3
"""So many of the best decks are improved."""
_AGAIN = 0.3
_TRIAL = 100
_COLD = 1 / 40
"""What is left of the first temperature at the end."""


def local_best(space: Space, starts: int, seed: str = "best") -> WholeDeck | None:
    """Return the best deck found from so many random starts; None if all were eliminated."""
    try:
        return _Search(space, MainCellEvaluator(space), SeededRandom(seed)).best(starts)
    except SearchTooLargeError:
        return _Search(space, WholeDeckEvaluator(space), SeededRandom(seed)).best(starts)


class _Search:
    """Improves decks of a space."""

    def __init__(self, space: Space, judge: DeckEvaluator, chance: SeededRandom) -> None:
        self._chance = chance
        self._judge = judge
        self._steps = Moves(space, judge, chance)
        self._number = STEPS + STEPS_OF_A_MARK * len(judge.cards)

    def best(self, starts: int) -> WholeDeck | None:
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
