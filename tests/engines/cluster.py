"""Local PostgreSQL, Redis and S3 servers for tests, each started on first use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

import pytest
from sqlalchemy import delete, text
from sqlalchemy.exc import DBAPIError

from server.db.migrate import open_at
from server.db.models import Base
from server.db.session import Database
from server.storage.base import FileStore
from server.storage.photo_store import PhotoStore
from server.storage.s3 import S3FileStore
from tests.engines.local_service import LocalService, ServiceError
from tests.engines.postgres import LocalPostgres
from tests.engines.redis import LocalRedis
from tests.engines.s3 import LocalS3

on_postgresql = pytest.mark.parametrize("backend", ["cluster"], indirect=True)
"""Marks tests that need PostgreSQL, such as those of concurrent writers, which SQLite runs one after the other."""
S = TypeVar("S", bound=LocalService)
T = TypeVar("T")


@dataclass(frozen=True)
class Addresses:
    """The addresses of the services of one installation."""

    database: str
    redis: str
    photos: str


class Cluster:
    """The services of a test process."""

    def __init__(self) -> None:
        self._started: list[LocalService] = []
        self._database: Database | None = None

    @cached_property
    def postgres(self) -> LocalPostgres:
        """The PostgreSQL."""
        return self._start(LocalPostgres())

    @cached_property
    def redis(self) -> LocalRedis:
        """The Redis."""
        return self._start(LocalRedis())

    @cached_property
    def s3(self) -> LocalS3:
        """The S3 server. Starting it sets the environment variables of its clients."""
        server = self._start(LocalS3())
        os.environ.update(server.variables)
        return server

    def empty_database(self) -> Database:
        """Return an empty database. It is the same one each time, emptied, which is faster than creating one."""
        if self._database is None:
            self._database = open_at(self.postgres.database())
            return self._database
        try:
            with self._database.engine.begin() as connection:
                connection.execute(text("SET LOCAL lock_timeout = '10s'"))
                for table in reversed(Base.metadata.sorted_tables):
                    connection.execute(delete(table))
        except DBAPIError:
            # An earlier test has left open transactions.
            self._database.close()
            self._database = None
            return self.empty_database()
        return self._database

    def empty_photos(self) -> PhotoStore:
        """Return an empty photo store. The S3 server is only started if it is used, since most tests have no photos."""
        return PhotoStore(cast("FileStore", _LazyFileStore(lambda: S3FileStore(self.s3.url()))))

    def new_services(self) -> Addresses:
        """Return the addresses of an empty database, Redis database and bucket."""
        return Addresses(self.postgres.database(), self.redis.url(), self.s3.url())

    def close(self) -> None:
        """Stop all services."""
        if self._database:
            self._database.close()
        for server in self._started:
            server.close()

    def _start(self, server: S) -> S:
        self._started.append(server)
        server.prepare()
        return server.start()


class _LazyFileStore:
    """A file store that is created when it is first used."""

    def __init__(self, make: Callable[[], FileStore]) -> None:
        self._make = make

    @cached_property
    def _files(self) -> FileStore:
        return self._make()

    def __getattr__(self, name: str) -> object:
        return getattr(self._files, name)


def or_skip(wanted: Callable[[], T]) -> T:
    """Return the result of a function. If a service cannot start, skip the test, or fail if `CI` is set."""
    try:
        return wanted()
    except ServiceError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


def services_or_skip(engines: Cluster) -> Addresses:
    """Return the addresses of empty services, or skip the test as `or_skip` does."""
    return or_skip(engines.new_services)


def restartable_redis() -> Iterator[LocalRedis]:
    """Provide a Redis that tests may stop and start, or skip the test as `or_skip` does."""
    server = LocalRedis()
    or_skip(server.prepare)
    yield server.start()
    server.close()
