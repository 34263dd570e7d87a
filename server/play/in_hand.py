"""What one process has claimed to scan: each claim is in hand, then with a process that scans it, then over."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.jobs.queue import Claim


class InHand:
    """Claims in hand, of which `places` are scanned at a time. Safe to share between threads."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._lock = threading.Lock()
        self._held: set[Claim] = set()
        self._ahead: set[Claim] = set()
        # Of those held: no process could take them when they were claimed, and it is not noted that one has since.
        self._since: dict[Claim, float] = {}
        # Of those held: when a process took them.

    def add(self, mine: Claim, *, ahead: bool) -> None:
        """Take a claim in hand; `ahead` as it was claimed."""
        with self._lock:
            self._held.add(mine)
            if ahead:
                self._ahead.add(mine)

    def remove(self, mine: Claim) -> None:
        """Forget a claim that is over."""
        with self._lock:
            self._held.discard(mine)
            self._ahead.discard(mine)
            self._since.pop(mine, None)

    def is_full(self, over: Claim | None = None) -> bool:
        """Tell whether one more would have to wait for a process, once that of `over` is free."""
        with self._lock:
            return len(self._held - {over}) >= self._places

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
