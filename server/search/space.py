"""The decks among which the best is wanted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.scoring import Edition, Hand


@dataclass(frozen=True)
class Space:
    """All decks of an edition with at most `most` cards, and of each kind at most the copies in `stock`.

    A deck is given by marks (see `marks`): its cards, each in a part or in none, and facts. `facts` are the values of
    those that do not vary. `settings` and the keys of the `active` rules are those of the game, `others` the other
    hands on the table, and `player` the name of the hand that is searched for.
    """

    edition: Edition
    stock: Mapping[str, int]
    most: int
    settings: Mapping[str, int | str] = field(default_factory=dict)
    active: tuple[str, ...] = ()
    others: tuple[Hand, ...] = ()
    player: str = "Best"
    facts: Mapping[str, int] = field(default_factory=dict)
