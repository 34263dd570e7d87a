"""Scans the photographs in the queue, in background threads. Any number of processes may do so at once.

Each sends heartbeats, so that every server can see when none is running.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import socket
import threading
import time
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from opentelemetry import trace
from sqlalchemy import delete, func, select

from server.db.errors import DATABASE_FAILURES, log_summary
from server.db.models import Envelope, Game, Photo, WorkerHeartbeat
from server.games.lifecycle.repository import printed_game_of
from server.games.photos import scan_queue
from server.games.photos.scan_pool import CRASHED, UNOPENED, ScanError
from server.games.photos.scan_queue import SCANS, record_receipt
from server.observability.metrics import SCAN_SECONDS
from server.storage.base import StorageError
from server.workers.lease_queue import LEASE

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from cardgen.cards import PrintedGame
    from server.games.context import AppContext
    from server.games.photos.readings import StoredReading
    from server.games.photos.scan_pool import ScanPool

T = TypeVar("T")

POLL = 2.0
"""Seconds between looks at the queue without a notification."""
PLAYER_SECONDS = 8.0
"""Time limit for a player's photograph in seconds. Organisers' have the pool's own limit."""
MAX_SECONDS = 180.0
"""Seconds for which a claim is renewed. A scan that takes longer hangs, and others may claim the photograph."""
BUSY = "busy"
"""Outcome of a scan for which the database or the pool was busy. It is tried again."""
UNAVAILABLE = "away"
"""Outcome of a scan whose file could not be read or replaced, since the storage did not work. It is tried again."""
HEARTBEAT_INTERVAL = 10.0
"""Seconds between two heartbeats of a process."""
HEARTBEAT_TIMEOUT = timedelta(seconds=35)
"""Age of a heartbeat from which on a process counts as gone: three of them may be missed."""
HEARTBEAT_RETENTION = timedelta(hours=1)
"""Age at which a heartbeat is deleted."""

# Seconds for which a thread pauses while the storage does not work.
_STORAGE_PAUSE = 5.0

# Seconds between attempts while the database does not work.
_PAUSE = 1.0
_MAX_PAUSE = 15.0
_MAX_NAME = 64
_log = logging.getLogger(__name__)
_tracer = trace.get_tracer("haggle")


class ScanService:
    """Threads that claim photographs and have them scanned by a pool: one more than its processes.

    So no process waits while a photograph is claimed or a result is stored. Another thread renews the claims. `lease`
    is the number of seconds after which others may claim the photographs of this process if it is killed.
    """

    def __init__(self, context: AppContext, pool: ScanPool, *, lease: float = LEASE, poll: float = POLL) -> None:
        self._context = context
        self._pool = pool
        self._lease = lease
        self._poll = poll
        self._heartbeat = Heartbeat(context, pool.size)
        self._closing = threading.Event()
        self._slots = threading.Semaphore(pool.size)
        # When each claim was made, by its token.
        self._claimed: dict[str | None, float] = {}
        self._threads = [threading.Thread(target=self._keep_leases, name="haggle-leases", daemon=True)]
        if context.database.is_shared:
            listens = context.database, self._closing
            self._threads.append(
                threading.Thread(target=context.notifier.listen, args=listens, name="haggle-listen", daemon=True)
            )
        self._threads += [
            threading.Thread(target=self._scan_all, name=f"haggle-scans-{number}", daemon=True)
            for number in range(pool.size + 1)
        ]

    def start(self) -> None:
        """Start scanning, and return at once."""
        self._pool.start()
        for thread in self._threads:
            thread.start()

    def close(self, seconds: float = 5.0) -> None:
        """Stop scanning, and return claimed photographs to the queue."""
        self._closing.set()
        self._context.notifier.notify()
        self._pool.close()
        for thread in self._threads:
            thread.join(seconds)

    def scan_next(self) -> bool:
        """Scan the next photograph; return False if there is none."""
        photo = self._retry(self._claim)
        if photo is None:
            return False
        try:
            with _tracer.start_as_current_span("scan", attributes={"haggle.attempt": photo.attempts}) as span:
                outcome, seconds = self._scan(photo)
                span.set_attribute("haggle.outcome", outcome)
            SCAN_SECONDS.labels(outcome).observe(seconds)
        finally:
            self._claimed.pop(photo.token, None)
        if outcome == UNAVAILABLE:
            self._closing.wait(_STORAGE_PAUSE)
        return True

    def _scan_all(self) -> None:
        while not self._closing.is_set():
            count = self._context.notifier.count
            try:
                if not self.scan_next():
                    self._context.notifier.wait(count, self._poll)
            except Exception:  # noqa: BLE001 - the others are scanned all the same
                # The lease of this one expires, and it is claimed again.
                _log.exception("a scan was interrupted")
                self._closing.wait(_PAUSE)

    def _claim(self) -> Photo | None:
        with self._context.database.writing() as session:
            # Own claims have expired if this machine was suspended.
            self._renew(session)
            photo = scan_queue.claim(session, self._context.clock(), self._lease)
        if photo is not None:
            self._claimed[photo.token] = time.monotonic()
        return photo

    def _scan(self, photo: Photo) -> tuple[str, float]:
        """Scan a photograph and store the result; return `done` or why it failed, and the duration in seconds."""
        clock = self._context.clock
        began = time.monotonic()
        try:
            game = self._game_of(photo)
            with self._slots:
                began = time.monotonic()
                stored = self._read(photo, game)
        except ScanError as error:
            reason, returned = error.reason, error.reason == BUSY or self._closing.is_set()
        except StorageError as error:
            _log.error("photograph %s of game %s has to wait: %s", photo.id, photo.game, error.strerror)
            reason, returned = UNAVAILABLE, True
        except DATABASE_FAILURES:
            _log.error("photograph %s of game %s waits for the database", photo.id, photo.game)
            reason, returned = BUSY, True
        except Exception:  # noqa: BLE001 - the others are scanned all the same
            _log.exception("photograph %s of game %s", photo.id, photo.game)
            reason, returned = CRASHED, False
        else:
            seconds = time.monotonic() - began
            self._write(lambda session: _finish(session, photo, stored, clock(), seconds))
            return "done", seconds
        seconds = time.monotonic() - began
        if returned:
            # Longer than the thread pauses, so that others are tried first.
            pause = 6 * _STORAGE_PAUSE if reason == UNAVAILABLE else 0.0
            self._write(lambda session: scan_queue.put_back(session, photo, clock(), pause))
        else:
            again = reason == CRASHED
            self._write(lambda session: scan_queue.fail(session, photo, reason, clock(), seconds=seconds, again=again))
        return reason, seconds

    def _read(self, photo: Photo, game: PrintedGame) -> StoredReading:
        """Scan a photograph. A file that was converted to JPEG is replaced in the storage."""
        files = self._context.photos
        seconds = None if photo.envelope is None else PLAYER_SECONDS
        try:
            stored = self._pool.scan_for(game, files.local_path(photo.game, photo.id) or self._fetched(photo), seconds)
        except ScanError as error:
            if error.reason != UNOPENED:
                raise
            stored = self._pool.scan_for(game, self._fetched(photo), seconds)
        if stored.image is not None:
            # Before the row is changed: if this process ends now, the photograph is scanned again.
            files.put(photo.game, photo.id, stored.image)
        return stored

    def _game_of(self, photo: Photo) -> PrintedGame:
        """Return the photograph's game as the scanner needs it, with all envelopes that were printed for it."""
        with self._context.database.reading() as session:
            row = session.get(Game, photo.game)
            last = session.scalar(select(func.max(Envelope.number)).where(Envelope.game == photo.game)) or 0
        if row is None:
            raise _missing()
        return replace(printed_game_of(row), players=max(row.players, last))

    def _fetched(self, photo: Photo) -> bytes:
        data = self._context.photos.get(photo.game, photo.id)
        if data is None:
            raise _missing()
        return data

    def _write(self, change: Callable[[Session], object]) -> None:
        def step() -> None:
            with self._context.database.writing() as session:
                change(session)

        self._retry(step)

    def _renew(self, session: Session) -> None:
        """Renew the claims of photographs that are being scanned, unless a scan takes too long."""
        since = time.monotonic() - MAX_SECONDS
        held = [token for token, claimed in self._claimed.copy().items() if claimed > since]
        if held:
            SCANS.renew(session, held, self._lease)

    def _keep_leases(self) -> None:
        over = False
        while not over:
            try:
                with self._context.database.writing() as session:
                    self._renew(session)
                    scan_queue.give_up(session, self._context.clock())
                self._heartbeat.send()
            except DATABASE_FAILURES as error:
                _log.error("the leases of photographs were not renewed: %s", log_summary(error))
            except Exception:  # noqa: BLE001 - they are renewed the next time
                _log.exception("the leases of photographs were not renewed")
            over = self._closing.wait(self._lease / 4)
        # Otherwise it is outdated in a moment.
        with contextlib.suppress(*DATABASE_FAILURES):
            self._heartbeat.stop()

    def _retry(self, step: Callable[[], T]) -> T | None:
        """Call a function until the database works, or a last time when this service closes."""
        pause = _PAUSE
        last = False
        while True:
            try:
                return step()
            except DATABASE_FAILURES as error:
                _log.error("the queue of photographs cannot be changed: %s", log_summary(error))
            if last:
                return None
            last = self._closing.wait(pause)
            pause = min(2 * pause, _MAX_PAUSE)


def _missing() -> ScanError:
    return ScanError("missing", "The picture was deleted.")


def _finish(session: Session, photo: Photo, stored: StoredReading, at: datetime, seconds: float) -> None:
    """Store the result, and that the organisers have received the envelope."""
    size = None if stored.image is None else len(stored.image)
    if scan_queue.finish(session, photo, stored.reading, at, seconds=seconds, size=size):
        record_receipt(session, photo.game, photo.id, stored.labels)


class Heartbeat:
    """The heartbeat of this process, which has a number of scan slots."""

    def __init__(self, context: AppContext, slots: int) -> None:
        self._context = context
        self._slots = slots
        self._id = secrets.token_hex(16)
        self._sent = -HEARTBEAT_INTERVAL

    def send(self) -> None:
        """Update the heartbeat if the last one is old enough."""
        if time.monotonic() - self._sent < HEARTBEAT_INTERVAL:
            return
        with self._context.database.writing() as session:
            at, machine = self._context.time(session), socket.gethostname()[:_MAX_NAME]
            # Another process may have deleted the row as outdated.
            row = session.get(WorkerHeartbeat, self._id)
            row = row or WorkerHeartbeat(id=self._id, machine=machine, slots=self._slots, started_at=at)
            row.seen = at
            session.add(row)
        self._sent = time.monotonic()

    def stop(self) -> None:
        """Delete the heartbeat."""
        with self._context.database.writing() as session:
            session.execute(delete(WorkerHeartbeat).where(WorkerHeartbeat.id == self._id))


def count_scan_slots(session: Session, at: datetime) -> int:
    """Return the scan slots of all running processes: the number of photographs that they can scan at the same time."""
    return (
        session.scalar(select(func.sum(WorkerHeartbeat.slots)).where(WorkerHeartbeat.seen > at - HEARTBEAT_TIMEOUT))
        or 0
    )


def delete_old_heartbeats(session: Session, at: datetime) -> None:
    """Delete the heartbeats of processes that ended long ago."""
    session.execute(delete(WorkerHeartbeat).where(WorkerHeartbeat.seen < at - HEARTBEAT_RETENTION))
