"""The set-up makes what is missing, once, and repairs what was left half made."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.setup.checkout import make_checkout
from tools import environment, launch, system
from tools.problems import ProblemError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.setup.checkout import Checkout


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """Give a checkout where nothing is set up, on a system that may install nothing."""
    made = make_checkout(tmp_path)
    monkeypatch.setenv("PATH", f"{made.bin}:/usr/bin:/bin")
    monkeypatch.setattr(system, "installer", lambda: "")
    monkeypatch.setattr(environment, "has_screen_libraries", lambda: True)
    for name in ("UV_SYSTEM_CERTS", "UV_NATIVE_TLS"):
        monkeypatch.delenv(name, raising=False)
    return made


def installed(checkout: Checkout) -> str:
    """Return the requirements that the environment was last filled from."""
    return (checkout.places.environment / "installed").read_text()


def test_the_first_start_makes_everything_and_the_second_nothing(checkout: Checkout) -> None:
    """One run makes environment and front end; the next calls no program at all."""
    launch.set_up(checkout.places, dev=False)
    assert checkout.count("uv venv") == 1
    assert checkout.count("uv pip sync") == 1
    assert checkout.count("npm ci") == 1
    checkout.clear()
    launch.set_up(checkout.places, dev=False)
    assert checkout.calls == []


def test_only_the_tests_get_what_measures_the_pages(checkout: Checkout) -> None:
    """The product's set-up leaves the browser's measuring tools out; the tests' adds them, once."""
    launch.set_up(checkout.places, dev=False)
    assert not (checkout.places.measures / "node_modules").exists()
    checkout.clear()
    launch.set_up(checkout.places, dev=True)
    assert checkout.count("npm ci") == 1
    assert (checkout.places.measures / "node_modules").is_dir()
    checkout.clear()
    launch.set_up(checkout.places, dev=True)
    assert checkout.calls == []


def test_packages_are_installed_by_their_hashes(checkout: Checkout) -> None:
    """Whatever server answers, a package counts only with a locked hash."""
    launch.set_up(checkout.places, dev=False)
    assert all("--require-hashes" in call for call in checkout.calls if call.startswith("uv pip"))


def test_the_tests_add_packages_and_the_product_keeps_them(checkout: Checkout) -> None:
    """`test` after a plain start adds to the environment; a plain start after it changes nothing."""
    launch.set_up(checkout.places, dev=False)
    assert "pytest==" not in installed(checkout)
    launch.set_up(checkout.places, dev=True)
    assert "pytest==" in installed(checkout)
    checkout.clear()
    launch.set_up(checkout.places, dev=False)
    assert checkout.calls == []


@pytest.mark.parametrize("dev", [False, True])
def test_a_changed_lock_is_installed_by_the_next_start(checkout: Checkout, dev: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """After a lock changed the environment follows in place, and stays one for tests if it was one."""
    launch.set_up(checkout.places, dev=dev)
    checkout.clear()
    with checkout.places.lock("dev").open("a") as lock:
        lock.write("# changed\n")
    launch.set_up(checkout.places, dev=False)
    assert checkout.count("uv venv") == 0
    assert checkout.count("uv pip sync") == 1
    assert ("pytest==" in installed(checkout)) is dev


def test_a_killed_set_up_is_made_anew(checkout: Checkout) -> None:
    """Packages may be there in part after a kill, so the next start throws the environment away."""
    checkout.switch("fail", "killed")
    with pytest.raises(ProblemError):
        launch.set_up(checkout.places, dev=False)
    (checkout.bin / "fail").unlink()
    checkout.clear()
    launch.set_up(checkout.places, dev=False)
    assert checkout.count("uv venv") == 1
    assert "flask==" in installed(checkout)


def test_an_environment_without_its_python_is_made_anew(checkout: Checkout) -> None:
    """A Python that the system took away is noticed, though everything was finished before."""
    launch.set_up(checkout.places, dev=False)
    checkout.places.python.unlink()
    checkout.clear()
    launch.set_up(checkout.places, dev=False)
    assert checkout.count("uv venv") == 1


def test_a_front_end_that_was_deleted_is_installed_again(checkout: Checkout) -> None:
    """Only the part that is gone is made again."""
    launch.set_up(checkout.places, dev=False)
    (checkout.places.web / "node_modules" / ".package-lock.json").unlink()
    checkout.clear()
    launch.set_up(checkout.places, dev=False)
    assert checkout.count("npm ci") == 1
    assert checkout.count("uv pip") == 0


def test_an_untrusted_certificate_leads_to_the_systems_store(checkout: Checkout) -> None:
    """Where uv does not trust what answers, it is asked again with the system's certificates."""
    checkout.switch("proxy")
    launch.set_up(checkout.places, dev=False)
    assert checkout.count("uv venv") == 2
    assert checkout.count("uv pip sync") == 1, "once it is known, the system's store is used at once"


@pytest.mark.parametrize("asked_first", [True, False])
def test_a_server_without_a_screen_gets_the_headless_build(
    checkout: Checkout,
    monkeypatch: pytest.MonkeyPatch,
    asked_first: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """Where opencv-python does not load, its headless build of the same release takes its place."""
    monkeypatch.setattr(environment, "has_screen_libraries", lambda: not asked_first)
    checkout.switch("no-screen")
    launch.set_up(checkout.places, dev=False)
    assert checkout.count("uv pip sync") == (1 if asked_first else 2)
    assert "\nopencv-python==" not in installed(checkout)
    assert "\nopencv-python-headless==" in installed(checkout)


@pytest.mark.parametrize("there", [True, False])
def test_a_missing_libzbar_is_told_once_and_stops_nothing(
    checkout: Checkout,
    capsys: pytest.CaptureFixture[str],
    there: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """The scanner does without its second reader, so the set-up only says how to get it."""
    if there:
        checkout.switch("zbar")
    launch.set_up(checkout.places, dev=False)
    assert ("libzbar0" in capsys.readouterr().err) is not there
    launch.set_up(checkout.places, dev=False)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("printed", "advice"),
    [
        ("error: dns error: failed to lookup address", "go online"),
        ("No space left on device (os error 28)", "disk is full"),
        ("Failed to download x/python-build-standalone/y: dns error", "install one (Debian"),
        ("ModuleNotFoundError: no module x", "ModuleNotFoundError: no module x"),
        ("npm error code ENOTFOUND", "go online"),
        ("npm error code EINTEGRITY", "package mirror"),
        ("open: Permission denied", "owner of the folder"),
        ("Hash mismatch for `flask==3.1.3`", "package mirror"),
        ("something nobody has seen", "something nobody has seen"),
    ],
)
def test_a_failed_step_ends_with_one_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], printed: str, advice: str
) -> None:
    """What went wrong is told in one line that says what to do and where the log is; exit code 1."""
    checkout.switch("fail", printed)
    assert launch.main(str(checkout.places.root), ["--help"]) == 1
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("haggle: ")
    assert advice in line
    assert "setup.log" in line
    assert printed in checkout.places.log.read_text()


def test_a_system_without_uv_and_pip_is_told_what_to_install(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without uv the set-up needs pip, and says how to get it."""
    (checkout.bin / "uv").unlink()
    bare = checkout.bin / "bare-python"
    bare.write_text("#!/bin/sh\necho 'No module named pip'\nexit 1\n")
    bare.chmod(0o755)
    monkeypatch.setenv("PATH", str(checkout.bin))
    monkeypatch.setattr(sys, "executable", str(bare))
    assert launch.main(str(checkout.places.root), []) == 1
    assert "apt install python3-pip" in capsys.readouterr().err


def test_an_old_uv_is_not_used(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """A uv that lacks options we use is passed over, and our own installed by pip."""
    old = (checkout.bin / "uv").read_text().replace("uv 0.13.8", "uv 0.4.30")
    (checkout.bin / "uv").write_text(old)
    pip = checkout.bin / "pip-python"
    pip.write_text(f'#!/bin/sh\nmkdir -p "{checkout.places.home}/uv.new/bin"\n')
    pip.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(pip))
    with pytest.raises(ProblemError):
        launch.set_up(checkout.places, dev=False)
    assert (checkout.places.home / "uv" / "bin").is_dir()
    assert checkout.calls[0] == "uv --version"
    assert checkout.count("uv venv") == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_checkout_of_someone_else_is_told(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that may not be written ends with one line, not with a traceback."""
    checkout.places.home.chmod(0o555)
    assert launch.main(str(checkout.places.root), []) == 1
    assert "no permission to write" in capsys.readouterr().err


def test_a_full_disk_is_told(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error while a file is written ends with one line, not with a traceback."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "state.json")

    monkeypatch.setattr(launch, "Runner", full)
    assert launch.main(str(checkout.places.root), []) == 1
    assert "the disk is full" in capsys.readouterr().err
