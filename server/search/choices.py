"""Which rules a deck may cancel, if it holds a card that allows it."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from server.scoring.cancels import cancelling, choice_mistakes
from server.search.marks import cards_of, placed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.scoring import Rule
    from server.search.space import Space

_NONE: tuple[tuple[str, ...], ...] = ((),)


class Choices:
    """The choices that decks of a space have, beside the other hands."""

    def __init__(self, space: Space) -> None:
        self._space = space
        places = ("", *(part.slug for part in space.edition.parts))
        rules = cancelling(space.edition, space.active)
        self._rules = [(rule, [placed(rule.card, place) for place in places]) for rule in rules]
        self._others = {hand.player: hand.cards for hand in space.others}

    def of(self, counts: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
        """Return all choices of a deck given by marks; the first is to cancel nothing."""
        held = self._held(counts)
        if not held:
            return _NONE
        hands = {**self._others, self._space.player: cards_of(counts)}
        targets = sorted(set().union(*(rule.touches for rule in held)))
        single = [key for key in targets if not self._mistaken(hands, (key,))]
        effects = len({rule.effect for rule in held})
        several = (choice for number in range(2, effects + 1) for choice in combinations(single, number))
        return ((), *((key,) for key in single), *(choice for choice in several if not self._mistaken(hands, choice)))

    @property
    def targets(self) -> list[str]:
        """The keys of all rules that some card can cancel."""
        return sorted(set().union(*(rule.touches for rule, _ in self._rules)) & set(self._space.active))

    def number(self, counts: Mapping[str, int]) -> int:
        """Return how many rules a deck may cancel at most."""
        return len({rule.effect for rule in self._held(counts)})

    def allowed(self, counts: Mapping[str, int], keys: Sequence[str]) -> tuple[str, ...]:
        """Return those of the rules that a deck may cancel, as many as it may, in their order."""
        held = self._held(counts)
        if not held:
            return ()
        rules = self._space.edition.rule_of
        touched = frozenset().union(*(rule.touches for rule in held))
        mine = cards_of(counts)
        in_play = (any(cards.get(rules[key].card) for cards in (mine, *self._others.values())) for key in keys)
        allowed = [key for key, played in zip(keys, in_play, strict=True) if played and key in touched]
        return tuple(allowed[: len({rule.effect for rule in held})])

    def _held(self, counts: Mapping[str, int]) -> list[Rule]:
        return [rule for rule, marks in self._rules if any(counts.get(mark) for mark in marks)]

    def _mistaken(self, hands: Mapping[str, Mapping[str, int]], choice: tuple[str, ...]) -> bool:
        space = self._space
        return any(choice_mistakes(space.edition, space.active, hands, space.player, choice))
