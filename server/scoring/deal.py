"""What each player starts with, and how many copies of each card a game of so many players needs. Plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Supply:
    """A stock of whole sets, shared out equally; what is left over is put aside.

    `sets` are pairs (most players, number of sets), in ascending order. With more players than any of them names, there
    are as many sets as give each player at least `enough` cards. `single` are the kinds of which one copy does always.
    """

    sets: tuple[tuple[int, int], ...]
    enough: int
    single: frozenset[str] = frozenset()

    def copies(self, kinds: tuple[str, ...], players: int) -> dict[str, int]:
        """Return how many copies of each kind a game of `players` needs."""
        sets = next((number for most, number in self.sets if players <= most), 0)
        if not sets:
            repeated = sum(kind not in self.single for kind in kinds)
            missing = self.enough * players - (len(kinds) - repeated)
            sets = max(self.sets[-1][1], -(-missing // repeated))
        return {kind: 1 if kind in self.single else sets for kind in kinds}


@dataclass(frozen=True)
class Deal:
    """How many cards of a category each player starts with; `different` allows no two alike in one envelope.

    `each` cards of the category, dealt from all; or `each_kind` cards of each of its kinds; or an equal share of a
    `supply`.
    """

    category: str
    name: str
    each: int
    different: bool
    each_kind: int = 0
    supply: Supply | None = None

    def each_of(self, kinds: tuple[str, ...], players: int) -> int:
        """Return how many cards of the category, whose kinds are given, each of `players` starts with."""
        if self.supply:
            return sum(self.supply.copies(kinds, players).values()) // players
        return self.each + self.each_kind * len(kinds)

    def stock(self, kinds: tuple[str, ...], players: int) -> Mapping[str, int] | None:
        """Return how many copies of each kind are needed; None where `each` is spread evenly over the kinds."""
        if self.supply:
            return self.supply.copies(kinds, players)
        return dict.fromkeys(kinds, self.each_kind * players) if self.each_kind else None
