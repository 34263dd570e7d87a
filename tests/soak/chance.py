"""Chance that a seed decides, so that a soak can be repeated."""

from __future__ import annotations

import hashlib
from itertools import count
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

T = TypeVar("T")


class Chance:
    """A row of numbers by chance, for one thread."""

    def __init__(self, seed: str) -> None:
        self._seed, self._numbers = seed, count()

    def share(self) -> float:
        """Return a number from 0 to 1."""
        text = f"{self._seed}/{next(self._numbers)}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32

    def one_of(self, things: Sequence[T]) -> T:
        """Return one of these things."""
        return things[int(self.share() * len(things))]

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """Return these things in an order by chance."""
        return [thing for _, _, thing in sorted((self.share(), place, thing) for place, thing in enumerate(things))]

    def another(self) -> Chance:
        """Return another row, however many numbers are taken from that one."""
        return Chance(f"{self._seed}/{next(self._numbers)}/")
