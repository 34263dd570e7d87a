"""Installs the locked npm packages of the pages and the tests, and builds the pages."""

from __future__ import annotations

import hashlib
import shutil
import sys
from typing import TYPE_CHECKING

from tools.environment import find_uv, install_tool
from tools.state import digest, read_stamp, write_stamp

if TYPE_CHECKING:
    from pathlib import Path

    from tools.paths import Paths
    from tools.runner import Runner

OLDEST_NPM = (7,)
"""The first version that reads the format of the lock files."""
RIGHT_NODES = (((20, 19), (21,)), ((22, 12), (23,)), ((24,), (1000,)))
"""The versions of Node.js that Vite supports: first ones, and those that follow the last ones."""
PRODUCT, DEV = "product", "dev"
BUILDS = {"dist": (), "dist-test": ("--mode", "test")}
"""Folders of the builds of the pages, and Vite's arguments: the product's, and one from which tests import modules."""


def is_ready(paths: Paths, *, dev: bool) -> bool:
    """Return whether all packages are installed and the pages are built; with `dev` also those of the tests."""
    return not _missing(paths, dev=dev) and not _outdated(paths, dev=dev)


def install(runner: Runner, paths: Paths, *, dev: bool) -> None:
    """Install missing packages. npm empties each folder first, so that an interrupted installation does no harm."""
    missing = _missing(paths, dev=dev)
    npm = find_npm(runner, paths) if missing else []
    for folder in missing:
        with runner.step(f"npm packages in {folder.relative_to(paths.root)}"):
            options = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
            runner.run([*npm, "ci", *options, *(() if dev else ("--omit=dev",))], folder)
        write_stamp(folder / "node_modules", _made_from(folder, dev=dev))


def build(runner: Runner, paths: Paths, *, dev: bool) -> None:
    """Build the pages if their sources have changed; with `dev` also for the tests."""
    outdated = _outdated(paths, dev=dev)
    npm = find_npm(runner, paths) if outdated else []
    for name in outdated:
        with runner.step("pages" if name == "dist" else "pages for the tests"):
            shutil.rmtree(paths.web / name, ignore_errors=True)
            node = npm[0] if len(npm) > 1 else "node"
            command = [node, "node_modules/vite/bin/vite.js", "build", *BUILDS[name]]
            runner.run(command, paths.web)
        write_stamp(paths.web / name, _built_from(paths))


def find_npm(runner: Runner, paths: Paths) -> list[str | Path]:
    """Return the system's npm if it and Node.js are new enough, otherwise both from a package in the checkout."""
    node = runner.version("node")
    if any(first <= node < after for first, after in RIGHT_NODES) and runner.version("npm") >= OLDEST_NPM:
        # On Windows this is npm.cmd, which is found only by its whole name.
        return [shutil.which("npm") or "npm"]
    uv = find_uv(runner, paths)
    install_tool(runner, paths, "node", [uv, "pip", "install", "--quiet", "--python", sys.executable])
    return [paths.node, paths.npm]


def _missing(paths: Paths, *, dev: bool) -> list[Path]:
    folders = [paths.web, paths.measures] if dev else [paths.web]
    return [folder for folder in folders if not _is_installed(folder, dev=dev)]


def _is_installed(folder: Path, *, dev: bool) -> bool:
    """Return whether packages are installed; those for development include the product's."""
    return read_stamp(folder / "node_modules") in [_made_from(folder, dev=kind) for kind in {True, dev}]


def _made_from(folder: Path, *, dev: bool) -> str:
    return f"{DEV if dev else PRODUCT} {digest(folder / 'package.json', folder / 'package-lock.json')}"


def _outdated(paths: Paths, *, dev: bool) -> list[str]:
    sources = _built_from(paths)
    return [name for name in BUILDS if (dev or name == "dist") and read_stamp(paths.web / name) != sources]


def _built_from(paths: Paths) -> str:
    """Return a hash of the pages' sources and the paths of these."""
    files = sorted(path for path in _sources(paths.web) if path.is_file())
    names = "\n".join(path.relative_to(paths.web).as_posix() for path in files)
    return f"{digest(*files)} {hashlib.sha256(names.encode()).hexdigest()}"


def _sources(web: Path) -> list[Path]:
    left_out = {"node_modules", "api.d.ts", "texts.d.ts", *BUILDS}
    found: list[Path] = []
    for entry in web.iterdir():
        if entry.name not in left_out:
            found += entry.rglob("*") if entry.is_dir() else [entry]
    return found
