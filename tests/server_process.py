"""Ports, patience and ends of servers in processes of their own, for tests that go over the network."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time

START_LIMIT = 120.0
STOP_LIMIT = 25.0
"""Seconds from its signal within which a server and all that it has started are gone.

A container and a unit of systemd are killed after 30 s, and a scanning process that nobody ends goes by itself after as
many: one that only then is gone has not ended."""


def free_port() -> int:
    """Return a port that nobody listens at."""
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
    """End a process that was started in a session of its own, and all that it has started and left behind."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
