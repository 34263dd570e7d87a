"""What several machines share, for tests: a PostgreSQL, a Redis and an S3, each started when it is first wanted."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import pytest

from tests.engines.postgres import PrivatePostgres
from tests.engines.programs import EngineError, PrivateServer
from tests.engines.redis import PrivateRedis
from tests.engines.s3 import PrivateS3

S = TypeVar("S", bound=PrivateServer)


@dataclass(frozen=True)
class Addresses:
    """Where a house of its own is: addresses as the environment names them."""

    database: str
    queue: str
    photos: str

    @property
    def variables(self) -> dict[str, str]:
        """The environment's variables for it."""
        return {
            "HAGGLE_DATABASE_URL": self.database,
            "HAGGLE_QUEUE_URL": self.queue,
            "HAGGLE_PHOTOS_URL": self.photos,
        }


class Festival:
    """The engines of a test process."""

    def __init__(self) -> None:
        self._begun: list[PrivateServer] = []

    @cached_property
    def postgres(self) -> PrivatePostgres:
        """The PostgreSQL."""
        return self._begin(PrivatePostgres())

    @cached_property
    def redis(self) -> PrivateRedis:
        """The Redis."""
        return self._begin(PrivateRedis())

    @cached_property
    def s3(self) -> PrivateS3:
        """The S3. The environment says from then on how to speak to it, to us and to whatever we start."""
        begun = self._begin(PrivateS3())
        os.environ.update(begun.variables)
        return begun

    def place(self) -> Addresses:
        """Return the addresses of a new empty house."""
        return Addresses(self.postgres.database(), self.redis.url(), self.s3.url())

    def close(self) -> None:
        """End all engines."""
        for server in self._begun:
            server.close()

    def _begin(self, server: S) -> S:
        self._begun.append(server)
        server.prepare()
        return server.start()


def place_or_skip(engines: Festival) -> Addresses:
    """Return the addresses of a new empty house. Where an engine is missing the test is skipped; with `CI` it fails."""
    try:
        return engines.place()
    except EngineError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
