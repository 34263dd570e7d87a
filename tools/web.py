"""Installs locked npm packages, the front end's and the tests', with the system's npm or one from Python's index."""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.runner import FailedError
from tools.state import digest
from tools.uv import find_uv

if TYPE_CHECKING:
    from pathlib import Path

    from tools.places import Places
    from tools.runner import Runner
    from tools.state import State

OLDEST_NPM = 7
"""The first npm that reads the lock file's version."""


@dataclass(frozen=True)
class Modules:
    """Some npm packages: a folder with `package.json` and its lock. `part` is their name in the set-up's state."""

    part: str
    what: str
    folder: Path

    @property
    def installed(self) -> Path:
        """Return where npm puts them; git-ignored."""
        return self.folder / "node_modules"

    def fingerprint(self) -> str:
        """Return the fingerprint of what is locked."""
        return digest(self.folder / "package.json", self.folder / "package-lock.json")

    def is_ready(self, state: State) -> bool:
        """Tell whether all of them are there."""
        return state[self.part] == self.fingerprint() and (self.installed / ".package-lock.json").is_file()

    def install(self, runner: Runner, state: State, places: Places) -> None:
        """Install them as they are locked. npm empties the folder first, so a rest does no harm."""
        npm = find_npm(runner, state, places)
        state.forget(self.part)
        with runner.step(self.what):
            options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
            runner.download([*npm, "ci", *options], folder=self.folder)
        state.finish(self.part, self.fingerprint())


def front_end(places: Places) -> Modules:
    """Describe the packages that the pages are made with."""
    return Modules("web", "front-end packages", places.web)


def measures(places: Places) -> Modules:
    """Describe the packages that the tests measure the pages with."""
    return Modules("measures", "what measures the pages", places.measures)


def needed(places: Places, *, dev: bool) -> list[Modules]:
    """Return what has to be there; with `dev` for the tests as well."""
    return [front_end(places), measures(places)] if dev else [front_end(places)]


def find_npm(runner: Runner, state: State, places: Places) -> list[str]:
    """Return the command of an npm that is new enough: the system's, else our own."""
    found = shutil.which("npm")
    if found and _is_new_enough(runner, found):
        return [found]
    folder = places.home / "node"
    npm = places.node.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    mark = digest(places.lock("node"))
    if state["node"] != mark or not places.node.is_file():
        uv = find_uv(runner, state, places)
        with runner.step("Node.js, for the front-end packages"):
            fresh = folder.with_suffix(".new")
            shutil.rmtree(fresh, ignore_errors=True)
            command = [str(uv), "pip", "install", "--quiet", "--require-hashes", "--python", sys.executable]
            runner.download([*command, "--target", str(fresh), "--requirement", str(places.lock("node"))])
            shutil.rmtree(folder, ignore_errors=True)
            fresh.replace(folder)
        state.finish("node", mark)
    return [str(places.node), str(npm)]


def _is_new_enough(runner: Runner, npm: str) -> bool:
    try:
        version = re.search(r"^(\d+)\.", runner.run([npm, "--version"]), re.MULTILINE)
    except FailedError:
        return False
    return version is not None and int(version[1]) >= OLDEST_NPM
