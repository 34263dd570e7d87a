"""Heartbeats of the processes that scan photographs, so that every server can see when none is running."""

from __future__ import annotations

import secrets
import socket
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import delete, func, select, update

from server.db.models import WorkerHeartbeat

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import CursorResult
    from sqlalchemy.orm import Session

    from server.games.context import AppContext

INTERVAL = 10.0
"""Seconds between two heartbeats."""
ALIVE = timedelta(seconds=35)
"""Age of a heartbeat from which on a process counts as gone: three of them may be missed."""
RETENTION = timedelta(hours=1)
"""Age at which a heartbeat is deleted."""
_MAX_NAME = 64


class Heartbeat:
    """The heartbeat of this process, which scans up to `places` photographs at a time."""

    def __init__(self, context: AppContext, places: int) -> None:
        self._context = context
        self._places = places
        self._id = secrets.token_hex(16)
        self._sent = -INTERVAL

    def send(self) -> None:
        """Update the heartbeat if the last one is old enough."""
        if time.monotonic() - self._sent < INTERVAL:
            return
        with self._context.database.writing() as session:
            at = self._context.time(session)
            # Another process may have deleted the row as outdated.
            seen = update(WorkerHeartbeat).where(WorkerHeartbeat.id == self._id).values(seen=at)
            if not cast("CursorResult[Any]", session.execute(seen)).rowcount:
                machine = socket.gethostname()[:_MAX_NAME]
                session.add(WorkerHeartbeat(id=self._id, machine=machine, places=self._places, started_at=at, seen=at))
        self._sent = time.monotonic()

    def stop(self) -> None:
        """Delete the heartbeat."""
        with self._context.database.writing() as session:
            session.execute(delete(WorkerHeartbeat).where(WorkerHeartbeat.id == self._id))


def scanning_places(session: Session, at: datetime) -> int:
    """Return how many photographs all running processes scan at a time; 0 if none is running."""
    return (
        session.scalar(
            select(func.coalesce(func.sum(WorkerHeartbeat.places), 0)).where(WorkerHeartbeat.seen > at - ALIVE)
        )
        or 0
    )


def delete_old_heartbeats(session: Session, at: datetime) -> None:
    """Delete the heartbeats of processes that ended long ago."""
    session.execute(delete(WorkerHeartbeat).where(WorkerHeartbeat.seen < at - RETENTION))
