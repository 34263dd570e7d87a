"""A server that can be killed and restarted quickly and often, and clients that retry until they get a response.

One process loads everything once and forks a server each time. Scans are faked: the pixels of a picture are the JSON of
its scan result.
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
_FORK_SERVER = """
import multiprocessing
import os
import sys
from pathlib import Path
from server.web_app.settings import AppConfig
from server.web_app import server as serving
from server.games.photos import scan_queue
from server.workers import lease_queue
from tests.killable_server import FakeScanPool
multiprocessing.set_start_method("fork")
serving.ScanPool = FakeScanPool
# A photograph must not fail because the server was killed several times while it was scanned.
lease_queue.MAX_ATTEMPTS = scan_queue.MAX_ATTEMPTS = 1000
for line in sys.stdin:
    if os.fork() == 0:
        os.setsid()
        say = lambda port: print(os.getpid(), flush=True)
        try:
            serving.serve_app(AppConfig(Path(sys.argv[1]), lease=0.5), "127.0.0.1", int(sys.argv[2]), announce=say)
        except serving.PortTakenError:
            # The previous server has not ended yet.
            print(0, flush=True)
        os._exit(0)
"""


class FakeScanPool:
    """A replacement of `ScanPool`: the pixels of a picture contain its reading."""

    size = 2

    def __init__(self, game: PrintedGame | None, **options: object) -> None:
        """Accept the arguments of a pool."""

    def start(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def scan_for(self, game: PrintedGame, photo: bytes | Path, seconds: float | None = None) -> StoredReading:  # noqa: ARG002 - as a pool
        """Decode the pixels."""
        time.sleep(SCAN_SECONDS)
        return stored_reading(scan_result_of(photo if isinstance(photo, bytes) else photo.read_bytes()))


def picture(content: Mapping[str, Any]) -> bytes:
    """Return a picture file with this scan result: names of `cards` and numbers of `labels`."""
    text = json.dumps(content).encode()
    pixels = np.frombuffer(text.ljust(-(-len(text) // _WIDTH) * _WIDTH), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels.reshape(-1, _WIDTH)).save(out, "PNG")
    return out.getvalue()


def scan_result_of(photo: bytes) -> ScanResult:
    """Return the scan result in the pixels of a picture."""
    with Image.open(io.BytesIO(photo)) as image:
        content = json.loads(np.asarray(image).tobytes())
    cards = [card_named(name) for name in content["cards"]]
    codes = [ScannedCode(card.name, _SQUARE, card, "card") for card in cards]
    codes += [ScannedCode(str(label), _SQUARE, None, "label", label) for label in content["labels"]]
    seen = tuple(SeenCard(CardId(card.kind, card.copy), _SQUARE, (index,)) for index, card in enumerate(cards))
    label = content["labels"][0] if content["labels"] else None
    decks = (CardPile(label, tuple(range(len(cards)))),)
    return ScanResult(90, 90, tuple(codes), seen, tuple(content["labels"]), decks)


class KillableServer:
    """A server that can be killed and started many times, on one data folder."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._fork_server = subprocess.Popen(
            [sys.executable, "-c", _FORK_SERVER, folder, str(self.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._server = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        assert self._fork_server.stdin
        assert self._fork_server.stdout
        self._fork_server.kill()
        self._fork_server.wait()
        self._fork_server.stdin.close()
        self._fork_server.stdout.close()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        assert self._fork_server.stdin
        assert self._fork_server.stdout
        while not self._server:
            self._fork_server.stdin.write("start\n")
            self._fork_server.stdin.flush()
            self._server = int(self._fork_server.stdout.readline())
        await_answer(self.port)

    def kill(self) -> None:
        """Kill the server and all of its processes at once, as `kill -9` does."""
        if self._server:
            kill_group(self._server)
            self._server = 0


class Phone:
    """A client that repeats a request, with the same key, until there is a response."""

    def __init__(self, port: int, headers: Mapping[str, str], over: threading.Event) -> None:
        self._port = port
        self._headers = headers
        self._over = over
        self.broken = 0

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Send a request until there is a response; return its status and JSON."""
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            try:
                connection.request(method, path, body, {**self._headers, **(headers or {})})
                with connection.getresponse() as answer:
                    status, body_read = answer.status, answer.read()
                if status not in {429, 503}:
                    return status, json.loads(body_read) if body_read else {}
            except (OSError, http.client.HTTPException, ValueError):
                self.broken += 1
                assert not self._over.is_set(), f"the server does not answer {method} {path}"
            finally:
                connection.close()
            time.sleep(0.02)

    def post(self, path: str, document: Any = None, key: str = "") -> tuple[int, dict[str, Any]]:  # noqa: ANN401 - any JSON
        """Post JSON."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": key or "-"}
        return self.send("POST", path, None if document is None else json.dumps(document).encode(), headers)

    def upload(self, path: str, data: bytes, key: str) -> tuple[int, dict[str, Any]]:
        """Post a picture."""
        head = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="p.png"\r\n\r\n'
        headers = {"Content-Type": "multipart/form-data; boundary=end", "Idempotency-Key": key}
        return self.send("POST", path, head + data + b"\r\n--end--\r\n", headers)


class OrganiserClient(Protocol):
    """A client of an organiser that retries until there is a response."""

    def post(self, path: str, document: Any = None, key: str = "") -> tuple[int, dict[str, Any]]:  # noqa: ANN401 - any JSON
        """Post JSON; with a key it creates something."""


def create_open_game(desk: OrganiserClient, players: int) -> str:
    """Create a game, print it and open it; return its id."""
    document = {"name": "A game", "edition": "eurocg-2026", "players": players}
    status, answer = desk.post("/api/v1/games", document, secrets.token_hex(8))
    assert status == 201, answer
    game = str(answer["id"])
    status, answer = desk.post(f"/api/v1/games/{game}/runs", {}, secrets.token_hex(8))
    assert status == 201, answer
    change_game_state(desk, game, "open")
    return game


def change_game_state(desk: OrganiserClient, game: str, act: str) -> None:
    """Move a game to its next state."""
    status, answer = desk.post(f"/api/v1/games/{game}/acts", {"act": act})
    # 409: an earlier try succeeded, but the server was killed before it answered.
    assert status in {200, 409}, answer
