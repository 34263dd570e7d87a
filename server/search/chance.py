"""Chance from a seed, which anyone can repeat: numbers from the SHA-256 digests of "seed/0", "seed/1", ..."""

from __future__ import annotations

import hashlib
from itertools import count
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Chance:
    """Draws that depend on the seed alone."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._turns = count()

    def below(self, number: int) -> int:
        """Return a whole number from 0 up to but without `number`. The bias is below number / 2**64."""
        digest = hashlib.sha256(f"{self._seed}/{next(self._turns)}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % number

    def share(self) -> float:
        """Return a number from 0 up to but without 1."""
        return self.below(1 << 32) / (1 << 32)

    def one_of(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order."""
        mixed = list(items)
        for place in range(len(mixed) - 1, 0, -1):
            other = self.below(place + 1)
            mixed[place], mixed[other] = mixed[other], mixed[place]
        return mixed
