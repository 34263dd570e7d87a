"""Makes the virtual environment from the locked, hashed requirements, and repairs it."""

from __future__ import annotations

import ctypes
import os
import platform
import re
import shutil
import sys
from typing import TYPE_CHECKING

from tools.runner import FailedError
from tools.state import digest
from tools.uv import find_uv

if TYPE_CHECKING:
    from pathlib import Path

    from tools.places import Places
    from tools.runner import Runner
    from tools.state import State

PYTHONS = ">=3.11,<3.15"
"""The Pythons for which the locks are made."""
OLDEST, FIRST_TOO_NEW = (3, 11), (3, 15)
RUNTIME, DEV = "runtime", "dev"


def is_ready(state: State, places: Places, *, dev: bool) -> bool:
    """Tell whether the environment is complete; one for development also serves to run the product."""
    wanted = [fingerprint(places, DEV)] if dev else [fingerprint(places, DEV), fingerprint(places, RUNTIME)]
    return state["environment"] in wanted and os.access(places.python, os.X_OK)


def fingerprint(places: Places, kind: str) -> str:
    """Return the fingerprint of an environment: its locks, and the Python below it.

    A new release of the system may bring another Python under the same name, which finds no packages.
    """
    locks = (places.lock(name) for name in (RUNTIME, DEV, "headless"))
    return f"{kind} {digest(*locks, os.path.realpath(places.python))}"


def make_environment(runner: Runner, state: State, places: Places, *, dev: bool) -> None:
    """Make or repair the environment. Packages for development stay when the product is all that is wanted."""
    kind = DEV if dev or state["environment"].startswith(DEV) else RUNTIME
    uv = find_uv(runner, state, places)
    # A file left by a killed run says that packages may be there in part: then it is made anew.
    unfinished = places.home / "venv.unfinished"
    if unfinished.exists() or not _works(runner, places):
        with runner.step("Python environment"):
            unfinished.touch()
            shutil.rmtree(places.environment, ignore_errors=True)
            runner.download([uv, "venv", "--quiet", "--relocatable", "--python", _python(), places.environment])
    unfinished.touch()
    count = len(re.findall(r"^[a-z0-9]", places.lock(kind).read_text("utf-8"), re.MULTILINE))
    with runner.step(f"{count} Python packages"):
        _fill(runner, uv, places, kind)
    unfinished.unlink()
    state.finish("environment", fingerprint(places, kind))


def _works(runner: Runner, places: Places) -> bool:
    """Tell whether the environment's Python starts and is one for which the locks are made."""
    check = f"import sys; sys.exit(not {OLDEST} <= sys.version_info < {FIRST_TOO_NEW})"
    try:
        runner.run([places.python, "-c", check])
    except FailedError:
        return False
    return True


def _python() -> str:
    """Return the Python to build on: the one that runs this if it fits, else whatever uv finds or fetches."""
    return sys.executable if OLDEST <= sys.version_info < FIRST_TOO_NEW else PYTHONS


def _fill(runner: Runner, uv: Path, places: Places, kind: str) -> None:
    """Install the packages of a lock; with OpenCV's build for servers where the usual one does not load."""
    plain = places.lock(kind)
    if not has_screen_libraries():
        _sync(runner, uv, places, headless_lock(places, kind))
        return
    _sync(runner, uv, places, plain)
    try:
        runner.run([places.python, "-c", "import cv2"])
    except FailedError:
        _sync(runner, uv, places, headless_lock(places, kind))


def _sync(runner: Runner, uv: Path, places: Places, lock: Path) -> None:
    # Building OpenCV where there is no ready-made package would take hours, so that is an error.
    options = ["--quiet", "--require-hashes", "--no-build"]
    runner.download([uv, "pip", "sync", *options, "--python", places.python, lock])


def has_screen_libraries() -> bool:
    """Tell whether this system has what opencv-python needs of a desktop; asked first to spare a large download."""
    if platform.system() != "Linux":
        return True
    try:
        ctypes.CDLL("libGL.so.1")
    except OSError:
        return False
    return True


def headless_lock(places: Places, kind: str) -> Path:
    """Write a copy of a lock with opencv-python replaced by its build without windows, and return its path."""
    blocks = re.split(r"(?m)^(?=[A-Za-z0-9])", places.lock(kind).read_text("utf-8"))
    others = [block for block in blocks if not block.startswith("opencv-python==")]
    path = places.home / f"{kind}-headless.txt"
    path.write_text("".join(others) + "\n" + places.lock("headless").read_text("utf-8"), "utf-8")
    return path
