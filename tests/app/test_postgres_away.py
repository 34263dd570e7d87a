"""PostgreSQL is killed under a server and comes back: requests are told to wait, and all goes on by itself."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from server.app.house import HouseConfig, create_house_app
from server.jobs.scanning import ScanError
from server.play.chores import Chores
from server.play.house import House
from server.play.service import ScanService
from server.store import engines
from server.store.database import Database
from server.store.photos import PhotoStore
from server.store.tables import Photo
from tests.engines.festival import or_skip
from tests.engines.postgres import PrivatePostgres
from tests.house import Clock, as_organiser, as_player, new_game
from tests.readings import add_photo
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LIMIT = 60.0
"""Seconds for what happens at once on a quick machine."""


@pytest.fixture
def postgres() -> Iterator[PrivatePostgres]:
    """Give a PostgreSQL that this test may kill."""
    server = PrivatePostgres(durable=True)
    server.prepare()
    or_skip(server.start)
    yield server
    server.close()


class _NoPool:
    """Scans nothing: each picture is given back, as by a pool that has no place."""

    size = 1

    def start(self) -> None:
        """Start nothing."""

    def close(self) -> None:
        """End nothing."""

    def scan_for(self, *_: object) -> None:
        """Refuse."""
        raise ScanError("not-a-picture", "none")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_all_goes_on_when_it_is_back(postgres: PrivatePostgres, tmp_path: Path, how: signal.Signals) -> None:
    """Meanwhile requests get 503 and when to try again; afterwards requests, chores and scans work."""
    clock = Clock()
    house = House(Database.at(postgres.database()), PhotoStore.in_folder(tmp_path), clock)
    game = new_game(house)
    done = threading.Event()
    chores = Chores(house, ((0.05, _noting(done)),))
    scans = ScanService(house, _NoPool(), poll=0.05)  # type: ignore[arg-type]  # as much of a pool as it needs
    app = create_house_app(HouseConfig(tmp_path), house)
    organiser, player = as_organiser(app), as_player(app, house, game, 1)
    chores.start()
    scans.start()
    try:
        assert organiser.get(f"/api/v1/games/{game}").status_code == 200
        assert player.get("/api/v1/me").status_code == 200
        postgres.kill(how)
        for answer in (organiser.get(f"/api/v1/games/{game}"), player.patch("/api/v1/me", json={"name": "Ada"})):
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert organiser.get("/healthz").status_code == 503
        postgres.start()
        assert player.patch("/api/v1/me", json={"name": "Ada"}).status_code == 200
        assert organiser.get(f"/api/v1/games/{game}").status_code == 200
        done.clear()
        assert done.wait(LIMIT)
        photo = add_photo(house, game)
        house.bell.ring()
        until(lambda: _state(house, photo) == "failed")
    finally:
        scans.close()
        chores.close()
        house.database.close()


def test_one_that_hangs_holds_up_no_more_requests_than_connections(
    postgres: PrivatePostgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own time limits do not run then: other requests get 503 and when to try again; those in hand end with it."""
    monkeypatch.setattr(engines, "KEPT_CONNECTIONS", 2)
    monkeypatch.setattr(engines, "MORE_CONNECTIONS", 0)
    monkeypatch.setattr(engines, "POOL_SECONDS", 1)
    house = House(Database.at(postgres.database()), PhotoStore.in_folder(tmp_path), Clock())
    game = new_game(house)
    organiser = as_organiser(create_house_app(HouseConfig(tmp_path), house))
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
    house.close()


def _noting(done: threading.Event) -> Callable[[House], None]:
    def look(house: House) -> None:
        with house.database.reading() as session:
            session.get(Photo, "none")
        done.set()

    return look


def _state(house: House, photo: str) -> str:
    with house.database.reading() as session:
        return session.get_one(Photo, photo).state
