"""Waits for what other threads and processes do, as long as a busy machine needs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 60.0
"""Seconds after which it is taken for never."""


def until(condition: Callable[[], bool], seconds: float = LIMIT) -> None:
    """Wait until something is so, so many seconds at most."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
