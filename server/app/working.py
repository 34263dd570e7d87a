"""Reads pictures and does the chores, and serves nothing: one more process of the laptop, or of another machine."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from server.app.house import open_checked
from server.app.serving import Work
from server.app.telling import NOTHING_TOLD
from server.jobs.queue import UNREAD
from server.store.faults import TROUBLE
from server.store.tables import Photo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from server.app.house import HouseConfig
    from server.app.telling import Telling
    from server.play.house import House

_LOOK = 0.5
# Seconds between two looks whether the queue is empty.


def work(
    config: HouseConfig,
    *,
    once: bool = False,
    telling: Telling = NOTHING_TOLD,
    announce: Callable[[int], None] | None = None,
) -> bool:
    """Work until SIGTERM or Ctrl-C, or with `once` until nothing waits any more. Return whether it came to that end.

    `announce` is called when the work begins, with how many pictures are read side by side. Errors as `open_checked`,
    MetricsError, TracingError. What is in hand at the end is put back.
    """
    telling.check()
    telling.begin()
    house = open_checked(config, begins=False)
    busy = Work(house, config)
    try:
        with stopped_by_signals() as stop:
            busy.start()
            telling.serve(house, busy.pool)
            if announce:
                announce(busy.pool.size if busy.pool else 0)
            while not stop.wait(_LOOK if once else None):
                if not unread(house):
                    return True
            return False
    finally:
        busy.close()


def unread(house: House) -> int:
    """Return how many pictures wait or are being read, by whomever; 1 if the database cannot say."""
    try:
        with house.database.reading() as session:
            return session.scalar(select(func.count()).select_from(Photo).where(UNREAD)) or 0
    except TROUBLE:
        return 1


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
    """Give what SIGTERM or Ctrl-C sets while the block lasts; a second one ends the process as usual."""
    stop = threading.Event()
    before: dict[signal.Signals, object] = {}

    def note(_number: int, _frame: FrameType | None) -> None:
        for number, handler in before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # what it was before
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        before[number] = signal.signal(number, note)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # what it was before
