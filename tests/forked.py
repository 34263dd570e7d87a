"""Processes of a server's own that are forked from one that has read what they need: to read it takes a second."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from typing import Any

import pytest

from server.games.photos import scan_pool
from server.workers import process_pool

READ = ("server.games.printing.previews", "server.games.printing.print_files", "server.games.printing.print_runs")
"""What holds the work that servers do apart; with it comes all that draws."""
HERE = ("pytest", "tests.scan_jobs")
"""What else the processes of a test's own process read."""


def _forking(*read: str) -> Any:  # noqa: ANN401 - it starts processes as the spawning context does
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(read))
    return context


def fork_apart() -> None:
    """Let this process, a server, fork those that do its work apart."""
    process_pool._SPAWN = _forking(*READ)


@pytest.fixture(scope="module")
def forks() -> Iterator[None]:
    """Let the test's own process fork those that scan and work apart."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (process_pool, scan_pool):
            patch.setattr(module, "_SPAWN", _forking(*READ, *HERE))
        yield
