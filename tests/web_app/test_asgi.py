"""The ASGI layer in a real Granian: request bodies, slow clients, streams and limits."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import http.client
import json
import secrets
import socket
import struct
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardgen.payload import join_token
from server.api.application import PROBLEM
from server.db.models import Envelope
from server.games.lifecycle.repository import load_game
from server.storage.photo_store import SPOOL
from server.web_app.asgi import AsgiApp, RequestLimits, environ_of
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.context import create_database, new_game
from tests.game_server import GameServer
from tests.processes import descendants
from tests.scan_jobs import png
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORM = {"Content-Type": "multipart/form-data; boundary=end"}
HEAD = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
TAIL = b"\r\n--end--\r\n"
QUICK = """
from functools import partial
limits = dict(pause=2.0, seconds=4.0, rate=1e9, each=2, spool=60_000_000, discard=50_000_000, send=2.0)
serving.RequestLimits = partial(serving.RequestLimits, **limits)
from flask import send_file, abort, request
import io, threading
def more(app):
    @app.get("/slow")
    def slow():
        threading.Event().wait(2)
        return "done"
    @app.get("/file")
    def file():
        return send_file(io.BytesIO(bytes(1_000_000)), mimetype="application/zip")
    @app.get("/endless")
    def endless():
        def pieces():
            try:
                while True:
                    yield bytes(1_000_000)
            finally:
                print("closed\\n", end="", flush=True)
        return pieces()
    @app.route("/environ", methods=["GET", "POST"])
    def environ():
        return {name: value for name, value in request.environ.items() if isinstance(value, str)}
    return app
made = serving.create_app
serving.create_app = lambda *arguments: more(made(*arguments))
"""
"""Short limits, and endpoints for the tests."""


class Server(GameServer):
    """A server with a game, and the token of a player in it."""

    def __init__(self, folder: Path, before: str = QUICK, **options: Any) -> None:  # noqa: ANN401 - as `GameServer`
        super().__init__(folder, scan_workers=0, before=before, **options)
        create_database(folder)
        context = open_context(AppConfig(folder))
        game = new_game(context)
        with context.database.reading() as session:
            row, seats = load_game(session, game), [session.get_one(Envelope, (game, one)) for one in (1, 2)]
            self.tokens = [join_token(row.id, row.key, seat.number, seat.token_version) for seat in seats]
        context.close()

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | Iterator[bytes] | None = None,
        player: int | None = 0,
        **headers: str,
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Return status, headers and body of a response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        # The server may answer, and stop listening, before it has the whole body.
        with contextlib.suppress(BrokenPipeError):
            connection.request(method, path, body, {**self.known(player), **headers}, encode_chunked=body is not None)
        with connection.getresponse() as answer:
            found = answer.status, answer.headers, answer.read()
        connection.close()
        return found

    def known(self, player: int | None) -> dict[str, str]:
        """Return the headers of a player, or none."""
        return (
            {}
            if player is None
            else {"Authorization": f"Bearer {self.tokens[player]}", "Idempotency-Key": secrets.token_hex(8)}
        )

    def deck(self, player: int = 0) -> str:
        """Return the path for a player's uploads."""
        deck = json.loads(self.ask("POST", "/api/v1/me/decks", player=player)[2])["id"]
        return f"/api/v1/me/decks/{deck}/photos"

    def begin(self, path: str, player: int | None, size: int, sent: bytes = b"") -> socket.socket:
        """Begin an upload and leave it unfinished."""
        begun = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        lines = [f"POST {path} HTTP/1.1", "Host: x", f"Content-Length: {size}"]
        lines += [f"{name}: {value}" for name, value in (FORM | self.known(player)).items()]
        begun.sendall("\r\n".join([*lines, "", ""]).encode() + sent)
        return begun


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Provide a server with short limits."""
    with Server(tmp_path_factory.mktemp("asgi") / "data") as running:
        yield running


def answer_to(begun: socket.socket) -> tuple[int, dict[str, Any]]:
    """Return status and JSON of the response that ends a connection."""
    with begun:
        received = b"".join(iter(lambda: begun.recv(65_536), b""))
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), json.loads(body)


@pytest.mark.parametrize("chunked", [False, True])
def test_request_bodies_are_accepted_or_refused_in_any_encoding(server: Server, *, chunked: bool) -> None:
    """With Content-Length and in chunks. Refused bodies are read completely, but not stored."""

    def sent(body: bytes, step: int) -> bytes | Iterator[bytes]:
        return (body[start : start + step] for start in range(0, len(body), step)) if chunked else body

    status, _, content = server.ask("POST", server.deck(), sent(HEAD + png(3) + TAIL, 50), **FORM)
    assert (status, json.loads(content)["state"]) == (201, "waiting")
    status, _, content = server.ask("POST", server.deck(1), sent(bytes(41_000_000), 1_000_000), 1, **FORM)
    assert (status, json.loads(content)["type"]) == (413, "/problems/too-many-bytes")
    assert json.loads(content)["limit"] == 40_000_000
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    for size in (1_000, 49_000_000):
        connection.request("POST", "/api/v1/games/ABCD/photos", sent(bytes(size), 10_000), FORM)
        with connection.getresponse() as answer:
            assert (answer.status, json.loads(answer.read())["type"]) == (401, "/problems/not-signed-in")
    connection.request("GET", "/healthz")
    with connection.getresponse() as answer:
        assert answer.status == 200, "the connection is good for another request"
    connection.close()


def test_unwanted_request_bodies_are_refused(server: Server) -> None:
    """Too large ones during the transfer, those in tens of thousands of chunks, and large ones without credentials."""
    begun = server.begin("/api/v1/games/ABCD/photos", None, 51_000_000, bytes(1000))
    assert answer_to(begun)[0] == 401
    assert server.ask("POST", server.deck(), (b"x" for _ in range(30_000)), **FORM)[0] == 400
    for path in ("/api/v1/session", "/share", "/nothing"):
        status, _, _ = server.ask("POST", path, b" " * 2_000_000, None, **{"Content-Type": "application/json"})
        assert status in {303, 404, 413, 422, 401}, path


def test_stalled_and_slow_uploads_are_cancelled(server: Server) -> None:
    """They get status 408 if the next chunk is late or the transfer is too slow in total."""
    path, began = server.deck(), time.monotonic()
    status, body = answer_to(server.begin(path, 0, 5_000_000, HEAD + bytes(100_000)))
    assert (status, body["type"]) == (408, "/problems/timeout")
    assert 1.5 < time.monotonic() - began < 6
    with server.begin(path, 0, 5_000_000, HEAD) as begun:
        begun.settimeout(0.5)
        answer, began = b"", time.monotonic()
        while not answer:
            try:
                begun.send(b"x")
                answer = begun.recv(65_536)
            except TimeoutError:
                assert time.monotonic() - began < 20
    assert answer.startswith(b"HTTP/1.1 408 ")


def test_stalled_uploads_release_their_connection_without_the_garbage_collector() -> None:
    """Granian may keep a connection open as long as something refers to its `receive`."""

    class Receive:
        async def __call__(self) -> dict[str, Any]:
            return await asyncio.get_running_loop().create_future()

    def app(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        # Werkzeug's requests and their environments form such cycles.
        environ["cycle"] = environ
        problem = environ[PROBLEM]
        start_response(f"{problem.status} ", [])
        return [b""]

    async def send(message: dict[str, Any]) -> None:
        sent.append(message.get("status"))

    sent: list[int | None] = []
    receive = Receive()
    released = weakref.ref(receive)
    headers = [(b"content-length", b"100")]
    how = {"method": "POST", "query_string": b"", "http_version": "1.1", "scheme": "http", "headers": headers}
    asgi = AsgiApp(app, limits=RequestLimits(pause=0.01))
    gc.disable()
    try:
        # This thread may already have an event loop, that of a browser.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, asgi({**how, "type": "http", "path": "/"}, receive, send)).result()
        del receive
        assert sent == [408, None]
        assert released() is None
    finally:
        gc.enable()


def test_concurrent_uploads_are_limited(server: Server) -> None:
    """Both for each caller and in total; further uploads are refused until others end."""
    mine, theirs = server.deck(), server.deck(1)
    picture = HEAD + bytes(100_000) + TAIL

    def respond(path: str, player: int, body: bytes = picture) -> tuple[int, str | None]:
        status, headers, _ = server.ask("POST", path, body, player, **FORM)
        return status, headers["Retry-After"]

    held = [server.begin(mine, 0, 5_000_000, HEAD) for _ in range(2)]
    time.sleep(0.3)
    assert respond(mine, 0) == (503, "5")
    assert respond(theirs, 1)[0] == 422, "no picture, but taken"
    for one in held:
        one.close()
    until(lambda: respond(mine, 0)[0] == 422)
    large = server.begin(mine, 0, 39_000_000, HEAD + bytes(38_000_000))
    time.sleep(0.5)
    assert respond(theirs, 1, HEAD + bytes(30_000_000) + TAIL) == (503, "5")
    large.close()


def test_files_are_sent_completely(server: Server) -> None:
    assert server.ask("GET", "/file")[2] == bytes(1_000_000)
    status, headers, body = server.ask("HEAD", "/file")
    assert (status, headers["Content-Length"], body) == (200, "1000000", b"")


@pytest.mark.thorough
def test_clients_that_do_not_read_block_no_threads(tmp_path: Path) -> None:
    """Their responses are cancelled; running responses are completed before SIGTERM ends the server.

    Request bodies go to the system's temporary folder if that of the server is read-only.
    """
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / SPOOL).write_text("not a folder")
    with Server(tmp_path / "data") as running:
        assert running.ask("POST", running.deck(), HEAD + bytes(200_000) + TAIL, **FORM)[0] == 422
        lazy = []
        for _ in range(50):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect(("127.0.0.1", running.port))
            one.sendall(b"GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
            lazy.append(one)
        assert running.ask("GET", "/healthz")[0] == 200
        assert running.process
        assert running.process.stdout
        for _ in lazy:
            assert running.process.stdout.readline() == "closed\n"
        for one in lazy:
            one.close()
        asked = socket.create_connection(("127.0.0.1", running.port), timeout=20)
        asked.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.5)
        assert running.stop() == 0
        read_until(asked, b"done")
        asked.close()


def stream(server: Server, method: str = "GET") -> socket.socket:
    opened = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    head = f"{method} /api/v1/me/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.tokens[0]}\r\n\r\n"
    opened.sendall(head.encode())
    return opened


def read_until(opened: socket.socket, word: bytes) -> bytes:
    """Return the data of a stream up to a word."""
    received = b""
    while word not in received:
        data = opened.recv(4096)
        assert data, received
        received += data
    return received


def test_a_stream_sends_changes(server: Server) -> None:
    """It begins with `start`; changes follow within a second. HEAD gets no stream."""
    opened = stream(server)
    received = read_until(opened, b'{"topic": "start"}')
    assert b"content-type: text/event-stream" in received
    assert b"content-length" not in received
    server.deck()
    read_until(opened, b'{"topic": "photos"}')
    opened.close()
    asked = stream(server, "HEAD")
    assert b"content-length: 0" in asked.recv(4096)
    asked.close()


def test_streams_and_uploads_block_no_threads(tmp_path: Path) -> None:
    """With many open ones, other requests are answered, and a shutdown ends streams first.

    A request body that does not fit on the disk with its reserve is refused.
    """
    with Server(tmp_path / "data", before="", reserve=1 << 60) as running:
        path = running.deck()
        status, _, body = running.ask("POST", path, HEAD + bytes(200_000) + TAIL, **FORM)
        assert (status, json.loads(body)["type"]) == (507, "/problems/disk-full")
        streams = [stream(running) for _ in range(6)]
        for one in streams:
            read_until(one, b"start")
        uploads = [running.begin(path, None, 1_000_000, bytes(1000)) for _ in range(100)]
        assert running.ask("GET", "/healthz")[0] == 200
        assert running.process
        threads = [len(list(Path(f"/proc/{one}/task").iterdir())) for one in descendants(running.process.pid)]
        assert max(threads) <= 64
        assert running.stop() == 0
        for one in streams:
            read_until(one, b"0\r\n\r\n")
        for one in [*streams, *uploads]:
            one.close()


def test_reset_connections_are_not_logged(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    path = server.deck()
    begun = [stream(server), server.begin(path, 0, 1_000_000, HEAD), server.begin("/environ", None, 0)]
    time.sleep(0.3)
    for one in begun:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.close()
    time.sleep(0.5)
    assert server.ask("GET", "/healthz")[0] == 200
    assert capfd.readouterr().err == ""


def test_paths_and_headers_are_passed_correctly(server: Server) -> None:
    """Percent signs are decoded once, header names with underscores are dropped, and cookies are joined."""
    body = json.loads(server.ask("GET", "/environ?a=%25&b=%C3%A9", **{"X_Forwarded_For": "forged", "X-Plain": "é"})[2])
    assert (body["QUERY_STRING"], body["HTTP_X_PLAIN"], body["REQUEST_METHOD"]) == ("a=%25&b=%C3%A9", "é", "GET")
    assert "HTTP_X_FORWARDED_FOR" not in body
    assert server.ask("GET", "/%2565nviron")[0] == 404
    assert server.ask("GET", "/%65nviron")[0] == 200
    # HTTP/2 may send each cookie in a separate header.
    headers = [(b"cookie", b"a=1"), (b"accept", b"text/html"), (b"cookie", b"b=2"), (b"accept", b"*/*")]
    how = {"method": "GET", "query_string": b"", "http_version": "2", "scheme": "https", "headers": headers}
    environ = environ_of({**how, "path": "/é"})
    assert (environ["HTTP_COOKIE"], environ["HTTP_ACCEPT"]) == ("a=1; b=2", "text/html,*/*")
    assert environ["PATH_INFO"] == "/é".encode().decode("latin-1")
