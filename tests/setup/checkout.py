"""A checkout whose uv, npm and Python are small scripts, so that the set-up can be watched without a network."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from tools import environment, web
from tools.places import Places
from tools.state import State

ROOT = Path(__file__).parents[2]

PYTHON = """#!/bin/sh
echo "python $*" >> "{calls}"
case "$*" in
*"import cv2"*) [ ! -e "{bin}/no-screen" ] || ! grep -q '^opencv-python==' "{root}/.haggle/venv/installed" ;;
*"import pyzbar"*) [ -e "{bin}/zbar" ] ;;
*"-m server "*) echo "cwd=$(pwd -P)"; echo "PYTHONPATH=$PYTHONPATH"; for word; do echo "<$word>"; done; exit 7 ;;
*"-m pytest"*) echo "cwd=$(pwd -P)"; exit 5 ;;
esac
"""

UV = """#!/bin/sh
echo "uv $*" >> "{calls}"
[ "$1" != --version ] || {{ echo "uv 0.13.8"; exit; }}
[ ! -e "{bin}/proxy" ] || [ "${{UV_SYSTEM_CERTS:-}}" = true ] || {{ echo "peer certificate: UnknownIssuer"; exit 2; }}
for last; do :; done
case "$*" in
venv*) mkdir -p "$last/bin" && cp "{bin}/fake-python" "$last/bin/python" ;;
*sync*) [ ! -e "{bin}/fail" ] || {{ cat "{bin}/fail"; exit 1; }}; cp "$last" "{root}/.haggle/venv/installed" ;;
esac
"""

NPM = """#!/bin/sh
echo "npm $*" >> "{calls}"
case "$*" in
--version) echo 11.0.0 ;;
ci*) mkdir -p node_modules && touch node_modules/.package-lock.json ;;
esac
"""


@dataclass(frozen=True)
class Checkout:
    """A copy of the set-up in a folder of its own, and the fake programs on its PATH."""

    places: Places
    bin: Path

    @property
    def calls(self) -> list[str]:
        """The programs called so far, one line each: name and arguments."""
        log = self.bin / "calls"
        return log.read_text().splitlines() if log.exists() else []

    def count(self, start: str) -> int:
        """Return how many calls begin with some words."""
        return sum(call.startswith(start) for call in self.calls)

    def clear(self) -> None:
        """Forget the calls so far."""
        (self.bin / "calls").write_text("")

    def switch(self, name: str, text: str = "") -> None:
        """Change how the fakes behave: `proxy`, `fail` (with what uv prints), `no-screen`, `zbar`."""
        (self.bin / name).write_text(text)

    def mark_ready(self) -> None:
        """Make the checkout look as if its set-up had been done, for the tests as well."""
        self.places.python.parent.mkdir(parents=True)
        shutil.copy(self.bin / "fake-python", self.places.python)
        state = State(self.places)
        state.finish("environment", environment.fingerprint(self.places, environment.DEV))
        for modules in web.needed(self.places, dev=True):
            modules.installed.mkdir()
            (modules.installed / ".package-lock.json").touch()
            state.finish(modules.part, modules.fingerprint())
        for part in ("zbar", "browser", "shell", "redis", "caddy"):
            state.finish(part, "here")


def make_checkout(folder: Path) -> Checkout:
    """Copy what the set-up needs of the repository to `folder`/my games, with fake programs in `folder`/bin."""
    root, programs = folder / "my games", folder / "bin"
    programs.mkdir()
    root.mkdir()
    shutil.copy(ROOT / "haggle", root)
    shutil.copytree(ROOT / "tools", root / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "locks", root / "locks")
    for packages in ("web", "tests/packages"):
        (root / packages).mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(ROOT / packages / name, root / packages)
    (root / ".haggle").mkdir()
    for name, script in (("fake-python", PYTHON), ("uv", UV), ("npm", NPM)):
        (programs / name).write_text(script.format(calls=programs / "calls", bin=programs, root=root))
        (programs / name).chmod(0o755)
    return Checkout(Places(root), programs)
