"""Wakes threads that wait for work in the same process. Others find the work when they look the next time."""

from __future__ import annotations

import threading


class Bell:
    """Counts how often it was rung, so that no ring is missed between looking for work and waiting for it."""

    def __init__(self) -> None:
        self._rung = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """How often it was rung. To be read before looking for work."""
        return self._count

    def ring(self) -> None:
        """Wake all who wait."""
        with self._rung:
            self._count += 1
            self._rung.notify_all()

    def wait(self, count: int, seconds: float) -> None:
        """Wait until it has been rung more than `count` times, so many seconds at most."""
        with self._rung:
            self._rung.wait_for(lambda: self._count != count, seconds)
