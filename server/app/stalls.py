"""Ends connections that hold something and do not move: so no thread and no memory is held for who says nothing.

The server beneath waits for a body as long as the connection lasts, and has no limit for that. What stands still is
seen from outside, by the system's own count of bytes, and the connection is ended there. That frees the thread, also
where a phone has gone out of the network in the middle of a picture and will never say so.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.app.connections import connections

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable

    from server.app.connections import Connection


@dataclass(frozen=True)
class Pace:
    """How slow a connection may be.

    A body has to bring `rate` bytes a second, looked at over `window` seconds. What is sent has to be taken at
    `rate_out` over `window_out`. Who connects has to say something within `silence` seconds. Looks are `step` apart.
    """

    window: float = 30.0
    rate: float = 1000.0
    window_out: float = 60.0
    rate_out: float = 500.0
    silence: float = 20.0
    step: float = 5.0


PACE = Pace()
"""A phone at the edge of a crowded Wi-Fi sends 20 kB a second, and may be away for half a minute."""


@dataclass
class _Mark:
    """How far a connection was when a window began, of what comes and of what goes; and when it last moved."""

    since: float
    came: Connection
    came_at: float
    went: Connection
    went_at: float
    last: Connection
    moved: float


class Stalls:
    """Looks at the connections that came in at a port.

    `slow` tells how many bodies of which address have been waited for so long.
    `greets`: who connects gets an answer before all others, as over https.
    """

    def __init__(
        self,
        slow: Callable[[float], Counter[str]],
        port: int,
        pace: Pace = PACE,
        *,
        greets: bool = False,
        found: Callable[[int], Iterable[Connection]] = connections,
    ) -> None:
        self._slow = slow
        self._port = port
        self._pace = pace
        self._greets = greets
        self._found = found
        self._marks: dict[tuple[int, tuple[str, int]], _Mark] = {}

    def start(self) -> None:
        """Look from now on, until the process ends."""
        threading.Thread(target=self._run, name="haggle-stalls", daemon=True).start()

    def look(self, now: float) -> list[Connection]:
        """Note how far all connections are, and return those that are to be ended."""
        slow = self._slow(self._pace.window)
        marks, ended, stalled = {}, [], []
        for one in self._found(self._port):
            key = one.number, one.peer
            mark = self._marks.get(key) or _Mark(now, one, now, one, now, one, now)
            marks[key] = mark
            if one.received != mark.last.received:
                mark.last, mark.moved = one, now
            if self._silent(mark, one, now) or self._untaken(mark, one, now):
                ended.append(one)
            elif self._stalls(mark, one, now):
                stalled.append((mark.moved, one))
        self._marks = marks
        # Of one address as many as bodies of it are waited for, and first what stands still for the longest time: the
        # others wait for their answers.
        for _, one in sorted(stalled, key=lambda each: each[0]):
            if slow[one.address] > 0:
                slow[one.address] -= 1
                ended.append(one)
        return ended

    def _run(self) -> None:
        while True:
            time.sleep(self._pace.step)
            for one in self.look(time.monotonic()):
                one.cut()

    def _silent(self, mark: _Mark, one: Connection, now: float) -> bool:
        """Tell whether somebody connected and then did not say what for."""
        # The greeting that begins the connection is counted as one byte that was taken.
        spoken = one.taken > 1 if self._greets else one.received > 0
        return not spoken and now - mark.since >= self._pace.silence

    def _stalls(self, mark: _Mark, one: Connection, now: float) -> bool:
        """Tell whether too little came for too long.

        That of who reads a stream is little too, but a stream is told something more often than this looks.
        """
        if now - mark.came_at < self._pace.window:
            return False
        few = one.received - mark.came.received < self._pace.rate * (now - mark.came_at)
        if few and one.taken == mark.came.taken:
            return True
        mark.came, mark.came_at = one, now
        return False

    def _untaken(self, mark: _Mark, one: Connection, now: float) -> bool:
        """Tell whether an answer is there and not taken."""
        if not one.due:
            mark.went, mark.went_at = one, now
        if now - mark.went_at < self._pace.window_out:
            return False
        few = one.taken - mark.went.taken < self._pace.rate_out * (now - mark.went_at)
        mark.went, mark.went_at = one, now
        return few
