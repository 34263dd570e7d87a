"""Machines that share a database share its time: a wrong clock of one of them moves nothing."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

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
    """A machine whose clock is wrong goes by the database's, before and after a jump, and says once what is wrong."""

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
    assert len(told) == (1 if wrong else 0)


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
