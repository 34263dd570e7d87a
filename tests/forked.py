"""Worker processes forked from a process that has imported their modules, which saves a second for each."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from typing import Any

import pytest

from server.games.photos import scan_pool
from server.workers import process_pool

SERVER_MODULES = (
    "server.games.printing.previews",
    "server.games.printing.files",
    "server.games.printing.runs",
)
"""Modules with the work of a server's worker processes."""
TEST_MODULES = ("pytest", "tests.scan_jobs")
"""Further modules for worker processes of tests."""


def _forkserver(*modules: str) -> Any:  # noqa: ANN401 - a context of any start method
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(modules))
    return context


def use_forkserver() -> None:
    """Let this process, a server, fork its worker processes."""
    process_pool._SPAWN = _forkserver(*SERVER_MODULES)


@pytest.fixture(scope="module")
def forkserver() -> Iterator[None]:
    """Fork the scan and worker processes of this test process."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (process_pool, scan_pool):
            patch.setattr(module, "_SPAWN", _forkserver(*SERVER_MODULES, *TEST_MODULES))
        yield
