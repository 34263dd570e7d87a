"""What a player hands in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True)
class Hand:
    """A deck as handed in: how many cards of each kind (by slug), and when (with a time zone; None: not known).

    `cancels` are the keys of the rules that the player switches off with cards that allow it. `facts` are what the
    organiser entered, by name. `parts` says, for an edition whose decks have labelled parts, which of the cards lie in
    each; cards in no part only belong to the deck.
    """

    player: str
    cards: Mapping[str, int] = field(default_factory=dict)
    handed_in: datetime | None = None
    cancels: tuple[str, ...] = ()
    facts: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
