"""Deadlines of what waits for others, kept by one thread: to begin one for each of them costs more than to keep it."""

from __future__ import annotations

import logging
import math
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_log = logging.getLogger(__name__)


class Deadlines:
    """Deadlines that run side by side. Safe to share between threads; its own ends once there is none left."""

    def __init__(self) -> None:
        self._earlier = threading.Condition()
        self._running: dict[object, tuple[float, Callable[[], None]]] = {}
        # When each is over, and what is called then.
        self._looks: float | None = None
        # When the thread looks next; None: there is none.

    @contextmanager
    def within(self, seconds: float, expire: Callable[[], None]) -> Iterator[None]:
        """Call `expire`, which is to be quick, if the block takes longer; never once the block has ended."""
        one, over = object(), time.monotonic() + seconds
        with self._earlier:
            if self._looks is None:
                # It waits for what we hold. Where the system has none left, nothing is taken for kept.
                threading.Thread(target=self._keep, name="haggle-deadlines", daemon=True).start()
                self._looks = over
            elif over < self._looks:
                self._earlier.notify()
            self._running[one] = over, expire
        try:
            yield
        finally:
            # Where it has been called just now, that has ended.
            with self._earlier:
                self._running.pop(one, None)

    def _keep(self) -> None:
        with self._earlier:
            try:
                while self._running:
                    self._look()
            finally:
                # Whatever ended this, the next deadline begins another.
                self._looks = None

    def _look(self) -> None:
        now = time.monotonic()
        for one, (over, expire) in tuple(self._running.items()):
            if over <= now:
                del self._running[one]
                try:
                    expire()
                except Exception:  # noqa: BLE001 - whatever it is, the next deadline is kept
                    _log.exception("what is late was not ended")
        self._looks = min((over for over, _ in self._running.values()), default=math.inf)
        if self._running:
            self._earlier.wait(self._looks - now)
