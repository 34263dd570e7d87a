"""A checkout with fake programs (uv, npm, Python, apt), for tests of the set-up without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools.paths import Paths

ROOT = Path(__file__).parents[2]

FAKES = {
    "fake-python": """
case "$*" in
*"import pyzbar"*) [ -e "$bin/zbar" ] ;;
*playwright*) exit 1 ;;
*"-P -m server "*) echo "cwd=$(pwd -P)"; echo "PYTHONPATH=$PYTHONPATH"; for word; do echo "<$word>"; done; exit 7 ;;
*"-m pytest"*) echo "cwd=$(pwd -P)"; exit 5 ;;
esac""",
    "uv": """
[ "$1" != --version ] || { echo "uv 0.13.8"; exit; }
for last; do :; done
case "$*" in
venv*) mkdir -p "$last/bin" "$last/lib/python3.11/site-packages"; cp "$bin/fake-python" "$last/bin/python" ;;
*sync*)
    while [ -e "$bin/hold" ]; do sleep 0.05; done
    [ ! -e "$bin/fail" ] || { cat "$bin/fail"; exit 1; }
    cp "$last" "$root/.haggle/venv/lib/python3.11/site-packages/installed" ;;
esac""",
    "npm": """
case "$*" in
--version) echo 11.0.0 ;;
ci*) mkdir -p node_modules/preact ;;
esac""",
    "node": """
case "$*" in
--version) echo v20.19.0 ;;
*"--mode test") mkdir dist-test ;;
*build) mkdir dist ;;
esac""",
    "id": 'if [ -e "$bin/root" ]; then echo 0; else echo 1000; fi',
    "apt-get": """
case "$*" in
*libzbar0*) [ ! -e "$bin/fail" ] || exit 100; touch "$bin/zbar" ;;
update) rm -f "$bin/fail" ;;
"download caddy") touch caddy_2.6.2_amd64.deb ;;
esac""",
    "dpkg-deb": '[ "$*" = "-x caddy_2.6.2_amd64.deb ." ] || exit 2; mkdir -p usr/bin; cp "$0" usr/bin/caddy',
}
"""Scripts of the fake programs. They log their calls, and files in their folder change their behaviour."""


@dataclass(frozen=True)
class Checkout:
    """A copy of the set-up in a temporary folder, and the folder of fake programs on its PATH."""

    paths: Paths
    bin: Path

    @property
    def calls(self) -> list[str]:
        """All calls of programs so far, without those for the version of uv, one line each: name and arguments."""
        log = self.bin / "calls"
        return [call for call in log.read_text().splitlines() if call != "uv --version"] if log.exists() else []

    @property
    def installed(self) -> str:
        """The requirements that were last installed into the environment."""
        return (self.paths.environment / "lib" / "python3.11" / "site-packages" / "installed").read_text()

    def count(self, start: str) -> int:
        """Return the number of calls that begin with a text."""
        return sum(call.startswith(start) for call in self.calls)

    def clear(self) -> None:
        """Forget the calls so far."""
        (self.bin / "calls").write_text("")

    def switch(self, name: str, text: str = "") -> None:
        """Change the behaviour of fake programs: `fail` (with the output of uv), `hold`, `root`, `zbar`."""
        (self.bin / name).write_text(text)

    def start(self, *arguments: str, command: str | Path = "", folder: Path | None = None) -> subprocess.Popen[str]:
        """Start the command with another PYTHONPATH and the Python of these tests."""
        path = f"{self.bin}:{os.path.dirname(sys.executable)}:/usr/bin:/bin"  # noqa: PTH120 - a folder for PATH, as text
        return subprocess.Popen(
            [command or self.paths.root / "haggle", *arguments],
            cwd=folder or self.bin,
            env={"PATH": path, "HOME": str(self.bin), "PYTHONPATH": "/somewhere/else"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def call(self, *arguments: str, command: str | Path = "", folder: Path | None = None) -> tuple[int, str, str]:
        """Run the command as `start` does; return its exit code, output and errors."""
        with self.start(*arguments, command=command, folder=folder) as process:
            output, errors = process.communicate()
        return process.returncode, output, errors


def make_checkout(folder: Path) -> Checkout:
    """Copy the files of the set-up to `folder`/my games, with fake programs in `folder`/bin."""
    root, programs = folder / "my games", folder / "bin"
    for packages in ("web", "tests/packages"):
        (root / packages).mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(ROOT / packages / name, root / packages)
    shutil.copy(ROOT / "haggle", root)
    shutil.copytree(ROOT / "tools", root / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "locks", root / "locks")
    programs.mkdir()
    for name, script in FAKES.items():
        head = f'#!/bin/sh\nbin="{programs}" root="{root}"\necho "{name} $*" >> "$bin/calls"\n'
        (programs / name).write_text(f"{head}{script}\n")
        (programs / name).chmod(0o755)
    return Checkout(Paths(root), programs)
