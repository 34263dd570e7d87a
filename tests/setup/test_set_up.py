"""The set-up makes what is missing, once, and repairs what was left half made."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from tests.setup.checkout import make_checkout
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.setup.checkout import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Give a checkout where nothing is set up, on a system that may install nothing."""
    return make_checkout(tmp_path)


def test_the_first_start_makes_everything_and_the_second_nothing(checkout: Checkout) -> None:
    """One run makes environment and front end, with packages by their hashes; the next starts the product at once."""
    assert checkout.call("score")[0] == 7
    assert [checkout.count(start) for start in ("uv venv", "uv pip sync", "npm ci")] == [1, 1, 1]
    assert checkout.count("uv pip sync --quiet --require-hashes") == 1
    checkout.clear()
    assert checkout.call("score")[2] == ""
    assert checkout.calls == ["fake-python -P -m server score"]


def test_the_tests_add_packages_and_the_product_keeps_them(checkout: Checkout) -> None:
    """`test` after a plain start adds to the environment; a plain start after it changes nothing."""
    checkout.call("score")
    assert "pytest==" not in checkout.installed
    assert not (checkout.paths.measures / "node_modules").exists()
    checkout.clear()
    assert checkout.call("test", "tests/cli")[0] == 5
    assert "pytest==" in checkout.installed
    assert (checkout.paths.measures / "node_modules").is_dir()
    assert [checkout.count(start) for start in ("uv venv", "uv pip sync", "npm ci")] == [0, 1, 1]
    checkout.clear()
    checkout.call("score")
    assert len(checkout.calls) == 1


def test_a_changed_lock_is_installed_by_the_next_start(checkout: Checkout) -> None:
    """After a lock changed the environment follows in place, and stays one for tests, as it was."""
    checkout.call("test")
    checkout.clear()
    for name in ("runtime", "dev"):
        with checkout.paths.lock(name).open("a") as lock:
            lock.write("# changed\n")
    checkout.call("score")
    assert [checkout.count(start) for start in ("uv venv", "uv pip sync", "npm ci")] == [0, 1, 0]
    assert "pytest==" in checkout.installed


@pytest.mark.parametrize(
    ("gone", "calls"),
    [
        (".haggle/venv/bin/python", [1, 1, 0]),
        (".haggle/venv/lib/python3.11/site-packages/installed", [1, 1, 0]),
        ("web/node_modules/htm", [0, 0, 1]),
        ("web/node_modules", [0, 0, 1]),
    ],
)
def test_a_part_that_is_damaged_is_made_again(checkout: Checkout, gone: str, calls: list[int]) -> None:
    """Where the Python, a package of Python's or one of npm's is gone, that part alone is made again."""
    checkout.call("score")
    path = checkout.paths.root / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    checkout.clear()
    assert checkout.call("score")[0] == 7
    assert [checkout.count(start) for start in ("uv venv", "uv pip sync", "npm ci")] == calls


def test_a_killed_set_up_is_made_again(checkout: Checkout) -> None:
    """The next start waits until what the killed one has started has ended, and throws away what is there in part."""
    checkout.switch("hold")
    with checkout.start("score") as killed:
        until(lambda: checkout.count("uv pip sync") > 0)
        killed.kill()
    with checkout.start("score") as second:
        assert second.stderr is not None
        assert second.stderr.readline() == "Another ./haggle is setting up; waiting for it.\n"
        (checkout.bin / "hold").unlink()
        second.communicate()
    assert second.returncode == 7
    assert [checkout.count(start) for start in ("uv venv", "uv pip sync", "npm ci")] == [2, 2, 1]


def test_a_linked_set_up_is_used_as_it_is(checkout: Checkout, tmp_path: Path) -> None:
    """A worktree that links to another's `.haggle` installs nothing there, whatever its own locks say."""
    checkout.call("score")
    checkout.paths.home.rename(tmp_path / "another")
    checkout.paths.home.symlink_to(tmp_path / "another")
    checkout.paths.lock("runtime").write_text("")
    checkout.clear()
    assert checkout.call("test", "tests/cli")[0] == 5
    assert checkout.calls == ["fake-python -m pytest tests/cli"]


def test_a_missing_libzbar_is_reported_once_and_stops_nothing(checkout: Checkout) -> None:
    """The scanner does without its second reader, so the set-up only says how to get it."""
    assert "apt install libzbar0" in checkout.call("score")[2]
    assert checkout.call("score") == (7, checkout.call("score")[1], "")


def test_a_failed_step_ends_with_one_line_and_the_next_start_repairs_it(checkout: Checkout) -> None:
    """The last line says what to do and where the log is."""
    for printed, advice in (
        ("error: dns error: failed to lookup address", "go online"),
        ("No space left on device (os error 28)", "disk is full"),
        ("Failed to download x/python-build-standalone/y: dns error", "install one (Debian"),
        ("invalid peer certificate: UnknownIssuer", "SSL_CERT_FILE"),
        ("npm error code ENOTFOUND", "go online"),
        ("npm error code EINTEGRITY", "package mirror"),
        ("open: Permission denied", "owner of the folder"),
        ("Hash mismatch for `flask==3.1.3`", "package mirror"),
        ("something nobody has seen", "something nobody has seen"),
    ):
        checkout.switch("fail", printed)
        code, _, errors = checkout.call("score")
        line = errors.splitlines()[-1]
        assert (code, line[:8]) == (1, "haggle: ")
        assert advice in line
        assert "setup.log" in line
        assert printed in checkout.paths.log.read_text()
    (checkout.bin / "fail").unlink()
    assert checkout.call("score")[0] == 7


@pytest.mark.parametrize("uv", ["uv 0.4.30", ""])
def test_an_old_or_broken_uv_is_replaced_by_our_own(checkout: Checkout, uv: str) -> None:
    """Where uv does not know our options pip installs one by its hash; without pip the last line says how to get it."""
    (checkout.bin / "uv").write_text(f"#!/bin/sh\necho {uv}\n")
    without_pip = f"""#!{shutil.which("bash")}
        case "$*" in
        *"-m pip install"*) echo "$*" >> "{checkout.bin}/calls"; echo "No module named pip"; exit 1 ;;
        *) exec -a "$0" "{sys.executable}" "$@" ;;
        esac
        """
    (checkout.bin / "python3").write_text(without_pip)
    (checkout.bin / "python3").chmod(0o755)
    assert "apt install python3-pip" in checkout.call("score")[2]
    assert [call for call in checkout.calls if f"--require-hashes --target {checkout.paths.home}/uv" in call]


def test_a_checkout_that_cannot_be_written_is_reported(checkout: Checkout) -> None:
    """A folder of someone else's and a full disk end with one line, not with a traceback."""
    checkout.paths.home.mkdir()
    checkout.paths.log.symlink_to("/dev/full")
    code, _, errors = checkout.call("score")
    assert (code, errors.count("\n")) == (1, 2)
    assert "the disk is full" in errors
    checkout.paths.log.unlink()
    if os.geteuid():
        checkout.paths.home.chmod(0o555)
        assert "no permission to write" in checkout.call("score")[2]
