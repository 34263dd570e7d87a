"""Calls in separate processes: results, errors, time limits, progress and cancellation; and the usable cores."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

from server.workers import process_pool
from server.workers.process_pool import (
    WorkCancelledError,
    WorkerProcessError,
    run_check,
    run_in_process,
    run_with_progress,
    usable_cores,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MACHINE = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


@contextmanager
def all_turns() -> Iterator[None]:
    """Take the turns of all calls."""
    with ExitStack() as taken:
        for _ in range(process_pool.MAX_CALLS):
            taken.enter_context(process_pool.CALLS)
        yield


def test_the_result_and_errors_come_from_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failure another call can start; a call that waits too long for its turn fails."""
    monkeypatch.setattr(process_pool, "MAX_WAIT", 0.05)
    assert run_in_process(os.getpid) != os.getpid()
    assert run_in_process(sorted, [3, 1, 2], reverse=True) == [3, 2, 1]
    with pytest.raises(ValueError, match="invalid literal"):
        run_in_process(int, "x")
    with pytest.raises(WorkerProcessError, match="Try again"):
        run_in_process(os._exit, 1)
    monkeypatch.setattr(process_pool, "TIMEOUT", 1.0)
    begun = time.monotonic()
    with pytest.raises(WorkerProcessError):
        run_in_process(time.sleep, 60)
    assert time.monotonic() - begun < 30
    with all_turns(), pytest.raises(WorkerProcessError, match="Wait a few seconds"):
        run_in_process(len, "abc")


def test_a_check_has_little_memory_and_a_turn_of_its_own() -> None:
    with all_turns():
        assert run_check(len, "abc") == 3
        if sys.platform == "linux":
            with pytest.raises(WorkerProcessError):
                run_check(bytes, process_pool.CHECK_MEMORY)


def _leave_a_file(seconds: float) -> None:
    tempfile.mkdtemp()
    time.sleep(seconds)


def test_a_check_that_takes_too_long_leaves_no_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(process_pool, "CHECK_TIMEOUT", 2.0)
    run_check(_leave_a_file, 0)
    with pytest.raises(WorkerProcessError):
        run_check(_leave_a_file, 60)
    assert list(tmp_path.iterdir()) == []


def count_up(last: int, *, progress: Callable[[int, int], None]) -> int:
    """Count up, reporting each step as progress."""
    for number in range(1, last + 1):
        progress(number, last)
    return os.getpid()


def test_long_work_reports_its_progress_and_can_be_cancelled() -> None:
    reported: list[tuple[int, int]] = []
    made = run_with_progress(count_up, 3, progress=lambda *step: reported.append(step), stop=threading.Event())
    assert reported == sorted(reported)
    assert reported[-1] == (3, 3)
    assert made != os.getpid()
    stop = threading.Event()
    with pytest.raises(WorkCancelledError):
        run_with_progress(count_up, 10**9, progress=lambda done, _: done and stop.set(), stop=stop)


@pytest.mark.parametrize(
    ("content", "expected"),
    [("50000 100000\n", 1), ("max 100000\n", MACHINE), ("99900000 100000\n", MACHINE), (None, MACHINE)],
)
def test_usable_cores_are_limited_by_the_container(tmp_path: Path, content: str | None, expected: int) -> None:
    """The limit is rounded up, and never exceeds the machine's cores."""
    file = tmp_path / "cpu.max"
    if content is not None:
        file.write_text(content)
    assert usable_cores(file) == expected
