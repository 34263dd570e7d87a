"""`./haggle`: completes the set-up, then runs the product, its tests or the update of the lock files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tools import install, locks
from tools.checks import run_checks
from tools.paths import Paths, on_windows
from tools.runner import ProblemError, Runner, explain

INTERRUPTED = 130


def main(root: str, arguments: list[str]) -> int:
    """Run a command line in the checkout at `root`; return the exit code."""
    paths = Paths(Path(root))
    command = arguments[:1]
    try:
        if command == ["lock"]:
            return locks.renew(paths, arguments[1:])
        set_up(paths, tests=command == ["test"])
        if command == ["test"]:
            return run_checks(paths, arguments[1:])
        if command == ["doctor"]:
            compile_all(paths)
        return run_product(paths, arguments or ["demo"])
    except ProblemError as problem:
        print(f"haggle: {problem}", file=sys.stderr)
    except KeyboardInterrupt:
        print("haggle: stopped; the next start continues from here", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        print(f"haggle: {explain(f'{error.filename}: {error.strerror or error}')}", file=sys.stderr)
    return 1


def set_up(paths: Paths, *, tests: bool) -> None:
    """Complete the set-up of the product, and with `tests` that of the tests; what these need stays installed."""
    if tests and on_windows():
        raise ProblemError("the tests run on Linux and on a Mac only")
    dev = tests or install.has_tests(paths)
    if not install.is_ready(paths, dev=dev):
        with paths.alone():
            # Another process may have completed the set-up in the meantime.
            if not install.is_ready(paths, dev=dev):
                runner = Runner(paths)
                runner.say(f"Setting up Haggle in {paths.home} (the first time takes a few minutes):")
                install.install_python_packages(runner, dev=dev)
                install.install_npm_packages(runner, dev=dev)
                install.build_pages(runner, dev=dev)
                _install_from_system(paths, "product")
    tests_ready = paths.home / "tests-ready"
    if tests and not tests_ready.exists() and _install_from_system(paths, "tests"):
        tests_ready.touch()


def _install_from_system(paths: Paths, what: str) -> bool:
    """Install system packages for the `product` or the `tests`; return whether all of them are installed.

    On Windows, the Python packages contain all that the product needs.
    """
    if on_windows():
        return True
    command = [str(paths.root / "tools" / "system.sh"), what]
    return subprocess.run(command, cwd=paths.root, env={**os.environ, **paths.variables()}, check=False).returncode == 0


def compile_all(paths: Paths) -> None:
    """Compile all modules: a server that runs as another user could not, and would repeat it at each start."""
    if os.access(paths.home, os.W_OK):
        folders = [*(paths.root / name for name in ("cardgen", "scanner", "server")), paths.environment / "lib"]
        command: list[str | Path] = [paths.python, "-m", "compileall", "-q", "-j", "0", *folders]
        # Ignore the result: packages may contain files for other versions of Python, which are never imported.
        subprocess.run(command, env={**os.environ, **paths.variables()}, capture_output=True, check=False)


def run_product(paths: Paths, arguments: list[str]) -> int:
    """Replace this process by the haggle command, in the caller's folder, so that relative paths work.

    -P keeps that folder off the import path: a folder named `server` in it would hide our package.
    """
    command = [str(paths.python), "-P", "-m", "server", *arguments]
    environment = {**os.environ, **paths.variables()}
    if on_windows():
        # There, a new process would run beside the console's prompt. Ctrl-C reaches it directly.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return subprocess.run(command, env=environment, check=False).returncode
    return os.execve(command[0], command, environment)  # noqa: S606 - there is no shell to quote for
