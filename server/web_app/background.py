"""Periodic tasks of a server."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, or_, update

from server.api.auth import SESSION_SECONDS
from server.api.idempotency import RESPONSE_AGE
from server.db.errors import DATABASE_FAILURES, log_summary
from server.db.models import EndedSession, IdempotentResponse, PeriodicTask
from server.db.session import advisory_lock, database_time
from server.games.events import delete_old_events
from server.games.lifecycle.repository import close_due_games
from server.games.photos.retention import (
    OrphanCleanup,
    delete_expired_images,
    delete_unreadable_images,
)
from server.games.photos.scan_service import delete_old_heartbeats
from server.games.printing.jobs import resume_print_jobs, sweep_prints
from server.storage.base import StorageError
from server.workers.lease_queue import changed_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from server.games.context import AppContext

Task = tuple[float, "Callable[[AppContext], object]"]
"""An interval in seconds, and a task."""


def once_for_all(every: float, name: str, task: Callable[[AppContext], object]) -> Task:
    """Return a task that only one process runs at each interval, the same one as long as it lives."""
    token = secrets.token_hex(16)

    def run(context: AppContext) -> None:
        with context.database.writing() as session:
            # Another process takes over after a missed interval.
            mine = _claim(session, name, token, 2 * every)
        if mine:
            task(context)

    return every, run


def _claim(session: Session, name: str, token: str, seconds: float) -> bool:
    """Claim a periodic task for a number of seconds, or renew the claim; False if another process has it."""
    free = or_(PeriodicTask.token == token, PeriodicTask.lease <= database_time())
    values = {"token": token, "lease": database_time(seconds)}
    if changed_rows(session, update(PeriodicTask).where(PeriodicTask.name == name, free).values(values)):
        return True
    # With the lock, the second of two concurrent claims sees the first one.
    advisory_lock(session, "task", name)
    if session.get(PeriodicTask, name) is not None:
        return False
    session.execute(insert(PeriodicTask).values(name=name, **values))
    return True


def delete_old_rows(context: AppContext) -> None:
    """Delete old responses, ended sessions, events and heartbeats."""
    at = context.time()
    with context.database.writing() as session:
        session.execute(delete(IdempotentResponse).where(IdempotentResponse.at < at - RESPONSE_AGE))
        session.execute(delete(EndedSession).where(EndedSession.at < at - timedelta(seconds=SESSION_SECONDS)))
        delete_old_events(session, at)
        delete_old_heartbeats(session, at)


PROMPT: tuple[Task, ...] = ((2.0, close_due_games),)
"""Tasks that people wait for; they use only the database."""
SLOW: tuple[Task, ...] = (
    (5.0, resume_print_jobs),
    once_for_all(60.0, "erase unread", delete_unreadable_images),
    once_for_all(600.0, "erase due", delete_expired_images),
    once_for_all(3600.0, "sweep", OrphanCleanup()),
    once_for_all(3600.0, "sweep prints", sweep_prints),
    once_for_all(3600.0, "forget old", delete_old_rows),
)
"""Tasks that may take long, since the photo store may hang."""

_log = logging.getLogger(__name__)


class Scheduler:
    """Runs tasks at the start and then at their intervals, in a thread for each group.

    A failed task runs again at its next interval. A task that hangs delays only its own group.
    """

    def __init__(self, context: AppContext, *groups: tuple[Task, ...]) -> None:
        self._context = context
        self._closing = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(group,), name="haggle-tasks", daemon=True)
            for group in groups or (PROMPT, SLOW)
        ]

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def close(self, seconds: float = 5.0) -> None:
        """Stop after the current tasks, or after so many seconds."""
        self._closing.set()
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _run(self, tasks: tuple[Task, ...]) -> None:
        due = [(0.0, index) for index in range(len(tasks))]
        while not self._closing.is_set():
            time_of_next, index = min(due)
            if self._closing.wait(max(0.0, time_of_next - time.monotonic())):
                return
            every, task = tasks[index]
            try:
                task(self._context)
            except DATABASE_FAILURES as error:
                # Usually a full disk; no traceback, since the task runs often.
                _log.error("a periodic task has to wait: %s", log_summary(error))
            except StorageError as error:
                _log.error("a periodic task has to wait: %s", error.strerror)
            except Exception:  # noqa: BLE001 - the next task runs after any error
                _log.exception("a periodic task failed")
            due[index] = (time.monotonic() + every, index)
