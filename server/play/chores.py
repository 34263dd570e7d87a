"""What a server does by itself from time to time. Any number of processes may do it at once."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from server.play.deadline import close_due
from server.play.prints import look_after_prints, sweep_prints
from server.play.retention import Sweeper, erase_due, erase_unread, forget_old
from server.store.faults import TROUBLE, told
from server.store.files import PlaceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.play.house import House

CHORES: tuple[tuple[float, Callable[[House], object]], ...] = (
    (2.0, close_due),
    (5.0, look_after_prints),
    (60.0, erase_unread),
    (600.0, erase_due),
    (1200.0, Sweeper()),
    (3600.0, sweep_prints),
    (3600.0, forget_old),
)
"""Every so many seconds, and what is done then."""

_log = logging.getLogger(__name__)


class Chores:
    """A thread that does each chore at the start and then every so often. One that fails is tried the next time."""

    def __init__(self, house: House, chores: tuple[tuple[float, Callable[[House], object]], ...] = CHORES) -> None:
        self._house = house
        self._chores = chores
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="haggle-chores", daemon=True)

    def start(self) -> None:
        """Begin, and return at once."""
        self._thread.start()

    def close(self, seconds: float = 5.0) -> None:
        """Stop after the chore in hand."""
        self._closing.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        due = [(0.0, place) for place in range(len(self._chores))]
        while not self._closing.is_set():
            time_of_next, place = min(due)
            if self._closing.wait(max(0.0, time_of_next - time.monotonic())):
                return
            every, chore = self._chores[place]
            try:
                chore(self._house)
            except TROUBLE as error:
                # A full disk, as a rule: no more words, every two seconds.
                _log.error("a chore has to wait: %s", told(error))
            except PlaceError as error:
                _log.error("a chore has to wait: %s", error.strerror)
            except Exception:  # noqa: BLE001 - whatever it is, the next chore has its turn
                _log.exception("a chore failed")
            due[place] = (time.monotonic() + every, place)
