"""Where calls are counted: in Redis, for all servers together, or in this process where there is none or it is away.

A call never waits for a Redis that hangs: the first one that finds it silent pays a quarter of a second, and for some
seconds after that nobody asks it. What was counted there is not known here, and the other way round; so a caller may at
worst use up a limit once in each server while Redis is away.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, TypeVar

from flask import current_app
from limits.storage import MemoryStorage, RedisStorage, SlidingWindowCounterSupport, Storage
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as LostError
from redis.exceptions import RedisError
from redis.retry import Retry

from server.jobs.wire import why_silent

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

T = TypeVar("T")
Window = tuple[int, float, int, float]

SCHEME = "haggle"
"""How the address of a storage begins that is each application's own."""
SECONDS = 0.25
"""How long Redis may take to answer."""
PAUSE = 5.0
"""Seconds for which it is left alone when it did not; then one call tries again."""
LOOK = 5.0
"""Seconds between two looks for what has expired in this process's counts."""
PREFIX = "haggle:limits"
"""How the names of its keys begin."""

_KEY = "haggle-counters"
_log = logging.getLogger(__name__)


class _Rare(threading.Timer):
    """A look through all counts for what has expired; the next one is due some seconds later, however many call."""

    def __init__(self, timer: threading.Timer) -> None:
        super().__init__(timer.interval, timer.function)
        self.daemon = True
        self._due = time.monotonic() + LOOK

    def is_alive(self) -> bool:
        """Tell whether it is too early for the next one."""
        return time.monotonic() < self._due or super().is_alive()


class CalmStorage(MemoryStorage):
    """Counts in this process. The library alone starts a thread for nearly every call, which looks at all counts."""

    @property
    def timer(self) -> threading.Timer:
        """Return what looks for counts that have expired."""
        return self._timer

    @timer.setter
    def timer(self, timer: threading.Timer) -> None:
        self._timer = _Rare(timer)


class Counters:
    """The counts of one application's callers, in the Redis at an address ("": in this process alone)."""

    def __init__(self, url: str = "") -> None:
        self._here = CalmStorage()
        self._shared = _redis(url) if url else None
        self._away = False
        self._next_try = 0.0
        self._lock = threading.Lock()

    @property
    def away(self) -> bool:
        """Whether Redis did not answer when it was asked last."""
        return self._away

    def ask(self, question: Callable[[MemoryStorage | RedisStorage], T]) -> T:
        """Return what Redis answers, or what this process knows where there is none that answers."""
        if self._shared is None or not self._may_try():
            return question(self._here)
        try:
            answer = question(self._shared)
        except (RedisError, OSError) as error:
            self._note_away(error)
            return question(self._here)
        if self._away:
            self._note_back()
        return answer

    def _may_try(self) -> bool:
        """Tell whether this call may ask Redis; while it is away one does so now and then."""
        if not self._away:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._next_try:
                return False
            self._next_try = now + PAUSE
            return True

    def _note_away(self, error: Exception) -> None:
        with self._lock:
            first, self._away = not self._away, True
            self._next_try = time.monotonic() + PAUSE
        if first:
            _log.warning("%s; meanwhile each server counts calls for itself", why_silent(error))

    def _note_back(self) -> None:
        with self._lock:
            first, self._away = self._away, False
        if first:
            _log.warning("Redis answers again: servers count calls together")


class OfTheApplication(Storage, SlidingWindowCounterSupport):
    """The storage of a limiter that several applications share: each has its own counters."""

    STORAGE_SCHEME = [SCHEME]  # noqa: RUF012 - the library's own form

    @property
    def base_exceptions(self) -> type[Exception]:
        """Return what may go wrong beneath: nothing is let through."""
        return RedisError

    def acquire_sliding_window_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count calls if a limit allows them."""
        return _ask(lambda one: one.acquire_sliding_window_entry(key, limit, expiry, amount))

    def get_sliding_window(self, key: str, expiry: int) -> Window:
        """Return the calls of the period before and for how long they weigh, and those of the current one."""
        return _ask(lambda one: one.get_sliding_window(key, expiry))

    def clear_sliding_window(self, key: str, expiry: int) -> None:
        """Forget the calls of a limit."""
        _ask(lambda one: one.clear_sliding_window(key, expiry))

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count for a fixed window."""
        return _ask(lambda one: one.incr(key, expiry, amount))

    def get(self, key: str) -> int:
        """Return the count of a fixed window."""
        return _ask(lambda one: one.get(key))

    def get_expiry(self, key: str) -> float:
        """Return when a fixed window ends."""
        return _ask(lambda one: one.get_expiry(key))

    def clear(self, key: str) -> None:
        """Forget the count of a fixed window."""
        _ask(lambda one: one.clear(key))

    def check(self) -> bool:
        """Tell whether calls are counted: somewhere they always are."""
        return True

    def reset(self) -> int | None:
        """Forget all counts."""
        return _ask(lambda one: one.reset())


def count_in(app: Flask, url: str = "") -> None:
    """Count an application's calls in the Redis at an address ("": in this process alone)."""
    app.extensions[_KEY] = Counters(url)


def _ask(question: Callable[[MemoryStorage | RedisStorage], T]) -> T:
    if _KEY not in current_app.extensions:
        # An application that has limited pages and serves no games.
        count_in(current_app)
    counters: Counters = current_app.extensions[_KEY]
    return counters.ask(question)


def _redis(url: str) -> RedisStorage:
    # One try more for a connection that broke while it was idle; none for a Redis that is silent.
    retry = Retry(NoBackoff(), 1, supported_errors=(LostError,))
    options = {"socket_timeout": SECONDS, "socket_connect_timeout": SECONDS, "retry": retry, "protocol": 2}
    return RedisStorage(url, key_prefix=PREFIX, **options)  # type: ignore[arg-type]  # the library passes them on as they are
