"""Installs the packages of Python and npm, and builds the pages.

A stamp in each folder says that it is complete, and what it was made from.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tools.paths import Paths
    from tools.runner import Runner

STAMP = ".haggle-stamp"
PYTHONS = ">=3.11,<3.15"
"""The Python versions that the lock files support."""
OLDEST_UV = (0, 11)
"""The first version with all the options and variables used here."""
OLDEST_NPM = (7,)
"""The first version that reads the format of the lock files."""
RIGHT_NODES = (((20, 19), (21,)), ((22, 12), (23,)), ((24,), (1000,)))
"""The versions of Node.js that Vite supports: first ones, and those that follow the last ones."""
BUILDS = {"dist": (), "dist-test": ("--mode", "test")}
"""Folders of the builds of the pages, and Vite's arguments: the product's, and one from which tests import modules."""


def is_ready(paths: Paths, *, dev: bool) -> bool:
    """Return whether all is installed and built; with `dev` also what tests need."""
    environment = {paths.environment: _python_packages(paths, dev=dev)}
    return not _missing({**environment, **_npm_packages(paths, dev=dev), **_pages(paths, dev=dev)})


def has_tests(paths: Paths) -> bool:
    """Return whether the environment contains what tests need."""
    return _read_stamp(paths.environment).startswith("dev ")


def install_python_packages(runner: Runner, *, dev: bool) -> None:
    """Create or repair the virtual environment from a lock file, with uv."""
    paths, old = runner.paths, _read_stamp(runner.paths.environment)
    if old == _python_packages(paths, dev=dev):
        return
    uv = find_uv(runner)
    with runner.step("Python packages"):
        if not old.endswith(f" {_system_python(paths)}"):
            # The environment may be incomplete or belong to another Python.
            runner.run([uv, "venv", "--quiet", "--clear", "--relocatable", "--python", PYTHONS, paths.environment])
        (paths.environment / STAMP).unlink(missing_ok=True)
        # Without --no-build, a missing wheel of OpenCV would start a build that takes hours.
        options: list[str | Path] = ["--quiet", "--require-hashes", "--no-build", "--python", paths.python]
        runner.run([uv, "pip", "sync", *options, paths.lock("dev" if dev else "runtime")])
    _write_stamp(paths.environment, _python_packages(paths, dev=dev))


def install_npm_packages(runner: Runner, *, dev: bool) -> None:
    """Install missing packages, those of several folders at the same time.

    npm empties each folder first, so that an interrupted installation does no harm.
    """
    missing = _missing(_npm_packages(runner.paths, dev=dev))
    if not missing:
        return
    npm = find_npm(runner)
    options = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]

    def install(folder: Path) -> None:
        runner.run([*npm, "ci", *options, *(() if dev else ("--omit=dev",))], folder.parent)
        _write_stamp(folder, missing[folder])

    names = " and ".join(str(folder.parent.relative_to(runner.paths.root)) for folder in missing)
    with runner.step(f"npm packages in {names}"), ThreadPoolExecutor() as pool:
        # Reading the results raises the error of an installation that failed.
        list(pool.map(install, missing))


def build_pages(runner: Runner, *, dev: bool) -> None:
    """Build the pages if their sources have changed; with `dev` also for the tests."""
    for folder, made_from in _missing(_pages(runner.paths, dev=dev)).items():
        npm = find_npm(runner)
        node = npm[0] if len(npm) > 1 else "node"
        with runner.step("pages" if folder.name == "dist" else "pages for the tests"):
            shutil.rmtree(folder, ignore_errors=True)
            runner.run([node, "node_modules/vite/bin/vite.js", "build", *BUILDS[folder.name]], folder.parent)
        _write_stamp(folder, made_from)


def find_uv(runner: Runner) -> str | Path:
    """Return the uv on the PATH if it is new enough, otherwise one that pip installs into the checkout."""
    if runner.version("uv") >= OLDEST_UV:
        return "uv"
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    return _install_tool(runner, "uv", [*pip, "--only-binary", ":all:"]) / "bin" / "uv"


def find_npm(runner: Runner) -> list[str | Path]:
    """Return the system's npm if it and Node.js are new enough, otherwise both from a package in the checkout."""
    node = runner.version("node")
    if any(first <= node < after for first, after in RIGHT_NODES) and runner.version("npm") >= OLDEST_NPM:
        # On Windows this is npm.cmd, which is found only by its whole name.
        return [shutil.which("npm") or "npm"]
    _install_tool(runner, "node", [find_uv(runner), "pip", "install", "--quiet", "--python", sys.executable])
    return [runner.paths.node, runner.paths.npm]


def _install_tool(runner: Runner, name: str, installer: Sequence[str | Path]) -> Path:
    """Install the packages of a lock file into a separate folder if they are missing; return the folder."""
    folder, lock = runner.paths.home / name, runner.paths.lock(name)
    made_from = _digest(runner.paths, [lock])
    if _read_stamp(folder) != made_from:
        shutil.rmtree(folder, ignore_errors=True)
        with runner.step(f"{name}, for the set-up"):
            runner.run([*installer, "--require-hashes", "--target", folder, "--requirement", lock])
        _write_stamp(folder, made_from)
    return folder


def _python_packages(paths: Paths, *, dev: bool) -> str:
    """Return what the environment is made from: a lock, and a Python whose upgrade makes it useless."""
    kind = "dev" if dev else "runtime"
    return f"{kind} {_digest(paths, [paths.lock(kind)])} {_system_python(paths)}"


def _system_python(paths: Paths) -> str:
    return os.path.realpath(paths.python) if os.access(paths.python, os.X_OK) else ""


def _npm_packages(paths: Paths, *, dev: bool) -> dict[Path, str]:
    """Return the folders of npm packages and what they are made from."""
    wanted = {}
    for folder in (paths.web, paths.measures) if dev else (paths.web,):
        files = [folder / "package.json", folder / "package-lock.json"]
        wanted[folder / "node_modules"] = f"{'dev' if dev else 'product'} {_digest(paths, files)}"
    return wanted


def _pages(paths: Paths, *, dev: bool) -> dict[Path, str]:
    """Return the folders of built pages and what they are made from."""
    left_out = {"node_modules", "api.d.ts", "texts.d.ts", *BUILDS}
    entries = [entry for entry in paths.web.iterdir() if entry.name not in left_out]
    sources = [file for entry in entries for file in (entry, *entry.rglob("*")) if file.is_file()]
    return dict.fromkeys((paths.web / name for name in (BUILDS if dev else ["dist"])), _digest(paths, sources))


def _digest(paths: Paths, files: Iterable[Path]) -> str:
    """Return a hash of the names and contents of files, the operating system and the processor architecture."""
    total = hashlib.sha256(f"{platform.system()} {platform.machine()}".encode())
    for file in sorted(files):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        total.update(f" {file.relative_to(paths.root).as_posix()} {content}".encode())
    return total.hexdigest()


def _missing(wanted: dict[Path, str]) -> dict[Path, str]:
    """Return the folders that are not complete, or made from something else, and what they are to be made from."""
    return {folder: made_from for folder, made_from in wanted.items() if _read_stamp(folder) != made_from}


def _read_stamp(folder: Path) -> str:
    """Return what a folder was made from; empty if it is incomplete."""
    try:
        return (folder / STAMP).read_text("utf-8")
    except OSError:
        return ""


def _write_stamp(folder: Path, made_from: str) -> None:
    (folder / STAMP).write_text(made_from, "utf-8")
