"""Database outages: responses, retries and recovery."""

from __future__ import annotations

import signal
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import errors
from sqlalchemy.exc import DataError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from server.db import session as session_module
from server.db.migrate import open_at
from server.db.models import Photo
from server.db.session import MAX_ATTEMPTS
from server.games.context import AppContext
from server.games.photos.scan_pool import ScanError
from server.games.photos.scan_service import ScanService
from server.storage.photo_store import PhotoStore
from server.web_app.background import Scheduler
from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from tests.context import Clock, as_organiser, as_player, new_game
from tests.engines.cluster import or_skip
from tests.engines.postgres import LocalPostgres
from tests.readings import add_photo
from tests.waiting import LIMIT, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask


@pytest.fixture
def app(context: AppContext, tmp_path: Path) -> Flask:
    return create_app(AppConfig(tmp_path / "data"), context)


def _add(app: Flask, fails: Callable[[], SQLAlchemyError | None], url: str = "/api/failing") -> list[int]:
    """Add a URL at which the database fails; return a list that grows with each call."""
    calls: list[int] = []

    def view() -> str:
        calls.append(1)
        if error := fails():
            raise error
        return "done"

    app.add_url_rule(url, view_func=view, methods=["GET", "POST"])
    return calls


def _sqlite(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("secret")
    error.sqlite_errorcode = code
    return error


def _engines(*found: Exception) -> list[SQLAlchemyError]:
    return [OperationalError("", {}, error) for error in found]


ANSWERS: dict[tuple[int, str | None], list[SQLAlchemyError]] = {
    (507, None): _engines(errors.DiskFull("secret"), _sqlite(sqlite3.SQLITE_FULL)),
    (503, "5"): [
        *_engines(
            _sqlite(sqlite3.SQLITE_BUSY),
            errors.AdminShutdown("secret"),
            errors.CannotConnectNow("secret"),
            errors.TooManyConnections("secret"),
            errors.OutOfMemory("secret"),
            errors.LockNotAvailable("secret"),
            errors.QueryCanceled("secret"),
            errors.ConnectionFailure("secret"),
            psycopg.OperationalError("secret: connection refused"),
        ),
        InterfaceError("", {}, psycopg.InterfaceError("secret: the connection is closed")),
        PoolTimeoutError("secret"),
    ],
    (503, "1"): _engines(errors.DeadlockDetected("secret")),
    (422, None): [DataError("", {}, errors.NumericValueOutOfRange("secret"))],
    (500, None): [
        OperationalError("", {}, _sqlite(sqlite3.SQLITE_CORRUPT)),
        IntegrityError("", {}, errors.UniqueViolation("secret")),
    ],
}


def test_database_errors_have_their_responses(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    """Temporary ones have Retry-After; neither response nor log contains the message of the database."""
    failing: list[SQLAlchemyError] = []
    _add(app, lambda: failing[-1])
    for (status, retry), found in ANSWERS.items():
        for error in found:
            failing.append(error)
            answer = app.test_client().get("/api/failing")
            assert (answer.status_code, answer.headers.get("Retry-After")) == (status, retry), error
            assert answer.mimetype == "application/problem+json"
            assert "secret" not in answer.text + caplog.text


def test_database_errors_of_pages_are_pages(app: Flask) -> None:
    failing: list[SQLAlchemyError] = []
    _add(app, lambda: failing[-1], "/failing")
    for (status, retry), found in ANSWERS.items():
        failing.append(found[0])
        answer = app.test_client().get("/failing")
        assert (answer.status_code, answer.headers.get("Retry-After")) == (status, retry)
        assert answer.mimetype == "text/html"


@pytest.mark.parametrize(
    ("fails", "kind", "calls", "status"),
    [
        (MAX_ATTEMPTS - 1, "application/json", MAX_ATTEMPTS, 200),
        (MAX_ATTEMPTS, "application/json", MAX_ATTEMPTS, 503),
        (1, "", 2, 200),
        (1, "multipart/form-data", 1, 503),
    ],
)
def test_conflicting_requests_are_retried(app: Flask, fails: int, kind: str, calls: int, status: int) -> None:
    """A request that conflicts with others is retried a few times, unless its body was consumed."""
    deadlocks = iter(_engines(*[errors.DeadlockDetected()] * fails))
    called = _add(app, lambda: next(deadlocks, None))
    assert app.test_client().post("/api/failing", data=b"", content_type=kind or None).status_code == status
    assert len(called) == calls


@pytest.fixture
def postgres() -> Iterator[LocalPostgres]:
    """Provide a PostgreSQL that tests may kill."""
    server = LocalPostgres(durable=True)
    server.prepare()
    or_skip(server.start)
    yield server
    server.close()


class _NoPool:
    """A scan pool without capacity, which returns all photos to the queue."""

    size = 1

    def start(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def scan_for(self, *_: object) -> None:
        """Raise the error of a full pool."""
        raise ScanError("not-a-picture", "none")


def test_the_server_recovers_after_an_outage(postgres: LocalPostgres, tmp_path: Path) -> None:
    """During the outage requests get 503 with Retry-After; afterwards requests, periodic tasks and scans work."""
    clock = Clock()
    context = AppContext(open_at(postgres.database()), PhotoStore.in_folder(tmp_path), clock)
    game = new_game(context)
    done = threading.Event()
    scheduler = Scheduler(context, ((0.05, _noting(done)),))
    scans = ScanService(context, _NoPool(), poll=0.05)  # type: ignore[arg-type]  # a fake pool
    app = create_app(AppConfig(tmp_path), context)
    organiser, player = as_organiser(app), as_player(app, context, game, 1)
    scheduler.start()
    scans.start()
    try:
        assert organiser.get(f"/api/v1/games/{game}").status_code == 200
        assert player.get("/api/v1/me").status_code == 200
        for how in (signal.SIGKILL, signal.SIGINT):
            postgres.kill(how)
            for answer in (organiser.get(f"/api/v1/games/{game}"), player.patch("/api/v1/me", json={"name": "Ada"})):
                assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
            assert organiser.get("/healthz").status_code == 503
            postgres.start()
            assert player.patch("/api/v1/me", json={"name": "Ada"}).status_code == 200
            assert organiser.get(f"/api/v1/games/{game}").status_code == 200
            done.clear()
            assert done.wait(LIMIT)
            photo = add_photo(context, game)
            context.notifier.notify()
            until(lambda photo=photo: _state(context, photo) == "failed")  # type: ignore[misc]  # called in this iteration
    finally:
        scans.close()
        scheduler.close()
        context.database.close()


def test_a_hanging_database_blocks_only_its_connections(
    postgres: LocalPostgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Statement timeouts do not work then. Other requests get 503 with Retry-After; blocked ones end with it."""
    monkeypatch.setattr(session_module, "POOL_SIZE", 2)
    monkeypatch.setattr(session_module, "MAX_OVERFLOW", 0)
    monkeypatch.setattr(session_module, "POOL_SECONDS", 1)
    context = AppContext(open_at(postgres.database()), PhotoStore.in_folder(tmp_path), Clock())
    game = new_game(context)
    organiser = as_organiser(create_app(AppConfig(tmp_path), context))
    address = f"/api/v1/games/{game}"
    assert organiser.get(address).status_code == 200
    with ThreadPoolExecutor() as threads:
        with postgres.frozen():
            answers = [threads.submit(organiser.get, address) for _ in range(5)]
            until(lambda: sum(answer.done() for answer in answers) >= 3)
            refused = [answer.result() for answer in answers if answer.done()]
            assert {(one.status_code, one.headers["Retry-After"]) for one in refused} == {(503, "5")}
            assert organiser.get("/healthz").status_code == 503
        for answer in answers:
            assert answer.result(LIMIT).status_code in {200, 503}
    assert organiser.get(address).status_code == 200
    until(lambda: organiser.get("/healthz").status_code == 200)
    context.close()


def _noting(done: threading.Event) -> Callable[[AppContext], None]:
    def look(context: AppContext) -> None:
        with context.database.reading() as session:
            session.get(Photo, "none")
        done.set()

    return look


def _state(context: AppContext, photo: str) -> str:
    with context.database.reading() as session:
        return session.get_one(Photo, photo).state
