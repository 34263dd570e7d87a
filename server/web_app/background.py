"""Periodic tasks of a server, and which of its processes does each."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from typing import TYPE_CHECKING

from server.db.errors import DATABASE_FAILURES, log_summary
from server.games.lifecycle.deadline import close_due
from server.games.photos.retention import Sweeper, erase_due, erase_unread, forget_old
from server.games.printing.print_jobs import look_after_prints, sweep_prints
from server.storage.base import StorageError
from server.workers.lease_queue import claim_task

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.games.context import AppContext

Chore = tuple[float, "Callable[[AppContext], object]"]
"""Every so many seconds, and what is done then."""


def once_for_all(every: float, name: str, chore: Callable[[AppContext], object]) -> Chore:
    """Return a chore that one process at a time does for all: the one that did it last, while it lives."""
    token = secrets.token_hex(16)

    def do(context: AppContext) -> None:
        with context.database.writing() as session:
            # Whoever misses a turn has ended, or hangs.
            mine = claim_task(session, name, token, 2 * every)
        if mine:
            chore(context)

    return every, do


PROMPT: tuple[Chore, ...] = ((2.0, close_due),)
"""What somebody waits for. It asks the database alone."""
SLOW: tuple[Chore, ...] = (
    (5.0, look_after_prints),
    once_for_all(60.0, "erase unread", erase_unread),
    once_for_all(600.0, "erase due", erase_due),
    once_for_all(3600.0, "sweep", Sweeper()),
    once_for_all(3600.0, "sweep prints", sweep_prints),
    once_for_all(3600.0, "forget old", forget_old),
)
"""What may take its time: the place where files are kept may hang."""

_log = logging.getLogger(__name__)


class Scheduler:
    """Threads, one for each group, that do each chore at the start and then every so often.

    One that fails is tried the next time. One that hangs keeps its own group waiting, and no other.
    """

    def __init__(self, context: AppContext, *groups: tuple[Chore, ...]) -> None:
        self._context = context
        self._closing = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(group,), name="haggle-chores", daemon=True)
            for group in groups or (PROMPT, SLOW)
        ]

    def start(self) -> None:
        """Begin, and return at once."""
        for thread in self._threads:
            thread.start()

    def close(self, seconds: float = 5.0) -> None:
        """Stop after the chores in hand, or after so many seconds."""
        self._closing.set()
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _run(self, chores: tuple[Chore, ...]) -> None:
        due = [(0.0, place) for place in range(len(chores))]
        while not self._closing.is_set():
            time_of_next, place = min(due)
            if self._closing.wait(max(0.0, time_of_next - time.monotonic())):
                return
            every, chore = chores[place]
            try:
                chore(self._context)
            except DATABASE_FAILURES as error:
                # A full disk, as a rule: no more words, every two seconds.
                _log.error("a chore has to wait: %s", log_summary(error))
            except StorageError as error:
                _log.error("a chore has to wait: %s", error.strerror)
            except Exception:  # noqa: BLE001 - whatever it is, the next chore has its turn
                _log.exception("a chore failed")
            due[place] = (time.monotonic() + every, place)
