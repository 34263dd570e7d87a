"""The processes that a process has started, and how they take Ctrl-C."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Let processes that are started inside end by Ctrl-C or SIGHUP, also where these are ignored.

    A shell ignores SIGINT for what it runs in the background, and `nohup` SIGHUP; whatever starts there inherits that.
    """
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler),
        signal.SIGHUP: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that these have."""
    parents = _parents()
    found = [pid]
    for parent in found:
        found += [child for child, its_parent in parents.items() if its_parent == parent]
    return found[1:]


def left_at(deadline: float, pids: Sequence[int]) -> list[int]:
    """Wait until all these processes have ended, to this moment of `time.monotonic` at most; return what still runs."""
    while (left := [pid for pid in pids if pid in _parents()]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def _parents() -> dict[int, int]:
    """Return the parent of each process that runs. A bare Debian has no `ps`, and a Mac has no /proc.

    A process that has ended, and of which only the exit code is left for its parent to fetch, does not run.
    """
    if not Path("/proc/self").exists():
        told = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout  # noqa: S607 - every Mac has it
        listed = [line.split() for line in told.splitlines()]
        return {int(child): int(parent) for child, parent, state in listed if not state.startswith("Z")}
    parents = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        # A process may end while this looks.
        with contextlib.suppress(OSError):
            # The program's name, in parentheses, may hold anything; after it come the state and the parent.
            state, parent = file.read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state not in "ZX":
                parents[int(file.parent.name)] = int(parent)
    return parents
