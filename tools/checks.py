"""`./haggle test`: linting, formatting, types, import contracts and tests."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.paths import Paths

_WINDOWS = ("--platform", "win32", "--cache-dir", ".mypy_cache/windows", "--follow-imports", "silent")
# All of the set-up but this module, which needs POSIX.
_SET_UP = [f"tools/{name}.py" for name in ("build_hook", "install", "launch", "locks", "paths", "runner")]

CHECKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("mypy", ("-m", "mypy")),
    ("mypy for Windows", ("-m", "mypy", *_WINDOWS, "cardgen", "scanner", "server", *_SET_UP)),
    ("ruff check", ("-m", "ruff", "check", ".")),
    ("ruff format", ("-m", "ruff", "format", "--check", ".")),
    ("import contracts", ("-c", "from importlinter.cli import lint_imports_command as run; run()")),
)
"""The checks that run before the tests, the longest first: a name, and arguments for Python."""
TYPES = ("types of the API", ("-m", "devtools.api_types"))
"""Writes the types that `tsc` needs."""
PAGE_CHECKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("tsc", ("node_modules/typescript/bin/tsc",)),
    ("biome", ("node_modules/@biomejs/biome/bin/biome", "check")),
    ("vitest", ("node_modules/vitest/vitest.mjs", "run")),
)
"""The checks of the pages: a name, and arguments for Node.js in `web`."""
ALL = [name for name, _ in (*CHECKS, TYPES, *PAGE_CHECKS)]
"""The names of all checks."""
_PR_SET_CHILD_SUBREAPER = 36
SIDE_BY_SIDE = ("-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder")
"""Arguments for runs of all tests: on all cores, and each file in one process, since its tests share slow fixtures."""


def run_checks(paths: Paths, arguments: list[str]) -> int:
    """Run all checks and then the tests; only the tests if there are arguments for pytest besides `--all`.

    Returns the exit code. A failed check does not stop the run, so that one run shows all failures. If a check failed,
    the last line says so, since pytest's summary above it may be green.
    """
    chosen = arguments not in ([], ["--all"])
    failed = [] if chosen else _run_all(paths)
    tests = [str(paths.python), "-m", "pytest", *arguments, *(() if chosen else SIDE_BY_SIDE)]
    code = _run_tests(paths, tests)
    if not failed:
        return code
    failed += ["tests"] if code else []
    passed = len(ALL) + 1 - len(failed)
    print(f"\nFailed: {', '.join(failed)}; see above.\nchecks: {passed} passed, {len(failed)} failed", flush=True)
    return 1


def _run_all(paths: Paths) -> list[str]:
    """Run all checks, as many at a time as there are cores; return the names of those that failed."""
    node = paths.node if paths.node.is_file() else "node"
    tsc, *pages = [(name, node, command, paths.web) for name, command in PAGE_CHECKS]
    chains = [
        *([(name, paths.python, command, paths.root)] for name, command in CHECKS),
        [(TYPES[0], paths.python, TYPES[1], paths.root), tsc],
        *([check] for check in pages),
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = pool.map(lambda chain: [check[0] for check in chain if not _passes(paths, *check)], chains)
        failed = {name for names in done for name in names}
    return [name for name in ALL if name in failed]


def _passes(paths: Paths, name: str, program: str | Path, arguments: tuple[str, ...], folder: Path) -> bool:
    """Run one check in a folder; show its output only if it fails."""
    began = time.monotonic()
    done = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env={**os.environ, **paths.variables()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    passes = done.returncode == 0
    report = f"{name} ... {'ok' if passes else 'FAILED'} ({time.monotonic() - began:.0f} s)\n"
    print(report + ("" if passes else f"{done.stdout}\n"), end="", flush=True)
    return passes


def _run_tests(paths: Paths, command: list[str]) -> int:
    """Run pytest and return its exit code. Ends all processes that the tests have left behind."""
    if sys.platform == "linux":
        # Adopt processes whose parent has ended.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    tests = subprocess.Popen(command, cwd=paths.root, env={**os.environ, **paths.variables()})

    def forward(number: int, _: object) -> None:
        # The terminal sends Ctrl-C to pytest as well.
        if tests.returncode is None and number != signal.SIGINT:
            tests.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # SIGINT is ignored in background processes of scripts, and SIGHUP below nohup.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, forward)
    while tests.returncode is None:
        pid, status = os.wait()
        if pid == tests.pid:
            tests.returncode = os.waitstatus_to_exitcode(status)
    if sys.platform == "linux":
        _kill_children()
    return tests.returncode if tests.returncode >= 0 else 128 - tests.returncode


def _kill_children() -> None:
    """Kill all processes below this one, including those that it adopts meanwhile."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    while found := children.read_text().split():
        for pid in found:
            os.kill(int(pid), signal.SIGKILL)
        os.wait()
