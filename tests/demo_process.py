"""A `haggle demo` process."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tests.processes import interruptible
from tests.server_process import STOP_LIMIT, free_port, kill_group

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).parents[1]
START = 120.0
"""Seconds within which a demo answers on a busy machine."""
STOP = STOP_LIMIT


class DemoProcess:
    """A running demo, or another `command` that serves. As a context manager it ends with its child processes.

    It runs in the folder `checkout`; `program` is the haggle command, by default the checkout's. `env` is added to the
    environment.
    """

    def __init__(
        self,
        log: Path,
        *arguments: str | Path,
        command: str = "demo",
        env: Mapping[str, str] | None = None,
        checkout: Path = ROOT,
        program: Sequence[str | Path] = (),
    ) -> None:
        self.port = free_port()
        self.log = log
        arguments_list = [*(program or (sys.executable, "-m", "server")), command, "--port", str(self.port), *arguments]
        with log.open("w", encoding="utf-8") as out, interruptible():
            self.process = subprocess.Popen(
                arguments_list,
                cwd=checkout,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})},
                start_new_session=True,
            )

    @property
    def url(self) -> str:
        """The demo's address, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def output(self) -> str:
        """Its output so far."""
        return self.log.read_text(encoding="utf-8")

    def get(self, path: str) -> bytes:
        """Fetch an address."""
        with urllib.request.urlopen(f"{self.url}{path}", timeout=60) as reply:  # noqa: S310 - our own server
            body: bytes = reply.read()
            return body

    def info(self) -> dict[str, Any]:
        """Return the JSON of /api/v1/demo."""
        info: dict[str, Any] = json.loads(self.get("/api/v1/demo"))
        return info

    def wait(self) -> Self:
        """Wait until it answers."""
        end = time.monotonic() + START
        while True:
            assert self.process.poll() is None, self.output
            try:
                self.get("/healthz")
            except (OSError, http.client.HTTPException):
                assert time.monotonic() < end, self.output
                time.sleep(0.05)
            else:
                return self

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send a signal to all processes, as Ctrl-C does; return the exit code."""
        os.killpg(self.process.pid, number)
        return self.process.wait(STOP)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self.process.poll() is None:
                self.stop()
        finally:
            kill_group(self.process.pid)
            self.process.wait(STOP)
