"""Spoils files for the scanner beside the other tests, on the processor's time that they leave."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = os.environ.get("HAGGLE_FUZZ_SECONDS")
"""How long files are spoilt; the cases are the same ones each time."""

ALL, PART = 120, 15
"""Seconds unless something else is said: when all tests run, and when a few do."""

_MANY = 1000
# Tests from which on it is a run of all.
_RUNNING = pytest.StashKey[tuple["subprocess.Popen[str]", float]]()


_SIDE_BY_SIDE = "PYTEST_XDIST_WORKER" in os.environ
# Whether other processes run the other tests meanwhile.


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Wait for the fuzzer at the very end; where others run tests meanwhile, at the very beginning."""
    items.sort(key=_waits, reverse=_SIDE_BY_SIDE)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Start the fuzzer if a test waits for it in this process."""
    if not session.config.option.collectonly and not _SIDE_BY_SIDE and any(map(_waits, session.items)):
        _start(session)


def _start(session: pytest.Session) -> None:
    seconds = float(SECONDS) if SECONDS else ALL if len(session.items) > _MANY else PART
    process = subprocess.Popen(
        [sys.executable, "-m", "tools.fuzz", "--seconds", str(seconds)],
        cwd=Path(__file__).resolve().parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    session.config.stash[_RUNNING] = process, seconds


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the fuzzer if the tests were called off."""
    process, _ = config.stash.get(_RUNNING, (None, 0))
    if process is not None:
        with process:
            process.kill()


@pytest.fixture(scope="session")
def fuzzed(request: pytest.FixtureRequest) -> tuple[float, str]:
    """Wait for the fuzzer to end; return for how many seconds it ran and what it said."""
    if _SIDE_BY_SIDE:
        _start(request.session)
    process, seconds = request.config.stash[_RUNNING]
    said, _ = process.communicate(timeout=seconds + 120)
    return seconds, said


def _waits(item: pytest.Item) -> bool:
    return "fuzzed" in getattr(item, "fixturenames", ())
