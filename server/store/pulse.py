"""Connections to a PostgreSQL that notice when it stands still: stopped, or on a machine that hangs or is out of reach.

Its own limits of time do not help there, since it is what counts them; and its machine's network may go on saying that
all has arrived. So whoever has waited for a while without a word asks for another connection. Where that is not to be
had either, nobody goes on waiting. A statement that only takes long, or waits for others, is left alone.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg import errors
from sqlalchemy import event

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from sqlalchemy import Engine

T = TypeVar("T")

SILENT = 10.0
"""Seconds without a word after which somebody asks whether PostgreSQL lives."""
KNOWN = 1.0
"""Seconds without a word where it did not live a moment ago."""
PATIENCE = 8
"""Seconds that it has for its answer, at each address of its machine."""

_FRESH = 2.0
# Seconds for which an answer holds.
_LATELY = 30.0
# A moment ago.


class Pulse:
    """Whether a PostgreSQL lives, for all of this process that wait for it: one asks, and the others hear it too."""

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._asked = -_LATELY
        self._lost = False

    @property
    def patience(self) -> float:
        """Seconds without a word after which it is to be asked for."""
        return KNOWN if self._lost and time.monotonic() - self._asked < _LATELY else SILENT

    @property
    def known_lost(self) -> bool:
        """Whether it has just been found not to live."""
        return self._lost and time.monotonic() - self._asked < _FRESH

    def lost(self, connect: Callable[[], object]) -> bool:
        """Tell whether it does not live, by `connect`: ConnectionTimeout means that."""
        with self._asking:
            if time.monotonic() - self._asked >= _FRESH:
                try:
                    connect()
                    self._lost = False
                except errors.ConnectionTimeout:
                    self._lost = True
                except psycopg.Error:
                    # Whoever refuses us lives; and where nobody listens any more the connection itself ends.
                    self._lost = False
                self._asked = time.monotonic()
            return self._lost


class WatchedConnection(psycopg.Connection[Any]):
    """A connection that is given up while its PostgreSQL stands still: OperationalError, and it is closed."""

    watch: Callable[[], bool] | None = None
    """Tells whether PostgreSQL does not live; None: nobody asks."""
    pulse: Pulse | None = None

    def wait(self, gen: Generator[Any, Any, T], *args: Any, **more: Any) -> T:  # noqa: ANN401 - the driver's own
        """Wait for the end of something, as the driver does."""
        return super().wait(self._listened(gen), *args, **more)

    def _listened(self, gen: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        """Pass on what a generator wants; the driver says ten times a second where there is no word."""
        try:
            wants = next(gen)
            heard = time.monotonic()
            while True:
                ready = yield wants
                if ready:
                    heard = time.monotonic()
                elif self.pulse and self.watch and time.monotonic() - heard > self.pulse.patience:
                    if self.watch():
                        self.pgconn.finish()
                        raise psycopg.OperationalError("it does not answer any more")
                    heard = time.monotonic()
                wants = gen.send(ready)
        except StopIteration as end:
            result: T = end.value
            return result


def watch_over(engine: Engine) -> None:
    """Let an engine's connections notice when their PostgreSQL stands still."""
    pulse = Pulse()

    def connect(_dialect: object, _record: object, how: list[Any], words: dict[str, Any]) -> WatchedConnection:
        if pulse.known_lost:
            raise errors.ConnectionTimeout("it does not answer")

        def knock() -> None:
            psycopg.connect(*how, **{**words, "connect_timeout": PATIENCE}).close()

        made = WatchedConnection.connect(*how, **words)
        made.pulse, made.watch = pulse, lambda: pulse.lost(knock)
        return made

    event.listen(engine, "do_connect", connect)
