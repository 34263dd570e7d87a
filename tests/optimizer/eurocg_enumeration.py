"""The best EuroCG deck a second time: every set of colours, with the points of rule cards worked out by hand.

It shares nothing with the search or the engine.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PRIMES = {2, 3, 5, 7, 11, 13, 17, 19, 23}


def colours(most: int, kinds: int = 6) -> Iterator[tuple[int, ...]]:
    """Yield all numbers of cards of six colours, together at most `most`."""
    if not kinds:
        yield ()
        return
    for first in range(most + 1):
        for rest in colours(most - first, kinds - 1):
            yield (first, *rest)


def best_score(most: int) -> int:
    """Return the highest score of at most `most` cards (up to 23), with blue at 1 and copies of all in plenty."""
    best = 0
    for counts in colours(most):
        held = sum(counts)
        top = max(counts)
        fixed = _bonuses(counts)
        small, large = _cards(counts, big=False), _cards(counts, big=True)
        for rule_cards in range(most - held + 1):
            score = fixed + _rule_cards(rule_cards, top, red_first=0 < counts[0] == top)
            for total in range(held + rule_cards, most + 1):
                whole = (large if total > 19 else small) + 13 * (total in PRIMES) + 5 * (total % 5 == 1)
                best = max(best, score + whole)
    return best


def _cards(counts: tuple[int, ...], *, big: bool) -> int:
    red, blue, green, orange, _, _ = counts
    more = sum(count > 0 for count in counts) == 3
    worths = (2, 1, 3, 3, abs(green - orange), abs(red - blue) % 4)
    points = 0
    for index, (count, worth) in enumerate(zip(counts, worths, strict=True)):
        limit = 4 + more if index == 0 else 6 + more
        void = (index != 1 and count > limit) or (big and count == max(counts))
        points += 0 if void else count * worth
    return points


def _rule_cards(number: int, top: int, *, red_first: bool) -> int:
    """Return the most points of a number of rule cards, which are numbered 1 to 23."""
    if number > (7 if red_first else 5):
        return 0
    if number == 1:
        divisor = top or 7
        return max(card % divisor for card in range(1, 24))
    return number if number % 2 == 0 else 8  # two numbers that differ by 8 or 17


def _bonuses(counts: tuple[int, ...]) -> int:
    held = sorted(count for count in counts if count)
    blue = counts[1]
    points = 0
    if blue and blue == held[0]:
        points += 11 if held.count(blue) == 1 else 2
    if len(held) == 1:
        points += 5
    elif all(low < high for low, high in pairwise(held)):
        points += 3 * len(held)
    points += 12 * (len(held) == 6)
    points += 8 * (counts.count(4) == 1)
    return points + 11 * (bool(held) and held[0] == len(held))
