"""Steps from a deck to another within a space: cards in, out, exchanged or laid elsewhere, and facts moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.search.marks import cancel_mark, cancelled, cards_of, is_card, is_fact, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from server.search.chance import Chance
    from server.search.judge import Judge
    from server.search.space import Space

Deck = dict[str, int]
"""A deck by marks; of cards none is counted 0 times."""

_OTHER = 8
"""One random step in so many is about a fact or a rule to cancel, where there are any."""
_WAYS = 9
"""Three ways in so many change several cards at once, the others one."""
_FEW = 5
"""A random start has at most so many marks of cards."""


class Steps:
    """The ways in which decks of a judge's marks can change."""

    def __init__(self, space: Space, judge: Judge, chance: Chance) -> None:
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
        held = [one for one in deck if is_card(one)]
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
        held = [mark for mark in deck if is_card(mark)]
        number, targets = judge.cancels(deck)
        for mark in self._chance.shuffled([*judge.cards, *judge.facts, *(targets if number else ())]):
            if mark in judge.facts:
                yield from ({**deck, mark: value} for value in _near(deck[mark], judge.facts[mark]))
            elif not is_card(mark):
                yield self._entered(deck, mark, number)
            else:
                moves = [{mark: -1}, {mark: 1}, *({mark: 1, out: -1} for out in held if out != mark)]
                steps = (self._within(_moved(deck, move)) for move in moves)
                yield from (step for step in steps if step is not None)

    def _entered(self, deck: Deck, mark: str, cancels: int) -> Deck:
        """Return a deck with a fact drawn anew, or with a rule more or less to cancel, of so many the latest."""
        if mark in self._judge.facts:
            return {**deck, mark: self._chance.one_of(self._judge.facts[mark])}
        chosen = [cancel_mark(key) for key in cancelled(deck)]
        chosen = [one for one in chosen if one != mark] if mark in chosen else [*chosen, mark][-cancels:]
        rest = {one: number for one, number in deck.items() if is_card(one) or is_fact(one)}
        return rest | dict.fromkeys(chosen, 1)

    def _within(self, deck: Deck) -> Deck | None:
        """Return a deck, or None if it needs cards that there are not, or is too large."""
        cards = cards_of(deck)
        stock = self._space.stock
        fits = sum(cards.values()) <= self._space.most and all(stock[kind] >= n for kind, n in cards.items())
        return deck if fits and all(number > 0 for mark, number in deck.items() if is_card(mark)) else None


def _near(value: int, values: range) -> Iterator[int]:
    """Yield values of a fact at distances that halve down to 1, so that even a large range is crossed in few steps."""
    distance = 1 << len(values).bit_length()
    while distance := distance // 2:
        yield from (near for near in (value - distance, value + distance) if near in values)


def _with(deck: Deck, numbers: Mapping[str, int]) -> Deck:
    changed = {**deck, **numbers}
    return {mark: number for mark, number in changed.items() if number or not is_card(mark)}


def _moved(deck: Deck, by: Mapping[str, int]) -> Deck:
    return _with(deck, {mark: deck.get(mark, 0) + number for mark, number in by.items()})
