"""Wakes threads that wait for something: in this process at once, in others over a wire if there is one.

Without a wire, or while it is broken, others find out when they look the next time.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Line(Protocol):
    """What carries the rings of bells of one name between processes (`server.jobs.wire`)."""

    def send(self, name: str) -> None:
        """Ring the other processes' bells of that name, soon; never waits and never fails."""

    def listen(self, name: str, ring: Callable[[], None]) -> None:
        """Call `ring` from now on whenever another process has rung."""


class Bell:
    """Counts how often it was rung, so that no ring is missed between looking for work and waiting for it."""

    def __init__(self, name: str = "", line: Line | None = None) -> None:
        self._rung = threading.Condition()
        self._count = 0
        self._name = name
        self._line = line
        self._listens = False

    @property
    def count(self) -> int:
        """How often it was rung. To be read before looking for work."""
        return self._count

    def ring(self) -> None:
        """Wake all who wait, here and in other processes."""
        self.ring_here()
        if self._line:
            self._line.send(self._name)

    def ring_here(self) -> None:
        """Wake all who wait in this process."""
        with self._rung:
            self._count += 1
            self._rung.notify_all()

    def wait(self, count: int, seconds: float) -> None:
        """Wait until it has been rung more than `count` times, so many seconds at most."""
        # Who never waits need not hear the others.
        if self._line and not self._listens:
            self._listens = True
            self._line.listen(self._name, self.ring_here)
        with self._rung:
            self._rung.wait_for(lambda: self._count != count, seconds)
