"""A real server of games in a process of its own."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Self

from tests.house import lay_tables
from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from pathlib import Path

_SERVE = """
import json
import sys
from pathlib import Path
import server.app.serving as serving
from server.app.house import HouseConfig
from tests.jobs import scan_jobs
if sys.argv[4]:
    serving.read_and_develop = getattr(scan_jobs, sys.argv[4])
if not sys.argv[5]:
    serving.pack = lambda app: None
exec(sys.argv[6])
def say(port):
    print(f"http://127.0.0.1:{port}/", flush=True)
config = HouseConfig(Path(sys.argv[1]), **json.loads(sys.argv[3]))
serving.serve_house(config, "127.0.0.1", int(sys.argv[2]), announce=say)
"""


class HouseProcess(ServerProcess):
    """A server of a data folder's games, as `ServerProcess`.

    `job` is the name of one of `tests.jobs.scan_jobs`, in place of real scans; `packs`: the pages' files are packed as
    well as can be, which takes two seconds of each server; `before` are statements that change `serving` before it
    starts; `options` are of the `HouseConfig`.
    """

    def __init__(self, folder: Path, *, job: str = "", packs: bool = False, before: str = "", **options: Any) -> None:  # noqa: ANN401 - any of a config
        super().__init__(folder)
        self._job = job
        self._packs = packs
        self._before = before
        self._options = {"scan_workers": 2, "lease": 1.0, **options}

    def start(self) -> Self:
        """Start the server and wait until it answers; it finds tables, where it would have to make them."""
        if "database" not in self._options:
            lay_tables(self.folder)
        return super().start()

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
