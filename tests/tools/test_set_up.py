"""The set-up: installation, repair and errors."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from tests.tools.checkout import make_checkout
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.checkout import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Return a checkout without a set-up, on a system where nothing may be installed."""
    return make_checkout(tmp_path)


def test_the_first_start_installs_everything(checkout: Checkout) -> None:
    """It installs Python and npm packages by hash; the second start runs the product at once."""
    assert checkout.call("score")[0] == 7
    assert [checkout.count(start) for start in ("uv venv", "uv pip sync", "npm ci")] == [1, 1, 1]
    assert checkout.count("uv pip sync --quiet --require-hashes") == 1
    assert [call for call in checkout.calls if "vite" in call] == ["node node_modules/vite/bin/vite.js build"]
    checkout.clear()
    assert checkout.call("score")[2] == ""
    assert checkout.calls == ["fake-python -P -m server score"]


def test_tests_add_packages_to_the_environment(checkout: Checkout) -> None:
    """A later start without `test` keeps them."""
    checkout.call("score")
    assert "pytest==" not in checkout.installed
    assert not (checkout.paths.measures / "node_modules").exists()
    checkout.clear()
    assert checkout.call("test", "tests/cli")[0] == 5
    assert "pytest==" in checkout.installed
    assert (checkout.paths.measures / "node_modules").is_dir()
    assert [checkout.count(start) for start in ("uv venv", "uv pip sync", "npm ci")] == [0, 1, 2]
    checkout.clear()
    checkout.call("score")
    assert len(checkout.calls) == 1


def test_changed_sources_are_built_at_the_next_start(checkout: Checkout) -> None:
    """A file that was renamed counts as a change too. Tests have a build of their own."""
    builds = ["node node_modules/vite/bin/vite.js build", "node node_modules/vite/bin/vite.js build --mode test"]
    source = checkout.paths.web / "head.html"
    source.write_text("first")
    checkout.call("score")
    for change in (lambda: source.write_text("second"), lambda: source.rename(source.with_name("other.html"))):
        change()
        checkout.clear()
        checkout.call("score")
        assert [call for call in checkout.calls if "vite" in call] == builds[:1]
    checkout.clear()
    checkout.call("test", "tests/cli")
    assert [call for call in checkout.calls if "vite" in call] == builds[1:]


def test_a_changed_lock_file_is_installed_at_the_next_start(checkout: Checkout) -> None:
    """The environment is updated in place and keeps the packages of tests."""
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
        ("web/node_modules", [0, 0, 1]),
    ],
)
def test_a_damaged_part_is_repaired(checkout: Checkout, gone: str, calls: list[int]) -> None:
    """If Python or the npm packages are missing, only that part is installed again."""
    checkout.call("score")
    path = checkout.paths.root / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    checkout.clear()
    assert checkout.call("score")[0] == 7
    assert [checkout.count(start) for start in ("uv venv", "uv pip sync", "npm ci")] == calls


def test_a_killed_set_up_is_repeated(checkout: Checkout) -> None:
    """The next start waits for the processes of the killed one, and deletes incomplete parts."""
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


def test_a_missing_libzbar_is_only_reported(checkout: Checkout) -> None:
    """The scanner works without its second reader; the set-up once says how to install it."""
    assert "apt install libzbar0" in checkout.call("score")[2]
    assert checkout.call("score") == (7, checkout.call("score")[1], "")


def test_a_failed_step_is_reported_and_repeated_at_the_next_start(checkout: Checkout) -> None:
    """The last line of the output has advice and the path of the log."""
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
def test_an_old_or_broken_uv_is_replaced(checkout: Checkout, uv: str) -> None:
    """Pip installs a locked uv into the checkout; without pip there is advice."""
    (checkout.bin / "uv").write_text(f"#!/bin/sh\necho {uv}\n")
    without_pip = f"""#!{shutil.which("bash")}
        case "$*" in
        *"-m pip install"*) echo "$*" >> "{checkout.bin}/calls"; echo "No module named pip"; exit 1 ;;
        *) exec -a "$0" "{sys.executable}" "$@" ;;
        esac
        """
    (checkout.bin / "python3").write_text(without_pip)
    (checkout.bin / "python3").chmod(0o755)
    assert "apt install --no-install-recommends python3-pip" in checkout.call("score")[2]
    assert [call for call in checkout.calls if f"--require-hashes --target {checkout.paths.home}/uv" in call]


def test_a_read_only_checkout_is_reported(checkout: Checkout) -> None:
    """Missing permissions and a full disk are one-line errors without a traceback."""
    checkout.paths.home.mkdir()
    checkout.paths.log.symlink_to("/dev/full")
    code, _, errors = checkout.call("score")
    assert (code, errors.count("\n"), "Traceback" in errors) == (1, 3, False)
    assert "the disk is full" in errors
    checkout.paths.log.unlink()
    if os.geteuid():
        checkout.paths.home.chmod(0o555)
        assert "no permission to write" in checkout.call("score")[2]
