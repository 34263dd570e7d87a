"""`./haggle test`: lint, format, types, layers and tests."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

from tools.variables import product_variables

if TYPE_CHECKING:
    from tools.places import Places

CHECKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ruff check", ("-m", "ruff", "check", ".")),
    ("ruff format", ("-m", "ruff", "format", "--check", ".")),
    ("mypy", ("-m", "mypy")),
    ("import contracts", ("-c", "from importlinter.cli import lint_imports_command as run; run()")),
)
"""What is checked before the tests: a name, and the arguments for Python."""
SIDE_BY_SIDE = ("-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder")
"""How all tests run: on all cores, those of a file in one process, since they share what is slow to make."""


def run_checks(places: Places, arguments: list[str]) -> int:
    """Run all checks and then the tests; only the tests if there are arguments for pytest.

    Without a failed check it becomes pytest and does not return; else it returns 1. Everything runs even after a
    failure, so that one run tells all. The tests come last, and so does their closing line; where another check
    failed, a line below it says so, lest a green one mislead.
    """
    failed = [] if arguments else [name for name, command in CHECKS if not _passes(places, name, command)]
    tests = [str(places.python), "-m", "pytest", *(arguments or SIDE_BY_SIDE)]
    if not failed:
        # Nothing is left to say after the tests, so become them: then Ctrl-C lets pytest end what it started.
        os.chdir(places.root)
        os.execve(tests[0], tests, _variables(places))  # noqa: S606 - there is no shell to quote for
    code = subprocess.run(tests, cwd=places.root, env=_variables(places), check=False).returncode
    failed += ["tests"] if code else []
    passed = len(CHECKS) + 1 - len(failed)
    print(f"\nFailed: {', '.join(failed)}; see above.\nchecks: {passed} passed, {len(failed)} failed", flush=True)
    return 1


def _passes(places: Places, name: str, arguments: tuple[str, ...]) -> bool:
    """Run one check; show what it printed only if it fails."""
    print(f"{name} ...", end=" ", flush=True)
    began = time.monotonic()
    done = subprocess.run(
        [places.python, *arguments],
        cwd=places.root,
        env=_variables(places),
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


def _variables(places: Places) -> dict[str, str]:
    return {**os.environ, **product_variables(places)}
