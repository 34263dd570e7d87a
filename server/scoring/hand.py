"""What a player hands in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from server.scoring.read_only import ReadOnly

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True)
class Hand:
    """A deck as handed in: how many cards of each kind (by slug), and when (with a time zone; None: not known).

    `cancels` are the keys of the rules that the player switches off with cards that allow it. `facts` are what the
    organiser entered, by name. `parts` says, for an edition whose decks have labelled parts, which of the cards lie in
    each; cards in no part only belong to the deck. Rules see all of it, so dictionaries are copied and read-only.
    """

    player: str
    cards: Mapping[str, int] = field(default_factory=dict)
    handed_in: datetime | None = None
    cancels: tuple[str, ...] = ()
    facts: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Only what can be written into; the search for the best deck watches readers by mappings of its own.
        if type(self.parts) is dict:
            object.__setattr__(self, "parts", ReadOnly({part: ReadOnly(cards) for part, cards in self.parts.items()}))
        for name in ("cards", "facts"):
            if type(entered := getattr(self, name)) is dict:
                object.__setattr__(self, name, ReadOnly(entered))
