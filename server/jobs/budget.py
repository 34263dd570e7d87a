"""Bounds what requests take together: memory, and how much of one kind of work is done at once."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Take = Callable[[int], None]


class Budget:
    """So many bytes, lent to whoever asks as long as there are some."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._free = total
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def loan(self, patience: float) -> Iterator[Take]:
        """Lend memory bit by bit, until the end of the block.

        The function that comes out takes so many bytes more, at most all there are. It waits for them `patience`
        seconds, then raises TimeoutError.
        """
        held = 0

        def take(amount: int) -> None:
            nonlocal held
            with self._changed:
                amount = min(amount, self._total - held)
                if not self._changed.wait_for(lambda: self._free >= amount, patience):
                    raise TimeoutError
                self._free -= amount
                held += amount

        try:
            yield take
        finally:
            with self._changed:
                self._free += held
                self._changed.notify_all()


class KeyedLimit:
    """At most `most` at once for each key, such as each caller, while so many others wait. Safe between threads."""

    def __init__(self, most: int, waiting: int = 8) -> None:
        self._most = most
        self._most_waiting = waiting
        self._held: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        self._changed = threading.Condition()

    @property
    def waiting(self) -> int:
        """How many wait for all keys together."""
        with self._changed:
            return self._waiting.total()

    @contextlib.contextmanager
    def hold(self, key: str, patience: float = 0.0) -> Iterator[None]:
        """Be one of those for a key during the block.

        Raises TimeoutError if others are for longer than `patience` seconds, or if too many wait already.
        """
        with self._changed:
            if self._waiting[key] >= self._most_waiting:
                raise TimeoutError
            self._waiting[key] += 1
            try:
                if not self._changed.wait_for(lambda: self._held[key] < self._most, patience):
                    raise TimeoutError
                self._held[key] += 1
            finally:
                self._waiting[key] -= 1
                if not self._waiting[key]:
                    del self._waiting[key]
        try:
            yield
        finally:
            with self._changed:
                self._held[key] -= 1
                if not self._held[key]:
                    del self._held[key]
                self._changed.notify_all()
