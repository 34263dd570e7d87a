"""Sorting cards into sets so that they bring most, each card in one set at most: exact."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.scoring.rules import Points

_MOST_TRIES = 200_000


def best_sets(cards: Mapping[str, int], sets: Sequence[tuple[Sequence[str], Points]]) -> tuple[int, ...]:
    """Return how often to lay each set so that all sets together bring most.

    `cards` are copies by kind; a set is the different kinds that it takes one of each, and its points, above 0. Of
    several best ways the one with most of the first set counts, then of the second, and so on. EditionError where
    there are too many ways to try.
    """
    kinds = [frozenset(kinds) for kinds, _ in sets]
    free = _disjoint_tail(kinds)
    left = {kind: number for kind, number in cards.items() if number > 0}
    if prod(_most(left, members) + 1 for members in kinds[:free]) > _MOST_TRIES:
        raise EditionError(f"{sum(left.values())} cards are too many to be sorted into sets exactly")
    best: tuple[Points, tuple[int, ...]] = (0, (0,) * len(sets))
    for times in _ways(left, kinds, free):
        points = sum(number * points for number, (_, points) in zip(times, sets, strict=True))
        best = max(best, (points, times))
    return best[1]


def _disjoint_tail(kinds: Sequence[frozenset[str]]) -> int:
    """Return from which set on no two share a kind: these are laid as often as they can."""
    place = len(kinds)
    seen: set[str] = set()
    while place and not seen & kinds[place - 1]:
        place -= 1
        seen |= kinds[place]
    return place


def _most(left: Mapping[str, int], members: frozenset[str]) -> int:
    return min((left.get(kind, 0) for kind in members), default=0)


def _ways(left: Mapping[str, int], kinds: Sequence[frozenset[str]], free: int) -> Iterator[tuple[int, ...]]:
    """Yield how often each set is laid, for all ways of laying the first `free` sets."""
    if not kinds:
        yield ()
        return
    most = _most(left, kinds[0])
    for times in range(most, -1, -1) if free > 0 else (most,):
        rest = {kind: number - times * (kind in kinds[0]) for kind, number in left.items()}
        for others in _ways(rest, kinds[1:], free - 1):
            yield (times, *others)
