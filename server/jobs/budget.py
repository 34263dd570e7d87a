"""A bounded amount of memory that requests share."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Budget:
    """So many bytes, lent to whoever asks as long as there are some."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._free = total
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def hold(self, amount: int, patience: float) -> Iterator[None]:
        """Hold `amount` bytes, at most all; wait for them `patience` seconds, then raise TimeoutError."""
        amount = min(amount, self._total)
        with self._changed:
            if not self._changed.wait_for(lambda: self._free >= amount, patience):
                raise TimeoutError
            self._free -= amount
        try:
            yield
        finally:
            with self._changed:
                self._free += amount
                self._changed.notify_all()
