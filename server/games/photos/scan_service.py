"""Scans the photographs that wait, beside whatever else the server does. Any number of processes may do so at once."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import func, select

from server.db.errors import DATABASE_FAILURES, log_summary
from server.db.models import Envelope, Game, Photo
from server.games.lifecycle.repository import printed_game_of
from server.games.photos import scan_queue
from server.games.photos.heartbeat import Heartbeat
from server.games.photos.scan_pool import CRASHED, UNOPENED, ScanError
from server.games.photos.scan_queue import SCANS, note_seen
from server.observability.metrics import count_scan
from server.observability.tracing import span
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
"""Seconds after which the queue is looked at without a notification: another process may have filled it."""
PLAYER_SECONDS = 8.0
"""Seconds that reading a player's photograph may take. Most take less than half a second; organisers' have longer."""
LONGEST = 180.0
"""Seconds for which a claim is renewed. A scan ends long before; what takes more hangs, and others may claim it."""
BUSY = "busy"
"""Outcome of a scan for which the database, or a worker, had no time: it is tried again."""
AWAY = "away"
"""Outcome of a scan whose picture could not be fetched, or kept, since its place did not work."""

# Seconds until a thread's next try after a picture that could not be fetched. That one waits six times as long, so
# that all others have their turn.
_AWAY_PAUSE = 5.0

# Seconds between tries where the database does not answer.
_PAUSE = 1.0
_LONGEST_PAUSE = 15.0
_log = logging.getLogger(__name__)


class ScanService:
    """Threads that claim photographs and let a pool of processes scan them, one thread for each process.

    Another thread renews the claims of those that are being scanned. `lease` is the number of seconds after which
    others scan a photograph if this whole process is killed.
    """

    def __init__(self, context: AppContext, pool: ScanPool, *, lease: float = LEASE, poll: float = POLL) -> None:
        self._context = context
        self._pool = pool
        self._lease = lease
        self._poll = poll
        self._presence = Heartbeat(context, pool.size)
        self._closing = threading.Event()
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
            for number in range(pool.size)
        ]

    def start(self) -> None:
        """Start scanning, and return at once."""
        self._pool.start()
        for thread in self._threads:
            thread.start()

    def close(self, seconds: float = 5.0) -> None:
        """Stop scanning, and put back what is being scanned."""
        self._closing.set()
        self._context.notifier.notify()
        self._pool.close()
        for thread in self._threads:
            thread.join(seconds)

    def scan_next(self) -> bool:
        """Scan the photograph whose turn it is; False if none can be claimed."""
        photo = self._insist(self._claim)
        if photo is None:
            return False
        try:
            with span("scan", attempt=photo.attempts) as work:
                outcome, seconds = self._scan(photo)
                work.set_attributes(outcome=outcome)
            count_scan(outcome, seconds)
        finally:
            self._claimed.pop(photo.token, None)
        if outcome == AWAY:
            self._closing.wait(_AWAY_PAUSE)
        return True

    def _scan_all(self) -> None:
        while not self._closing.is_set():
            count = self._context.notifier.count
            try:
                if not self.scan_next():
                    self._context.notifier.wait(count, self._poll)
            except Exception:  # noqa: BLE001 - whatever it is, the next photograph has its turn
                # The lease of this one runs out, and it is claimed again.
                _log.exception("a scan broke off")
                self._closing.wait(_PAUSE)

    def _claim(self) -> Photo | None:
        with self._context.database.writing() as session:
            # First: where this machine has slept, its own claims look as if their process were dead.
            self._renew(session)
            photo = scan_queue.claim(session, self._context.clock(), self._lease)
        if photo is not None:
            self._claimed[photo.token] = time.monotonic()
        return photo

    def _scan(self, photo: Photo) -> tuple[str, float]:
        """Scan a photograph and keep what comes of it; return `done` or the reason why not, and the scan's seconds."""
        clock = self._context.clock
        began = time.monotonic()
        try:
            kept = self._read(photo)
        except ScanError as error:
            reason, back = error.reason, error.reason == BUSY or self._closing.is_set()
        except StorageError as error:
            # The picture is there, as far as anybody knows: it waits for its place to work again.
            _log.error("photograph %s of game %s has to wait: %s", photo.id, photo.game, error.strerror)
            reason, back = AWAY, True
        except DATABASE_FAILURES:
            # The database is full, busy or away, which is no fault of the photograph.
            _log.error("photograph %s of game %s waits for the database", photo.id, photo.game)
            reason, back = BUSY, True
        except Exception:  # noqa: BLE001 - whatever one photograph does, the next has its turn
            _log.exception("photograph %s of game %s", photo.id, photo.game)
            reason, back = CRASHED, False
        else:
            seconds = time.monotonic() - began
            self._write(lambda session: _finish(session, photo, kept, clock(), seconds))
            return "done", seconds
        seconds = time.monotonic() - began
        if back:
            pause = 6 * _AWAY_PAUSE if reason == AWAY else 0.0
            self._write(lambda session: scan_queue.put_back(session, photo, clock(), pause))
        else:
            again = reason == CRASHED
            self._write(lambda session: scan_queue.fail(session, photo, reason, clock(), seconds=seconds, again=again))
        return reason, seconds

    def _read(self, photo: Photo) -> StoredReading:
        """Return what is kept of a scan. A file that was turned into a JPEG is in its place already."""
        game = self._game_of(photo)
        files = self._context.photos
        seconds = None if photo.envelope is None else PLAYER_SECONDS
        try:
            kept = self._pool.scan_for(game, files.local_path(photo.game, photo.id) or self._fetched(photo), seconds)
        except ScanError as error:
            if error.reason != UNOPENED:
                raise
            # Whoever fetches it hears why.
            kept = self._pool.scan_for(game, self._fetched(photo), seconds)
        if kept.picture is not None:
            # Before the row tells of it: a process that ends in between leaves a picture that is scanned again.
            files.put(photo.game, photo.id, kept.picture)
        return kept

    def _game_of(self, photo: Photo) -> PrintedGame:
        """Return the photograph's game as the scanner knows it, with all envelopes that were ever printed for it."""
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

        self._insist(step)

    def _renew(self, session: Session) -> None:
        """Renew the claims of what is being scanned, but for what takes so long that it must hang."""
        since = time.monotonic() - LONGEST
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
                self._presence.tell()
            except DATABASE_FAILURES as error:
                _log.error("the leases of photographs were not renewed: %s", log_summary(error))
            except Exception:  # noqa: BLE001 - whatever it is, leases are renewed the next time
                _log.exception("the leases of photographs were not renewed")
            over = self._closing.wait(self._lease / 4)
        # What is not taken back is taken for gone in a moment.
        with contextlib.suppress(*DATABASE_FAILURES):
            self._presence.leave()

    def _insist(self, step: Callable[[], T]) -> T | None:
        """Take a step, again and again while the database does not take it (a full disk); twice where this closes."""
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
            pause = min(2 * pause, _LONGEST_PAUSE)


def _missing() -> ScanError:
    return ScanError("missing", "The picture was deleted.")


def _finish(session: Session, photo: Photo, kept: StoredReading, at: datetime, seconds: float) -> None:
    """Keep what was read, and that the organisers have the envelope in hand."""
    size = None if kept.picture is None else len(kept.picture)
    if scan_queue.finish(session, photo, kept.reading, at, seconds=seconds, size=size):
        note_seen(session, photo.game, photo.id, kept.labels)
