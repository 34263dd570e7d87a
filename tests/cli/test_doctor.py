"""`haggle doctor`: checks of the installation, with advice."""

from __future__ import annotations

import builtins
import sys
from typing import TYPE_CHECKING, Any

import pytest

from server import VERSION, installation
from server.cli import doctor
from server.cli.doctor import CheckedItem, find_browser, find_shell
from server.web_app import assets

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Haggle

FINE = CheckedItem("Python", found=True, detail="3.11.7")
LIMITED = CheckedItem("pyzbar", found=False, detail="no libzbar", needed=False, advice="apt install libzbar0")
BROKEN = CheckedItem("OpenCV", found=False, detail="libGL.so.1 is missing", advice="run ./haggle again")


@pytest.mark.parametrize(
    ("findings", "code", "last"),
    [
        ([FINE, LIMITED], 0, "Everything that is needed is installed."),
        ([FINE, LIMITED, BROKEN], 1, "Missing: OpenCV."),
    ],
    ids=["all that is needed", "something needed is missing"],
)
def test_it_fails_only_if_something_required_is_missing(
    haggle: Haggle, monkeypatch: pytest.MonkeyPatch, findings: list[CheckedItem], code: int, last: str
) -> None:
    """Results are a table with a summary, plain lines without the library for tables, or JSON."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(doctor, "check_machine", lambda: findings)
    output = haggle("doctor")
    assert (output.code, output.out.splitlines()[-1], "apt install libzbar0" in output.out) == (code, last, True)
    output = haggle("doctor", "--json")
    assert (output.code, output.document["ok"]) == (code, code == 0)
    assert [finding["name"] for finding in output.document["findings"]] == [finding.name for finding in findings]
    real = builtins.__import__

    def without_rich(name: str, *rest: Any) -> Any:  # noqa: ANN401 - the signature of __import__
        if name.startswith("rich"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_rich)
    output = haggle("doctor")
    assert output.code == code
    assert ("OpenCV  MISSING  libGL.so.1 is missing: run ./haggle again" in output.out) == (code == 1)


def test_libraries_are_listed_with_version_or_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    opencv = doctor.library("OpenCV", "cv2", ("opencv-python",), "run ./haggle again")
    assert (opencv.found, "cv2" in opencv.detail, opencv.advice) == (False, True, "run ./haggle again")
    found = doctor.library("tables", "rich", ("rich", "no-such-package"), "")
    assert found.found
    assert found.detail.startswith("rich ")
    assert "no-such-package" not in found.detail


def test_pages_must_be_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.pages().found
    monkeypatch.setattr(assets, "DIST", tmp_path)
    finding = doctor.pages()
    assert (finding.found, "manifest.json is missing" in finding.detail) == (False, True)
    assert "./haggle" in finding.advice


def test_browsers_must_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The first on the PATH that prints its version is used, or only that in `HAGGLE_BROWSER`."""
    scripts = {"chromium": "exit 1", "google-chrome": "echo Chrome 1.2", "chromium-headless-shell": "echo Chromium 3"}
    for name, script in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.delenv("HAGGLE_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser() == tmp_path / "google-chrome"
    assert find_shell() == tmp_path / "chromium-headless-shell"
    assert doctor.browser().detail.startswith("Chrome 1.2 (")
    monkeypatch.setenv("HAGGLE_BROWSER", "/no/such/browser")
    assert (find_browser(), find_shell()) == (None, None)
    assert not doctor.browser().found


def test_each_check_is_listed_once(haggle: Haggle) -> None:
    names = [finding["name"] for finding in haggle("doctor", "--json").document["findings"]]
    assert {"Python", "OpenCV", "zxing-cpp", "pages", "browser for tests"} <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("program", "command"), [("uv", "uv"), ("another", ".haggle/uv/bin/uv")])
def test_a_checkout_installs_what_is_missing_with_its_own_uv_unless_there_is_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str, command: str
) -> None:
    (tmp_path / program).touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    assert doctor.solver().advice.endswith(f": {command} pip install --python .haggle/venv ortools")


@pytest.mark.parametrize(
    ("module", "check", "extra"),
    [("opentelemetry.exporter", doctor.tracing, "tracing"), ("ortools.sat.python.cp_model", doctor.solver, "prove")],
)
def test_an_installation_from_a_wheel_gets_advice_for_wheels(
    monkeypatch: pytest.MonkeyPatch, module: str, check: Callable[[], CheckedItem], extra: str
) -> None:
    monkeypatch.setattr(installation, "CHECKOUT", None)
    monkeypatch.setitem(sys.modules, module, None)
    finding = check()
    assert (finding.found, finding.needed) == (False, False)
    # The environment of the tests, which uv made, has no pip.
    command = f'uv pip install --python "{sys.executable}" "haggle_game-{VERSION}-py3-none-any.whl[{extra}]"'
    assert command in finding.advice
