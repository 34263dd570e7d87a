"""Where Prometheus asks for figures: a port of its own, which the pages' port knows nothing of.

On the loopback it needs no more. Anywhere else the caller shows a token, which lies in a file.
"""

from __future__ import annotations

import contextlib
import hmac
import ipaddress
import socket
import threading
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

if TYPE_CHECKING:
    from pathlib import Path

    from server.observe.metrics import Figures

LEAST_TOKEN = 20
"""Characters that a token has at least."""


class ListeningError(Exception):
    """Figures cannot be told as was asked; the message says why in one line."""


@dataclass(frozen=True)
class Ear:
    """Where figures are asked for: an address of this machine, a port, and the token that a caller shows ("": none)."""

    host: str
    port: int
    token: str = ""


def ear_of(where: str, token_file: Path | None = None) -> Ear:
    """Return what `PORT` or `HOST:PORT` means; the loopback where no host is named. ListeningError.

    An address that others reach needs a file with a token.
    """
    host, _, port = where.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not (port.isascii() and port.isdigit() and 0 <= int(port) <= 65535):  # noqa: PLR2004 - the highest port
        raise ListeningError(f"{where} is no place for figures: name a port, such as 9464, or an address and a port")
    token = _token(token_file) if token_file else ""
    if not token and not _is_here(host):
        raise ListeningError(
            f"others could reach the figures at {host}: name a file with a token of at least {LEAST_TOKEN}"
            " characters with --metrics-token, or listen at 127.0.0.1"
        )
    return Ear(host, int(port), token)


def listen(ear: Ear, figures: Figures | None) -> ThreadingHTTPServer:
    """Tell figures at a place, in threads of their own (None: there are none yet). ListeningError if it is taken."""

    class Handler(BaseHTTPRequestHandler):
        """Answers /metrics, and /healthz for whoever watches over a process that serves no pages."""

        timeout = 30
        server_version, sys_version = "haggle", ""

        def do_GET(self) -> None:
            """Answer."""
            if self.path == "/healthz":
                self._say(HTTPStatus.OK, b'{"status":"ok"}', "application/json")
            elif figures is None or self.path.partition("?")[0] != "/metrics":
                self._say(HTTPStatus.NOT_FOUND, b"There is nothing here but /metrics.\n")
            elif not self._may():
                self._say(HTTPStatus.UNAUTHORIZED, b"Show the token: Authorization: Bearer ...\n")
            else:
                self._say(HTTPStatus.OK, generate_latest(figures.registry), CONTENT_TYPE_PLAIN_0_0_4)

        def log_message(self, *_: object) -> None:
            """Log nothing: a look every few seconds is no news."""

        def _may(self) -> bool:
            shown = self.headers.get("Authorization", "").encode()
            return not ear.token or hmac.compare_digest(shown, f"Bearer {ear.token}".encode())

        def _say(self, status: HTTPStatus, body: bytes, media_type: str = "text/plain; charset=utf-8") -> None:
            with contextlib.suppress(ConnectionError):
                self.send_response(status)
                self.send_header("Content-Type", media_type)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Cache-Control", "no-store")
                if status is HTTPStatus.UNAUTHORIZED:
                    self.send_header("WWW-Authenticate", "Bearer")
                self.end_headers()
                self.wfile.write(body)

    class Server(ThreadingHTTPServer):
        """Listens in the family of its address."""

        address_family = socket.AF_INET6 if ":" in ear.host else socket.AF_INET
        daemon_threads = True

    try:
        server = Server((ear.host, ear.port), Handler)
    except OSError as error:
        raise ListeningError(
            f"figures cannot be told at {ear.host}, port {ear.port}: {error.strerror}; choose another with --metrics"
        ) from None
    threading.Thread(target=server.serve_forever, name="haggle-metrics", daemon=True).start()
    return server


def _token(file: Path) -> str:
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError):
        raise ListeningError(f"{file} cannot be read: it should hold the token for the figures") from None
    if len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise ListeningError(f"{file} holds no token: one word of at least {LEAST_TOKEN} plain characters")
    return token


def _is_here(host: str) -> bool:
    """Tell whether an address is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
