"""Child processes, and their handling of Ctrl-C."""

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
    """Reset the handlers of SIGINT and SIGHUP, so that processes started meanwhile do not ignore them.

    A shell ignores SIGINT in background processes, and `nohup` SIGHUP; child processes inherit that.
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
    """Return the ids of the children of a process, their children, and so on."""
    parents = _parents()
    found = [pid]
    for parent in found:
        found += [child for child, its_parent in parents.items() if its_parent == parent]
    return found[1:]


def await_ends(deadline: float, pids: Sequence[int]) -> list[int]:
    """Wait until processes have ended, until `deadline` (as `time.monotonic`) at most; return those still running."""
    while (left := [pid for pid in pids if pid in _parents()]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def _parents() -> dict[int, int]:
    """Return the parent of each running process, zombies excluded. Minimal Debian has no `ps`, and a Mac no /proc."""
    if not Path("/proc/self").exists():
        command = ["ps", "-A", "-o", "pid=,ppid=,stat="]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        listed = [line.split() for line in output.splitlines()]
        return {int(child): int(parent) for child, parent, state in listed if not state.startswith("Z")}
    parents = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        # The process may have ended in the meantime.
        with contextlib.suppress(OSError):
            # The name of the program is in parentheses and may contain any characters.
            state, parent = file.read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state not in "ZX":
                parents[int(file.parent.name)] = int(parent)
    return parents
