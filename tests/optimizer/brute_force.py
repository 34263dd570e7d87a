"""The best deck by scoring all of them with the plain engine: every card in every part, every value, every choice."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING

from server.scoring import Hand, Scorer, ScoringError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from server.optimizer.space import Space


def brute_best(space: Space, choices: Sequence[tuple[str, ...]] = ((),)) -> Fraction | None:
    """Return the highest score in a space; None if every deck is eliminated.

    `choices` are the rules that a deck may cancel; those that the engine refuses are skipped.
    """
    scorer = Scorer(space.edition, space.settings, space.active)
    scores = []
    for cards in _decks(space):
        for parts, facts, cancels in product(_layouts(space, cards), _entries(space), choices):
            hand = Hand(space.player, cards, cancels=cancels, parts=parts, facts=facts)
            try:
                result = scorer.score([hand, *space.others], provisional=False)
            except ScoringError:
                continue
            scores += [one.score for one in result.hands if one.hand is hand and not one.eliminated]
    return max(scores, default=None)


def _decks(space: Space) -> Iterator[dict[str, int]]:
    supply = {kind: min(copies, space.most) for kind, copies in space.supply.items() if copies}
    for numbers in product(*(range(copies + 1) for copies in supply.values())):
        if sum(numbers) <= space.most:
            yield {kind: number for kind, number in zip(supply, numbers, strict=True) if number}


def _layouts(space: Space, cards: dict[str, int]) -> Iterator[dict[str, dict[str, int]]]:
    """Yield all distributions of cards over the parts, or into no part."""
    places = ["", *(part.slug for part in space.edition.parts)]
    ways = [list(combinations_with_replacement(places, number)) for number in cards.values()]
    for chosen in product(*ways):
        parts: dict[str, dict[str, int]] = {}
        for kind, laid in zip(cards, chosen, strict=True):
            for part in laid:
                if part:
                    parts.setdefault(part, {})[kind] = parts.get(part, {}).get(kind, 0) + 1
        yield parts


def _entries(space: Space) -> Iterator[dict[str, int]]:
    """Yield all values of the facts that are not given."""
    values = [
        [space.facts[fact.name]]
        if fact.name in space.facts
        else [False, True]
        if fact.yes_no
        else range(fact.minimum, fact.maximum + 1)
        for fact in space.edition.facts
    ]
    for chosen in product(*values):
        yield {fact.name: value for fact, value in zip(space.edition.facts, chosen, strict=True)}
