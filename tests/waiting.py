"""Helpers that wait for other threads and processes, with a timeout that suits a busy machine."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")

LIMIT = 60.0
"""The default timeout in seconds."""


def until(condition: Callable[[], bool], seconds: float = LIMIT) -> None:
    """Wait until a condition holds, with a time limit in seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a separate thread, since Playwright's event loop may run in this one; return its result."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
