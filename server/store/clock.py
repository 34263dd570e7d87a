"""The time that machines share: that of their database, whatever their own clocks say.

Deadlines, leases and what is deleted go by it. So a machine whose clock is wrong, or jumps, does nothing too early.
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import event
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError

if TYPE_CHECKING:
    from server.store.database import Database

PERIOD = 60.0
"""Seconds after which the database is asked anew."""
ODD = timedelta(seconds=2)
"""A machine whose clock differs by more is told of in the log."""
_SLOW = 0.5
# An answer that took longer says little of the time. It counts where there is nothing better.
_ASK = "SELECT clock_timestamp()"
_log = logging.getLogger(__name__)


class SharedClock:
    """A PostgreSQL's time. It is asked with a connection that is taken for something else anyway, once a minute.

    In between, and while the database is away, this machine's steady clock goes on from there: setting its time
    does not move that. A steady clock stands still while the machine sleeps. So where the two go apart the database is
    asked at once.
    """

    def __init__(self, database: Database) -> None:
        """Ask the database for the first time. Raises DBAPIError."""
        self._lock = threading.Lock()
        self._noticing = threading.Lock()
        self._engine = database.engine
        self._asked = -math.inf
        # When this machine's steady clock began: by what counts, and by this machine's own time.
        self._origin = self._own_origin = _origin_here()
        self._sure = False
        self._told = False
        self._broken: type[Exception] = database.engine.dialect.loaded_dbapi.Error
        event.listen(database.engine, "checkout", self._checked_out)
        database.engine.connect().close()

    def __call__(self) -> datetime:
        """Return the time."""
        if abs(_origin_here() - self._own_origin) > ODD and self._noticing.acquire(blocking=False):
            try:
                self._ask_at_once()
            finally:
                self._noticing.release()
        return self._origin + timedelta(seconds=time.monotonic())

    def _ask_at_once(self) -> None:
        # Once for each jump, whatever comes of it: whoever takes a connection next asks too, as long as nobody knows.
        self._own_origin, self._asked, self._sure = _origin_here(), -math.inf, False
        with contextlib.suppress(SQLAlchemyError):
            self._engine.connect().close()

    def _checked_out(self, connection: Any, _record: object, _proxy: object) -> None:  # noqa: ANN401 - the driver's own type
        began = time.monotonic()
        if began - self._asked < PERIOD or not self._lock.acquire(blocking=False):
            return
        try:
            said = connection.execute(_ASK).fetchone()[0]
            connection.rollback()
            self._learn(said, began, time.monotonic())
        except self._broken as error:
            # It broke as it lay in the pool: another one is taken.
            raise DisconnectionError from error
        finally:
            self._lock.release()

    def _learn(self, said: datetime, began: float, ended: float) -> None:
        if ended - began > _SLOW and self._sure:
            return
        self._origin = said.astimezone(UTC) - timedelta(seconds=(began + ended) / 2)
        self._asked, self._sure = ended, ended - began <= _SLOW
        self._own_origin = _origin_here()
        apart = datetime.now(UTC) - self()
        if abs(apart) > ODD and not self._told:
            ahead = "ahead of" if apart > timedelta() else "behind"
            seconds = abs(apart).total_seconds()
            _log.warning("this machine's clock is %.0f s %s the database's, which counts: set it right", seconds, ahead)
        self._told = abs(apart) > ODD


def _origin_here() -> datetime:
    """Return when this machine's steady clock began, by the time that the machine is set to now."""
    return datetime.now(UTC) - timedelta(seconds=time.monotonic())
