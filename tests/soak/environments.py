"""Environments of a soak test: the data folder of one machine, or services that several share."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import pytest

from server.db.migrate import open_in_folder
from server.games.context import AppContext
from server.storage.photo_store import PhotoStore
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.engines.flaky_proxy import FlakyProxy
from tests.engines.local_service import NOBODY, LocalService, ServiceError, service_user
from tests.engines.postgres import LocalPostgres
from tests.engines.redis import LocalRedis
from tests.engines.s3 import LocalS3

RESERVE = 4_000_000
"""Bytes that photographs leave free on the small disk."""
_PIECE = bytes(1_000_000)


class SmallDisk:
    """A small file system in memory that can be filled up. It needs root: see `there`."""

    def __init__(self, folder: Path, megabytes: int, user: int | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        owner = "" if user is None else f",uid={user},gid={user}"
        options = f"size={megabytes}m,mode=0700{owner}"
        self.there = os.geteuid() == 0 and _done("mount", "-t", "tmpfs", "-o", options, "haggle-soak", str(folder))

    def fill(self) -> None:
        """Use all free space, to the last byte."""
        with contextlib.suppress(OSError), self._filler.open("ab", buffering=0) as filler:
            while True:
                filler.write(_PIECE[: max(1, min(len(_PIECE), self._free() // 2))])

    def empty(self) -> None:
        self._filler.unlink(missing_ok=True)

    def close(self) -> None:
        if self.there:
            _done("umount", "-l", str(self._folder))

    def _free(self) -> int:
        found = os.statvfs(self._folder)
        return found.f_bavail * found.f_frsize

    @property
    def _filler(self) -> Path:
        return self._folder / "filler"


class Single:
    """A data folder that several processes use."""

    engines: Mapping[str, LocalService] = {}
    s3: FlakyProxy | None = None

    def __init__(self, folder: Path) -> None:
        self._data = folder / "data"
        self.disk = SmallDisk(self._data, 500)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.disk.close()

    @property
    def variables(self) -> dict[str, str]:
        return {}

    @property
    def config(self) -> dict[str, Any]:
        return {"reserve": RESERVE if self.disk.there else 0}

    def context(self) -> AppContext:
        return AppContext(open_in_folder(self._data), PhotoStore.in_folder(self._data, 0))

    def repair(self) -> None:
        self.disk.empty()


class Cluster:
    """A durable PostgreSQL, a Redis, and an S3 behind a flaky proxy."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.postgres = LocalPostgres(durable=True)
        self.disk = SmallDisk(self.postgres.folder / "data", 700, service_user() and NOBODY)
        self._redis, self._store = LocalRedis(), LocalS3()
        self.engines: dict[str, LocalService] = {"postgres": self.postgres, "redis": self._redis}
        self._database = ""
        self._environment = pytest.MonkeyPatch()

    def __enter__(self) -> Self:
        try:
            for engine in (self.postgres, self._redis, self._store):
                engine.prepare()
                engine.start()
            for name, value in self._store.variables.items():
                self._environment.setenv(name, value)
            self.s3 = FlakyProxy(self._store.port)
            self._database, self._photos = self.postgres.database(), self._store.url()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        # Later tests use another S3, which the environment variables name.
        self._environment.undo()
        for engine in (self.postgres, self._redis, self._store):
            engine.kill()
        self.disk.close()
        for engine in (self.postgres, self._redis, self._store):
            engine.close()

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables of the machines, which use S3 through the flaky proxy."""
        return {**self._store.variables, "AWS_ENDPOINT": f"http://127.0.0.1:{self.s3.port}"}

    @property
    def config(self) -> dict[str, Any]:
        return {"database": self._database, "redis": self._redis.url(), "photos": self._photos}

    def context(self) -> AppContext:
        """Open an application context that bypasses the flaky proxy."""
        return open_context(AppConfig(self._folder, database=self._database, photos=self._photos))

    def repair(self) -> None:
        self.s3.forward()
        self.disk.empty()
        for engine in self.engines.values():
            restart(engine)


def restart(engine: LocalService) -> None:
    """Restart a service that was killed or has ended, repeatedly if necessary, as systemd does."""
    deadline = time.monotonic() + 120.0
    while not engine.answers():
        try:
            engine.kill()
            engine.start()
        except ServiceError:
            # Leftovers of the previous process may still use its port or files.
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def _done(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
