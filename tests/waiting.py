"""Waits for what other threads and processes do, as long as a busy machine needs."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")

LIMIT = 60.0
"""Seconds after which it is taken for never."""


def until(condition: Callable[[], bool], seconds: float = LIMIT) -> None:
    """Wait until a condition holds, with a time limit in seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine does; in a thread of its own, since a browser's event loop may run in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
