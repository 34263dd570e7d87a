"""Lets processes start that Ctrl-C does not reach. It goes to every process of a terminal; the server stops its own."""

from __future__ import annotations

import contextlib
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Hold Ctrl-C back from this thread and from processes that it starts meanwhile, while they load their modules too.

    Windows has no such mask; there the process says itself that it wants none, once it runs.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
