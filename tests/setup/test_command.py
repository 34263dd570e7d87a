"""`./haggle` finds its checkout from wherever it is called and hands everything on unchanged."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.setup.checkout import make_checkout
from tools import checks

if TYPE_CHECKING:
    from pathlib import Path

    from tests.setup.checkout import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Give a checkout where everything is set up, in a folder with a space in its name."""
    made = make_checkout(tmp_path)
    made.mark_ready()
    return made


def call(command: Path | str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Call the command as a user would, with a foreign PYTHONPATH and the Python of these tests."""
    path = f"{os.path.dirname(sys.executable)}:/usr/bin:/bin"  # noqa: PTH120 - a folder for PATH, as text
    environment = {"PATH": path, "HOME": str(folder), "PYTHONPATH": "/somewhere/else"}
    return subprocess.run(
        [command, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_arguments_folder_and_exit_code_are_handed_on(checkout: Checkout, tmp_path: Path) -> None:
    """The product sees the caller's folder and words as they are, and its exit code comes back."""
    done = call(checkout.places.root / "haggle", "scan", "a b", "", "*", "--json", folder=tmp_path)
    assert done.returncode == 7, done.stderr
    assert done.stdout.splitlines() == [
        f"cwd={tmp_path}",
        f"PYTHONPATH={checkout.places.root}",
        *("<-P>", "<-m>", "<server>", "<scan>", "<a b>", "<>", "<*>", "<--json>"),
    ]
    assert done.stderr == ""


def test_without_arguments_the_demo_starts(checkout: Checkout) -> None:
    """The plain command runs the demo."""
    done = call("./haggle", folder=checkout.places.root)
    assert done.stdout.splitlines()[-1] == "<demo>"


def test_a_link_leads_to_the_checkout(checkout: Checkout, tmp_path: Path) -> None:
    """Called through symbolic links, relative ones too, the command still finds its checkout."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "direct").symlink_to("my games/haggle")
    (tmp_path / "deep" / "hag").symlink_to("../direct")
    done = call(tmp_path / "deep" / "hag", "doctor", folder=tmp_path)
    assert f"PYTHONPATH={checkout.places.root}" in done.stdout


def test_a_folder_of_the_caller_does_not_take_the_place_of_ours(checkout: Checkout, tmp_path: Path) -> None:
    """A module in the caller's folder that is named like one of ours or of Python's is never imported."""
    for name in ("json.py", "tools.py", "server.py"):
        (tmp_path / name).write_text("raise SystemExit('the wrong module')\n")
    done = call(checkout.places.root / "haggle", "doctor", folder=tmp_path)
    assert done.returncode == 7, done.stderr


def test_the_doctor_compiles_what_servers_of_another_user_could_not_keep(checkout: Checkout, tmp_path: Path) -> None:
    """A server that may not write into the checkout finds all modules compiled; other commands spend no time on it."""
    call(checkout.places.root / "haggle", "scan", folder=tmp_path)
    assert checkout.count("python -m compileall") == 0
    (checkout.places.environment / "lib" / "python3.11").mkdir(parents=True)
    call(checkout.places.root / "haggle", "doctor", folder=tmp_path)
    (compiled,) = [one.replace(str(checkout.places.root), "") for one in checkout.calls if " -m compileall " in one]
    assert compiled.endswith(" /cardgen /scanner /server /.haggle/venv/lib/python3.11")


def test_words_after_test_are_for_pytest_alone(checkout: Checkout, tmp_path: Path) -> None:
    """`./haggle test ARGS` runs pytest in the checkout with them and no other check."""
    done = call(checkout.places.root / "haggle", "test", "tests/cli", "-k", "one two", folder=tmp_path)
    assert done.returncode == 5, done.stderr
    assert done.stdout.splitlines() == [f"cwd={checkout.places.root}"]
    assert checkout.calls == ["python -m pytest tests/cli -k one two"]


@pytest.mark.parametrize("more", [[], ["--all"]])
def test_test_runs_every_check_and_then_pytest(checkout: Checkout, more: list[str]) -> None:
    """`./haggle test` runs lint, format, types and contracts, each told in a line, and pytest last."""
    done = call("./haggle", "test", *more, folder=checkout.places.root)
    assert [line.split(" ...")[0] for line in done.stdout.splitlines()[:-1]] == [name for name, _ in checks.CHECKS]
    assert len(checkout.calls) == len(checks.CHECKS) + 1
    assert checkout.calls[-1] == f"python -m pytest {' '.join([*more, *checks.SIDE_BY_SIDE])}"
    assert done.returncode == 5


@pytest.mark.parametrize("tests_pass", [True, False])
def test_a_failed_check_is_told_last_and_fails_the_run(
    checkout: Checkout,
    tests_pass: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """A check that fails shows what it said, the rest still runs, and the closing lines name it."""
    code = 0 if tests_pass else 1
    checkout.places.python.write_text(
        "#!/bin/sh\n"
        'case "$*" in *mypy*) echo "not typed"; exit 1 ;;\n'
        f'*pytest*) echo "tests ran"; exit {code} ;; *) echo "all fine"; esac\n'
    )
    done = call("./haggle", "test", folder=checkout.places.root)
    assert done.returncode == 1
    assert "not typed" in done.stdout
    assert "tests ran" in done.stdout
    assert "all fine" not in done.stdout
    failed = ["mypy"] if tests_pass else ["mypy", "tests"]
    assert done.stdout.splitlines()[-2:] == [
        f"Failed: {', '.join(failed)}; see above.",
        f"checks: {5 - len(failed)} passed, {len(failed)} failed",
    ]


def test_a_system_without_python_is_told_what_to_install(checkout: Checkout, tmp_path: Path) -> None:
    """Without any Python the command says how to get one, and ends with exit code 1."""
    done = subprocess.run(
        ["/bin/sh", checkout.places.root / "haggle"],
        env={"PATH": str(tmp_path / "nothing")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("haggle: no Python 3.9 or newer found: ")
    assert len(done.stderr.splitlines()) == 1
