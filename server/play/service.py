"""Scans the photographs that wait, beside whatever else the server does. Any number of processes may do so at once."""

from __future__ import annotations

import contextlib
import logging
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sqlalchemy import bindparam, func, select

from server.jobs import queue
from server.jobs.leases import Leases
from server.jobs.queue import LEASE, Claim
from server.jobs.scanning import UNOPENED, ScanError
from server.observe.metrics import count_scan
from server.observe.tracing import span
from server.play.house import printed_game
from server.play.in_hand import InHand
from server.play.left_alone import LeftAlone
from server.play.scanners import Presence
from server.play.world import note_seen
from server.store.faults import TROUBLE, told
from server.store.files import PlaceError
from server.store.tables import Envelope, Game, table_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, timedelta
    from pathlib import Path

    from sqlalchemy import Row
    from sqlalchemy.orm import Session

    from cardgen.cards import Game as PrintedGame
    from server.jobs.keeping import Kept
    from server.jobs.scanning import ScanPool
    from server.play.house import House

T = TypeVar("T")

_GAMES, _ENVELOPES = table_of(Game), table_of(Envelope)
_GAME = select(
    *(_GAMES.c[name] for name in ("id", "edition", "key", "kinds", "players", "seed", "settings", "geometry")),
    select(func.max(_ENVELOPES.c.number)).where(_ENVELOPES.c.game == _GAMES.c.id).scalar_subquery().label("last"),
).where(_GAMES.c.id == bindparam("game"))
# Made once: what a statement is made of costs more than to run it.

POLL = 2.0
"""Seconds after which the queue is looked at without a ring of the bell: another process may have filled it."""

_RETRIED = {"crashed", "too-slow"}
# Another try may end better. All other reasons are of the picture itself.
BUSY = "busy"
"""Outcome of a scan for which the database, or a worker, had no time: it is tried again."""
AWAY = "away"
"""Outcome of a scan whose picture could not be fetched, or kept, since its place did not work."""
_AWAY_PAUSE = 5.0
# Seconds until a thread's next try then.
_PAUSE = 1.0
_LONGEST_PAUSE = 15.0
# Seconds between tries where the database does not answer.
_log = logging.getLogger(__name__)


class ScanService:
    """Threads that claim photographs and let a pool of processes scan them: one more than there are processes.

    So the next photograph is in hand already when a process has read one, and what was read is kept while it reads on.
    Another thread renews the leases and puts photographs back whose claimer is gone. `lease` is how long a photograph
    rests if this whole process is killed.
    """

    def __init__(self, house: House, pool: ScanPool, *, lease: timedelta = LEASE, poll: float = POLL) -> None:
        self._house = house
        self._pool = pool
        self._lease = lease
        self._poll = poll
        self._presence = Presence(house, pool.size)
        self._closing = threading.Event()
        self._in_hand = InHand(pool.size)
        self._left_alone = LeftAlone()
        self._games: dict[Claim, Row[*tuple[Any, ...]]] = {}
        # Of claims in hand, where they were read with the claim: each as it stood after its picture had come.
        self._claiming = threading.Lock()
        self._threads = [threading.Thread(target=self._keep_leases, name="haggle-leases", daemon=True)]
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
        """Stop scanning, and put back what is in hand."""
        self._closing.set()
        self._house.bell.ring_here()
        self._pool.close()
        self._in_hand.close()
        for thread in self._threads:
            thread.join(seconds)

    def _scan_all(self) -> None:
        mine = None
        while not self._closing.is_set():
            try:
                mine = self._scan_next(mine)
            except Exception:  # noqa: BLE001 - whatever it is, the next photograph has its turn
                # The lease of this one runs out; then it is put back.
                _log.exception("a scan broke off")
                mine = None
                self._closing.wait(_PAUSE)
        if mine:
            self._give_back(mine)

    def _scan_next(self, mine: Claim | None) -> Claim | None:
        """Scan a photograph (None: the one whose turn it is, if any waits); return the next claim, if there is one."""
        rung = self._house.bell.count
        mine = mine or self._insist(self._claim)
        if mine is None:
            self._house.bell.wait(rung, self._poll)
            return None
        try:
            with span("scan", attempt=mine.attempt) as work:
                outcome, following = self._scan(mine)
                work.note(outcome=outcome)
            count_scan(outcome, self._in_hand.seconds(mine))
        finally:
            self._in_hand.remove(mine)
            self._games.pop(mine, None)
        if outcome == AWAY:
            if self._left_alone.failed(mine.photo):
                # Not this one alone: its place does not answer.
                self._closing.wait(_AWAY_PAUSE)
        elif outcome != BUSY:
            # Whatever came of it, its place answered. Before it was asked others had no time.
            self._left_alone.fetched(mine.photo)
        return following

    def _claim(self) -> Claim | None:
        database, at = self._house.database, self._house.clock
        # One after the other: what came to several idle threads goes to the one that has a place for it.
        with self._claiming:
            but = self._left_alone.now()
            return self._in_hand.take(lambda ahead: queue.claim(database, at(), self._lease, ahead=ahead, but=but))

    def _scan(self, mine: Claim) -> tuple[str, Claim | None]:
        """Scan a photograph and keep what comes of it; return `done` or the reason why not, and the next one's claim.

        Nothing that goes wrong with one ends the thread.
        """
        try:
            kept = self._read(mine)
        except ScanError as error:
            reason, back = error.reason, error.reason == BUSY or self._closing.is_set()
        except PlaceError as error:
            # The picture is there, as far as anybody knows: it waits for its place to work again.
            _log.error("photograph %s of game %s has to wait: %s", mine.photo, mine.game, error.strerror)
            reason, back = AWAY, True
        except TROUBLE:
            # The database is full, busy or away, which is no fault of the photograph.
            _log.error("photograph %s of game %s waits for the database", mine.photo, mine.game)
            reason, back = BUSY, True
        except Exception:  # noqa: BLE001 - whatever one photograph does, the next has its turn
            _log.exception("photograph %s of game %s", mine.photo, mine.game)
            reason, back = "crashed", False
        else:
            return "done", self._insist(lambda: self._finish_and_claim(mine, kept))
        if back:
            self._give_back(mine)
        else:
            final = reason not in _RETRIED
            self._insist(lambda: self._write(lambda session, at: queue.fail(session, mine, reason, at, final=final)))
        return reason, None

    def _finish_and_claim(self, mine: Claim, kept: Kept) -> Claim | None:
        """Keep what was read and claim the next photograph in one step: one way to the disk instead of two."""
        database, at = self._house.database, self._house.clock()
        # Looked for before the turn to write is taken: no other writer waits for a look at a long queue.
        one = None if self._closing.is_set() else queue.candidate(database, at, self._left_alone.now())

        def step(ahead: bool) -> Claim | None:  # noqa: FBT001 - as it is told
            begun = self._in_hand.unnoted(mine)
            with database.writing() as session:
                _finish(session, mine, kept, at)
                noted = queue.note_begun(session, begun)
                following = None if one is None else queue.take(session, one, at, self._lease, ahead=ahead)
                # Here it costs half of what a look of its own does.
                row = session.execute(_GAME, {"game": following.game}).first() if following else None
            self._in_hand.note(noted)
            if following and row:
                self._games[following] = row
            return following

        return step(True) if one is None else self._in_hand.take(step)

    def _give_back(self, mine: Claim) -> None:
        """Put a photograph back that costs no try."""
        tries = 2 if self._closing.is_set() else None
        self._insist(lambda: self._write(lambda session, at: queue.put_back(session, mine, at)), tries)

    def _read(self, mine: Claim) -> Kept:
        """Return what is kept of a scan. A file that was turned into a JPEG is in its place already."""
        row = self._games.get(mine) or self._house.database.look(_GAME, {"game": mine.game})
        if row is None:
            raise _missing()
        game = _whole_game(row)
        photo = self._house.photos.at_hand(mine.game, mine.photo) or self._fetched(mine)
        with self._in_hand.place(mine):
            try:
                kept = self._scan_for(mine, game, photo)
            except ScanError as error:
                if error.reason != UNOPENED:
                    raise
                # Whoever fetches it hears why.
                kept = self._scan_for(mine, game, self._fetched(mine))
        if kept.picture is not None:
            # Before the row tells of it: a process that ends in between leaves a picture that is scanned once more.
            self._house.photos.put(mine.game, mine.photo, kept.picture)
        return kept

    def _fetched(self, mine: Claim) -> bytes:
        data = self._house.photos.get(mine.game, mine.photo)
        if data is None:
            raise _missing()
        return data

    def _scan_for(self, mine: Claim, game: PrintedGame, photo: bytes | Path) -> Kept:
        return self._pool.scan_for(game, photo, lambda: self._in_hand.begin(mine))

    def _write(self, change: Callable[[Session, datetime], bool]) -> bool:
        with self._house.database.writing() as session:
            return change(session, self._house.clock())

    def _keep_leases(self) -> None:
        leases, pause = Leases(self._lease), self._lease.total_seconds() / 4
        over = False
        while not over:
            at = self._house.clock()
            held, begun = self._in_hand.held(), self._in_hand.unnoted()
            try:
                self._in_hand.note(queue.renew(self._house.database, held, at + self._lease, begun))
                if leases.put_back(self._house.database, at):
                    self._house.bell.ring()
                self._presence.tell()
            except TROUBLE as error:
                _log.error("the leases of photographs were not renewed: %s", told(error))
            except Exception:  # noqa: BLE001 - whatever it is, leases are renewed the next time
                _log.exception("the leases of photographs were not renewed")
            over = self._closing.wait(pause)
        # What is not taken back is taken for gone in a moment.
        with contextlib.suppress(*TROUBLE):
            self._presence.leave()

    def _insist(self, step: Callable[[], T], tries: int | None = None) -> T | None:
        """Take a step, again and again while the database does not take it (a full disk), until it does or we close."""
        pause = _PAUSE
        while True:
            try:
                return step()
            except TROUBLE as error:
                _log.error("the queue of photographs cannot be changed: %s", told(error))
            tries = None if tries is None else tries - 1
            if tries == 0 or self._closing.wait(pause):
                return None
            pause = min(2 * pause, _LONGEST_PAUSE)


def _missing() -> ScanError:
    return ScanError("missing", "The picture was deleted.")


def _finish(session: Session, mine: Claim, kept: Kept, at: datetime) -> None:
    """Keep what was read, and that the organisers have the envelope in hand."""
    size = None if kept.picture is None else len(kept.picture)
    if queue.finish(session, mine, kept.reading, at, size):
        note_seen(session, mine.game, mine.photo, kept.labels)


def _whole_game(row: Row[*tuple[Any, ...]]) -> PrintedGame:
    """Return a game as the scanner knows it, with all envelopes that were ever printed for it."""
    return replace(printed_game(cast("Game", row)), players=max(row.players, row.last or 0))
