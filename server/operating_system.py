"""Functions that differ between Linux, macOS and Windows: processes, their limits, interrupts, files and output."""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import signal
import socket
import sys
import threading
import time
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

if sys.platform == "win32":
    TIME_LIMIT_EXIT = 1
else:
    TIME_LIMIT_EXIT = -signal.SIGALRM
"""The exit code of a process that reached its `time_limit`, as multiprocessing reports it."""

# BELOW_NORMAL_PRIORITY_CLASS of the Windows API.
_BELOW_NORMAL = 0x4000

REPLACE_SECONDS = 2.0 if sys.platform == "win32" else 0.0
"""How long a file may be held open by another program before it cannot be replaced."""


def lower_priority(niceness: int) -> None:
    """Lower the priority of this process by a niceness, or by one class on Windows."""
    if sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _BELOW_NORMAL)
    else:
        os.nice(niceness)


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Let the system end this process after some seconds, even in the middle of a library's function."""
    if sys.platform == "win32":
        timer = threading.Timer(seconds, os._exit, (TIME_LIMIT_EXIT,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
    else:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def limit_memory_growth(headroom: int) -> None:
    """Limit the growth of this process to `headroom` bytes. Beyond that, allocations fail or end the process.

    This has no effect on systems other than Linux.
    """
    if sys.platform == "linux":
        import resource  # noqa: PLC0415 - Windows has none

        # The first number is the size of the address space in pages.
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit_memory(pages * resource.getpagesize() + headroom)


def limit_memory(size: int) -> None:
    """Limit the address space of this process to `size` bytes, or to a lower limit of its parent.

    This has no effect on Windows, and on a system that refuses it.
    """
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - Windows has none

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))


def raise_file_limit(wanted: int) -> int:
    """Raise the limit of open files for this process and its children to `wanted` or as far as allowed; return it."""
    if sys.platform == "win32":
        # There is no limit of sockets and files below this.
        return wanted
    else:  # noqa: RET505 - mypy skips the branches of other systems only in this form
        import resource  # noqa: PLC0415 - Windows has none

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            return wanted
        # A system may not grant the limit that it reports.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
        return soft


@contextlib.contextmanager
def interrupts_blocked(*others: signal.Signals) -> Iterator[None]:
    """Block Ctrl-C for processes and threads that start in this block, even while they load their modules.

    The terminal sends it to all processes; the server stops its own. Except on Windows, `others` are blocked as well.
    """
    if sys.platform == "win32":
        # Child processes inherit this.
        ignore = ctypes.windll.kernel32.SetConsoleCtrlHandler
        ignore(None, True)
        try:
            yield
        finally:
            ignore(None, False)
    else:
        # The tracker unblocks SIGINT when it starts, so it has to run before.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *others})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def unblock(number: signal.Signals) -> None:
    """Let this thread get a signal that was blocked when its process started."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})


@contextlib.contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Handle Ctrl-C and signals that end the program at the end of this block, which only the main thread may enter.

    Libraries log errors, or raise others, if an exception interrupts them at any point.
    """
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    numbers: list[signal.Signals] = [getattr(signal, name) for name in names if hasattr(signal, name)]
    received: list[int] = []
    before = {number: signal.signal(number, lambda caught, _frame: received.append(caught)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for caught in received:
            signal.raise_signal(caught)


def claim_address(listener: socket.socket) -> None:
    """Let a socket bind to an address that was used a moment ago, but not to one that another program listens at."""
    if sys.platform == "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def replace_file(source: Path, target: Path, seconds: float = REPLACE_SECONDS) -> None:
    """Move a file to the place of another one, which need not exist.

    Windows refuses that while a program, such as a virus scanner, has one of them open, so it is tried for `seconds`.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            source.replace(target)
        except PermissionError:
            if time.monotonic() >= end:
                raise
            time.sleep(0.02)
        else:
            return


def write_any_character() -> None:
    """Let standard output and errors take characters that the terminal lacks, and use UTF-8 on Windows."""
    encoding = "utf-8" if sys.platform == "win32" else None
    for stream, errors in ((sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors=errors)


def owner_for_root(folder: Path) -> tuple[int, int] | None:
    """Return the user and group that own a folder if root runs this process and does not own it, otherwise None."""
    if sys.platform != "win32" and os.geteuid() == 0:
        known = folder.stat()
        return (known.st_uid, known.st_gid) if known.st_uid else None
    return None


def change_owner(path: Path | int, owner: tuple[int, int] | None) -> None:
    """Give a file or folder, named by its path or descriptor, to an owner, unless that is None."""
    if owner and sys.platform != "win32":
        os.chown(path, *owner)
