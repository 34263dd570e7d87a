"""A real server in a process of its own, for tests that go over the network."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

START_LIMIT = 120.0
STOP_LIMIT = 25.0
"""Seconds from its signal within which a server and all that it has started are gone.

A container and a unit of systemd are killed after 30 s, and a scanning process that nobody ends goes by itself after as
many: one that only then is gone has not ended."""

_SERVE = """
import multiprocessing
import sys
from pathlib import Path
import server.app.serving as serving
if sys.argv[4]:
    multiprocessing.set_start_method(sys.argv[4])
def say(port):
    print(f"http://127.0.0.1:{port}/", flush=True)
# To pack the pages' files takes two seconds of each server; those who weigh them start a `HouseProcess`.
serving.pack = lambda app: None
serving.serve(Path(sys.argv[1]), "127.0.0.1", int(sys.argv[2]), demo=sys.argv[3] == "demo", announce=say)
"""


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def await_answer(port: int) -> None:
    """Wait until a server on this machine answers."""
    deadline = time.monotonic() + START_LIMIT
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=START_LIMIT) as probe:
                probe.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
                if probe.recv(20):
                    return
        except OSError:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.05)


def kill_group(leader: int) -> None:
    """End a process that was started in a session of its own, and all that it has started and left behind."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


class ServerProcess:
    """A server for a printed game's folder. `with` starts and stops it; it may be stopped and started in between.

    Whatever happens inside `with`, nothing of the server runs after it.
    """

    def __init__(self, folder: Path, *, demo: bool = False, start_method: str = "") -> None:
        self.folder = folder
        self.start_method = start_method
        self.demo = demo
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None
        self._leader = 0

    @property
    def url(self) -> str:
        """The server's address, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Start the server and wait until it answers."""
        self.process = subprocess.Popen(
            self._command(),
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._leader = self.process.pid
        assert self.process.stdout
        try:
            line = self.process.stdout.readline()
            assert re.fullmatch(rf"http://127\.0\.0\.1:{self.port}/\n", line), line
            await_answer(self.port)
        except BaseException:
            self._end()
            raise
        return self

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Stop the server by a signal; return its exit code."""
        assert self.process
        assert self.process.stdout
        self.process.send_signal(number)
        try:
            code = self.process.wait(STOP_LIMIT)
        except BaseException:
            self._end()
            raise
        self.process.stdout.close()
        self.process = None
        return code

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        try:
            if self.process:
                self.stop()
        finally:
            # A server that ended may have left its workers; a test that looks for them does so before.
            kill_group(self._leader)

    def _command(self) -> list[str | Path]:
        mode = "demo" if self.demo else "game"
        return [sys.executable, "-c", _SERVE, self.folder, str(self.port), mode, self.start_method]

    def _end(self) -> None:
        """End the server and all of its processes the hard way."""
        assert self.process
        assert self.process.stdout
        kill_group(self._leader)
        self.process.wait()
        self.process.stdout.close()
        self.process = None
