"""Helpers for tests that start server processes and call them over the network."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time

START_LIMIT = 120.0
STOP_LIMIT = 25.0
"""Seconds within which a server and its child processes end after a signal.

The limit is below 30 s, after which containers and systemd units are killed and orphaned scan processes exit."""


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def await_answer(port: int) -> None:
    """Wait until a server on this machine answers."""
    deadline = time.monotonic() + START_LIMIT
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=START_LIMIT) as probe:
                probe.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
                if probe.recv(20):
                    return
        except OSError:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.05)


def kill_group(leader: int) -> None:
    """Kill the process group of a process that was started in a new session."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
