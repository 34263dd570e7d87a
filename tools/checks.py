"""`./haggle test`: lint, format, types, layers and tests."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.paths import Paths

CHECKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ruff check", ("-m", "ruff", "check", ".")),
    ("ruff format", ("-m", "ruff", "format", "--check", ".")),
    ("mypy", ("-m", "mypy")),
    ("import contracts", ("-c", "from importlinter.cli import lint_imports_command as run; run()")),
)
"""The checks before the tests: a name, and the arguments of Python."""
_PR_SET_CHILD_SUBREAPER = 36
_GRACE = 10.0
"""Seconds for processes left by the tests to end by themselves."""
SIDE_BY_SIDE = ("-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder")
"""Arguments of all test runs: on all cores, and each file in one process, since its tests share slow fixtures."""


def run_checks(paths: Paths, arguments: list[str]) -> int:
    """Run all checks and then the tests; only the tests if there are arguments for pytest besides `--all`.

    Returns the exit code. Everything runs even after a failure, so that one run shows all failures. The tests run
    last, and their closing line is the last one; if another check has failed, a line below it says so.
    """
    chosen = arguments not in ([], ["--all"])
    failed = [] if chosen else [name for name, command in CHECKS if not _passes(paths, name, command)]
    tests = [str(paths.python), "-m", "pytest", *arguments, *(() if chosen else SIDE_BY_SIDE)]
    code = _run_tests(paths, tests)
    if not failed:
        return code
    failed += ["tests"] if code else []
    passed = len(CHECKS) + 1 - len(failed)
    print(f"\nFailed: {', '.join(failed)}; see above.\nchecks: {passed} passed, {len(failed)} failed", flush=True)
    return 1


def _passes(paths: Paths, name: str, arguments: tuple[str, ...]) -> bool:
    """Run one check; show what it printed only if it fails."""
    print(f"{name} ...", end=" ", flush=True)
    began = time.monotonic()
    done = subprocess.run(
        [paths.python, *arguments],
        cwd=paths.root,
        env={**os.environ, **paths.variables()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    passes = done.returncode == 0
    print(f"{'ok' if passes else 'FAILED'} ({time.monotonic() - began:.0f} s)", flush=True)
    if not passes:
        print(done.stdout, flush=True)
    return passes


def _run_tests(paths: Paths, command: list[str]) -> int:
    """Run pytest and return its exit code; no process started by the tests survives it."""
    if sys.platform == "linux":
        # Processes whose parent has ended become children of this one.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    tests = subprocess.Popen(command, cwd=paths.root, env={**os.environ, **paths.variables()})

    def forward(number: int, _: object) -> None:
        # Ctrl-C reaches pytest by itself if this runs in the foreground of a terminal.
        if tests.returncode is None and not (number == signal.SIGINT and _is_in_foreground()):
            tests.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # A shell has SIGINT ignored for what a script starts in the background, and nohup SIGHUP.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, forward)
    while tests.returncode is None:
        pid, status = os.wait()
        if pid == tests.pid:
            tests.returncode = os.waitstatus_to_exitcode(status)
    if sys.platform == "linux":
        _end_children()
    return tests.returncode if tests.returncode >= 0 else 128 - tests.returncode


def _is_in_foreground() -> bool:
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False


def _end_children() -> None:
    """End all processes below this one: those whose parents end become its children."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    asked = set()
    deadline = time.monotonic() + _GRACE
    while found := children.read_text().split():
        for pid in map(int, found):
            late = time.monotonic() > deadline
            if late or pid not in asked:
                os.kill(pid, signal.SIGKILL if late else signal.SIGTERM)
                asked.add(pid)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.1)
