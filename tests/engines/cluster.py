"""Services that several machines share, for tests: a PostgreSQL, a Redis and an S3, each started on first use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

import pytest
from sqlalchemy import delete, text
from sqlalchemy.exc import DBAPIError

from server.db.models import Base
from server.db.session import Database
from server.storage.base import FileStore
from server.storage.photo_store import PhotoStore
from server.storage.s3 import S3FileStore
from tests.engines.postgres import PrivatePostgres
from tests.engines.programs import EngineError, PrivateServer
from tests.engines.redis import PrivateRedis
from tests.engines.s3 import PrivateS3

on_postgresql = pytest.mark.parametrize("place", ["cluster"], indirect=True)
"""For tests whose server is to be there: of writers that meet, which SQLite lets in one after the other."""
S = TypeVar("S", bound=PrivateServer)
T = TypeVar("T")


@dataclass(frozen=True)
class Addresses:
    """The addresses of a server's own services, as the environment names them."""

    database: str
    redis: str
    photos: str

    @property
    def variables(self) -> dict[str, str]:
        """The environment's variables for it."""
        return {
            "HAGGLE_DATABASE_URL": self.database,
            "HAGGLE_REDIS_URL": self.redis,
            "HAGGLE_PHOTOS_URL": self.photos,
        }


class Cluster:
    """The engines of a test process."""

    def __init__(self) -> None:
        self._begun: list[PrivateServer] = []
        self._database: Database | None = None

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

    def empty_database(self) -> Database:
        """Return a database in which nothing is: the same one each time, emptied, since that takes milliseconds."""
        if self._database is None:
            self._database = Database.at(self.postgres.database())
            return self._database
        try:
            with self._database.engine.begin() as connection:
                connection.execute(text("SET LOCAL lock_timeout = '10s'"))
                for table in reversed(Base.metadata.sorted_tables):
                    connection.execute(delete(table))
        except DBAPIError:
            # A test before has left something that holds it.
            self._database.close()
            self._database = None
            return self.empty_database()
        return self._database

    def empty_photos(self) -> PhotoStore:
        """Return a place without photographs. The S3 is started when a first one comes, since most tests have none."""
        return PhotoStore(cast("FileStore", _LateFiles(lambda: S3FileStore(self.s3.url()))))

    def place(self) -> Addresses:
        """Return the addresses of a new empty server."""
        return Addresses(self.postgres.database(), self.redis.url(), self.s3.url())

    def close(self) -> None:
        """End all engines."""
        if self._database:
            self._database.close()
        for server in self._begun:
            server.close()

    def _begin(self, server: S) -> S:
        self._begun.append(server)
        server.prepare()
        return server.start()


class _LateFiles:
    """The file store, made when it is first used."""

    def __init__(self, make: Callable[[], FileStore]) -> None:
        self._make = make

    @cached_property
    def _files(self) -> FileStore:
        return self._make()

    def __getattr__(self, name: str) -> object:
        return getattr(self._files, name)


def or_skip(wanted: Callable[[], T]) -> T:
    """Return something of the engines. Where one is missing the test is skipped; with `CI` it fails."""
    try:
        return wanted()
    except EngineError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


def place_or_skip(engines: Cluster) -> Addresses:
    """Return the addresses of a new empty server, or skip the test as `or_skip`."""
    return or_skip(engines.place)


def redis_to_end() -> Iterator[PrivateRedis]:
    """Give a Redis that tests may stop and start again, or skip them as `or_skip`."""
    server = PrivateRedis()
    or_skip(server.prepare)
    yield server.start()
    server.close()
