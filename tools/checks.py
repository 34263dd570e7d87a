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
PYTHON, NODE = "python", "node"
CHECKS: tuple[dict[str, tuple[str, ...]], ...] = (
    {"mypy": (PYTHON, "-m", "mypy")},
    {"ruff check": (PYTHON, "-m", "ruff", "check", ".")},
    {"ruff format": (PYTHON, "-m", "ruff", "format", "--check", ".")},
    {"import contracts": (PYTHON, "-c", "from importlinter.cli import lint_imports_command as run; run()")},
    # tsc needs these types.
    {
        "types of the API": (PYTHON, "-m", "devtools.api_types"),
        "tsc": (NODE, "node_modules/typescript/bin/tsc"),
    },
    {"biome": (NODE, "node_modules/@biomejs/biome/bin/biome", "check")},
    {"vitest": (NODE, "node_modules/vitest/vitest.mjs", "run")},
)
"""The checks that run before the tests, the longest first. Those of a group run one after the other."""
MORE_CHECKS: tuple[dict[str, tuple[str, ...]], ...] = (
    {"mypy for Windows": (PYTHON, "-m", "mypy", *_WINDOWS, "cardgen", "scanner", "server", *_SET_UP)},
)
"""Further checks with `--all`."""
_PR_SET_CHILD_SUBREAPER = 36
SIDE_BY_SIDE = ("-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder")
"""Arguments for runs of all tests: on all cores, and each file in one process, since its tests share slow fixtures."""


def run_checks(paths: Paths, arguments: list[str]) -> int:
    """Run all checks and then the tests; only the tests if there are arguments for pytest besides `--all`.

    Returns the exit code. A failed check does not stop the run, so that one run shows all failures. If a check failed,
    the last line says so, since pytest's summary above it may be green.
    """
    chosen = arguments not in ([], ["--all"])
    checks = () if chosen else (*CHECKS, *MORE_CHECKS) if arguments else CHECKS
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        groups = pool.map(
            lambda group: [name for name, command in group.items() if not _passes(paths, name, command)],
            checks,
        )
        failed = [name for names in groups for name in names]
    tests = [str(paths.python), "-m", "pytest", *arguments, *(() if chosen else SIDE_BY_SIDE)]
    code = _run_tests(paths, tests)
    if not failed:
        return code
    failed += ["tests"] if code else []
    passed = sum(map(len, checks)) + 1 - len(failed)
    print(f"\nFailed: {', '.join(failed)}; see above.\nchecks: {passed} passed, {len(failed)} failed", flush=True)
    return 1


def _passes(paths: Paths, name: str, command: tuple[str, ...]) -> bool:
    """Run one check; show its output only if it fails."""
    began = time.monotonic()
    node = paths.node if paths.node.is_file() else "node"
    done = subprocess.run(
        [paths.python if command[0] == PYTHON else node, *command[1:]],
        cwd=paths.root if command[0] == PYTHON else paths.web,
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

    # The terminal sends Ctrl-C to pytest as well.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: tests.send_signal(number))
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
