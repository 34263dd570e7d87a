"""Live events: pages learn that something in a game has changed, and fetch it themselves.

Events are rows of a table, so that server processes see each other's. In each process one task polls for new rows
while there are subscribers, and passes on to each those that it may see.
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


POLL_INTERVAL = 0.25
"""Seconds between two polls of the table."""
MAX_SUBSCRIBERS = 2000
"""Subscribers of a process."""
MAX_SAME_AUDIENCE = 6
"""Subscribers of one player, one projector or one organiser's game. Another one ends the oldest."""
HEARTBEAT = 15.0
"""Seconds without an event after which a subscriber gets None."""
STREAM_SECONDS = 1800.0
"""Seconds after which a subscription ends, so that its permission is checked again."""
RETENTION = timedelta(hours=2)
"""Age at which events are deleted."""
GAP_SECONDS = 180.0
"""Seconds for which a missing id is expected: PostgreSQL assigns ids before rows are committed."""

_PLAYER_TOPICS = frozenset({"envelopes", "photos"})

# Events that a slow subscriber may have pending.
_MAX_PENDING = 300

# Ids before the newest that may still be missing when the first subscriber comes.
_OVERLAP = 500
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Audience:
    """The receiver of events. `role` is organiser, player (of an `envelope`) or projector; `key` identifies it."""

    game: str
    role: str
    envelope: int | None = None
    key: str = ""

    def topic_of(self, change: GameEvent) -> str | None:
        """Return the topic under which this audience receives a change; None if it does not."""
        if change.game != self.game:
            return None
        if self.role == "organiser":
            return change.topic
        if change.topic == "game":
            return "game"
        if self.role == "projector":
            return "hand-ins" if change.topic == "envelopes" else None
        own = change.envelope is not None and change.envelope == self.envelope
        return change.topic if own and change.topic in _PLAYER_TOPICS else None


@dataclass(frozen=True)
class Event:
    """A change. Only organisers get the `envelope`. The topics `start` and `all` mean: fetch everything."""

    topic: str
    envelope: int | None = None


class _Subscription:
    """The pending events of one subscriber. `ended` is set when another one has taken its place."""

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.ended = False
        self._events: deque[Event] = deque()
        self._changed = asyncio.Event()

    def put(self, event: Event) -> None:
        """Add an event. For a subscriber that does not keep up, one event replaces all."""
        if len(self._events) >= _MAX_PENDING:
            self._events.clear()
            event = Event("all")
        self._events.append(event)
        self._changed.set()

    def end(self) -> None:
        """End the subscription."""
        self.ended = True
        self._changed.set()

    async def next(self, seconds: float) -> Event | None:
        """Return the next event; None if there is none in time, or the subscription has ended."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)
        event = self._events.popleft() if self._events and not self.ended else None
        if not self._events and not self.ended:
            self._changed.clear()
        return event


class _SeenIds:
    """The ids that have been seen: all up to `floor`, and some above it."""

    def __init__(self, floor: int, ids: Iterable[int]) -> None:
        self.floor = floor
        self._above: dict[int, float] = {}
        self.add(ids)

    def add(self, ids: Iterable[int]) -> set[int]:
        """Add ids above the floor; return those that are new."""
        now = time.monotonic()
        new = set(ids) - self._above.keys()
        self._above |= dict.fromkeys(new, now)
        for seen in sorted(self._above):
            if seen != self.floor + 1 and self._above[seen] > now - GAP_SECONDS:
                break
            self.floor = seen
            del self._above[seen]
        return new


class Broker:
    """The subscribers of this process, and the task that polls for events while there are any.

    Only `full` and `audiences` may be called outside of the event loop.
    """

    def __init__(self, database: Database, period: float = POLL_INTERVAL, most: int = MAX_SUBSCRIBERS) -> None:
        self._database = database
        self._period = period
        self._most = most
        self._subscriptions: list[_Subscription] = []
        self._starting = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def full(self) -> bool:
        """True if there is no room for another subscriber."""
        return len(self._subscriptions) >= self._most

    @property
    def audiences(self) -> Counter[str]:
        """The number of subscribers by role."""
        return Counter(one.audience.role for one in list(self._subscriptions))

    async def events(self, audience: Audience) -> AsyncGenerator[Event | None, None]:
        """Yield `start`, all events from then on, and None when there are none for a while. Raises SQLAlchemyError."""
        own, end = _Subscription(audience), time.monotonic() + STREAM_SECONDS
        same = [other for other in self._subscriptions if other.audience == audience]
        if len(same) >= MAX_SAME_AUDIENCE:
            self._leave(same[0])
        self._subscriptions.append(own)
        try:
            async with self._starting:
                if self._task is None:
                    seen = await asyncio.to_thread(self._newest)
                    self._task = asyncio.create_task(self._poll(seen))
            yield Event("start")
            while not own.ended and (left := end - time.monotonic()) > 0:
                event = await own.next(min(HEARTBEAT, left))
                if not own.ended:
                    yield event
        finally:
            self._leave(own)

    def _leave(self, subscription: _Subscription) -> None:
        subscription.end()
        if subscription in self._subscriptions:
            self._subscriptions.remove(subscription)
        if not self._subscriptions and self._task:
            self._task.cancel()
            self._task = None

    def _newest(self) -> _SeenIds:
        with self._database.reading() as session:
            floor = (session.scalar(select(func.max(GameEvent.id))) or 0) - _OVERLAP
            return _SeenIds(floor, session.scalars(select(GameEvent.id).where(GameEvent.id > floor)))

    async def _poll(self, seen: _SeenIds) -> None:
        failing = False
        while True:
            await asyncio.sleep(self._period)
            try:
                changes = await asyncio.to_thread(self._new, seen)
            except Exception as error:  # noqa: BLE001 - subscribers get what is read after any failure
                # Logged once, however long it lasts.
                if not failing:
                    why = log_summary(error) if isinstance(error, SQLAlchemyError) else type(error).__qualname__
                    _log.error("live events cannot be read: %s", why)
                failing = True
                continue
            failing = False
            for subscription in self._subscriptions:
                for event in _events(changes, subscription.audience):
                    subscription.put(event)

    def _new(self, seen: _SeenIds) -> list[GameEvent]:
        """Return the rows that were not seen before."""
        with self._database.reading() as session:
            new = seen.add(session.scalars(select(GameEvent.id).where(GameEvent.id > seen.floor)).all())
            if not new:
                return []
            changes = session.scalars(select(GameEvent).where(GameEvent.id >= min(new)).order_by(GameEvent.id))
            return [change for change in changes if change.id in new]


def publish_event(session: Session, game: str, at: datetime, topic: str, envelope: int | None = None) -> None:
    """Announce a change of a game to those who watch it. `topic` is one of those of `GameEvent`."""
    session.add(GameEvent(game=game, topic=topic, envelope=envelope, at=at))


def delete_old_events(session: Session, at: datetime) -> int:
    """Delete old events; return how many. Their ids are not used again."""
    gone = session.execute(delete(GameEvent).where(GameEvent.at < at - RETENTION))
    return int(cast("CursorResult[Any]", gone).rowcount)


def _events(changes: Iterable[GameEvent], audience: Audience) -> list[Event]:
    """Return the events of an audience, with one for several equal ones in a row."""
    events: list[Event] = []
    for change in changes:
        topic = audience.topic_of(change)
        if topic is None:
            continue
        event = Event(topic, change.envelope if audience.role == "organiser" else None)
        if not events or events[-1] != event:
            events.append(event)
    return events
