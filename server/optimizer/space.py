"""The decks to search: an edition with what is printed of it, the other hands, and what is fixed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.scoring import Edition, Hand


@dataclass(frozen=True)
class Space:
    """All decks of an edition with at most `most` cards, and at most the copies of each kind in `supply`.

    `facts` are the values of fixed facts. `settings` and the keys of the `active` rules
    are those of the game, `others` the other hands, and `player` the name of the player of the deck.
    """

    edition: Edition
    supply: Mapping[str, int]
    most: int
    settings: Mapping[str, int | str] = field(default_factory=dict)
    active: tuple[str, ...] = ()
    others: tuple[Hand, ...] = ()
    player: str = "Best"
    facts: Mapping[str, int] = field(default_factory=dict)


def supply(edition: Edition, players: int) -> dict[str, int]:
    """Return the number of copies of each kind that a game of `players` has at least.

    If the cards of a category do not divide evenly, some kinds, drawn at random, have one copy more.
    """
    copies: dict[str, int] = {}
    for deal in edition.deal:
        kinds = kinds_of(edition, deal.category)
        printed = deal.copies(kinds, players)
        copies |= dict(printed) if printed is not None else dict.fromkeys(kinds, players * deal.each // len(kinds))
    return copies


def start_cards(edition: Edition, players: int) -> int:
    """Return the number of cards, of all categories together, that each of `players` starts with."""
    return sum(deal.each_of(kinds_of(edition, deal.category), players) for deal in edition.deal)


def kinds_of(edition: Edition, category: str) -> tuple[str, ...]:
    """Return the kinds of a category, in the order of the edition."""
    return tuple(kind.slug for kind in edition.kinds if kind.category == category)
