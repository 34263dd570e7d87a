"""Machines that share a database share its time: a wrong clock of one of them moves nothing."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from server.store import clock as clock_module
from server.store.clock import SharedClock
from server.store.database import Database
from tests.engines.festival import place_or_skip

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from tests.engines.festival import Festival

NEAR = timedelta(seconds=30)
"""A busy machine takes its time between two looks at clocks."""


@pytest.fixture
def database(festival: Festival) -> Iterator[Database]:
    """Give a database that machines share."""
    addresses = place_or_skip(festival)
    database = Database.at(addresses.database)
    yield database
    database.close()
    festival.postgres.drop(addresses.database)


@pytest.mark.parametrize("wrong", [timedelta(0), timedelta(hours=2), timedelta(hours=-2)])
def test_the_databases_time_counts(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, wrong: timedelta
) -> None:
    """A machine whose clock is wrong goes by the database's, before and after a jump; each says once what is wrong."""

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # the plain class
            return datetime.now(tz) + wrong

    right = SharedClock(database)
    monkeypatch.setattr(clock_module, "datetime", Wrong)
    late = SharedClock(database)
    for clock in (right, late):
        assert abs(clock() - datetime.now(UTC)) < NEAR
    told = [record.message for record in caplog.records if "this machine's clock" in record.message]
    assert len(told) == (2 if wrong else 0)


def _sleep_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an hour pass that the steady clock does not see."""
    monkeypatch.setattr(clock_module, "time", SimpleNamespace(monotonic=lambda: time.monotonic() - 3600))


def test_a_machine_that_slept_asks_at_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its steady clock stood still meanwhile: the first time that is told afterwards is right."""
    clock = SharedClock(database)
    _sleep_an_hour(monkeypatch)
    assert abs(clock() - datetime.now(UTC)) < NEAR


def test_a_machine_that_slept_asks_when_it_can(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its database it goes on as it can, asks once by itself, and knows with the next connection."""
    clock = SharedClock(database)
    asked = []

    def away(*_: object) -> None:
        asked.append(1)
        raise OperationalError("", None, Exception())

    _sleep_an_hour(monkeypatch)
    with monkeypatch.context() as patched:
        patched.setattr(database.engine, "connect", away)
        for _ in range(5):
            assert datetime.now(UTC) - clock() > timedelta(minutes=30)
    assert len(asked) == 1
    with database.reading() as session:
        session.execute(text("SELECT 1"))
    assert abs(clock() - datetime.now(UTC)) < NEAR


def test_it_is_asked_now_and_then(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is asked again after a while, by whoever takes a connection, who then finds it fresh."""
    clock = SharedClock(database)
    monkeypatch.setattr(clock, "_origin", datetime(2020, 1, 1, tzinfo=UTC))
    with database.reading() as session:
        session.execute(text("SELECT 1"))
    assert clock().year < 2024
    monkeypatch.setattr(clock, "_asked", time.monotonic() - clock_module.PERIOD)
    with database.writing() as session:
        session.execute(text("SELECT 1"))
    assert abs(clock() - datetime.now(UTC)) < NEAR
