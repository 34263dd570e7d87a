"""Photographs that could not be fetched: each is left alone for a while, so that all others have their turn."""

from __future__ import annotations

import threading
import time

FIRST, LONGEST = 5.0, 300.0
"""Seconds that a photograph is left alone at first, and at the most: twice as long each time."""


class LeftAlone:
    """What one process could not fetch. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pauses: dict[str, tuple[float, float]] = {}
        # Until when, and how long that was.
        self._last_failed = False

    def failed(self, photo: str) -> bool:
        """Leave a photograph alone for a while. Return whether that tried before it failed too, whichever it was."""
        now = time.monotonic()
        with self._lock:
            before = self._last_failed
            self._last_failed = True
            _, pause = self._pauses.get(photo, (0.0, FIRST / 2))
            pause = min(2 * pause, LONGEST)
            self._pauses[photo] = now + pause, pause
            return before

    def fetched(self, photo: str) -> None:
        """Forget one that was fetched, and those of which nothing was heard for long: they may be gone."""
        now = time.monotonic()
        with self._lock:
            self._last_failed = False
            if self._pauses:
                self._pauses.pop(photo, None)
                self._pauses = {one: kept for one, kept in self._pauses.items() if kept[0] + LONGEST > now}

    def now(self) -> frozenset[str]:
        """Return those that are left alone now."""
        now = time.monotonic()
        with self._lock:
            return frozenset(photo for photo, (until, _) in self._pauses.items() if until > now)
