"""Work in a process of its own: what comes back, and what happens when it does not."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

import pytest

from server.workers import process_pool
from server.workers.process_pool import WorkCancelledError, WorkerProcessError, run_in_process, run_with_progress

if TYPE_CHECKING:
    from collections.abc import Callable


def test_the_result_and_errors_come_from_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever ends it before, its place is free again afterwards; beyond the places there are callers come back."""
    monkeypatch.setattr(process_pool, "_slots", threading.BoundedSemaphore(1))
    monkeypatch.setattr(process_pool, "PATIENCE", 0.05)
    assert run_in_process(os.getpid) != os.getpid()
    assert run_in_process(sorted, [3, 1, 2], reverse=True) == [3, 2, 1]
    with pytest.raises(ValueError, match="invalid literal"):
        run_in_process(int, "x")
    with pytest.raises(WorkerProcessError, match="Try again"):
        run_in_process(os._exit, 1)
    monkeypatch.setattr(process_pool, "SECONDS", 1.0)
    begun = time.monotonic()
    with pytest.raises(WorkerProcessError):
        run_in_process(time.sleep, 60)
    assert time.monotonic() - begun < 30
    with process_pool._slots, pytest.raises(WorkerProcessError, match="Wait a few seconds"):
        run_in_process(len, "abc")


def count_up(last: int, *, progress: Callable[[int, int], None]) -> int:
    """Tell of each step; a long piece of work."""
    for number in range(1, last + 1):
        progress(number, last)
    return os.getpid()


def test_long_work_tells_how_far_it_is_and_ends_when_nobody_wants_it() -> None:
    told: list[tuple[int, int]] = []
    made = run_with_progress(count_up, 3, progress=lambda *step: told.append(step), stop=threading.Event())
    assert told == sorted(told)
    assert told[-1] == (3, 3)
    assert made != os.getpid()
    stop = threading.Event()
    with pytest.raises(WorkCancelledError):
        run_with_progress(count_up, 10**9, progress=lambda done, _: done and stop.set(), stop=stop)
