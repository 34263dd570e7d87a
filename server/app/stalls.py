"""Ends connections that hold something and do not move: so no thread and no memory is held for who says nothing.

The server beneath waits for a body as long as the connection lasts, and has no limit for that. What stands still is
seen from outside, by the system's own count of bytes, and the connection is ended there. That frees the thread, also
where a phone has gone out of the network in the middle of a picture and will never say so.
"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.api.bodies import PIECE
from server.app.connections import connections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from server.app.connections import Connection

_SAME = 0.5
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pace:
    """How slow a connection may be.

    A body has to bring `rate` bytes a second, looked at over `window` seconds. What is sent has to be taken at
    `rate_out` over `window_out`. Who connects has to say something within `silence` seconds, and something has to come
    or to be taken within `idle`. Looks are `step` apart.

    A body belongs to the connection whose last byte came as it began to be waited for, or at most `near` seconds before
    or after. Where there is none, others are taken for it after `lost` seconds.
    """

    window: float = 30.0
    rate: float = 1000.0
    window_out: float = 60.0
    rate_out: float = 500.0
    silence: float = 20.0
    step: float = 5.0
    near: float = 10.0
    lost: float = 120.0
    idle: float = 600.0


PACE = Pace()
"""A phone at the edge of a crowded Wi-Fi sends 20 kB a second, and may be away for half a minute."""


@dataclass
class _Mark:
    """How far a connection was when a window began, of what comes and of what goes; and when it moved.

    `moved` is when its last byte came, `before` when one came that an earlier look saw, and `alive` when anything
    moved in either direction.
    """

    since: float
    came: Connection
    came_at: float
    went: Connection
    went_at: float
    last: Connection
    moved: float
    before: float
    alive: float

    @classmethod
    def first(cls, one: Connection, now: float) -> _Mark:
        """Return that of a connection which is seen for the first time."""
        moved = now - one.still
        return cls(now, one, now, one, now, one, moved, moved, now)

    def note(self, one: Connection, now: float) -> None:
        """Note what has moved since the last look."""
        if one.received != self.last.received:
            self.before, self.moved = self.moved, now - one.still
        if (one.received, one.taken) != (self.last.received, self.last.taken):
            self.alive = now
        self.last = one


class Stalls:
    """Looks at the connections that came in at a port.

    `slow` tells of which addresses bodies have been waited for so long, the last moment at which it is known that
    something of each was there, and since when it is waited for.
    `greets`: who connects gets an answer before all others, as over https.
    """

    def __init__(
        self,
        slow: Callable[[float], list[tuple[str, float, float]]],
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
        self._met: dict[tuple[str, float, float], float] = {}
        # Waits for each of which a connection was ended, and when: it may take a while until such a wait is over.

    def start(self) -> None:
        """Look from now on, until the process ends."""
        threading.Thread(target=self._run, name="haggle-stalls", daemon=True).start()

    def look(self, now: float) -> list[Connection]:
        """Note how far all connections are, and return those that are to be ended."""
        told = self._slow(self._pace.window)
        self._met = {wait: at for wait, at in self._met.items() if wait in told and now - at < self._pace.window}
        slow = [wait for wait in told if wait not in self._met]
        marks, ended, still = {}, [], []
        for one in self._found(self._port):
            key = one.number, one.peer
            mark = marks[key] = self._marks.get(key) or _Mark.first(one, now)
            mark.note(one, now)
            if self._silent(mark, one, now) or self._untaken(mark, one, now) or now - mark.alive >= self._pace.idle:
                ended.append(one)
            elif self._stalls(mark, one, now):
                still.append(mark)
        self._marks = marks
        return ended + self._stalled(slow, still, now)

    def _run(self) -> None:
        while True:
            time.sleep(self._pace.step)
            try:
                for one in self.look(time.monotonic()):
                    one.cut()
            except Exception:  # noqa: BLE001 - whatever it is, looking goes on: else threads would be held for ever
                _log.exception("could not look for connections that stand still")

    def _stalled(self, slow: list[tuple[str, float, float]], still: list[_Mark], now: float) -> list[Connection]:
        """Return those of the connections that stand still whose bodies are waited for: one for each body.

        The others wait for their answers. Which is which is told by when the last byte came.
        """
        ended: dict[Connection, None] = {}
        left = dict(enumerate(slow))
        for number, (address, _, since) in enumerate(slow):
            # Who waits for an answer has said all: one that brings a byte now and then is surely waited for.
            drips = [mark for mark in still if mark.last.address == address and self._drips(mark, since, now)]
            if found := [mark for mark in drips if mark.last not in ended]:
                self._met[left.pop(number)] = now
                ended[min(found, key=lambda mark: mark.moved).last] = None
        # Half a second tells nothing, since a request is taken up after it comes: there whoever came first is ended.
        pairs = [
            (int(apart / _SAME), mark.moved, number, mark)
            for number, (address, before, since) in enumerate(slow)
            for mark in still
            if mark.last.address == address
            and (apart := max(before - mark.moved, mark.moved - since, 0.0)) <= self._pace.near
        ]
        for _, _, number, mark in sorted(pairs, key=lambda pair: pair[:2]):
            if number in left and mark.last not in ended:
                self._met[left.pop(number)] = now
                ended[mark.last] = None
        for wait in left.values():
            address, _, since = wait
            others = [mark for mark in still if mark.last.address == address and mark.last not in ended]
            if others and now - since >= self._pace.lost:
                # Nothing else bounds a wait that does not end: where all threads were busy, it began late.
                self._met[wait] = now
                ended[min(others, key=lambda mark: mark.moved).last] = None
        return list(ended)

    def _drips(self, mark: _Mark, since: float, now: float) -> bool:
        """Tell whether a connection brings too little for a body that has been waited for since then, but not nothing.

        One that brings a whole piece in a window is slow, but none that keeps a wait from ending.
        """
        little = mark.last.received - mark.came.received < PIECE
        return little and mark.before > since and now - mark.moved < self._pace.window

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
