"""Servers of a bench: what is said of one that ended by itself, and that nothing of them is left."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from benchmarks.load.servers import Servers, ServersError, Usage, Watch
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 60.0


def group_is_there(group: int) -> bool:
    """Tell whether a group of processes has one that runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def ended(servers: Servers) -> bool:
    """Tell whether the check says that one has ended."""
    try:
        servers.check()
    except ServersError:
        return True
    return False


def test_one_whose_first_process_is_killed_leaves_nothing(tmp_path: Path) -> None:
    """Its serving process is stopped where it stands, so that it cannot end by itself."""
    log = tmp_path / "log"
    with Servers(tmp_path / "data", 1, log) as servers:
        servers.check()
        (first,) = servers.pids
        with log.open("a") as lines:
            lines.write("2026-11-21T17:58:00.000Z error haggle: the last of ours\n")
            lines.write("2026-11-21T17:58:00.045Z error _granian: Unexpected exit from worker-1\n")
        (serving,) = children(first)
        os.kill(serving, signal.SIGSTOP)
        os.kill(first, signal.SIGKILL)
        until(lambda: ended(servers))
        with pytest.raises(ServersError, match=r"ended by itself: .* the last of ours"):
            servers.check()
        assert group_is_there(first)
    until(lambda: not group_is_there(first))


def children(parent: int) -> list[int]:
    """Return the processes that a process started and that serve."""
    with Watch([parent]) as watch:
        assert watch.roles["server"] != Usage()
    return [pid for pid, (role, _) in watch.seconds.items() if role == "server"]


def test_what_only_the_library_said_is_better_than_nothing(tmp_path: Path) -> None:
    """Where no line of ours is there, its last one is said, and none from before the start."""
    log = tmp_path / "log"
    log.write_text("of another server\n")
    with Servers(tmp_path / "data", 1, log) as servers:
        with log.open("a") as lines:
            lines.write("2026-11-21T17:58:00.045Z error _granian: Unexpected exit from worker-1\n")
        os.kill(servers.pids[0], signal.SIGKILL)
        until(lambda: ended(servers))
        with pytest.raises(ServersError, match="Unexpected exit from worker-1"):
            servers.check()
