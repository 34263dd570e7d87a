"""Real servers in processes of their own, and what they take: memory and time of the processor."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.error import URLError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

START, STOP = 90.0, 20.0
"""Seconds that a server may take to answer, and to end."""
_LIBRARY = " _granian: "
_PROC = Path("/proc")
_PERIOD = 0.5
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_ROLES = ("starter", "server", "scan workers")
# By how far down the tree of processes they are.


class ServersError(Exception):
    """A server did not start; the message says why in one line."""


class Servers:
    """So many `haggle serve` on one data folder, or what `command` says for a port. `with` starts and ends them."""

    def __init__(self, folder: Path, number: int, log: Path, command: Callable[[int], list[str]] | None = None) -> None:
        self._log = log
        self._command = command or partial(_serve, folder)
        self._ports = [_free_port() for _ in range(number)]
        self._processes: list[subprocess.Popen[bytes]] = []
        self._begun = 0
        # How long the log was when all had started.

    @property
    def urls(self) -> list[str]:
        """Their addresses, without a slash at the end."""
        return [f"http://127.0.0.1:{port}" for port in self._ports]

    @property
    def pids(self) -> list[int]:
        """Their first processes."""
        return [process.pid for process in self._processes]

    def __enter__(self) -> Self:
        try:
            for port in self._ports:
                with self._log.open("ab") as log:
                    command = self._command(port)
                    started = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)  # noqa: S603 - our own
                self._processes.append(started)
                # One after the other: the first one brings the tables to this version's form.
                self._await(port)
            self._begun = self._log.stat().st_size
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.send_signal(signal.SIGTERM)
        for process in self._processes:
            try:
                process.wait(STOP)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            # What it started may outlive it where it ended by itself. Each is at the head of a group of its own.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)

    def check(self) -> None:
        """Raise ServersError if one has ended by itself, with the last that it said since they all had started."""
        if any(process.poll() is not None for process in self._processes):
            said = self._log.read_bytes()[self._begun :].decode(errors="replace").strip().splitlines()
            # What the library beneath says is only that a process ended.
            ours = [line for line in said if _LIBRARY not in line] or said
            raise ServersError(f"a server ended by itself: {ours[-1] if ours else 'it said nothing'}")

    def _await(self, port: int) -> None:
        until = time.monotonic() + START
        while time.monotonic() < until and self._processes[-1].poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=START):
                    return
            except (URLError, OSError):
                time.sleep(0.1)
        self.check()
        raise ServersError(f"a server did not answer within {START:.0f} seconds")


@dataclass
class Usage:
    """What processes of one role took: the most memory at a time, in bytes, and seconds of the processor."""

    peak: int = 0
    processor: float = 0.0


@dataclass
class Watch:
    """Looks at servers and all that they start, now and then, while `with` holds. Only Linux tells."""

    pids: Iterable[int]
    roles: dict[str, Usage] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._ended = threading.Event()
        self._seconds: dict[int, tuple[str, float]] = {}
        self._thread = threading.Thread(target=self._look_on, daemon=True)

    def __enter__(self) -> Self:
        self._first = self._look()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._look()
        for pid, (role, seconds) in self._seconds.items():
            self.roles[role].processor += seconds - self._first.get(pid, 0.0)

    def _look_on(self) -> None:
        while not self._ended.wait(_PERIOD):
            self._look()

    def _look(self) -> dict[int, float]:
        """Note what all take now; return the seconds of each."""
        found = _processes()
        now: dict[str, int] = {}
        for root in self.pids:
            level = [root]
            for role in _ROLES:
                for pid in level:
                    if pid in found:
                        _, seconds, memory = found[pid]
                        self._seconds[pid] = (role, seconds)
                        now[role] = now.get(role, 0) + memory
                level = [pid for pid, (parent, _, _) in found.items() if parent in level]
        for role, memory in now.items():
            usage = self.roles.setdefault(role, Usage())
            usage.peak = max(usage.peak, memory)
        return {pid: seconds for pid, (_, seconds) in self._seconds.items()}


def _processes() -> dict[int, tuple[int, float, int]]:
    """Return each process' parent, its seconds of the processor, and its memory in bytes."""
    found = {}
    for entry in _PROC.glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        found[int(entry.name)] = (
            int(fields[1]),
            (int(fields[11]) + int(fields[12])) / _TICKS,
            int(fields[21]) * _PAGE,
        )
    return found


def _serve(folder: Path, port: int) -> list[str]:
    return [sys.executable, "-m", "server", "serve", "--data", str(folder), "--port", str(port)]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
