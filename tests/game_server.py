"""A server process."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Self

from tests.context import create_database
from tests.server_process import STOP_LIMIT, await_answer, free_port, kill_group

if TYPE_CHECKING:
    from pathlib import Path

_SERVE = """
import json
import sys
from pathlib import Path
import server.web_app.server as serving
from server.web_app import assets
from server.web_app.settings import AppConfig
from tests import scan_jobs
if sys.argv[4]:
    serving.read_and_convert = getattr(scan_jobs, sys.argv[4])
if not sys.argv[5]:
    assets.DIST = assets.WEB / "dist-test"
exec(sys.argv[6])
def say(port):
    print(f"http://127.0.0.1:{port}/", flush=True)
config = AppConfig(Path(sys.argv[1]), **json.loads(sys.argv[3]))
serving.serve_app(config, "127.0.0.1", int(sys.argv[2]), announce=say)
"""


class GameServer:
    """A server of a data folder. As a context manager it starts and ends with the block, with all its processes.

    It may be stopped and started inside the block. `job` names a function of `tests.scan_jobs` that replaces real
    scans. With `product` the pages are those of the product, which tests cannot import. `before` is code that changes
    `serving` before the server starts; `options` are options of `AppConfig`.
    """

    def __init__(self, folder: Path, *, job: str = "", product: bool = False, before: str = "", **options: Any) -> None:  # noqa: ANN401 - any of a config
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None
        self._leader = 0
        self._job = job
        self._product = product
        self._before = before
        self._options = {"scan_workers": 1, "lease": 1.0, **options}

    @property
    def url(self) -> str:
        """The server's address, without a trailing slash."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Start the server and wait until it answers."""
        if "database" not in self._options:
            create_database(self.folder)
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
            # A server that was killed leaves its worker processes.
            kill_group(self._leader)

    def _command(self) -> list[str | Path]:
        options = json.dumps(self._options)
        return [
            sys.executable,
            "-c",
            _SERVE,
            self.folder,
            str(self.port),
            options,
            self._job,
            "product" if self._product else "",
            self._before,
        ]

    def _end(self) -> None:
        """Kill the server and all its processes."""
        assert self.process
        assert self.process.stdout
        kill_group(self._leader)
        self.process.wait()
        self.process.stdout.close()
        self.process = None
