"""Servers of the tests' own: started on a free port, as nobody where we are root, ended with the tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tests.server_process import free_port, kill_group

START_LIMIT = 120.0
"""Seconds that a server may take to answer, on a slow machine."""
NOBODY = 65534
"""Whom servers run as where we are root: PostgreSQL refuses to be root's."""

_GUARD = 'read -r _; kill -s KILL -- "-$1"'
# Waits for the end of its input, which comes with our own end, however we end.


class EngineError(Exception):
    """A server does not start; the message holds what it said."""


class PrivateServer:
    """A server in a folder of its own. It can be killed and started again; `close` ends it and removes the folder."""

    name = ""
    ours = False
    """Whether it runs as us, whoever we are."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"haggle-{self.name}-"))
        self.port = free_port()
        self._leader = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        if self._user is not None:
            os.chown(self.folder, NOBODY, NOBODY)

    def prepare(self) -> None:
        """Do what is to be done once before the first start."""

    def command(self) -> Sequence[str | Path]:
        """Return how it is started."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Return whether it answers."""
        raise NotImplementedError

    def start(self) -> Self:
        """Start it and wait until it answers. Raises EngineError."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.command(),
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                user=self._user,
                group=self._user,
                extra_groups=None if self._user is None else [],
            )
        self._leader = self._process.pid
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "guard", str(self._leader)], stdin=subprocess.PIPE, start_new_session=True
        )
        deadline = time.monotonic() + START_LIMIT
        while not self.answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise EngineError(f"{self.name} does not start: {self.log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.05)
        return self

    @property
    def log(self) -> Path:
        """Its output."""
        return self.folder / "log"

    @property
    def pid(self) -> int:
        """The process that was started."""
        return self._leader

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """End it and all its processes at once, as a failing machine would."""
        if self._process is None:
            return
        if number == signal.SIGKILL:
            kill_group(self._leader)
        else:
            self._process.send_signal(number)
        self._process.wait(START_LIMIT)
        self._process = None
        if self._guard is not None and self._guard.stdin:
            self._guard.kill()
            self._guard.wait()
            self._guard.stdin.close()
            self._guard = None

    def close(self) -> None:
        """End it for good, and remove what it kept."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *command: str | Path) -> None:
        """Run a program of it to its end. Raises EngineError."""
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            cwd=self.folder,
            user=self._user,
            group=self._user,
            extra_groups=None if self._user is None else [],
            check=False,
        )
        if done.returncode:
            raise EngineError(f"{Path(command[0]).name}: {done.stderr.strip()[-2000:]}")

    @property
    def _user(self) -> int | None:
        return None if self.ours else as_nobody()


def as_nobody() -> int | None:
    """Return whom a server runs as; None: us."""
    return NOBODY if os.geteuid() == 0 else None
