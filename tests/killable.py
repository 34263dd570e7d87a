"""A server of games that is killed and started anew many times, quickly; and clients that send until they are heard.

One process loads everything once and forks a server each time. Its scans are made up: a picture's pixels are the JSON
of what is to be read in it.
"""

from __future__ import annotations

import http.client
import io
import json
import secrets
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from PIL import Image

from cardgen.cards import CardId
from scanner.result import CardPile, ScannedCode, ScanResult, SeenCard
from server.games.photos.readings import card_named, stored_reading
from tests.server_process import await_answer, free_port, kill_group

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping
    from pathlib import Path

    from cardgen.cards import PrintedGame
    from server.games.photos.readings import StoredReading

SCAN_SECONDS = 0.03
_SQUARE = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
_WIDTH = 64
_NURSERY = """
import multiprocessing
import os
import sys
from pathlib import Path
from server.web_app.settings import AppConfig
from server.web_app import server as serving
from server.games.photos import scan_queue
from server.workers import lease_queue
from tests.killable import MadeUpPool
multiprocessing.set_start_method("fork")
serving.ScanPool = MadeUpPool
# A picture that is in hand at several kills is not to blame.
lease_queue.TRIES = scan_queue.TRIES = 1000
for line in sys.stdin:
    if os.fork() == 0:
        os.setsid()
        say = lambda port: print(os.getpid(), flush=True)
        try:
            serving.serve_app(AppConfig(Path(sys.argv[1]), lease=0.5), "127.0.0.1", int(sys.argv[2]), announce=say)
        except serving.PortTakenError:
            # The one before is dying.
            print(0, flush=True)
        os._exit(0)
"""


class MadeUpPool:
    """A replacement of `ScanPool`: the pixels of a picture contain its reading."""

    size = 2

    def __init__(self, game: PrintedGame | None, **options: object) -> None:
        """Take what a pool takes."""

    def start(self) -> None:
        """Start nothing."""

    def close(self) -> None:
        """End nothing."""

    def scan_for(self, game: PrintedGame, photo: bytes | Path, seconds: float | None = None) -> StoredReading:  # noqa: ARG002 - as a pool
        """Read the pixels."""
        time.sleep(SCAN_SECONDS)
        return stored_reading(told_by(photo if isinstance(photo, bytes) else photo.read_bytes()))


def picture(told: Mapping[str, Any]) -> bytes:
    """Return a picture file with this reading: names of `cards` and numbers of `labels`."""
    text = json.dumps(told).encode()
    pixels = np.frombuffer(text.ljust(-(-len(text) // _WIDTH) * _WIDTH), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels.reshape(-1, _WIDTH)).save(out, "PNG")
    return out.getvalue()


def told_by(photo: bytes) -> ScanResult:
    """Return what a scan of such a picture gives."""
    with Image.open(io.BytesIO(photo)) as image:
        told = json.loads(np.asarray(image).tobytes())
    cards = [card_named(name) for name in told["cards"]]
    codes = [ScannedCode(card.name, _SQUARE, card, "card") for card in cards]
    codes += [ScannedCode(str(label), _SQUARE, None, "label", label) for label in told["labels"]]
    seen = tuple(SeenCard(CardId(card.kind, card.copy), _SQUARE, (index,)) for index, card in enumerate(cards))
    label = told["labels"][0] if told["labels"] else None
    decks = (CardPile(label, tuple(range(len(cards)))),)
    return ScanResult(90, 90, tuple(codes), seen, tuple(told["labels"]), decks)


class Killable:
    """A server of a data folder that can be killed and started many times."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._nursery = subprocess.Popen(
            [sys.executable, "-c", _NURSERY, folder, str(self.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._server = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        assert self._nursery.stdin
        assert self._nursery.stdout
        self._nursery.kill()
        self._nursery.wait()
        self._nursery.stdin.close()
        self._nursery.stdout.close()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        assert self._nursery.stdin
        assert self._nursery.stdout
        while not self._server:
            self._nursery.stdin.write("start\n")
            self._nursery.stdin.flush()
            self._server = int(self._nursery.stdout.readline())
        await_answer(self.port)

    def kill(self) -> None:
        """Kill the server and all of its processes at once, as `kill -9` does."""
        if self._server:
            kill_group(self._server)
            self._server = 0


class Phone:
    """Somebody who sends a request until there is an answer, with the same key each time."""

    def __init__(self, port: int, headers: Mapping[str, str], over: threading.Event) -> None:
        self._port = port
        self._headers = headers
        self._over = over
        self.broken = 0

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Return status and answer of a request that was at last answered."""
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            try:
                connection.request(method, path, body, {**self._headers, **(headers or {})})
                with connection.getresponse() as answer:
                    status, said = answer.status, answer.read()
                if status not in {429, 503}:
                    return status, json.loads(said) if said else {}
            except (OSError, http.client.HTTPException, ValueError):
                self.broken += 1
                assert not self._over.is_set(), f"the server does not answer {method} {path}"
            finally:
                connection.close()
            time.sleep(0.02)

    def post(self, path: str, told: Any = None, key: str = "") -> tuple[int, dict[str, Any]]:  # noqa: ANN401 - any JSON
        """Post JSON."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": key or "-"}
        return self.send("POST", path, None if told is None else json.dumps(told).encode(), headers)

    def upload(self, path: str, data: bytes, key: str) -> tuple[int, dict[str, Any]]:
        """Post a picture."""
        head = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="p.png"\r\n\r\n'
        headers = {"Content-Type": "multipart/form-data; boundary=end", "Idempotency-Key": key}
        return self.send("POST", path, head + data + b"\r\n--end--\r\n", headers)


class Desk(Protocol):
    """Whoever sends as an organiser until somebody answers."""

    def post(self, path: str, told: Any = None, key: str = "") -> tuple[int, dict[str, Any]]:  # noqa: ANN401 - any JSON
        """Post JSON; with a key it creates something."""


def open_a_game(desk: Desk, players: int) -> str:
    """Make a game, print it and open it; return its id."""
    told = {"name": "A game", "edition": "eurocg-2026", "players": players}
    status, said = desk.post("/api/v1/games", told, secrets.token_hex(8))
    assert status == 201, said
    game = str(said["id"])
    status, said = desk.post(f"/api/v1/games/{game}/runs", {}, secrets.token_hex(8))
    assert status == 201, said
    lead_on(desk, game, "open")
    return game


def lead_on(desk: Desk, game: str, act: str) -> None:
    """Lead a game to its next state."""
    status, said = desk.post(f"/api/v1/games/{game}/acts", {"act": act})
    # 409: it was done, and the server was killed before it could say so.
    assert status in {200, 409}, said
