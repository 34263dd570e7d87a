"""Two servers and three workers, processes of their own, on a PostgreSQL, a Redis and an S3."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from server.api.house.who import COOKIE, new_session
from server.app.house import HouseConfig, create_house_app, open_house
from server.play.house import game_row
from server.play.tokens import join_token
from tests.engines.festival import Addresses, place_or_skip
from tests.house_process import HouseProcess
from tests.killable import Phone
from tests.worker_process import WorkerProcess

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator
    from pathlib import Path

    from server.play.house import House
    from tests.engines.festival import Festival

JOB = "told_or_read"


@dataclass
class Machines:
    """The processes, and a house of ours on the same engines, to look at the rows."""

    addresses: Addresses
    house: House
    servers: list[HouseProcess]
    workers: list[WorkerProcess]
    folder: Path

    def worker(self) -> WorkerProcess:
        """Start one more worker, of one process."""
        one = WorkerProcess(self.folder / "worker", "--processes", "1", job=JOB, variables=self.addresses.variables)
        self.workers.append(one)
        return one.start()

    def organisers(self, over: threading.Event) -> list[Phone]:
        """Return one organiser's browser at each server, of the same session."""
        cookie = f"{COOKIE}={self.session()}"
        return [
            Phone(one.port, {"Cookie": cookie, "Origin": f"http://127.0.0.1:{one.port}"}, over) for one in self.servers
        ]

    def session(self) -> str:
        """Return the session of an organiser who signed in."""
        with create_house_app(HouseConfig(self.folder), self.house).app_context():
            return new_session("Olga", 0)

    def players(self, game: str, envelope: int, over: threading.Event) -> list[Phone]:
        """Return one player's phone at each server."""
        with self.house.database.reading() as session:
            row = game_row(session, game)
            token = join_token(row.id, row.key, envelope)
        return [Phone(one.port, {"Authorization": f"Bearer {token}"}, over) for one in self.servers]


@pytest.fixture
def machines(tmp_path: Path, festival: Festival) -> Iterator[Machines]:
    """Give two servers that scan nothing, and three workers."""
    addresses = place_or_skip(festival)
    engines = {"database": addresses.database, "redis": addresses.redis, "photos": addresses.photos}
    house = open_house(HouseConfig(tmp_path / "ours", **engines))
    servers = [HouseProcess(tmp_path / f"server-{number}", scan_workers=0, **engines) for number in (1, 2)]
    found = Machines(addresses, house, servers, [], tmp_path)
    try:
        # All at once: each takes its time to load.
        with ThreadPoolExecutor() as starting:
            begun = [starting.submit(one.start) for one in servers]
            begun += [starting.submit(found.worker) for _ in range(3)]
        for done in begun:
            done.result()
        yield found
    finally:
        for worker in found.workers:
            worker.__exit__()
        for one in servers:
            one.__exit__()
        house.close()
        festival.postgres.drop(addresses.database)
