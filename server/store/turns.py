"""Who writes next, within one process: on SQLite one writes at a time, and each waits for the one before.

SQLite's own waiting is a sleep that grows to a tenth of a second, after which the first to wake has the turn. Threads
of one process need not wait so long, nor be so unlucky.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from server.store.engines import BUSY_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator


class Turns:
    """The turns of those who write to one database. Other processes are kept away by SQLite itself."""

    def __init__(self, seconds: float = BUSY_SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._writer: int | None = None

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and hold it until the block ends; TimeoutError, as where no connection is to be had.

        Within a turn SQLite decides.
        """
        me = threading.get_ident()
        if self._writer == me:
            yield
            return
        if not self._lock.acquire(timeout=self._seconds):
            raise PoolTimeoutError("others have been writing for too long")
        self._writer = me
        try:
            yield
        finally:
            self._writer = None
            self._lock.release()
