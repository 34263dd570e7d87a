"""Starts a local server for tools that use its pages."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

if TYPE_CHECKING:
    from collections.abc import Iterator

START_LIMIT = 120.0
"""Seconds within which it answers."""


@contextlib.contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """Run a `haggle` command that serves on a free port; yield its address once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "server", *arguments, "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _await(f"http://127.0.0.1:{port}/healthz", server)
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait()


def _await(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    deadline = time.monotonic() + START_LIMIT
    while True:
        if server.poll() is not None or time.monotonic() > deadline:
            sys.exit("the server did not start")
        try:
            urlopen(url).close()  # noqa: S310 - our own server's address
        except (URLError, ConnectionError):
            time.sleep(0.2)
        else:
            return
