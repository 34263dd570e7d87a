"""Installs the front end's locked packages, with the system's npm or one from the Python package index."""

from __future__ import annotations

import re
import shutil
import sys
from typing import TYPE_CHECKING

from tools.runner import FailedError
from tools.state import digest
from tools.uv import find_uv

if TYPE_CHECKING:
    from tools.places import Places
    from tools.runner import Runner
    from tools.state import State

OLDEST_NPM = 7
"""The first npm that reads the lock file's version."""


def fingerprint(places: Places) -> str:
    """Return the fingerprint of the front end's packages."""
    return digest(places.web / "package.json", places.web / "package-lock.json")


def is_ready(state: State, places: Places) -> bool:
    """Tell whether the front end's packages are all there."""
    return state["web"] == fingerprint(places) and (places.modules / ".package-lock.json").is_file()


def install_modules(runner: Runner, state: State, places: Places) -> None:
    """Install the front end's packages as they are locked. npm empties the folder first, so a rest does no harm."""
    npm = find_npm(runner, state, places)
    state.forget("web")
    with runner.step("front-end packages"):
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
        runner.download([*npm, "ci", *options], folder=places.web)
    state.finish("web", fingerprint(places))


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
