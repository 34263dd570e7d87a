"""Which numbered rows have been seen, where a number may appear later than a higher one.

PostgreSQL gives numbers to rows before they are committed, and some never are: those of transactions that failed.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

PATIENCE = 180.0
"""Seconds for which a number is waited for that is missing: no transaction of ours takes so long."""
_MOST = 5000
# Numbers that are waited for; the lowest are given up first.
_MOST_LATE = 1000


class Numbering:
    """What one who looks again and again has seen. `position` is the highest number, `missing` those that may come."""

    def __init__(
        self, position: int = 0, recent: Collection[int] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin at a position, having seen the `recent` numbers up to it: what is missing among them may still come."""
        self._clock = clock
        self.position = position
        self._missing: dict[int, float] = {}
        self._late: deque[tuple[int, int]] = deque(maxlen=_MOST_LATE)
        self._wait_for(range(min(recent, default=position + 1), position + 1), recent)

    @property
    def missing(self) -> list[int]:
        """Lower numbers than the position that may still appear."""
        before = self._clock() - PATIENCE
        self._missing = {number: since for number, since in self._missing.items() if since > before}
        return list(self._missing)

    def see(self, numbers: Collection[int]) -> set[int]:
        """Note the numbers that were found; return those that were not seen before."""
        new = {number for number in numbers if number > self.position or number in self._missing}
        for number in sorted(new):
            if self._missing.pop(number, None) is not None:
                self._late.append((number, self.position))
        highest = max(new, default=0)
        if highest > self.position:
            self._wait_for(range(self.position + 1, highest), new)
            self.position = highest
        return new

    def late_since(self, number: int) -> list[int]:
        """Return the lower numbers that were seen after this one."""
        return [late for late, position in self._late if late < number <= position]

    def _wait_for(self, numbers: range, seen: Collection[int]) -> None:
        there = set(seen)
        at = self._clock()
        self._missing |= {number: at for number in numbers[-_MOST:] if number not in there}
        while len(self._missing) > _MOST:
            del self._missing[min(self._missing)]
