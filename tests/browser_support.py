"""Paths of Chromium and Node.js for tests."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from server.cli.doctor import find_browser, find_shell
from tools.paths import Paths

MISSING = "no Chromium found, so no browser test runs: install it (Debian: apt install chromium) or set HAGGLE_BROWSER"
NO_DRIVER = "Playwright does not start, so no browser test runs (Debian: apt install libatomic1)"


def browser_path(*, whole: bool = True) -> Path:
    """Return the path of a working Chromium, for Playwright's `executable_path`.

    Unless it has to be `whole`, the headless shell is preferred. Without a browser or Playwright, the calling test is
    skipped, or fails if `CI` is set.
    """
    found = (None if whole else find_shell()) or find_browser()
    if found is None:
        _give_up(MISSING)
    if not _driver_starts():
        _give_up(NO_DRIVER)
    return found


def node() -> str:
    """Return the path of Node.js."""
    own = Paths(Path(__file__).parents[1]).node
    found = str(own) if own.is_file() else shutil.which("node")
    if not found:
        pytest.fail("there is no Node.js: run ./haggle test once")
    return found


def _give_up(reason: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@functools.cache
def _driver_starts() -> bool:
    command = [sys.executable, "-m", "playwright", "--version"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
