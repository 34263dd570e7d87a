"""The machines of a soak test: server and worker processes that are killed, suspended and get wrong clocks."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from tests.processes import descendants
from tests.server_process import free_port, kill_group

CLOCK = struct.Struct("d")
"""The format of a clock file: the machine's offset in seconds."""

_FORK_SERVER = """
import json, multiprocessing, os, resource, signal, sys
from multiprocessing import forkserver
from tests.soak.child import run_machine

def fetch(*_):
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass

multiprocessing.set_start_method("fork")
multiprocessing.set_forkserver_preload(["tests.soak.child"])
forkserver.ensure_running()
signal.signal(signal.SIGCHLD, fetch)
print(forkserver._forkserver._forkserver_pid, flush=True)
for line in sys.stdin:
    pid = os.fork()
    if not pid:
        run_machine(json.loads(line))
    print(pid, flush=True)
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(round(sum(one.ru_utime + one.ru_stime for one in used)), flush=True)
"""


class MachineForker:
    """Loads all libraries once and forks machines."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _FORK_SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        self._lock = threading.Lock()
        self._keeper = self._next()
        self.used = 0
        """CPU seconds of all machines without their scan processes, known after `close`."""

    @property
    def scans(self) -> list[int]:
        return descendants(self._keeper)

    def fork(self, settings: Mapping[str, Any]) -> int:
        with self._lock:
            assert self._process.stdin
            self._process.stdin.write(json.dumps(settings) + "\n")
            self._process.stdin.flush()
            return self._next()

    def close(self) -> None:
        """End the process. Machines have to be ended before."""
        assert self._process.stdin
        # A machine that was just killed may still use this pipe.
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.close()
            self.used = self._next()
        kill_group(self._process.pid)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def _next(self) -> int:
        assert self._process.stdout
        return int(self._process.stdout.readline())


class Machine:
    """A server with a port, or a worker. A thread restarts it whenever it has ended, as systemd does."""

    def __init__(
        self, forker: MachineForker, folder: Path, name: str, config: Mapping[str, Any], *, serves: bool
    ) -> None:
        self.name = name
        self.port = free_port() if serves else 0
        self.log = folder / f"{name}.log"
        self.starts = 0
        self._clock = folder / f"{name}.clock"
        self._clock.write_bytes(CLOCK.pack(0.0))
        self._settings = {"folder": str(folder / "data"), "port": self.port, "config": dict(config)} | {
            "log": str(self.log),
            "clock": str(self._clock),
        }
        self._forker, self._leader = forker, 0
        self._over, self._wanted = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._keep_up, daemon=True)

    def __enter__(self) -> Self:
        self._wanted.set()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._wanted.set()
        self._thread.join()
        self.kill()

    def kill(self, *, alone: bool = False) -> None:
        """Kill all its processes with SIGKILL, or only the first."""
        if self._leader:
            with contextlib.suppress(ProcessLookupError):
                (os.kill if alone else os.killpg)(self._leader, signal.SIGKILL)

    def stay_down(self) -> None:
        self._wanted.clear()

    def come_up(self) -> None:
        self._wanted.set()

    def hold(self, seconds: float) -> None:
        """Suspend it for some seconds."""
        leader = self._leader
        with contextlib.suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGSTOP)
        time.sleep(seconds)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGCONT)

    def set_clock(self, wrong: float) -> None:
        with self._clock.open("r+b") as clock_file:
            clock_file.write(CLOCK.pack(wrong))

    def _keep_up(self) -> None:
        while True:
            self._wanted.wait()
            if self._over.is_set():
                return
            if not _runs(self._leader):
                # Leftovers of it use its port.
                self.kill()
                self._leader = self._forker.fork(self._settings)
                self.starts += 1
            self._over.wait(0.1)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return pid != 0 and state not in "ZX"
