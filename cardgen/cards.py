"""Printed cards, their sizes, and the games they belong to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, order=True)
class CardId:
    """One physical card of a game.

    `kind` is the edition's slug for the kind, such as `red` or `rule-7`; `copy` counts from 1 within the kind.
    """

    kind: str
    copy: int

    @property
    def name(self) -> str:
        """The card's name in files, such as `red-007`; it sorts by kind and copy."""
        return f"{self.kind}-{self.copy:03d}"


@dataclass(frozen=True)
class Geometry:
    """The size of a card and the places of its two codes. All lengths are in millimetres.

    The code patch is a square of `modules` + 2 x `quiet` modules. One patch is upright, `inset` from the top and left
    edges of the card. The other is `inset` from the bottom and right edges, rotated by 180 degrees. So the card lies
    the same way around either code, and a reader need not know which of the two it sees.
    """

    width: float = 63.0
    height: float = 88.0
    inset: float = 2.5
    module: float = 0.96
    modules: int = 21
    quiet: int = 2

    @property
    def patch(self) -> float:
        """Side of the white patch, quiet zone included, in millimetres."""
        return self.module * (self.modules + 2 * self.quiet)

    @property
    def code(self) -> float:
        """Side of the code itself, without its quiet zone, in millimetres."""
        return self.module * self.modules


POKER = Geometry()
SIZES: Mapping[str, Geometry] = {
    "poker": POKER,
    "bridge": Geometry(width=57.0),
    # A module gets as many pixels as on a poker card if the same number of cards fills the photograph. Larger modules
    # would leave the words too little room.
    "mini": Geometry(width=44.0, height=67.0, inset=2.0, module=0.72),
    "business": Geometry(width=85.0, height=55.0),
    "business-us": Geometry(width=88.9, height=50.8),
}
"""Card sizes by name. Business cards are in landscape format, with the codes next to each other."""


@dataclass(frozen=True)
class PrintedGame:
    """A printed game, with everything that is needed to recognize its cards.

    `game` is the four-character id in every code. The position of a kind in `kinds` is its number in the codes. `key`
    signs the codes and never leaves the server or `game.json`.
    """

    game: str
    edition: str
    key: bytes = field(repr=False)
    kinds: tuple[str, ...]
    players: int
    seed: str
    settings: Mapping[str, int | str] = field(default_factory=dict)
    geometry: Geometry = POKER

    def kind_number(self, kind: str) -> int:
        """Return the number of a kind in this game's codes; ValueError if there is none."""
        return self.kinds.index(kind)
