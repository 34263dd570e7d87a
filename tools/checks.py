"""`./haggle test`: lint, format, types, layers and tests."""

from __future__ import annotations

import subprocess
import sys
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


def run_checks(places: Places, arguments: list[str]) -> int:
    """Run all checks and then the tests; only the tests if there are arguments for pytest. Return the exit code.

    Everything runs even after a failure, so that one run tells all. The tests come last, and so does their
    closing line; where another check failed, a line below it says so, lest a green one mislead.
    """
    failed = []
    for name, command in () if arguments else CHECKS:
        print(f"== {name}", flush=True)
        if _python(places, command):
            failed.append(name)
    print("== tests", flush=True)
    code = _python(places, ("-m", "pytest", *arguments))
    if failed:
        failed += ["tests"] if code else []
        count = len(CHECKS) + 1 - len(failed)
        print(f"\nFailed: {', '.join(failed)}. Their messages are above.\nchecks: {count} passed, {len(failed)} failed")
    return code or int(bool(failed))


def _python(places: Places, command: tuple[str, ...]) -> int:
    sys.stdout.flush()
    done = subprocess.run([places.python, *command], cwd=places.root, env=product_variables(places), check=False)
    return done.returncode
