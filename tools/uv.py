"""Finds uv, which makes the environment, or installs it below the checkout."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tools.runner import FailedError
from tools.state import digest

if TYPE_CHECKING:
    from tools.places import Places
    from tools.runner import Runner
    from tools.state import State

OLDEST = (0, 5)
"""The oldest uv that knows all the options used here."""


def find_uv(runner: Runner, state: State, places: Places) -> Path:
    """Return a uv that is new enough: the one on the PATH, else our own, installed by pip where it is missing."""
    found = shutil.which("uv")
    if found and is_new_enough(runner, Path(found)):
        return Path(found)
    folder = places.home / "uv"
    own = folder / "bin" / "uv"
    fingerprint = digest(places.lock("uv"))
    if state["uv"] != fingerprint or not own.is_file():
        with runner.step("uv, the installer"):
            _install(runner, places, folder)
        state.finish("uv", fingerprint)
    return own


def is_new_enough(runner: Runner, uv: Path) -> bool:
    """Tell whether a uv works here and is not older than `OLDEST`."""
    try:
        version = re.match(r"uv (\d+)\.(\d+)", runner.run([uv, "--version"]))
    except FailedError:
        return False
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST


def _install(runner: Runner, places: Places, folder: Path) -> None:
    """Install uv with pip into a folder of its own, which the system's Python never sees."""
    fresh = folder.with_suffix(".new")
    shutil.rmtree(fresh, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    options = ["--only-binary", ":all:", "--require-hashes", "--target", str(fresh)]
    # People switch these on for their own work; both would refuse a folder of our own.
    more = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
    runner.download([*command, *options, "--requirement", places.lock("uv")], more=more)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.replace(folder)
