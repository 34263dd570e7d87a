"""Caddy in front of a real server: HTTPS, cookies, uploads, streams and client addresses.

The set-up of the tests installs Caddy if possible; otherwise these tests are skipped, or fail if `CI` is set.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from server.games.audit import SERVER
from server.games.server_config import reset_password
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.context import new_game
from tests.game_server import GameServer
from tests.server_process import free_port, kill_group
from tests.waiting import until
from tools.paths import Paths

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
CADDYFILE = ROOT / "deploy" / "Caddyfile"
CADDY = shutil.which("caddy") or shutil.which(Paths(ROOT).caddy)
PASSWORD = "three plain words"  # noqa: S105 - of this test's server
LIMIT = 120.0

pytestmark = pytest.mark.skipif(
    CADDY is None and not os.environ.get("CI"), reason="there is no Caddy (as root: apt install caddy)"
)


class Front:
    """A client of Caddy."""

    def __init__(self, port: int, game: str) -> None:
        self.port, self.game = port, game
        self.origin = f"https://localhost:{port}"

    def open(self) -> http.client.HTTPSConnection:
        """Return a connection that accepts Caddy's internal certificate."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return http.client.HTTPSConnection("localhost", self.port, timeout=LIMIT, context=context)

    def call(
        self, method: str, path: str, body: dict[str, Any] | bytes | Iterator[bytes] | None = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Return status, headers and body of a response."""
        connection = self.open()
        body = json.dumps(body).encode() if isinstance(body, dict) else body
        sent = {
            "Origin": self.origin,
            "Content-Type": "application/json",
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        with contextlib.suppress(BrokenPipeError, ConnectionResetError, ssl.SSLEOFError):
            connection.request(method, path, body, sent)
        try:
            with connection.getresponse() as answer:
                return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def signed_in(self) -> str:
        """Sign in as an organiser; return the cookie."""
        status, headers, body = self.call("POST", "/api/v1/session", {"name": "Olga", "password": PASSWORD})
        assert status == 201, body
        return "; ".join(line.partition(";")[0] for line in headers.get_all("Set-Cookie", []))


@contextlib.contextmanager
def caddy(folder: Path, change: tuple[str, str], **variables: str) -> Iterator[None]:
    """Run Caddy with `deploy/Caddyfile`, one change in it, and another admin port."""
    written = CADDYFILE.read_text(encoding="utf-8").replace(*change, 1)
    file = folder / "Caddyfile"
    options = f"{{\n\tskip_install_trust\n\thttp_port {free_port()}\n\tadmin localhost:{free_port()}\n\tservers"
    file.write_text(written.replace("{\n\tservers", options, 1), encoding="utf-8")
    folders = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = [str(CADDY), "run", "--config", file, "--adapter", "caddyfile"]
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(
            command, env={**os.environ, **variables, **folders}, stderr=log, start_new_session=True
        )
    try:
        yield
    finally:
        kill_group(running.pid)
        running.wait()


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    """Start a server, and Caddy in front of it with an internal certificate."""
    folder = tmp_path_factory.mktemp("caddy")
    context = open_context(AppConfig(folder / "data"))
    reset_password(context, PASSWORD, SERVER)
    game = new_game(context)
    context.database.close()
    port, own = free_port(), ("\theader Strict", "\ttls internal\n\theader Strict")
    with GameServer(folder / "data", proxies=1) as server:
        addresses = {"HAGGLE_DOMAIN": f"localhost:{port}", "HAGGLE_UPSTREAM": f"127.0.0.1:{server.port}"}
        with caddy(folder, own, **addresses):
            front = Front(port, game)
            until(lambda: _healthy(front), LIMIT)
            yield front


def _healthy(front: Front) -> bool:
    with contextlib.suppress(OSError, http.client.HTTPException):
        return front.call("GET", "/healthz")[0] == 200
    return False


def test_pages_and_cookies_need_https(front: Front) -> None:
    """Pages have security headers with HSTS; metrics are not accessible."""
    status, headers, body = front.call("GET", "/desk")
    assert status == 200
    assert b"<title" in body
    assert headers["Strict-Transport-Security"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert front.call("GET", "/metrics")[0] == 404
    cookies = front.call("POST", "/api/v1/session", {"name": "Olga", "password": PASSWORD})[1].get_all("Set-Cookie", [])
    assert cookies
    assert all(cookie.startswith("__Host-") and "Secure" in cookie for cookie in cookies)


@pytest.mark.parametrize(("size", "status"), [(30_000_000, 422), (41_000_000, 413), (200_000_000, 413)])
def test_large_photos_are_passed_on(front: Front, size: int, status: int) -> None:
    """A photo of 30 MB reaches the server; one that is too large is refused."""
    form = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n%s\r\n--end--\r\n'
    body = front.call(
        "POST",
        f"/api/v1/games/{front.game}/photos",
        form % bytes(size),
        Cookie=front.signed_in(),
        Content_Type="multipart/form-data; boundary=end",
        Idempotency_Key=str(size),
    )
    assert body[0] == status, body[2][:300]
    # Refusals of Caddy and of the server have the same problem document.
    assert body[1]["Content-Type"] == "application/problem+json"
    problem = json.loads(body[2])
    assert problem["status"] == status
    if status == 413:
        assert (problem["type"], problem["limit"]) == ("/problems/too-many-bytes", AppConfig.max_photo_bytes)


@pytest.mark.parametrize("length", [60_000_000, None])
def test_game_archives_are_passed_on(front: Front, length: int | None) -> None:
    """Archives may be larger than photos."""
    body = front.call(
        "POST",
        "/api/v1/games/import",
        bytes(length) if length else (bytes(1_000_000) for _ in range(60)),
        Cookie=front.signed_in(),
        Content_Type="application/zip",
        Idempotency_Key=f"game-{length}",
    )
    assert body[0] == 422, body[2][:300]
    assert json.loads(body[2])["type"].endswith("wrong-file"), body[2][:300]


def test_event_streams_are_not_buffered(front: Front) -> None:
    cookie = front.signed_in()
    with contextlib.closing(front.open()) as connection:
        connection.request("GET", f"/api/v1/games/{front.game}/events", headers={"Cookie": cookie})
        with connection.getresponse() as answer:
            assert answer.headers["Content-Type"].startswith("text/event-stream")
            assert _next(answer)["topic"] == "start"
            status, _, body = front.call("PATCH", f"/api/v1/games/{front.game}", {"name": "Another"}, Cookie=cookie)
            assert status == 200, body
            assert _next(answer)["topic"] == "game"


def test_forged_client_addresses_are_ignored(front: Front) -> None:
    """Rate limits use the address that Caddy sees, not forwarding headers of clients."""
    wrong = {"name": "Olga", "password": "no such words"}
    found = [
        front.call("POST", "/api/v1/session", wrong, X_Forwarded_For=f"192.0.2.{number}")[0] for number in range(12)
    ]
    assert found[-1] == 429


def test_an_unavailable_server_gets_503_with_retry_after(tmp_path: Path) -> None:
    """While no server listens, responses have Retry-After.

    Programs get a problem document, browsers a page that reloads itself, so that the secret
    in the fragment of a label's link is kept.
    """
    port, soon = free_port(), ("lb_try_duration 5s", "lb_try_duration 200ms")
    addresses = {"HAGGLE_DOMAIN": f"http://localhost:{port}", "HAGGLE_UPSTREAM": f"127.0.0.1:{free_port()}"}
    with caddy(tmp_path, soon, **addresses):
        until(lambda: _listens(port), LIMIT)
        for wanted in ("*/*", "text/html,application/xhtml+xml,*/*;q=0.8"):
            connection = http.client.HTTPConnection("localhost", port, timeout=LIMIT)
            connection.request("GET", "/api/v1/me", headers={"Accept": wanted})
            with connection.getresponse() as answer:
                assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
                assert answer.headers["Cache-Control"] == "no-store"
                kind, body = answer.headers["Content-Type"], answer.read().decode()
            connection.close()
            if wanted == "*/*":
                assert kind == "application/problem+json"
                assert json.loads(body)["type"] == "/problems/busy"
            else:
                assert kind == "text/html; charset=utf-8"
                assert "location.reload()" in body


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _next(answer: http.client.HTTPResponse) -> dict[str, Any]:
    while True:
        line = answer.readline()
        assert line, "the stream has ended"
        if line.startswith(b"data: "):
            body: dict[str, Any] = json.loads(line[6:])
            return body
