"""Calls of functions in separate processes, so that heavy work does not slow other requests."""

from __future__ import annotations

import math
import multiprocessing
import os
import tempfile
import threading
from concurrent.futures import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from pebble import ProcessExpired
from pebble.concurrent import process

from server.operating_system import limit_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from ctypes import Array, c_longlong


P = ParamSpec("P")
R = TypeVar("R")

MAX_CALLS = 2
"""Maximum of concurrent calls."""
CALLS = threading.BoundedSemaphore(MAX_CALLS)
"""The turns of calls."""
CHECKS = threading.BoundedSemaphore(MAX_CALLS)
"""The turns of checks of hostile files, which do not take those of other calls."""
MAX_WAIT = 30.0
"""Seconds after which a call that waits for its turn fails."""
TIMEOUT = 120.0
"""Time limit of a call in seconds."""
CHECK_TIMEOUT = 30.0
"""Time limit of a check in seconds."""
CHECK_MEMORY = 1 << 30
"""Limit of the address space of a check in bytes."""
PROGRESS_TIMEOUT = 1800.0
"""Time limit of a call with progress in seconds."""

_CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")
_SPAWN = multiprocessing.get_context("spawn")

_REPORT_INTERVAL = 0.25
"""Seconds between reports of progress."""


class WorkerProcessError(Exception):
    """A call failed: there are too many, or its process ended or took too long."""


class WorkCancelledError(WorkerProcessError):
    """A call was cancelled."""


def run_in_process(function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """Call a module's function in a separate process and return its result, or raise its exception.

    Arguments and result are pickled. Raises WorkerProcessError if the call fails.
    """
    return _run(CALLS, TIMEOUT, function, *arguments, **named)


def run_check(function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """Call a function as `run_in_process` does, with little time and memory, for hostile files.

    Temporary files are deleted here, as a process that has used up its time deletes none.
    """
    with tempfile.TemporaryDirectory(prefix="haggle-check-", ignore_cleanup_errors=True) as scratch:
        return _run(CHECKS, CHECK_TIMEOUT, _call_as_check, scratch, function, arguments, named)


def _run(
    turns: threading.BoundedSemaphore, seconds: float, function: Callable[P, R], *arguments: P.args, **named: P.kwargs
) -> R:
    if not turns.acquire(timeout=MAX_WAIT):
        raise WorkerProcessError("The server is busy right now. Wait a few seconds and try again.")
    try:
        return _start(seconds, function, *arguments, **named).result()
    except (ProcessExpired, TimeoutError, MemoryError):
        raise _interrupted() from None
    finally:
        turns.release()


def run_with_progress(
    function: Callable[..., R],
    *arguments: Any,  # noqa: ANN401 - the function's own
    progress: Callable[[int, int], None],
    stop: threading.Event,
) -> R:
    """Call a long function in a separate process, with a keyword argument `progress`, and return its result.

    Its progress is passed on to `progress`. The call is cancelled once `stop` is set. The caller limits the number of
    concurrent calls. Raises the function's exceptions, WorkerProcessError, or WorkCancelledError.
    """
    shared = _SPAWN.RawArray("q", 2)
    future = _start(PROGRESS_TIMEOUT, _call_with_progress, shared, function, arguments)
    while not future.done():
        wait((future,), _REPORT_INTERVAL)
        progress(*shared)
        if stop.is_set():
            future.cancel()
            raise WorkCancelledError("This was cancelled.")
    try:
        return future.result()
    except TimeoutError:
        raise WorkerProcessError("This took too long and was stopped. Print fewer cards at a time.") from None
    except ProcessExpired:
        raise _interrupted() from None


def _start(seconds: float, function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> Future[R]:
    # Its annotations call the context by another name than it does.
    start = process(context=_SPAWN, timeout=seconds)  # type: ignore[call-overload]  # as above
    return cast("Future[R]", start(function)(*arguments, **named))


def _call_as_check(scratch: str, function: Callable[..., R], arguments: tuple[Any, ...], named: dict[str, Any]) -> R:
    limit_memory(CHECK_MEMORY)
    tempfile.tempdir = scratch
    return function(*arguments, **named)


def _call_with_progress(shared: Array[c_longlong], function: Callable[..., R], arguments: tuple[Any, ...]) -> R:
    def progress(done: int, number: int) -> None:
        shared[:] = [done, number]

    return function(*arguments, progress=progress)


def _interrupted() -> WorkerProcessError:
    return WorkerProcessError("The server stopped while working on this. Try again.")


def usable_cores(limit: Path = _CPU_LIMIT) -> int:
    """Return the number of cores that this process may use, within its container's `limit` on Linux."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = (int(word) for word in limit.read_text("ascii").split())
    except (OSError, ValueError):
        # There is no such file outside of containers, and it begins with "max" if there is no limit.
        return cores
    return max(1, min(cores, math.ceil(quota / period)))
