"""A Redis of the tests' own, from the system's program."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import redis

from tests.engines.programs import EngineError, PrivateServer


class PrivateRedis(PrivateServer):
    """A Redis that keeps nothing on the disk."""

    name = "redis"

    def __init__(self) -> None:
        super().__init__()
        self._numbers = cycle(range(16))

    def prepare(self) -> None:
        """Give its program the name by which it knows what it is: Debian has it as a tool's, without the service."""
        found = shutil.which("redis-server") or shutil.which("redis-check-rdb")
        if found is None:
            raise EngineError("there is no redis-server (as root: apt install redis-tools)")
        self._program.symlink_to(found)

    def command(self) -> Sequence[str | Path]:
        """Return how it is started: it listens at one port of this machine alone."""
        place = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        return [self._program, *place, "--save", "", "--appendonly", "no"]

    def answers(self) -> bool:
        """Return whether it answers."""
        try:
            with redis.Redis(port=self.port) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def url(self) -> str:
        """Return the address of an empty one of its databases; the seventeenth call gets the first one's again."""
        number = next(self._numbers)
        with redis.Redis(port=self.port, db=number) as client:
            client.flushdb()
        return f"redis://127.0.0.1:{self.port}/{number}"

    @property
    def _program(self) -> Path:
        return self.folder / "redis-server"
