"""A real `haggle worker` in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Self

from tests.server_process import kill_group

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 60.0

_WORK = """
import json
import sys
import server.web_app.factory as context
import server.web_app.server as serving
from functools import partial
from server.cli.main import main
from tests import scan_jobs
job, config, arguments = json.loads(sys.argv[1])
if job:
    serving.read_and_convert = getattr(scan_jobs, job)
import server.cli.admin.worker as worker
worker.app_config = partial(worker.app_config, **config)
main(["worker", *arguments])
"""


class WorkerProcess:
    """A worker of a data folder or of shared engines.

    `job` is the name of one of `tests.scan_jobs`, in place of real scans; `config` is of the `AppConfig`.
    `variables` are added to its environment. `with` starts and ends it; nothing of it runs after that.
    """

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        job: str = "",
        variables: dict[str, str] | None = None,
        **config: Any,  # noqa: ANN401 - any of a config
    ) -> None:
        told = [job, {"lease": 1.0, **config}, ["--data", str(folder), *arguments]]
        self._command = [sys.executable, "-u", "-c", _WORK, json.dumps(told)]
        self._variables = variables or {}
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> Self:
        """Start it, and wait until it says that it reads."""
        self.process = subprocess.Popen(
            self._command,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, **self._variables},
        )
        assert self.process.stdout
        try:
            said = self.process.stdout.readline()
            assert said.startswith("Reading the pictures"), said
        except BaseException:
            self.kill()
            raise
        return self

    def kill(self) -> None:
        """End it and all of its processes, as a failing machine would."""
        assert self.process
        kill_group(self.process.pid)
        self._close()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Ask it to end, and return its exit code and what it said last."""
        assert self.process
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> tuple[int, str]:
        """Wait until it ends by itself; return its exit code and what it said."""
        assert self.process
        assert self.process.stdout
        said = self.process.stdout.read()
        return self._close(), said

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process:
            self.kill()

    def _close(self) -> int:
        assert self.process
        assert self.process.stdout
        try:
            return self.process.wait(LIMIT)
        finally:
            kill_group(self.process.pid)
            self.process.stdout.close()
            self.process = None
