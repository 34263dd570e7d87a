"""The random search, for spaces that are too large for a proof: simulated annealing, then local improvement.

A deck changes by random steps. Better decks are always accepted, worse ones with a probability that decreases. The best
decks are then improved until no single step helps.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple, Protocol

from server.optimizer.candidates import UnknownReadError
from server.optimizer.dependencies import RuleDependencies
from server.optimizer.exact import LIMIT, ExactSearch
from server.optimizer.partition import DeckPartition
from server.optimizer.simulation import SeededRandom
from server.optimizer.space import (
    DeckChoices,
    Encoding,
    Holding,
    SearchTooLargeError,
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
    from collections.abc import Iterator, Mapping, Sequence

    from server.optimizer.exact import Candidate
    from server.optimizer.space import Space
    from server.scoring.rules import Points


STEPS = 500
"""Random steps from each start."""
STEPS_PER_VARIABLE = 40
"""Additional steps for each variable of a card."""
_MAX_IMPROVED = 3
"""Most decks that are improved at the end."""
_RESTART_TEMPERATURE = 0.3
"""The first temperature of a restart, as a share of that of a start."""
_TRIAL_STEPS = 100
"""Random steps to measure the first temperature."""
_COOLING = 1 / 40
"""The last temperature as a share of the first."""
_OTHER_STEPS = 8
"""One in this number of random steps changes a fact or a cancelled rule, if there are any."""
_STEP_KINDS = 9
"""The number of kinds of random steps. Three of them change several cards at once, the others one."""
_MAX_START_VARIABLES = 5
"""Most variables of cards in a random start."""
Deck = dict[str, int]
"""A deck by variables; cards have no zeros."""
Merit = tuple[bool, "Points"]
"""False for an eliminated hand, and the points; compared in this order."""
ELIMINATED: Merit = (False, 0)


class WholeDeck(NamedTuple):
    """A whole deck by variables, and the rules that it cancels."""

    holding: Holding
    cancels: tuple[str, ...]


def local_best(space: Space, starts: int, seed: str = "best") -> WholeDeck | None:
    """Return the best deck found from a number of random starts; None if all were eliminated."""
    try:
        return _Search(space, MainCellEvaluator(space), SeededRandom(seed)).best(starts)
    except SearchTooLargeError:
        return _Search(space, WholeDeckEvaluator(space), SeededRandom(seed)).best(starts)


class _Search:
    """Improves decks of a space."""

    def __init__(self, space: Space, evaluator: DeckEvaluator, chance: SeededRandom) -> None:
        self._chance = chance
        self._evaluator = evaluator
        self._steps = Moves(space, evaluator, chance)
        self._number = STEPS + STEPS_PER_VARIABLE * len(evaluator.cards)

    def best(self, starts: int) -> WholeDeck | None:
        """Return the best deck found from a number of starts; None if all were eliminated."""
        first = [self.anneal(self._steps.start()) for _ in range(starts - starts // 2)]
        decks = sorted(first, key=self.order)[:_MAX_IMPROVED]
        for turn in range(starts // 2):  # the other half continues from the best, at a lower temperature
            decks[turn % len(decks)] = self.anneal(decks[turn % len(decks)], _RESTART_TEMPERATURE)
        decks.sort(key=self.order)
        best = min((self.improve(deck) for deck in decks), key=self.order)
        return self._evaluator.whole(best) if self._evaluator.merit(best)[0] else None

    def order(self, deck: Deck) -> tuple[bool, float, int]:
        """Return a sort key for decks: the better first, then the smaller."""
        inside, points = self._evaluator.merit(deck)
        return not inside, -float(points), sum(cards_of(deck).values())

    def anneal(self, start: Deck, factor: float = 1.0) -> Deck:
        """Return the best deck on a random path from a start, whose first temperature is multiplied by `factor`."""
        deck = best = start
        merit = highest = self._evaluator.merit(deck)
        first = factor * self._first_temperature(deck, merit)
        for turn in range(self._number):
            step = self._steps.random(deck)
            if step is None:
                continue
            tried = self._evaluator.merit(step)
            if self._is_accepted(merit, tried, first * _COOLING ** (turn / self._number)):
                deck, merit = step, tried
                if merit > highest:
                    best, highest = deck, merit
        return best

    def improve(self, deck: Deck) -> Deck:
        """Return a deck that no single step improves."""
        merit = self._evaluator.merit(deck)
        better = True
        while better:
            better = False
            for step in self._steps.every(deck):
                tried = self._evaluator.merit(step)
                if tried > merit:
                    deck, merit, better = step, tried, True
                    break
        return deck

    def _is_accepted(self, merit: Merit, tried: Merit, temperature: float) -> bool:
        if tried >= merit:
            return True
        return tried[0] and self._chance.share() < exp(float(tried[1] - merit[1]) / temperature)

    def _first_temperature(self, deck: Deck, merit: Merit) -> float:
        """Return the mean difference of random steps, a temperature at which most of them are accepted."""
        differences = []
        for _ in range(_TRIAL_STEPS):
            step = self._steps.random(deck)
            if step is not None:
                tried = self._evaluator.merit(step)
                if tried[0] and merit[0] and tried[1] != merit[1]:
                    differences.append(abs(float(tried[1] - merit[1])))
        return sum(differences) / len(differences) if differences else 1.0


class Moves:
    """Random starts, and the steps from a deck to another."""

    def __init__(self, space: Space, evaluator: DeckEvaluator, chance: SeededRandom) -> None:
        self._space = space
        self._evaluator = evaluator
        self._chance = chance

    def start(self) -> Deck:
        """Return a random deck of a random size, with many copies of few kinds."""
        chance = self._chance
        deck: Deck = {variable: chance.one_of(values) for variable, values in self._evaluator.facts.items()}
        size = chance.below(self._space.most + 1)
        for variable in chance.shuffled(self._evaluator.cards)[: 1 + chance.below(_MAX_START_VARIABLES)]:
            kind = kind_of(variable)
            room = min(size, self._space.supply[kind] - cards_of(deck).get(kind, 0))
            number = chance.below(room + 1)
            size -= number
            deck = _with(deck, {variable: number})
        return deck

    def random(self, deck: Deck) -> Deck | None:
        """Return a deck one random step away; None if the step is impossible."""
        chance, evaluator = self._chance, self._evaluator
        if not evaluator.cards or not chance.below(_OTHER_STEPS):
            number, targets = evaluator.cancels(deck)
            other = [*evaluator.facts, *(targets if number else ())]
            if other:
                return self._change_other(deck, chance.one_of(other), number)
        return self._within(self._random_cards(deck)) if evaluator.cards else None

    def _random_cards(self, deck: Deck) -> Deck:
        """Return a deck with other cards, maybe more than there are."""
        chance = self._chance
        variable = chance.one_of(self._evaluator.cards)
        held = [one for one in deck if is_card_variable(one)]
        if not held:
            return _moved(deck, {variable: 1})
        out = chance.one_of(held)
        number = 1 + chance.below(deck[out])
        room = self._space.most - sum(deck[one] for one in held) + deck.get(variable, 0)
        exchange = {out: -1, variable: 1} if out != variable else {}
        leaps = (
            lambda: _moved(deck, {out: -number, variable: number} if out != variable else {}),
            lambda: _with(deck, {out: deck.get(variable, 0), variable: deck[out]}),
            lambda: _with(deck, {variable: chance.below(room + 1)}),
        )
        turn = chance.below(_STEP_KINDS)
        return leaps[turn]() if turn < len(leaps) else _moved(deck, ({out: -1}, {variable: 1}, exchange)[turn % 3])

    def every(self, deck: Deck) -> Iterator[Deck]:
        """Yield all decks with one card more, less or exchanged, a changed fact, or another cancelled rule."""
        evaluator = self._evaluator
        held = [variable for variable in deck if is_card_variable(variable)]
        number, targets = evaluator.cancels(deck)
        for variable in self._chance.shuffled([*evaluator.cards, *evaluator.facts, *(targets if number else ())]):
            if variable in evaluator.facts:
                yield from ({**deck, variable: value} for value in _near(deck[variable], evaluator.facts[variable]))
            elif not is_card_variable(variable):
                yield self._change_other(deck, variable, number)
            else:
                moves = [{variable: -1}, {variable: 1}, *({variable: 1, out: -1} for out in held if out != variable)]
                steps = (self._within(_moved(deck, move)) for move in moves)
                yield from (step for step in steps if step is not None)

    def _change_other(self, deck: Deck, variable: str, cancels: int) -> Deck:
        """Return a deck with a new random value of a fact, or with one more or one less of at most `cancels` rules."""
        if variable in self._evaluator.facts:
            return {**deck, variable: self._chance.one_of(self._evaluator.facts[variable])}
        chosen = [cancel_variable(key) for key in cancelled_rules(deck)]
        chosen = [one for one in chosen if one != variable] if variable in chosen else [*chosen, variable][-cancels:]
        rest = {one: number for one, number in deck.items() if is_card_variable(one) or is_fact_variable(one)}
        return rest | dict.fromkeys(chosen, 1)

    def _within(self, deck: Deck) -> Deck | None:
        """Return a deck, or None if it has too many cards, of a kind or in all."""
        cards = cards_of(deck)
        supply = self._space.supply
        fits = sum(cards.values()) <= self._space.most and all(supply[kind] >= n for kind, n in cards.items())
        return (
            deck
            if fits and all(number > 0 for variable, number in deck.items() if is_card_variable(variable))
            else None
        )


def _near(value: int, values: range) -> Iterator[int]:
    """Yield values of a fact at distances that halve down to 1, to cross a large range in few steps."""
    distance = 1 << len(values).bit_length()
    while distance := distance // 2:
        yield from (near for near in (value - distance, value + distance) if near in values)


def _with(deck: Deck, numbers: Mapping[str, int]) -> Deck:
    changed = {**deck, **numbers}
    return {variable: number for variable, number in changed.items() if number or not is_card_variable(variable)}


def _moved(deck: Deck, by: Mapping[str, int]) -> Deck:
    return _with(deck, {variable: deck.get(variable, 0) + number for variable, number in by.items()})


class DeckEvaluator(Protocol):
    """Evaluates decks of some variables: of `cards`, of `facts` with their values, and of rules to cancel."""

    cards: Sequence[str]
    facts: Mapping[str, range]

    def cancels(self, deck: Mapping[str, int]) -> tuple[int, Sequence[str]]:
        """Return the number of rules that a deck may cancel, and the variables of those that it can choose."""

    def merit(self, deck: Mapping[str, int]) -> Merit:
        """Return the merit of the best deck that has these variables."""

    def whole(self, deck: Mapping[str, int]) -> WholeDeck:
        """Return the best deck that has these variables."""


class WholeDeckEvaluator(Scorer):
    """Evaluates whole decks with the engine."""

    def __init__(self, space: Space) -> None:
        super().__init__(space.edition, space.settings, space.active)
        self._space = space
        self._encoding = Encoding(space.edition, space.facts)
        self._choices = DeckChoices(space)
        places = ("", *(part.slug for part in space.edition.parts))
        self.cards: Sequence[str] = [
            card_variable(kind, place) for kind, copies in space.supply.items() if copies for place in places
        ]
        self.facts: Mapping[str, range] = {
            fact_variable(fact.name): range(fact.minimum, fact.maximum + 1)
            for fact in space.edition.facts
            if fact.name not in space.facts
        }
        self._targets = [cancel_variable(key) for key in self._choices.targets]

    def cancels(self, deck: Mapping[str, int]) -> tuple[int, Sequence[str]]:
        """Return the number of rules that a deck may cancel, and the variables of all that can be cancelled."""
        return (self._choices.number(deck), self._targets) if self._targets else (0, ())

    def merit(self, deck: Mapping[str, int]) -> Merit:
        """Score a deck with the other hands; variables of rules that it must not cancel are ignored."""
        table = Table(self.edition, self.seed, provisional=False)
        hand = self._encoding.hand(self._space.player, deck, self.whole(deck).cancels)
        mine = self._seat(hand, table)
        table.seat([mine, *(self._seat(other, table) for other in self._space.others)])
        found = self._count(table)
        table.seat(())  # breaks the reference cycles, so that the hands are freed at once
        return (True, found[mine].points) if mine in found else ELIMINATED

    def whole(self, deck: Mapping[str, int]) -> WholeDeck:
        """Return the deck itself, with those of the marked rules that it may cancel."""
        keys = cancelled_rules(deck) if self._targets else []
        chosen = self._choices.allowed(deck, keys) if keys else ()
        return WholeDeck(Holding(deck, sum(cards_of(deck).values())), chosen)


class MainCellEvaluator:
    """Evaluates the main cards of decks together with the best other cards, which the exact search finds.

    SearchTooLargeError if all cells are main cells, or if there are too many holdings.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self._partition = DeckPartition(space)
        self._dependencies = RuleDependencies(space, self._partition)
        self._known: dict[tuple[tuple[str, int], ...], Candidate | None] = {}
        self._search = self._build_search()

    def cancels(self, deck: Mapping[str, int]) -> tuple[int, Sequence[str]]:  # noqa: ARG002 - the same for all decks
        """Return that nothing can be cancelled: if rules can be cancelled, all cells are main cells."""
        return 0, ()

    def merit(self, deck: Mapping[str, int]) -> Merit:
        """Return the merit of the best deck with these main cards."""
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
                self._dependencies.learn(wider.cards, wider.total)
                self._search = self._build_search()
        return self._known[key]

    def _build_search(self) -> ExactSearch:
        """Return a search with the known dependencies."""
        plan = self._dependencies.plan()
        if plan.own or not (plan.sides or plan.unread):
            raise SearchTooLargeError
        variables = [variable for cell in plan.cells for variable in self._partition.variables(cell)]
        self.cards: Sequence[str] = [
            variable for variable in variables if is_card_variable(variable) and self._space.supply[kind_of(variable)]
        ]
        self.facts: Mapping[str, range] = {
            variable: self._partition.values(variable) for variable in variables if not is_card_variable(variable)
        }
        return ExactSearch(self._space, self._partition, self._dependencies, LIMIT)
