"""A real server of games in a process of its own."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Self

from tests.context import lay_tables
from tests.server_process import STOP_LIMIT, await_answer, free_port, kill_group

if TYPE_CHECKING:
    from pathlib import Path

_SERVE = """
import json
import sys
from pathlib import Path
import server.web_app.server as serving
from server.web_app.settings import AppConfig
from tests import scan_jobs
if sys.argv[4]:
    serving.read_and_convert = getattr(scan_jobs, sys.argv[4])
if not sys.argv[5]:
    serving.Assets.pack = lambda assets: None
exec(sys.argv[6])
def say(port):
    print(f"http://127.0.0.1:{port}/", flush=True)
config = AppConfig(Path(sys.argv[1]), **json.loads(sys.argv[3]))
serving.serve_app(config, "127.0.0.1", int(sys.argv[2]), announce=say)
"""


class GameServer:
    """A server of a data folder's games. `with` starts and stops it; it may be stopped and started in between.

    Whatever happens inside `with`, nothing of the server runs after it.

    `job` is the name of one of `tests.scan_jobs`, in place of real scans. With `packs` the pages' files are
    compressed as well as can be, which takes two seconds. `before` are statements that change `serving` before the
    server starts; `options` are of the `AppConfig`.
    """

    def __init__(self, folder: Path, *, job: str = "", packs: bool = False, before: str = "", **options: Any) -> None:  # noqa: ANN401 - any of a config
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None
        self._leader = 0
        self._job = job
        self._packs = packs
        self._before = before
        self._options = {"scan_workers": 2, "lease": 1.0, **options}

    @property
    def url(self) -> str:
        """The server's address, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Start the server and wait until it answers; it finds tables, where it would have to make them."""
        if "database" not in self._options:
            lay_tables(self.folder)
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
        options = json.dumps(self._options)
        return [
            sys.executable,
            "-c",
            _SERVE,
            self.folder,
            str(self.port),
            options,
            self._job,
            "packs" if self._packs else "",
            self._before,
        ]

    def _end(self) -> None:
        """End the server and all of its processes the hard way."""
        assert self.process
        assert self.process.stdout
        kill_group(self._leader)
        self.process.wait()
        self.process.stdout.close()
        self.process = None
