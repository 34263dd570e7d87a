"""The best deck by scoring all of them with the plain engine."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from server.scoring import Hand, Scorer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from server.search.space import Space


def decks(space: Space) -> Iterator[dict[str, int]]:
    """Yield every deck of a space."""
    for numbers in product(*(range(min(copies, space.most) + 1) for copies in space.stock.values())):
        if sum(numbers) <= space.most:
            yield {kind: number for kind, number in zip(space.stock, numbers, strict=True) if number}


def brute_best(space: Space) -> Fraction | None:
    """Return the highest score in a space; None if every deck is eliminated."""
    scorer = Scorer(space.edition, space.settings, space.active)
    scores = []
    for cards in decks(space):
        result = scorer.score([Hand(space.player, cards), *space.others], provisional=False)
        (mine,) = (hand for hand in result.hands if hand.hand.player == space.player)
        if not mine.eliminated:
            scores.append(mine.score)
    return max(scores, default=None)
