"""`haggle doctor`: shows what Haggle can use of this machine, and what to do about the rest."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.installation import CHECKOUT, REPAIR, advice_for_extra
from server.web_app.assets import AssetError, Assets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
DOWNLOADED = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*")
"""Where Playwright puts the Chromium that it downloads, below its own folder."""
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
DOWNLOADED_SHELLS = (
    "chromium_headless_shell-*/chrome-linux*/headless_shell",
    "chromium_headless_shell-*/chrome-headless-shell-*/chrome-headless-shell",
    "chromium_headless_shell-*/chrome-mac*/headless_shell",
)
"""The same Chromium without what draws windows."""
ANSWER_LIMIT = 30.0
"""Seconds that a browser may take to print its version."""


def find_browser() -> Path | None:
    """Return the path of a Chromium that starts, or None.

    `HAGGLE_BROWSER` names one by hand, and then no other is looked for.
    """
    return _first_working(_candidates(NAMES, MAC_APPLICATIONS, DOWNLOADED))


def find_shell() -> Path | None:
    """Return the path of a Chromium without windows that starts, or None; `HAGGLE_BROWSER` as for `find_browser`.

    It takes a quarter of the processor's time for a page, and has no camera and no pages that are kept behind.
    """
    return _first_working(_candidates(SHELLS, (), DOWNLOADED_SHELLS))


def _first_working(candidates: Iterator[Path]) -> Path | None:
    chosen = os.environ.get("HAGGLE_BROWSER")
    return next(
        (path for path in ([Path(chosen)] if chosen else candidates) if browser_version(path) is not None), None
    )


def browser_version(browser: Path) -> str | None:
    """Return what a browser says of its version, or None if it does not start (a library may be missing)."""
    try:
        done = subprocess.run(  # noqa: S603 - a path that we found or the user named
            [browser, "--version"], capture_output=True, text=True, timeout=ANSWER_LIMIT, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _candidates(names: Sequence[str], applications: Sequence[str], downloaded: Sequence[str]) -> Iterator[Path]:
    yield from (Path(found) for name in names if (found := shutil.which(name)))
    yield from (Path(application) for application in applications if Path(application).is_file())
    downloads = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", (CHECKOUT or Path()) / ".haggle" / "browsers"))
    for pattern in downloaded:
        yield from sorted(downloads.glob(pattern), reverse=True)


if __name__ == "__main__":
    found = find_shell() if sys.argv[1:] == ["shell"] else find_browser()
    print(found or "no Chromium found")
    sys.exit(found is None)


OLDEST_PYTHON = (3, 11)


@dataclass(frozen=True)
class CheckedItem:
    """One thing looked at. `advice` says what to do where it is not there; `needed` things must be."""

    name: str
    found: bool
    detail: str
    needed: bool = True
    advice: str = ""


def check_machine() -> list[CheckedItem]:
    """Look at everything, and return what was found. Never raises for what is missing or broken."""
    return [
        python(),
        opencv(),
        library("zxing-cpp", "zxingcpp", ("zxing-cpp",), REPAIR),
        second_reader(),
        library("HEIC pictures", "pillow_heif", ("pillow-heif",), REPAIR, needed=False),
        library("PDF pages", "pypdfium2", ("pypdfium2",), REPAIR, needed=False),
        tracing(),
        solver(),
        pages(),
        *([browser()] if CHECKOUT else []),
    ]


def python() -> CheckedItem:
    """Look at the Python that runs this."""
    advice = f"install Python {'.'.join(map(str, OLDEST_PYTHON))} or newer"
    detail = f"{platform.python_version()} ({platform.system()} {platform.machine()})"
    return CheckedItem("Python", sys.version_info >= OLDEST_PYTHON, detail, advice=advice)


def library(name: str, module: str, packages: tuple[str, ...], advice: str, *, needed: bool = True) -> CheckedItem:
    """Look whether a module loads, and which of the packages that may bring it is installed."""
    try:
        import_module(module)
    # A library may fail in any way while it loads: a missing system library, a wrong build, another's bug.
    except Exception as error:  # noqa: BLE001 - the finding is that it fails
        return CheckedItem(name, found=False, detail=_line(error), needed=needed, advice=advice)
    return CheckedItem(name, found=True, detail=", ".join(_installed(packages)), needed=needed)


def opencv() -> CheckedItem:
    """Look whether OpenCV loads."""
    advice = REPAIR
    if platform.system() == "Windows":
        advice += "; on Windows N, install the Media Feature Pack in the settings, under optional features"
    return library("OpenCV", "cv2", ("opencv-python", "opencv-python-headless"), advice)


def second_reader() -> CheckedItem:
    """Look whether pyzbar finds libzbar. The scanner works without it, and reads a few codes less."""
    install = {
        "Darwin": "brew install zbar",
        "Windows": "install Microsoft's Visual C++ 2013 Redistributable (x64)",
    }.get(platform.system(), "apt install libzbar0 (Fedora: dnf install zbar)")
    name = "pyzbar with libzbar"
    return library(name, "pyzbar.pyzbar", ("pyzbar",), f"{install}; the scanner works without it", needed=False)


def tracing() -> CheckedItem:
    """Look for the packages that send traces."""
    packages = ("opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http")
    advice = f"only `haggle serve --trace` needs it: {advice_for_extra('tracing', ' '.join(packages))}"
    module = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
    return library("OpenTelemetry traces", module, packages, advice, needed=False)


def solver() -> CheckedItem:
    """Look for the solver of `haggle best`."""
    advice = f"only proofs of `haggle best` need it: {advice_for_extra('prove', 'ortools')}"
    return library("solver CP-SAT", "ortools.sat.python.cp_model", ("ortools",), advice, needed=False)


def pages() -> CheckedItem:
    """Look at the built pages."""
    try:
        return CheckedItem("pages", found=True, detail=f"release {Assets.load().release}")
    except (AssetError, OSError) as error:
        return CheckedItem("pages", found=False, detail=_line(error), advice=REPAIR)


def browser() -> CheckedItem:
    """Look for a browser that the tests can drive."""
    found = find_browser()
    if found is None:
        advice = "only the browser tests need it: apt install chromium, or set HAGGLE_BROWSER"
        return CheckedItem("browser for tests", found=False, detail="none that starts", needed=False, advice=advice)
    return CheckedItem("browser for tests", found=True, detail=f"{browser_version(found)} ({found})", needed=False)


def _installed(packages: tuple[str, ...]) -> Iterator[str]:
    for package in packages:
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            continue


def _line(error: Exception) -> str:
    """Return an error in one line."""
    return " ".join(str(error).split()) or type(error).__name__


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def command(*, as_json: bool) -> None:
    """Show which programs and hardware of this machine Haggle can use. Exit code 1 if something needed is missing."""
    findings = check_machine()
    missing = [finding.name for finding in findings if finding.needed and not finding.found]
    if as_json:
        print(json.dumps({"ok": not missing, "findings": [asdict(finding) for finding in findings]}, indent=2))
    else:
        show(findings)
        print(f"Missing: {', '.join(missing)}." if missing else "Everything that is needed is installed.")
    sys.exit(bool(missing))


def state(finding: CheckedItem) -> str:
    """Return a finding's state as a word, so that it is not shown by colour alone."""
    if finding.found:
        return "ok"
    return "MISSING" if finding.needed else "without"


def show(findings: list[CheckedItem]) -> None:
    """Print the findings as a table, or as plain lines where the library for tables is what is missing."""
    rows = [
        (finding.name, state(finding), finding.detail if finding.found else f"{finding.detail}: {finding.advice}")
        for finding in findings
    ]
    try:
        # Loaded here, since the doctor must speak even where the environment is broken.
        from rich.console import Console  # noqa: PLC0415 - see above
        from rich.table import Table  # noqa: PLC0415 - see above
        from rich.text import Text  # noqa: PLC0415 - see above
    except ImportError:
        for row in rows:
            print("  ".join(row))
        return
    colours = {"ok": "green", "MISSING": "bold red", "without": "yellow"}
    table = Table(box=None, pad_edge=False)
    for heading in ("What", "State", "Details"):
        table.add_column(heading, overflow="fold")
    for name, word, details in rows:
        table.add_row(Text(name), Text(word, style=colours[word]), Text(details))
    Console().print(table)
