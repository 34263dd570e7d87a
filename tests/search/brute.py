"""The best deck by scoring all of them with the plain engine: every card in every part, and every value of facts."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING

from server.scoring import Hand, Scorer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from server.search.space import Space


def decks(space: Space) -> Iterator[dict[str, int]]:
    """Yield the cards of every deck of a space."""
    for numbers in product(*(range(min(copies, space.most) + 1) for copies in space.stock.values())):
        if sum(numbers) <= space.most:
            yield {kind: number for kind, number in zip(space.stock, numbers, strict=True) if number}


def layouts(space: Space, cards: dict[str, int]) -> Iterator[dict[str, dict[str, int]]]:
    """Yield every way to lay cards into parts, or into none."""
    places = ["", *(part.slug for part in space.edition.parts)]
    ways = [list(combinations_with_replacement(places, number)) for number in cards.values()]
    for chosen in product(*ways):
        parts: dict[str, dict[str, int]] = {}
        for kind, laid in zip(cards, chosen, strict=True):
            for part in laid:
                if part:
                    parts.setdefault(part, {})[kind] = parts.get(part, {}).get(kind, 0) + 1
        yield parts


def entries(space: Space) -> Iterator[dict[str, int]]:
    """Yield all values of the facts that do not stand fast."""
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


def brute_best(space: Space) -> Fraction | None:
    """Return the highest score in a space; None if every deck is eliminated."""
    scorer = Scorer(space.edition, space.settings, space.active)
    scores = []
    for cards in decks(space):
        for parts, facts in product(layouts(space, cards), entries(space)):
            hand = Hand(space.player, cards, parts=parts, facts=facts)
            result = scorer.score([hand, *space.others], provisional=False)
            (mine,) = (hand for hand in result.hands if hand.hand.player == space.player)
            if not mine.eliminated:
                scores.append(mine.score)
    return max(scores, default=None)
