"""`./haggle`: arguments, exit codes and checks."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

import pytest

from tests.tools.checkout import ROOT, make_checkout
from tools import checks

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.checkout import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Return a checkout with a complete set-up, in a folder with a space in its name."""
    made = make_checkout(tmp_path)
    made.call("test", "tests")
    (made.paths.home / "tests-ready").touch()
    made.clear()
    return made


def test_arguments_folder_and_exit_code_are_passed_on(checkout: Checkout, tmp_path: Path) -> None:
    """The product gets the caller's arguments and folder, but no modules from that folder."""
    for name in ("json.py", "tools.py", "server.py"):
        (tmp_path / name).write_text("raise SystemExit('the wrong module')\n")
    code, output, errors = checkout.call("scan", "a b", "", "*", "--json", folder=tmp_path)
    assert (code, errors) == (7, "")
    assert output.splitlines() == [
        f"cwd={tmp_path}",
        f"PYTHONPATH={checkout.paths.root}",
        *("<-P>", "<-m>", "<server>", "<scan>", "<a b>", "<>", "<*>", "<--json>"),
    ]
    # Without arguments the demo is started.
    assert checkout.call(command="./haggle", folder=checkout.paths.root)[1].endswith("<demo>\n")


def test_the_command_can_be_a_symbolic_link(checkout: Checkout, tmp_path: Path) -> None:
    """Absolute and relative links are resolved to find the checkout."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "direct").symlink_to("my games/haggle")
    (tmp_path / "deep" / "hag").symlink_to("../direct")
    output = checkout.call("score", command=tmp_path / "deep" / "hag")[1]
    assert f"PYTHONPATH={checkout.paths.root}" in output


def test_the_doctor_compiles_all_modules(checkout: Checkout) -> None:
    """Servers without write access need compiled modules; other commands do not take that time."""
    checkout.call("scan")
    assert checkout.count("fake-python -m compileall") == 0
    checkout.call("doctor")
    (compiled,) = [one.replace(str(checkout.paths.root), "") for one in checkout.calls if " -m compileall " in one]
    assert compiled.endswith(" /cardgen /scanner /server /.haggle/venv/lib")


def test_arguments_of_test_are_passed_to_pytest(checkout: Checkout) -> None:
    """`./haggle test ARGS` runs only pytest, in the checkout."""
    code, output, _ = checkout.call("test", "tests/cli", "-k", "one two")
    assert (code, output) == (5, f"cwd={checkout.paths.root}\n")
    assert checkout.calls == ["fake-python -m pytest tests/cli -k one two"]


@pytest.mark.parametrize("more", [[], ["--all"]])
def test_test_runs_every_check_and_then_pytest(checkout: Checkout, more: list[str]) -> None:
    """`./haggle test` runs lint, format, types and contracts, one line each, and then pytest."""
    code, output, _ = checkout.call("test", *more)
    assert code == 5
    groups = (*checks.CHECKS, *checks.MORE_CHECKS) if more else checks.CHECKS
    names = sorted(name for group in groups for name in group)
    assert sorted(line.split(" ...")[0] for line in output.splitlines()[:-1]) == names
    assert ("mypy for Windows" in names) == bool(more)
    assert len(checkout.calls) == len(names) + 1
    assert checkout.calls[-1] == f"fake-python -m pytest {' '.join([*more, *checks.SIDE_BY_SIDE])}"


@pytest.mark.parametrize("failed", [["mypy"], ["mypy", "tests"]])
def test_a_failed_check_is_reported_last_and_fails_the_run(checkout: Checkout, failed: list[str]) -> None:
    """The output of a failed check is shown, the others still run, and the last lines name it."""
    checkout.paths.python.write_text(
        '#!/bin/sh\ncase "$*" in *"-m mypy") echo "not typed"; exit 1 ;;\n'
        f'*pytest*) echo "tests ran"; exit {len(failed) - 1} ;; *) echo "all fine"; esac\n'
    )
    code, output, _ = checkout.call("test")
    assert code == 1
    assert [text in output for text in ("not typed", "tests ran", "all fine")] == [True, True, False]
    assert output.splitlines()[-2:] == [
        f"Failed: {', '.join(failed)}; see above.",
        f"checks: {sum(map(len, checks.CHECKS)) + 1 - len(failed)} passed, {len(failed)} failed",
    ]


def test_the_set_up_needs_only_the_standard_library() -> None:
    """It also has the syntax of Python 3.9, the oldest version that runs it."""
    for name in ("launch", "checks", "install", "locks", "paths", "runner"):
        tree = ast.parse((ROOT / "tools" / f"{name}.py").read_text(), feature_version=(3, 9))
        for node in ast.walk(tree):
            modules = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            modules += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert {module.partition(".")[0] for module in modules} <= {"tools", *sys.stdlib_module_names}, name
