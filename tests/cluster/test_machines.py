"""A game on two servers and two workers with shared services.

They are separate processes with PostgreSQL, Redis and S3.
"""

from __future__ import annotations

import http.client
import json
import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from cardgen.payload import join_token
from devtools.photo_simulator.cards import printed_faces, printed_label
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES
from server.api.auth import COOKIE, new_session
from server.db.models import Envelope, Photo, ResultVersion
from server.games.lifecycle.repository import load_game, printed_game_of
from server.games.photos.readings import card_named
from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.engines.cluster import Addresses, services_or_skip
from tests.game_server import GameServer
from tests.killable_server import Phone, change_game_state, picture
from tests.players import dealt
from tests.waiting import until
from tests.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.games.context import AppContext
    from tests.engines.cluster import Cluster

LIMIT = 120.0
DECKS = "/api/v1/me/decks"
PLAYERS = 2
REAL = 1
"""The envelope whose photos are simulated ones, scanned by the real scanner."""
WORKERS = 2
SCENE = replace(SCENES["nominal"], width=1600, height=1200)


@dataclass
class Machines:
    """The processes, and an application context with the same services for checks."""

    addresses: Addresses
    context: AppContext
    servers: list[GameServer]
    workers: list[WorkerProcess]
    folder: Path

    def worker(self) -> None:
        """Start another worker with one process."""
        folder, variables = self.folder / "worker", self.addresses.variables
        one = WorkerProcess(folder, "--processes", "1", job="read_pixels_or_scan", variables=variables)
        self.workers.append(one)
        one.start()

    def organisers(self, over: threading.Event) -> list[Phone]:
        """Return a client of the same organiser session for each server."""
        with create_app(AppConfig(self.folder), self.context).app_context():
            cookie = f"{COOKIE}={new_session('Olga', 0)}"
        return [
            Phone(one.port, {"Cookie": cookie, "Origin": f"http://127.0.0.1:{one.port}"}, over) for one in self.servers
        ]

    def players(self, game: str, envelope: int, over: threading.Event) -> list[Phone]:
        """Return a client of one player for each server."""
        with self.context.database.reading() as session:
            row = load_game(session, game)
            token = join_token(row.id, row.key, envelope)
        return [Phone(one.port, {"Authorization": f"Bearer {token}"}, over) for one in self.servers]

    def readers(self) -> set[int]:
        """Return the numbers of parallel scans that the servers report."""
        # Requests above ten a second are refused.
        time.sleep(1.0)
        counts = set()
        for one in self.servers:
            connection = http.client.HTTPConnection("127.0.0.1", one.port, timeout=LIMIT)
            connection.request("GET", "/healthz")
            # The response may also be that the database is busy.
            counts.add(json.loads(connection.getresponse().read()).get("readers", -1))
            connection.close()
        return counts


@pytest.fixture
def machines(tmp_path: Path, cluster: Cluster) -> Iterator[Machines]:
    """Provide two servers that do not scan, and their workers."""
    addresses = services_or_skip(cluster)
    engines = {"database": addresses.database, "redis": addresses.redis, "photos": addresses.photos}
    context = open_context(AppConfig(tmp_path / "ours", **engines))
    servers = [GameServer(tmp_path / f"server-{number}", scan_workers=0, **engines) for number in (1, 2)]
    found = Machines(addresses, context, servers, [], tmp_path)
    with ExitStack() as ends:
        ends.callback(cluster.postgres.drop, addresses.database)
        ends.callback(context.close)
        for one in servers:
            ends.callback(one.__exit__)
        ends.callback(lambda: [worker.__exit__() for worker in found.workers])
        # Start all at once, since each takes time to load.
        with ThreadPoolExecutor() as starting:
            begun = [starting.submit(one.start) for one in servers]
            begun += [starting.submit(found.worker) for _ in range(WORKERS)]  # type: ignore[misc]  # a list of futures
        for done in begun:
            done.result()
        yield found


class Watching:
    """An organiser's event stream from a server, which records topics."""

    def __init__(self, at: Phone, game: str) -> None:
        self.topics: list[str] = []
        self._at, self._game = at, game
        self._over = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()
        until(lambda: "start" in self.topics, LIMIT)

    def close(self) -> None:
        """End with the next heartbeat."""
        self._over.set()

    def _watch(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._at._port, timeout=LIMIT)
        connection.request("GET", f"/api/v1/games/{self._game}/events", headers=self._at._headers)
        answer = connection.getresponse()
        while not self._over.is_set() and (line := answer.readline()):
            if line.startswith(b"data: "):
                self.topics.append(json.loads(line[6:])["topic"])
        connection.close()


def ok(answer: tuple[int, dict[str, Any]]) -> dict[str, Any]:
    assert answer[0] in {200, 201}, answer
    return answer[1]


def shown(machines: Machines, game: str, envelope: int, part: int) -> bytes:
    """Return a photo of half an envelope's cards: a simulated one for one envelope."""
    hand = dealt(machines.context, game, envelope)[part::2]
    if envelope != REAL:
        return picture({"cards": hand, "labels": [envelope], "envelope": envelope, "part": part})
    with machines.context.database.reading() as session:
        printed = printed_game_of(load_game(session, game))
    label = [printed_label(printed, envelope, dpi=200)]
    return photograph(printed_faces(printed, [card_named(card) for card in hand], 200), SCENE, f"{part}", label).jpeg


def play(machines: Machines, game: str, envelope: int, first: Phone, second: Phone) -> None:
    """Play as one player until the hand-in, using both servers alternately."""
    hand = dealt(machines.context, game, envelope)
    deck = f"{DECKS}/{ok(first.post(DECKS, key=secrets.token_hex(8)))['id']}"
    for part in (0, 1):
        key, data = secrets.token_hex(8), shown(machines, game, envelope, part)
        sent = ok(first.upload(f"{deck}/photos", data, key))
        # The response was lost; a proxy would use the other server next.
        assert ok(second.upload(f"{deck}/photos", data, key)) == sent
    until(lambda: not second.send("GET", deck)[1]["pending"], LIMIT)
    seen = ok(first.send("GET", deck))
    assert seen["cards"] == hand, json.dumps(seen)[:6000]
    assert ok(second.send("GET", deck)) == seen
    ok(second.post(f"{deck}/confirm", {"digest": seen["digest"]}))
    ok(first.post(f"{deck}/check"))
    taken = ok(first.post(f"{deck}/hand-in"))
    assert ok(second.post(f"{deck}/hand-in")) == taken


@pytest.mark.thorough
def test_a_game_on_two_servers_and_their_workers(machines: Machines) -> None:
    """One test from the first sign-in to the shutdown of workers, since the processes start slowly."""
    until(lambda: machines.readers() == {WORKERS}, LIMIT)
    _run_game(machines)
    while machines.workers:
        assert machines.workers.pop().stop()[0] == 0
    until(lambda: machines.readers() == {0}, LIMIT)


def _run_game(machines: Machines) -> None:
    """Use both servers alternately and see the changes at the other; each photo is scanned once."""
    over = threading.Event()
    first, second = machines.organisers(over)
    draft = {"name": "A festival", "edition": "eurocg-2026", "players": PLAYERS}
    key = secrets.token_hex(8)
    game = ok(first.post("/api/v1/games", draft, key))["id"]
    assert ok(second.post("/api/v1/games", draft, key))["id"] == game
    game_url = f"/api/v1/games/{game}"
    ok(first.post(f"{game_url}/runs", {}, secrets.token_hex(8)))
    change_game_state(first, game, "open")
    assert ok(second.send("GET", game_url))["state"] == "open"
    watching = Watching(second, game)

    for envelope in range(1, PLAYERS + 1):
        at = machines.players(game, envelope, over)
        play(machines, game, envelope, *(at if envelope % 2 else at[::-1]))
    until(lambda: {"photos", "envelopes"} <= set(watching.topics), LIMIT)

    for envelope in range(1, PLAYERS + 1):
        content = {"cards": dealt(machines.context, game, envelope), "labels": [envelope], "game": game}
        path = f"{game_url}/photos?batch=b&place={envelope}"
        ok((first, second)[envelope % 2].upload(path, picture(content), secrets.token_hex(8)))
    watching.topics.clear()
    change_game_state(first, game, "close")
    until(lambda: "game" in watching.topics, LIMIT)
    watching.close()
    until(lambda: {one["state"] for one in second.send("GET", f"{game_url}/photos")[1]["photos"]} == {"done"}, LIMIT)
    ok(second.post(f"{game_url}/results", {"override": "the edition asks"}, secrets.token_hex(8)))
    change_game_state(first, game, "publish")
    results = [ok(one.send("GET", f"{game_url}/results/1")) for one in (first, second)]
    assert results[0] == results[1]
    mine, again = (ok(one.send("GET", "/api/v1/me/result")) for one in machines.players(game, 1, over))
    assert mine == again

    with machines.context.database.reading() as session:
        photos = session.scalars(select(Photo).where(Photo.game == game)).all()
        claims = {
            row.number: row.submitted_cards for row in session.scalars(select(Envelope).where(Envelope.game == game))
        }
        versions = session.scalar(select(func.count()).select_from(ResultVersion).where(ResultVersion.game == game))
    assert len(photos) == 3 * PLAYERS
    assert {(row.state, row.lease) for row in photos} == {("done", None)}
    assert claims == {number: dealt(machines.context, game, number) for number in range(1, PLAYERS + 1)}
    assert versions == 1
