"""Tells whoever watches a game live that something has changed. What it is, they fetch themselves.

The changes are rows, so any number of serving processes tell of each other's. In each process one thread looks for new
ones, when a bell rings or after a moment, and hands them to the watchers, every watcher only what concerns it. A
watcher that was away goes on from the last number that it saw.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import and_, delete, func, or_, select
from sqlalchemy.exc import SQLAlchemyError

from server.jobs.bell import Bell
from server.play.numbering import PATIENCE, Numbering
from server.play.refusals import Refusal
from server.store.faults import told
from server.store.tables import Change

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import CursorResult
    from sqlalchemy.orm import Session

    from server.store.database import Database

PERIOD = 0.4
"""Seconds between two looks for new changes, where no bell rings for them."""
GAP = 0.2
"""Seconds between two looks at least, however often the bell rings."""
MOST = 160
"""Watchers in a process: each holds one of its threads."""
MOST_ALIKE = 6
"""Watchers of one player, one projector or one organiser's game; a further one ends the oldest."""
KEPT = timedelta(hours=2)
"""How long changes are kept for watchers who were away. Who comes back later fetches everything anew."""

_OWN = frozenset({"envelopes", "photos"})
_LONGEST = 300
# Changes that wait for a slow watcher; with more it is told to fetch everything.
_OVERLAP = 200
# Numbers are given before the rows can be seen, so a lower one may appear after a higher one (`server.play.numbering`).
_ENDING = 5.0
# Seconds that the last look may take.
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Audience:
    """Who watches: `role` is organiser, player (of an `envelope`) or projector. `key` tells watchers apart."""

    game: str
    role: str
    envelope: int | None = None
    key: str = ""

    def sees(self, change: Change) -> str | None:
        """Return what this audience is told of a change: its topic, or None if it is none of its business."""
        if change.game != self.game:
            return None
        if self.role == "organiser":
            return change.topic
        if change.topic == "game":
            return "game"
        if self.role == "projector":
            return "hand-ins" if change.topic == "envelopes" else None
        own = change.envelope is not None and change.envelope == self.envelope
        return change.topic if own and change.topic in _OWN else None


@dataclass(frozen=True)
class Event:
    """What a watcher is told. `envelope` only for organisers. Topic `all`: fetch everything, something was missed."""

    number: int
    topic: str
    envelope: int | None = None


class Watch:
    """One watcher's events, in order. `ended` is set when it must go: another took its place, or the server stops."""

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.ended = False
        self._events: deque[Event] = deque()
        self._news = threading.Condition()

    def put(self, event: Event) -> None:
        """Add an event. A watcher that does not keep up gets one that stands for all."""
        with self._news:
            if len(self._events) >= _LONGEST:
                self._events.clear()
                event = Event(event.number, "all")
            self._events.append(event)
            self._news.notify()

    def end(self) -> None:
        """Let the watcher go."""
        with self._news:
            self.ended = True
            self._news.notify()

    def next(self, seconds: float) -> Event | None:
        """Return the next event; None if none comes in time, or the watcher has to go."""
        with self._news:
            self._news.wait_for(lambda: self._events or self.ended, seconds)
            return self._events.popleft() if self._events and not self.ended else None


class Broker:
    """The watchers of this process, and the thread that looks for changes while there are any.

    It looks when `news` rings, and every `period` seconds anyway.
    """

    def __init__(self, database: Database, period: float = PERIOD, most: int = MOST, news: Bell | None = None) -> None:
        self._database = database
        self._period = period
        self._news = news or Bell()
        self._most = most
        self._watches: list[Watch] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._seen = Numbering()

    def watch(self, audience: Audience, last: int | None = None) -> Watch:
        """Add a watcher who has seen all up to number `last` (None: who knows nothing yet); Refusal `busy`.

        The first event says where it starts. Give it back with `leave`.
        """
        watch = Watch(audience)
        with self._lock:
            alike = [other for other in self._watches if other.audience == audience]
            if len(alike) >= MOST_ALIKE:
                self._drop(alike[0])
            if len(self._watches) >= self._most:
                raise Refusal(
                    "busy", "Too many are watching live. Ask for the state every few seconds instead.", retry=30
                )
            if self._thread is None or self._stop.is_set():
                self._begin()
            # Nothing new can be handed out before what was missed: the thread needs the lock for that.
            for event in self._missed(audience, last, self._seen.position):
                watch.put(event)
            self._watches.append(watch)
        return watch

    def leave(self, watch: Watch) -> None:
        """Let a watcher go. Without watchers the thread ends."""
        with self._lock:
            self._drop(watch)

    @property
    def audiences(self) -> Counter[str]:
        """How many watch, by their role."""
        with self._lock:
            return Counter(watch.audience.role for watch in self._watches)

    def close(self) -> None:
        """Let all watchers go, and stop looking."""
        with self._lock:
            for watch in list(self._watches):
                self._drop(watch)
            thread = self._thread
        if thread:
            # After the look in hand, so that the database may be closed.
            thread.join(_ENDING)

    def _drop(self, watch: Watch) -> None:
        if watch in self._watches:
            self._watches.remove(watch)
            watch.end()
        if not self._watches:
            self._stop.set()
            self._news.ring()

    def _begin(self) -> None:
        """Start looking, from the newest change on."""
        with self._database.reading() as session:
            position = session.scalar(select(func.max(Change.id))) or 0
            recent = session.scalars(select(Change.id).where(Change.id > position - _OVERLAP)).all()
            self._seen = Numbering(position, recent)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, args=(self._stop,), name="haggle-events", daemon=True)
        self._thread.start()

    def _look(self, stop: threading.Event) -> None:
        away = False
        while not stop.is_set():
            rung = self._news.count
            try:
                self._hand_out(stop)
                away = False
            except SQLAlchemyError as error:
                # Once, however long it takes.
                if not away:
                    _log.error("live events: the changes cannot be read: %s", told(error))
                away = True
            stop.wait(min(GAP, self._period))
            self._news.wait(rung, max(0.0, self._period - GAP))

    def _hand_out(self, stop: threading.Event) -> None:
        with self._database.reading() as session:
            wanted = or_(Change.id > self._seen.position, Change.id.in_(self._seen.missing))
            rows = session.scalars(select(Change).where(wanted).order_by(Change.id)).all()
        if not rows:
            return
        with self._lock:
            if stop.is_set():
                return
            seen = self._seen.see([row.id for row in rows])
            new = [row for row in rows if row.id in seen]
            for watch in self._watches:
                for event in _events(new, watch.audience):
                    watch.put(event)

    def _missed(self, audience: Audience, last: int | None, position: int) -> Iterable[Event]:
        """Return what happened since number `last`, or where the watcher starts."""
        if last is None:
            return [Event(position, "start")]
        with self._database.reading() as session:
            oldest = session.scalar(select(func.min(Change.id))) or position + 1
            if not oldest - 1 <= last <= position:
                return [Event(position, "all")]
            missed = or_(Change.id > last, Change.id.in_(self._seen.late_since(last)))
            at = session.scalar(select(Change.at).where(Change.id == last)) if self._database.is_shared else None
            if at is not None:
                # On another server it may not have been told of one with a lower number that was committed later:
                # rather twice than never.
                since = at - timedelta(seconds=PATIENCE)
                missed = or_(missed, and_(Change.id > last - _OVERLAP, Change.id < last, Change.at > since))
            rows = session.scalars(
                select(Change)
                .where(Change.game == audience.game, missed, Change.id <= position)
                .order_by(Change.id)
                .limit(_LONGEST + 1)
            ).all()
        if len(rows) > _LONGEST:
            return [Event(position, "all")]
        # Its number never goes back.
        return [replace(event, number=max(event.number, last)) for event in _events(rows, audience)]


def prune(session: Session, at: datetime) -> int:
    """Delete the changes that nobody waits for any more; return how many. Numbers go on all the same."""
    gone = session.execute(delete(Change).where(Change.at < at - KEPT))
    return int(cast("CursorResult[Any]", gone).rowcount)


def _events(changes: Iterable[Change], audience: Audience) -> list[Event]:
    """Return what an audience is told of changes; of several alike in a row the last one."""
    events: list[Event] = []
    for change in changes:
        topic = audience.sees(change)
        if topic is None:
            continue
        event = Event(change.id, topic, change.envelope if audience.role == "organiser" else None)
        if events and (events[-1].topic, events[-1].envelope) == (event.topic, event.envelope):
            events.pop()
        events.append(event)
    return events
