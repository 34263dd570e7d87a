"""The doctor tells what is here and what to do about the rest, however broken the machine is."""

from __future__ import annotations

import builtins
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from server.cli import doctor, machine
from server.cli.browser import find_browser, find_shell
from server.cli.machine import Finding

if TYPE_CHECKING:
    from pathlib import Path

FINE = Finding("Python", found=True, detail="3.11.7")
LIMITED = Finding("pyzbar", found=False, detail="no libzbar", needed=False, advice="apt install libzbar0")
BROKEN = Finding("OpenCV", found=False, detail="libGL.so.1 is missing", advice="run ./haggle again")


def run(monkeypatch: pytest.MonkeyPatch, *findings: Finding, options: tuple[str, ...] = ()) -> tuple[int, str]:
    """Run the doctor on invented findings; return its exit code and what it printed."""
    monkeypatch.setattr(doctor, "look", lambda: list(findings))
    result = CliRunner().invoke(doctor.command, options, env={"COLUMNS": "200"})
    return result.exit_code, result.output


def test_the_doctor_is_content_without_what_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something that is only useful may be missing: exit code 0, and a word on how to get it."""
    code, output = run(monkeypatch, FINE, LIMITED)
    assert code == 0
    assert "All that is needed is here." in output
    assert "apt install libzbar0" in output


def test_the_doctor_fails_without_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something needed is missing: exit code 1, and the last line names it."""
    code, output = run(monkeypatch, FINE, LIMITED, BROKEN)
    assert code == 1
    assert output.splitlines()[-1] == "Missing: OpenCV."


@pytest.mark.parametrize(("findings", "ok"), [((FINE, LIMITED), True), ((FINE, BROKEN), False)])
def test_the_doctor_speaks_json(monkeypatch: pytest.MonkeyPatch, findings: tuple[Finding, ...], ok: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """`--json` prints every finding and whether all that is needed is here."""
    code, output = run(monkeypatch, *findings, options=("--json",))
    answer = json.loads(output)
    assert code == int(not ok)
    assert answer["ok"] is ok
    assert [finding["name"] for finding in answer["findings"]] == [finding.name for finding in findings]


def test_the_doctor_speaks_plainly_without_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where even the library for tables is missing, plain lines are printed."""
    real = builtins.__import__

    def without_rich(name: str, *rest: Any) -> Any:  # noqa: ANN401 - the signature of __import__
        if name.startswith("rich"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_rich)
    code, output = run(monkeypatch, BROKEN)
    assert code == 1
    assert "OpenCV  MISSING  libGL.so.1 is missing: run ./haggle again" in output


def test_a_library_that_does_not_load_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that cannot be imported is told with its error, and stops nothing."""
    monkeypatch.setitem(sys.modules, "cv2", None)
    opencv = machine.library("OpenCV", "cv2", ("opencv-python",), "run ./haggle again")
    assert not opencv.found
    assert "cv2" in opencv.detail
    assert opencv.advice == "run ./haggle again"


def test_a_library_is_told_with_its_release() -> None:
    """Of packages that may bring a module, those that are installed are named with their release."""
    found = machine.library("tables", "rich", ("rich", "no-such-package"), "")
    assert found.found
    assert found.detail.startswith("rich ")
    assert "no-such-package" not in found.detail


def write_web(root: Path, wanted: dict[str, str], there: dict[str, str]) -> None:
    """Write a front end that wants some packages and has some."""
    (root / "web").mkdir()
    (root / "web" / "package.json").write_text(json.dumps({"dependencies": wanted}))
    for name, version in there.items():
        folder = root / "web" / "node_modules" / name
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"version": version}))


@pytest.mark.parametrize(
    ("there", "found"), [({"htm": "3.1.1"}, True), ({"htm": "3.1.0"}, False), ({}, False)], ids=["right", "old", "none"]
)
def test_web_packages_must_be_there_at_the_locked_release(tmp_path: Path, there: dict[str, str], found: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """A front-end package counts only at the very release that package.json names."""
    write_web(tmp_path, {"htm": "3.1.1"}, there)
    assert machine.web_packages(tmp_path).found is found


def test_a_checkout_without_a_front_end_is_a_finding(tmp_path: Path) -> None:
    """No package.json: told as missing, with what to do."""
    finding = machine.web_packages(tmp_path)
    assert not finding.found
    assert "./haggle" in finding.advice


def test_a_data_folder_that_is_not_there_yet_can_be_made(tmp_path: Path) -> None:
    """What counts is the nearest folder that exists."""
    assert machine.data_folder(tmp_path / "not" / "there").found


def test_a_chosen_browser_that_does_not_start_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """`HAGGLE_BROWSER` names one browser; if it does not start, no other is taken in its place."""
    monkeypatch.setenv("HAGGLE_BROWSER", "/no/such/browser")
    assert (find_browser(), find_shell()) == (None, None)
    assert not machine.browser().found


def test_a_browser_counts_only_if_it_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The first on the PATH that tells its version is taken; one that ends with an error is passed over."""
    scripts = {"chromium": "exit 1", "google-chrome": "echo Chrome 1.2", "chromium-headless-shell": "echo Chromium 3"}
    for name, script in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.delenv("HAGGLE_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser() == tmp_path / "google-chrome"
    assert find_shell() == tmp_path / "chromium-headless-shell"
    assert machine.browser().detail.startswith("Chrome 1.2 (")


def test_the_doctor_looks_at_this_machine_without_a_traceback() -> None:
    """On the machine that runs this test the doctor names every part once."""
    result = CliRunner().invoke(doctor.command, ["--json"])
    names = [finding["name"] for finding in json.loads(result.output)["findings"]]
    assert {"Python", "OpenCV", "zxing-cpp", "web packages", "browser for tests"} <= set(names)
    assert len(names) == len(set(names))
