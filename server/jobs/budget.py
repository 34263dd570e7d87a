"""A bounded amount of memory that requests share."""

from __future__ import annotations

import contextlib
import threading
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
