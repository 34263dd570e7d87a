"""Does a piece of heavy work in a process of its own, so that a server's other requests go on meanwhile."""

from __future__ import annotations

import math
import multiprocessing
import os
import threading
from concurrent.futures import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from pebble import ProcessExpired
from pebble.concurrent import process

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from ctypes import Array, c_longlong


P = ParamSpec("P")
R = TypeVar("R")

PLACES = 2
"""Pieces of work in hand at once."""
PATIENCE = 30.0
"""Seconds that one waits for its turn."""
SECONDS = 120.0
"""Seconds that one may take."""
LONGEST = 1800.0
"""Seconds that a long piece of work may take, which tells how far it is."""

_SPAWN = multiprocessing.get_context("spawn")

# Seconds between two looks at whether the work is still wanted.
_LOOK = 0.25
_places = threading.BoundedSemaphore(PLACES)


class WorkerProcessError(Exception):
    """The work was not done: too much is in hand, or its process ended or took too long."""


class WorkCancelledError(WorkerProcessError):
    """The work was ended because nobody wants it any more."""


def run_in_process(work: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """Return what a function of a module returns, called in a process of its own; raise what it raises, or ApartError.

    Arguments and result are pickled.
    """
    if not _places.acquire(timeout=PATIENCE):
        raise WorkerProcessError("Much is being made right now. Wait a few seconds and try again.")
    try:
        return _begun(SECONDS, work, *arguments, **named).result()
    except (ProcessExpired, TimeoutError):
        raise _broken_off() from None
    finally:
        _places.release()


def run_with_progress(
    work: Callable[..., R],
    *arguments: Any,  # noqa: ANN401 - the work's own
    progress: Callable[[int, int], None],
    stop: threading.Event,
) -> R:
    """Return what a long piece of work returns, called in a process of its own with an argument `progress` more.

    What the work tells is told on, and it is ended as soon as `stop` is set. The caller sees to it that not too much
    is in hand. Raises what the work raises, ApartError, or StoppedError.
    """
    told = _SPAWN.RawArray("q", 2)
    made = _begun(LONGEST, _telling, told, work, arguments)
    while not made.done():
        wait((made,), _LOOK)
        progress(*told)
        if stop.is_set():
            made.cancel()
            raise WorkCancelledError("This is not wanted any more.")
    try:
        return made.result()
    except (ProcessExpired, TimeoutError):
        raise _broken_off() from None


def _begun(seconds: float, work: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> Future[R]:
    # Its annotations call the context by another name than it does.
    begin = process(context=_SPAWN, timeout=seconds)  # type: ignore[call-overload]  # as above
    return cast("Future[R]", begin(work)(*arguments, **named))


def _telling(told: Array[c_longlong], work: Callable[..., R], arguments: tuple[Any, ...]) -> R:
    def progress(done: int, number: int) -> None:
        told[:] = [done, number]

    return work(*arguments, progress=progress)


def _broken_off() -> WorkerProcessError:
    return WorkerProcessError("The server stopped in the middle of this. Try again.")


_LIMIT = Path("/sys/fs/cgroup/cpu.max")


def usable_cores(limit: Path = _LIMIT) -> int:
    """Return how many cores this process may run on, at most as many as its container's `limit` on Linux."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = (int(word) for word in limit.read_text("ascii").split())
    except (OSError, ValueError):
        # There is no such file outside of containers, and it begins with "max" where there is no limit.
        return cores
    return max(1, min(cores, math.ceil(quota / period)))
