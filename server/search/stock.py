"""What a game of so many players has printed, and how many cards a player starts with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.scoring import Edition


def stock(edition: Edition, players: int) -> dict[str, int]:
    """Return how many copies of each kind a game of `players` can count on.

    Where a category is spread over its kinds unevenly, chance says which kinds get one copy more; a deck must not
    need it, so the smaller number counts.
    """
    copies: dict[str, int] = {}
    for deal in edition.deal:
        kinds = kinds_of(edition, deal.category)
        printed = deal.stock(kinds, players)
        copies |= dict(printed) if printed is not None else dict.fromkeys(kinds, players * deal.each // len(kinds))
    return copies


def start_cards(edition: Edition, players: int) -> int:
    """Return how many cards of all categories together each of `players` starts with."""
    return sum(deal.each_of(kinds_of(edition, deal.category), players) for deal in edition.deal)


def kinds_of(edition: Edition, category: str) -> tuple[str, ...]:
    """Return the kinds of a category, in the order of the edition."""
    return tuple(kind.slug for kind in edition.kinds if kind.category == category)
