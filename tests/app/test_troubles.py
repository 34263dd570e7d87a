"""What a database cannot do just now is told in words, with the time after which it may work."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import errors
from sqlalchemy.exc import DataError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from server.app.house import HouseConfig, create_house_app
from server.store.database import TRIES
from tests.house import Clock, as_organiser, new_game, new_house

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from server.play.house import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Give an empty house."""
    house = new_house(tmp_path / "data", Clock())
    yield house
    house.database.close()


@pytest.fixture
def app(house: House, tmp_path: Path) -> Flask:
    """Return its application."""
    return create_house_app(HouseConfig(tmp_path / "data"), house)


def _failing(app: Flask, error: SQLAlchemyError, times: int = 1_000) -> list[int]:
    """Add an address at which the database fails so often; return a list that grows with each call."""
    calls: list[int] = []

    def view() -> str:
        calls.append(1)
        if len(calls) <= times:
            raise error
        return "done"

    app.add_url_rule("/api/failing", view_func=view, methods=["GET", "POST"])
    return calls


def _sqlite(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("secret")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "status", "retry"),
    [
        (OperationalError("", {}, errors.DiskFull("secret")), 507, None),
        (OperationalError("", {}, _sqlite(sqlite3.SQLITE_FULL)), 507, None),
        (OperationalError("", {}, _sqlite(sqlite3.SQLITE_BUSY)), 503, "5"),
        (OperationalError("", {}, errors.AdminShutdown("secret")), 503, "5"),
        (OperationalError("", {}, errors.CannotConnectNow("secret")), 503, "5"),
        (OperationalError("", {}, errors.TooManyConnections("secret")), 503, "5"),
        (OperationalError("", {}, errors.OutOfMemory("secret")), 503, "5"),
        (OperationalError("", {}, errors.LockNotAvailable("secret")), 503, "5"),
        (OperationalError("", {}, errors.QueryCanceled("secret")), 503, "5"),
        (OperationalError("", {}, errors.ConnectionFailure("secret")), 503, "5"),
        (OperationalError("", {}, psycopg.OperationalError("secret: connection refused")), 503, "5"),
        (InterfaceError("", {}, psycopg.InterfaceError("secret: the connection is closed")), 503, "5"),
        (PoolTimeoutError("secret"), 503, "5"),
        (OperationalError("", {}, errors.DeadlockDetected("secret")), 503, "1"),
        (DataError("", {}, errors.NumericValueOutOfRange("secret")), 422, None),
        (OperationalError("", {}, _sqlite(sqlite3.SQLITE_CORRUPT)), 500, None),
        (IntegrityError("", {}, errors.UniqueViolation("secret")), 500, None),
    ],
    ids=lambda value: type(getattr(value, "orig", value)).__name__ if isinstance(value, Exception) else "",
)
def test_each_trouble_has_its_answer(
    app: Flask, error: SQLAlchemyError, status: int, retry: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """What may work later says when; neither the answer nor the log quotes what the engine said."""
    _failing(app, error)
    answer = app.test_client().get("/api/failing")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, retry)
    assert answer.mimetype == "application/problem+json"
    assert "secret" not in answer.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    ("fails", "kind", "calls", "status"),
    [
        (TRIES - 1, "application/json", TRIES, 200),
        (TRIES, "application/json", TRIES, 503),
        (1, "", 2, 200),
        (1, "multipart/form-data", 1, 503),
    ],
)
def test_who_met_another_begins_anew(app: Flask, fails: int, kind: str, calls: int, status: int) -> None:
    """A request that others got in the way of is done again a few times, unless its body is gone."""
    called = _failing(app, OperationalError("", {}, errors.DeadlockDetected()), fails)
    assert app.test_client().post("/api/failing", data=b"", content_type=kind or None).status_code == status
    assert len(called) == calls


@pytest.mark.parametrize(
    "body", ['{"name": "a\\u0000b"}', '{"confirmed": ["\\u0000"]}', '{"settings": {"\\u0000": 1}}']
)
def test_no_text_holds_a_zero(app: Flask, house: House, body: str) -> None:
    """PostgreSQL could not keep it, so no engine does."""
    game = new_game(house)
    answer = as_organiser(app).patch(f"/api/v1/games/{game}", data=body, content_type="application/json")
    assert answer.status_code == 422
    assert "U+0000" in answer.get_json()["detail"]


@pytest.mark.parametrize(
    ("address", "status"),
    [("/api/v1/games/A%00BC", 404), ("/api/v1/games/ABCD/photos/%00", 404), ("/api/v1/games?x=%00", 422)],
)
def test_no_address_holds_a_zero(app: Flask, address: str, status: int) -> None:
    """There is nothing under it, and no query asks for it."""
    assert as_organiser(app).get(address).status_code == status
