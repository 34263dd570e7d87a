"""Installs the locked npm packages of the front end and the tests, with the system's npm or one from PyPI."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tools.environment import find_uv, install_tool
from tools.state import digest, read_stamp, write_stamp

if TYPE_CHECKING:
    from pathlib import Path

    from tools.paths import Paths
    from tools.runner import Runner

RIGHT_NPM = "npm --version | grep -Eq '^([7-9]|[1-9][0-9])\\.'"
"""npm 7 is the first version that reads the format of the lock files."""


def is_ready(paths: Paths, *, dev: bool) -> bool:
    """Return whether all packages are installed; with `dev` also those of the tests."""
    return not _missing(paths, dev=dev)


def install(runner: Runner, paths: Paths, *, dev: bool) -> None:
    """Install missing packages. npm empties each folder first, so that an interrupted installation does no harm."""
    missing = _missing(paths, dev=dev)
    npm = find_npm(runner, paths) if missing else []
    for folder in missing:
        with runner.step(f"npm packages in {folder.relative_to(paths.root)}"):
            options = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
            runner.run([*npm, "ci", *options], folder)
        write_stamp(folder / "node_modules", _made_from(folder))


def find_npm(runner: Runner, paths: Paths) -> list[str | Path]:
    """Return the system's npm if it is new enough, otherwise one that is installed into the checkout."""
    if runner.works("sh", "-c", RIGHT_NPM):
        return ["npm"]
    uv = find_uv(runner, paths)
    install_tool(runner, paths, "node", [uv, "pip", "install", "--quiet", "--python", sys.executable])
    return [paths.node, paths.node.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"]


def _missing(paths: Paths, *, dev: bool) -> list[Path]:
    folders = [paths.web, paths.measures] if dev else [paths.web]
    return [folder for folder in folders if read_stamp(folder / "node_modules") != _made_from(folder)]


def _made_from(folder: Path) -> str:
    return digest(folder / "package.json", folder / "package-lock.json")
