"""Creates the virtual environment from the lock files, with uv."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from tools.state import STAMP, digest, read_stamp, write_stamp

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tools.paths import Paths
    from tools.runner import Runner

PYTHONS = ">=3.11,<3.15"
"""The Python versions that the lock files support."""
RUNTIME, DEV = "runtime", "dev"
OLDEST_UV = (0, 5)
"""The first version with all the options used here."""


def is_ready(paths: Paths, *, dev: bool) -> bool:
    """Return whether the environment is complete; a development environment can also run the product."""
    made_from = read_stamp(_packages(paths))
    return made_from in [_made_from(paths, kind) for kind in ((DEV,) if dev else (DEV, RUNTIME))]


def make(runner: Runner, paths: Paths, *, dev: bool) -> None:
    """Create or repair the environment. An environment for development stays one, even without `dev`."""
    if is_ready(paths, dev=dev):
        return
    old = read_stamp(_packages(paths))
    kind = DEV if dev or old.startswith(DEV) else RUNTIME
    uv = find_uv(runner, paths)
    with runner.step("Python packages"):
        if not old.endswith(_python(paths)):
            # The environment may be incomplete or belong to another Python.
            shutil.rmtree(paths.environment, ignore_errors=True)
            runner.run([uv, "venv", "--quiet", "--relocatable", "--python", PYTHONS, paths.environment])
        packages = _packages(paths)
        (packages / STAMP).unlink(missing_ok=True)
        # Without --no-build, a missing wheel of OpenCV would start a build that takes hours.
        options = ["--quiet", "--require-hashes", "--no-build", "--python", str(paths.python)]
        runner.run([uv, "pip", "sync", *options, paths.lock(kind)])
        write_stamp(packages, _made_from(paths, kind))


def find_uv(runner: Runner, paths: Paths) -> str | Path:
    """Return the uv on the PATH if it is new enough, otherwise one that pip installs into the checkout."""
    if runner.version("uv") >= OLDEST_UV:
        return "uv"
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    return install_tool(runner, paths, "uv", [*pip, "--only-binary", ":all:"]) / "bin" / "uv"


def install_tool(runner: Runner, paths: Paths, name: str, installer: Sequence[str | Path]) -> Path:
    """Install the packages of a lock file into a separate folder if they are missing; return the folder."""
    folder, lock = paths.home / name, paths.lock(name)
    if read_stamp(folder) != digest(lock):
        shutil.rmtree(folder, ignore_errors=True)
        with runner.step(f"{name}, for the set-up"):
            runner.run([*installer, "--require-hashes", "--target", folder, "--requirement", lock])
        write_stamp(folder, digest(lock))
    return folder


def _packages(paths: Paths) -> Path:
    # On Windows there is no folder with the version of Python.
    folders = [*paths.environment.glob("lib/*/site-packages"), *paths.environment.glob("Lib/site-packages")]
    return next(iter(folders), paths.environment)


def _made_from(paths: Paths, kind: str) -> str:
    return f"{kind} {digest(paths.lock(kind))} {_python(paths)}"


def _python(paths: Paths) -> str:
    """Return the Python of the system behind the environment; after an upgrade of it the environment is useless."""
    return os.path.realpath(paths.python) if os.access(paths.python, os.X_OK) else "no Python"
