"""A `haggle worker` process."""

from __future__ import annotations

import json
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
from dataclasses import replace
from server.cli.main import main
from tests import scan_jobs
job, config, arguments = json.loads(sys.argv[1])
if job:
    serving.read_and_convert = getattr(scan_jobs, job)
import server.cli.admin.worker as worker
existing_config = worker.existing_config
worker.existing_config = lambda data: replace(existing_config(data), **config)
main(["worker", *arguments])
"""


class WorkerProcess:
    """A worker of a data folder.

    `job` names a function of `tests.scan_jobs` that replaces real scans; `config` are options of `AppConfig`.
    As a context manager it starts and ends with the block.
    """

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        job: str = "",
        **config: Any,  # noqa: ANN401 - any of a config
    ) -> None:
        settings = [job, {"lease": 1.0, **config}, ["--data", str(folder), *arguments]]
        self._command = [sys.executable, "-u", "-c", _WORK, json.dumps(settings)]
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> Self:
        """Start the worker and wait for its first line of output."""
        self.process = subprocess.Popen(
            self._command,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout
        try:
            line = self.process.stdout.readline()
            assert line.startswith("Reading the pictures"), line
        except BaseException:
            self.kill()
            raise
        return self

    def kill(self) -> None:
        """Kill all its processes at once."""
        assert self.process
        kill_group(self.process.pid)
        self._close()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal and wait; return the exit code and the remaining output."""
        assert self.process
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> tuple[int, str]:
        """Wait until the worker ends; return the exit code and the remaining output."""
        assert self.process
        assert self.process.stdout
        output = self.process.stdout.read()
        return self._close(), output

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
