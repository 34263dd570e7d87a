"""Exact search for the best way to sort cards into sets, each card into one set at most."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from server.scoring.errors import CalculationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.scoring.rules import Points

_MAX_TRIES = 200_000


class TriesLeft:
    """The number of ways to sort cards that may still be tried."""

    def __init__(self, most: int = _MAX_TRIES) -> None:
        self._most = self._left = most

    def spend(self, tries: int, cards: int) -> None:
        """Subtract tries; CalculationError if there are not enough left."""
        if tries > _MAX_TRIES:
            raise CalculationError("{cards} cards are too many to be sorted into sets exactly", cards=cards)
        self._left -= tries
        if self._left < 0:
            raise CalculationError(
                "sorting cards into sets takes more than {most} tries in a game; use best_sets less often, "
                "or with fewer lists that share cards",
                most=self._most,
            )


def best_sets(
    cards: Mapping[str, int], sets: Sequence[tuple[Sequence[str], Points]], left: TriesLeft | None = None
) -> tuple[int, ...]:
    """Return how often to make each set so that all sets together bring the most points.

    `cards` are copies by kind. A set takes one card of each of its kinds and has points above 0. Ties go to the
    solution with most of the first set, then of the second, and so on. CalculationError if there are too many solutions
    to try, alone or with all that have been tried before.
    """
    kinds = [frozenset(kinds) for kinds, _ in sets]
    free = _disjoint_tail(kinds)
    held = {kind: number for kind, number in cards.items() if number > 0}
    (left or TriesLeft()).spend(prod(_most(held, members) + 1 for members in kinds[:free]), sum(held.values()))
    best: tuple[Points, tuple[int, ...]] = (0, (0,) * len(sets))
    for times in _ways(held, kinds, free):
        points = sum(number * points for number, (_, points) in zip(times, sets, strict=True))
        best = max(best, (points, times))
    return best[1]


def _disjoint_tail(kinds: Sequence[frozenset[str]]) -> int:
    """Return the index from which on no two sets share a kind; these are made as often as possible."""
    place = len(kinds)
    seen: set[str] = set()
    while place and not seen & kinds[place - 1]:
        place -= 1
        seen |= kinds[place]
    return place


def _most(left: Mapping[str, int], members: frozenset[str]) -> int:
    return min((left.get(kind, 0) for kind in members), default=0)


def _ways(left: Mapping[str, int], kinds: Sequence[frozenset[str]], free: int) -> Iterator[tuple[int, ...]]:
    """Yield how often each set is made, for all numbers of the first `free` sets."""
    if not kinds:
        yield ()
        return
    most = _most(left, kinds[0])
    for times in range(most, -1, -1) if free > 0 else (most,):
        rest = {kind: number - times * (kind in kinds[0]) for kind, number in left.items()}
        for others in _ways(rest, kinds[1:], free - 1):
            yield (times, *others)
