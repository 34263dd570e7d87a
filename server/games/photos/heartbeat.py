"""Who scans photographs: each process that does says so in the database every few seconds, until its end.

So whoever asks, a server that scans nothing itself included, can tell when nobody does.
"""

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

BEAT = 10.0
"""Seconds between two signs of life."""
ALIVE = timedelta(seconds=35)
"""Who was silent for longer is taken to be gone. One that hangs or waits for the disk is given three beats."""
FORGOTTEN = timedelta(hours=1)
"""Then its row goes too."""
_LONGEST = 64


class Heartbeat:
    """The sign of life of this process, which scans so many photographs side by side."""

    def __init__(self, context: AppContext, places: int) -> None:
        self._context = context
        self._places = places
        self._id = secrets.token_hex(16)
        self._told = -BEAT

    def tell(self) -> None:
        """Say that this process scans, if it is time to say so again."""
        if time.monotonic() - self._told < BEAT:
            return
        with self._context.database.writing() as session:
            at = self._context.time(session)
            # In one statement: another process may delete the row, as one that was silent for long, after a look at it.
            seen = update(WorkerHeartbeat).where(WorkerHeartbeat.id == self._id).values(seen=at)
            if not cast("CursorResult[Any]", session.execute(seen)).rowcount:
                machine = socket.gethostname()[:_LONGEST]
                session.add(WorkerHeartbeat(id=self._id, machine=machine, places=self._places, started_at=at, seen=at))
        self._told = time.monotonic()

    def leave(self) -> None:
        """Say that this process scans no more."""
        with self._context.database.writing() as session:
            session.execute(delete(WorkerHeartbeat).where(WorkerHeartbeat.id == self._id))


def scanning_places(session: Session, at: datetime) -> int:
    """Return how many photographs are scanned side by side at most, by all processes that live; 0: nobody scans."""
    return (
        session.scalar(
            select(func.coalesce(func.sum(WorkerHeartbeat.places), 0)).where(WorkerHeartbeat.seen > at - ALIVE)
        )
        or 0
    )


def forget_scanners(session: Session, at: datetime) -> None:
    """Delete the signs of life of processes that are long gone."""
    session.execute(delete(WorkerHeartbeat).where(WorkerHeartbeat.seen < at - FORGOTTEN))
