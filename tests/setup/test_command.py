"""`./haggle` finds its checkout from wherever it is called and hands everything on unchanged."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.setup.checkout import ROOT, make_checkout
from tools import checks

if TYPE_CHECKING:
    from pathlib import Path

    from tests.setup.checkout import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Give a checkout where everything is set up, in a folder with a space in its name."""
    made = make_checkout(tmp_path)
    made.call("test", "tests")
    (made.paths.home / "tests-ready").touch()
    made.clear()
    return made


def test_arguments_folder_and_exit_code_are_handed_on(checkout: Checkout, tmp_path: Path) -> None:
    """The product sees the caller's words and folder as they are, of which no module takes the place of ours."""
    for name in ("json.py", "tools.py", "server.py"):
        (tmp_path / name).write_text("raise SystemExit('the wrong module')\n")
    code, output, errors = checkout.call("scan", "a b", "", "*", "--json", folder=tmp_path)
    assert (code, errors) == (7, "")
    assert output.splitlines() == [
        f"cwd={tmp_path}",
        f"PYTHONPATH={checkout.paths.root}",
        *("<-P>", "<-m>", "<server>", "<scan>", "<a b>", "<>", "<*>", "<--json>"),
    ]
    # The plain command starts the demo.
    assert checkout.call(command="./haggle", folder=checkout.paths.root)[1].endswith("<demo>\n")


def test_a_link_leads_to_the_checkout(checkout: Checkout, tmp_path: Path) -> None:
    """Called through symbolic links, relative ones too, the command still finds its checkout."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "direct").symlink_to("my games/haggle")
    (tmp_path / "deep" / "hag").symlink_to("../direct")
    output = checkout.call("score", command=tmp_path / "deep" / "hag")[1]
    assert f"PYTHONPATH={checkout.paths.root}" in output


def test_the_doctor_compiles_what_servers_of_another_user_could_not_keep(checkout: Checkout) -> None:
    """A server that may not write into the checkout finds all modules compiled; other commands spend no time on it."""
    checkout.call("scan")
    assert checkout.count("fake-python -m compileall") == 0
    checkout.call("doctor")
    (compiled,) = [one.replace(str(checkout.paths.root), "") for one in checkout.calls if " -m compileall " in one]
    assert compiled.endswith(" /cardgen /scanner /server /.haggle/venv/lib")


def test_words_after_test_are_for_pytest_alone(checkout: Checkout) -> None:
    """`./haggle test ARGS` runs pytest in the checkout with them and no other check."""
    code, output, _ = checkout.call("test", "tests/cli", "-k", "one two")
    assert (code, output) == (5, f"cwd={checkout.paths.root}\n")
    assert checkout.calls == ["fake-python -m pytest tests/cli -k one two"]


@pytest.mark.parametrize("more", [[], ["--all"]])
def test_test_runs_every_check_and_then_pytest(checkout: Checkout, more: list[str]) -> None:
    """`./haggle test` runs lint, format, types and contracts, each told in a line, and pytest last."""
    code, output, _ = checkout.call("test", *more)
    assert code == 5
    assert [line.split(" ...")[0] for line in output.splitlines()[:-1]] == [name for name, _ in checks.CHECKS]
    assert len(checkout.calls) == len(checks.CHECKS) + 1
    assert checkout.calls[-1] == f"fake-python -m pytest {' '.join([*more, *checks.SIDE_BY_SIDE])}"


@pytest.mark.parametrize("failed", [["mypy"], ["mypy", "tests"]])
def test_a_failed_check_is_reported_last_and_fails_the_run(checkout: Checkout, failed: list[str]) -> None:
    """A check that fails shows what it said, the rest still runs, and the closing lines name it."""
    checkout.paths.python.write_text(
        '#!/bin/sh\ncase "$*" in *mypy*) echo "not typed"; exit 1 ;;\n'
        f'*pytest*) echo "tests ran"; exit {len(failed) - 1} ;; *) echo "all fine"; esac\n'
    )
    code, output, _ = checkout.call("test")
    assert code == 1
    assert [text in output for text in ("not typed", "tests ran", "all fine")] == [True, True, False]
    assert output.splitlines()[-2:] == [
        f"Failed: {', '.join(failed)}; see above.",
        f"checks: {5 - len(failed)} passed, {len(failed)} failed",
    ]


def test_without_python_the_message_names_what_to_install(checkout: Checkout, tmp_path: Path) -> None:
    """Without any Python the command says how to get one, and ends with exit code 1."""
    command = ["/bin/sh", checkout.paths.root / "haggle"]
    environment = {"PATH": str(tmp_path / "nothing")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert done.stderr.startswith("haggle: no Python 3.9 or newer found: ")


def test_the_set_up_needs_nothing_that_it_installs() -> None:
    """It imports only the standard library and itself, and can be read by Python 3.9, the oldest that runs it."""
    for name in ("launch", "checks", "environment", "locks", "npm", "paths", "runner", "state"):
        tree = ast.parse((ROOT / "tools" / f"{name}.py").read_text(), feature_version=(3, 9))
        for node in ast.walk(tree):
            modules = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            modules += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert {module.partition(".")[0] for module in modules} <= {"tools", *sys.stdlib_module_names}, name
