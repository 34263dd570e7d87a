"""Ranking by score, then by the edition's tie-breaks in order. Hands that are still equal share a place: 1, 2, 2, 4."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.scoring.rules import Points
    from server.scoring.table import Seat

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class RankedPlace(NamedTuple):
    """The rank of a hand, given by its index; `decided_by` is the index of the deciding tie-break, or None."""

    hand: int
    rank: int
    decided_by: int | None


def rank_hands(
    scores: Sequence[Points | None], ties: Sequence[Sequence[Any]], listing: Sequence[Sequence[Any]]
) -> list[RankedPlace]:
    """Return the hands in rank order. A hand without a score (None) is eliminated and ranks after all others.

    `ties[i]` are the values of hand i in the tie-breaks; larger is better. Among hands of equal score, the deciding
    tie-break is the first that differs from the place above, or, for the first of them, from the place below. Hands
    that share a place are listed by their values in `listing`, the larger first, then in the given order. Eliminated
    hands all share the last place.
    """
    merits = [(0,) if points is None else (1, points, *values) for points, values in zip(scores, ties, strict=True)]
    order = sorted(range(len(merits)), key=lambda index: (merits[index], tuple(listing[index])), reverse=True)
    levels = sorted(set(merits), reverse=True)
    decided = {
        level: _decider(level, levels[i - 1] if i else None, levels[i + 1] if i + 1 < len(levels) else None)
        for i, level in enumerate(levels)
    }
    ranks: dict[tuple[Any, ...], int] = {}
    for position, index in enumerate(order):
        ranks.setdefault(merits[index], position + 1)
    return [RankedPlace(index, ranks[merits[index]], decided[merits[index]]) for index in order]


def _decider(level: tuple[Any, ...], above: tuple[Any, ...] | None, below: tuple[Any, ...] | None) -> int | None:
    """Return the first tie-break that separates a place from its neighbour of equal score, or None."""
    for neighbour in (above, below):
        if neighbour is not None and neighbour[:2] == level[:2]:
            pairs = zip(level[2:], neighbour[2:], strict=True)
            return next(i for i, (mine, theirs) in enumerate(pairs) if mine != theirs)
    return None


def earlier_hand_in(me: Seat) -> timedelta:
    """Rank the earlier hand-in higher; a hand without a time ranks as the latest."""
    return timedelta.min if me.hand.handed_in is None else _EPOCH - me.hand.handed_in
