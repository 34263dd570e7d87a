"""Tells whoever watches a game live that something has changed. They fetch for themselves what it is.

Changes are rows, so any number of serving processes tell of each other's. In each process one task looks for new rows
while anybody watches, and hands each watcher what concerns it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter, deque
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import delete, func, select
from sqlalchemy.exc import SQLAlchemyError

from server.db.errors import log_summary
from server.db.models import GameEvent

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable
    from datetime import datetime

    from sqlalchemy import CursorResult
    from sqlalchemy.orm import Session

    from server.db.session import Database


PERIOD = 0.25
"""Seconds between two looks for new changes."""
MOST = 2000
"""Watchers in a process."""
MOST_ALIKE = 6
"""Watchers of one player, one projector or one organiser's game; a further one ends the oldest."""
HEARTBEAT = 15.0
"""Seconds without an event after which a watcher gets None."""
LIFE = 1800.0
"""Seconds after which a watcher has to begin again, so that its right to watch is checked again."""
KEPT = timedelta(hours=2)
"""How long changes are kept."""
LATE = 180.0
"""Seconds for which a missing number is looked for: PostgreSQL gives numbers to rows before they are committed."""

_OWN = frozenset({"envelopes", "photos"})
_LONGEST = 300

# Numbers before the newest that may be missing when the first watcher comes.
_OVERLAP = 500
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Audience:
    """Who watches: `role` is organiser, player (of an `envelope`) or projector. `key` tells watchers apart."""

    game: str
    role: str
    envelope: int | None = None
    key: str = ""

    def sees(self, change: GameEvent) -> str | None:
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
    """A change. `envelope` is only for organisers. Topics `start` and `all` ask to fetch everything."""

    topic: str
    envelope: int | None = None


class _Watch:
    """The events of one watcher, in order. `ended` is set when another watcher took its place."""

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.ended = False
        self._events: deque[Event] = deque()
        self._news = asyncio.Event()

    def put(self, event: Event) -> None:
        """Add an event. A watcher that does not keep up gets one that stands for all."""
        if len(self._events) >= _LONGEST:
            self._events.clear()
            event = Event("all")
        self._events.append(event)
        self._news.set()

    def end(self) -> None:
        """Let the watcher go."""
        self.ended = True
        self._news.set()

    async def next(self, seconds: float) -> Event | None:
        """Return the next event; None if none comes in time, or the watcher has to go."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), seconds)
        event = self._events.popleft() if self._events and not self.ended else None
        if not self._events and not self.ended:
            self._news.clear()
        return event


class _Seen:
    """Which changes have been seen: all up to `floor`, and some above it."""

    def __init__(self, floor: int, numbers: Iterable[int]) -> None:
        self.floor = floor
        self._above: dict[int, float] = {}
        self.add(numbers)

    def add(self, numbers: Iterable[int]) -> set[int]:
        """Add numbers above the floor; return those that are new."""
        now = time.monotonic()
        new = {number for number in numbers if number not in self._above}
        self._above |= dict.fromkeys(new, now)
        for number in sorted(self._above):
            if number != self.floor + 1 and self._above[number] > now - LATE:
                break
            self.floor = number
            del self._above[number]
        return new


class Broker:
    """The watchers of this process, and the task that looks for changes while there are any.

    Everything but `full` and `audiences` belongs to the event loop.
    """

    def __init__(self, database: Database, period: float = PERIOD, most: int = MOST) -> None:
        self._database = database
        self._period = period
        self._most = most
        self._watches: list[_Watch] = []
        self._beginning = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def full(self) -> bool:
        """Whether no more can watch."""
        return len(self._watches) >= self._most

    @property
    def audiences(self) -> Counter[str]:
        """How many watch, by their role."""
        return Counter(watch.audience.role for watch in list(self._watches))

    async def events(self, audience: Audience) -> AsyncGenerator[Event | None, None]:
        """Yield `start`, all changes from then on, and None when there are none for a while; SQLAlchemyError."""
        watch, end = _Watch(audience), time.monotonic() + LIFE
        alike = [other for other in self._watches if other.audience == audience]
        if len(alike) >= MOST_ALIKE:
            self._leave(alike[0])
        self._watches.append(watch)
        try:
            async with self._beginning:
                if self._task is None:
                    seen = await asyncio.to_thread(self._newest)
                    self._task = asyncio.create_task(self._look(seen))
            yield Event("start")
            while not watch.ended and (left := end - time.monotonic()) > 0:
                event = await watch.next(min(HEARTBEAT, left))
                if not watch.ended:
                    yield event
        finally:
            self._leave(watch)

    def _leave(self, watch: _Watch) -> None:
        watch.end()
        if watch in self._watches:
            self._watches.remove(watch)
        if not self._watches and self._task:
            self._task.cancel()
            self._task = None

    def _newest(self) -> _Seen:
        with self._database.reading() as session:
            floor = (session.scalar(select(func.max(GameEvent.id))) or 0) - _OVERLAP
            return _Seen(floor, session.scalars(select(GameEvent.id).where(GameEvent.id > floor)))

    async def _look(self, seen: _Seen) -> None:
        away = False
        while True:
            await asyncio.sleep(self._period)
            try:
                changes = await asyncio.to_thread(self._new, seen)
            except Exception as error:  # noqa: BLE001 - whatever it is, those who watch get what is read afterwards
                # Logged once, however long it takes.
                if not away:
                    why = log_summary(error) if isinstance(error, SQLAlchemyError) else type(error).__qualname__
                    _log.error("live events: the changes cannot be read: %s", why)
                away = True
                continue
            away = False
            for watch in self._watches:
                for found in _events(changes, watch.audience):
                    watch.put(found)

    def _new(self, seen: _Seen) -> list[GameEvent]:
        """Return the changes that were not seen before."""
        with self._database.reading() as session:
            new = seen.add(session.scalars(select(GameEvent.id).where(GameEvent.id > seen.floor)).all())
            if not new:
                return []
            changes = session.scalars(select(GameEvent).where(GameEvent.id >= min(new)).order_by(GameEvent.id))
            return [change for change in changes if change.id in new]


def prune(session: Session, at: datetime) -> int:
    """Delete the changes that all watchers have been told of; return how many. Numbers are not given again."""
    gone = session.execute(delete(GameEvent).where(GameEvent.at < at - KEPT))
    return int(cast("CursorResult[Any]", gone).rowcount)


def _events(changes: Iterable[GameEvent], audience: Audience) -> list[Event]:
    """Return what an audience is told of changes; of several alike in a row one."""
    events: list[Event] = []
    for change in changes:
        topic = audience.sees(change)
        if topic is None:
            continue
        event = Event(topic, change.envelope if audience.role == "organiser" else None)
        if not events or events[-1] != event:
            events.append(event)
    return events
