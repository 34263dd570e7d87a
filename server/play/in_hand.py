"""What one process has claimed to scan: each claim is in hand, then with a process that scans it, then over."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from server.jobs.queue import Claim


class InHand:
    """Claims in hand, of which `places` are scanned at a time. Safe to share between threads.

    A place is taken before what will be scanned in it is claimed. Where none is free, one claims ahead: that scan
    begins with the next place that is free, before anything that is claimed later.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting = 0
        # Claims ahead that could begin now.
        self._closed = False
        self._lock = threading.Condition()
        self._held: set[Claim] = set()
        self._placed: set[Claim] = set()
        # Of those held: each has a place.
        self._ahead: set[Claim] = set()
        # Of those held: they had none when they were claimed, and it is not noted that their scan has begun since.
        self._since: dict[Claim, float] = {}
        # Of those held: when a process took them.

    def take(self, claim: Callable[[bool], Claim | None]) -> Claim | None:
        """Take in hand what a function claims, if it claims something; it is told whether that is ahead."""
        ahead, mine = not self._reserve(), None
        try:
            mine = claim(ahead)
        finally:
            with self._lock:
                if mine is not None:
                    self._held.add(mine)
                    (self._ahead if ahead else self._placed).add(mine)
                elif not ahead:
                    self._leave()
        return mine

    def remove(self, mine: Claim) -> None:
        """Forget a claim that is over."""
        with self._lock:
            self._held.discard(mine)
            self._ahead.discard(mine)
            self._since.pop(mine, None)
            self._vacate(mine)

    @contextmanager
    def place(self, mine: Claim) -> Iterator[None]:
        """Hold the claim's place while it is scanned, or the next one that is free."""
        with self._lock:
            if mine not in self._placed:
                self._waiting += 1
                self._lock.wait_for(lambda: self._free > 0 or self._closed)
                self._waiting -= 1
                self._free -= 1
                self._placed.add(mine)
        try:
            yield
        finally:
            with self._lock:
                self._vacate(mine)

    def close(self) -> None:
        """Let nobody wait for a place any more."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()

    def begin(self, mine: Claim) -> None:
        """Remember that a process has it now."""
        with self._lock:
            self._since[mine] = time.monotonic()

    def seconds(self, mine: Claim) -> float:
        """Return how long a process has had it; 0 if none has."""
        now = time.monotonic()
        with self._lock:
            return now - self._since.get(mine, now)

    def held(self) -> frozenset[Claim]:
        """Return all claims in hand."""
        with self._lock:
            return frozenset(self._held)

    def unnoted(self, over: Claim | None = None) -> frozenset[Claim]:
        """Return those but `over` that were claimed ahead and have begun, which is still to be noted."""
        with self._lock:
            return frozenset(self._ahead & self._since.keys()) - {over}

    def note(self, claims: Iterable[Claim]) -> None:
        """Remember that it is noted that these have begun."""
        with self._lock:
            self._ahead.difference_update(claims)

    def _reserve(self) -> bool:
        """Take a place if there is one more than are waited for."""
        with self._lock:
            has_one = self._free > self._waiting
            self._free -= has_one
            return has_one

    def _vacate(self, mine: Claim) -> None:
        if mine in self._placed:
            self._placed.remove(mine)
            self._leave()

    def _leave(self) -> None:
        self._free += 1
        self._lock.notify()
