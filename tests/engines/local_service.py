"""Base class of local servers for tests: started on a free port, not as root, and stopped with the tests."""

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
"""Seconds within which a server answers on a slow machine."""
NOBODY = 65534
"""User id of servers if the tests run as root, as which PostgreSQL refuses to run."""

# Kills the server at the end of its input, which this process holds open, so also if this process is killed.
_GUARD = 'read -r _; kill -s KILL -- "-$1"'


class ServiceError(Exception):
    """A server does not start; the message contains its output."""


class LocalService:
    """A server with a temporary folder. It can be killed and started again; `close` also removes the folder."""

    name = ""
    as_current_user = False
    """Whether it runs as the user of the tests, even if that is root."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"haggle-{self.name}-"))
        self.port = free_port()
        self._leader = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        if self._user is not None:
            os.chown(self.folder, NOBODY, NOBODY)

    def prepare(self) -> None:
        """Prepare the first start."""

    def command(self) -> Sequence[str | Path]:
        """Return the command that starts it."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Return whether it answers."""
        raise NotImplementedError

    def start(self) -> Self:
        """Start the server and wait until it answers. Raises ServiceError."""
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
                raise ServiceError(f"{self.name} does not start: {self.log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.05)
        return self

    @property
    def log(self) -> Path:
        """The file with its output."""
        return self.folder / "log"

    @property
    def pid(self) -> int:
        """The id of its first process."""
        return self._leader

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """Kill all its processes at once, or send `number` to the first and wait until it ends."""
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
        """Stop the server and delete its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *command: str | Path) -> None:
        """Run one of its programs. Raises ServiceError."""
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
            raise ServiceError(f"{Path(command[0]).name}: {done.stderr.strip()[-2000:]}")

    @property
    def _user(self) -> int | None:
        return None if self.as_current_user else service_user()


def service_user() -> int | None:
    """Return the user id for servers; None for that of the tests."""
    return NOBODY if os.geteuid() == 0 else None
