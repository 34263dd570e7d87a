"""A local Redis server for tests, from the system's program."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import redis

from tests.engines.local_service import LocalService, ServiceError


class LocalRedis(LocalService):
    """A Redis server without persistence."""

    name = "redis"

    def __init__(self) -> None:
        super().__init__()
        self._numbers = cycle(range(16))

    def prepare(self) -> None:
        """Link the program under the name that it expects: Debian's package of tools has it as redis-check-rdb."""
        found = shutil.which("redis-server") or shutil.which("redis-check-rdb")
        if found is None:
            raise ServiceError("there is no redis-server (as root: apt install redis-tools)")
        self._program.symlink_to(found)

    def command(self) -> Sequence[str | Path]:
        """Return the command, with a port on the loopback interface only."""
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        return [self._program, *options, "--save", "", "--appendonly", "no"]

    def answers(self) -> bool:
        """Return whether it answers."""
        try:
            with redis.Redis(port=self.port) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def url(self) -> str:
        """Return the address of an empty database, the next of sixteen."""
        number = next(self._numbers)
        with redis.Redis(port=self.port, db=number) as client:
            client.flushdb()
        return f"redis://127.0.0.1:{self.port}/{number}"

    @property
    def _program(self) -> Path:
        return self.folder / "redis-server"
