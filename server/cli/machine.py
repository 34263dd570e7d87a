"""Looks at this machine: what the product needs, what it can do without, and what to do about the rest."""

from __future__ import annotations

import json
import os
import platform
import sys
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from server.cli.browser import find_browser
from server.cli.browser import version as browser_version

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
OLDEST_PYTHON = (3, 11)
SET_UP = "delete .haggle/venv and web/node_modules, then run ./haggle again"


@dataclass(frozen=True)
class Finding:
    """One thing looked at. `advice` says what to do where it is not there; `needed` things must be."""

    name: str
    found: bool
    detail: str
    needed: bool = True
    advice: str = ""


def look(root: Path = ROOT) -> list[Finding]:
    """Look at everything, and return what was found. Never raises for what is missing or broken."""
    return [
        python(),
        library("OpenCV", "cv2", ("opencv-python", "opencv-python-headless"), SET_UP),
        library("zxing-cpp", "zxingcpp", ("zxing-cpp",), SET_UP),
        second_reader(),
        library("HEIC pictures", "pillow_heif", ("pillow-heif",), SET_UP, needed=False),
        library("PDF pages", "pypdfium2", ("pypdfium2",), SET_UP, needed=False),
        web_packages(root),
        data_folder(root / ".haggle"),
        browser(),
    ]


def python() -> Finding:
    """Look at the Python that runs this."""
    advice = f"install Python {'.'.join(map(str, OLDEST_PYTHON))} or newer"
    detail = f"{platform.python_version()} ({platform.system()} {platform.machine()})"
    return Finding("Python", sys.version_info >= OLDEST_PYTHON, detail, advice=advice)


def library(name: str, module: str, packages: tuple[str, ...], advice: str, *, needed: bool = True) -> Finding:
    """Look whether a module loads, and which of the packages that may bring it is installed."""
    try:
        import_module(module)
    # A library may fail in any way while it loads: a missing system library, a wrong build, another's bug.
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what the doctor is asked to tell
        return Finding(name, found=False, detail=_line(error), needed=needed, advice=advice)
    return Finding(name, found=True, detail=", ".join(_installed(packages)), needed=needed)


def second_reader() -> Finding:
    """Look whether pyzbar finds libzbar. The scanner works without it, and reads a few codes less."""
    install = "brew install zbar" if platform.system() == "Darwin" else "apt install libzbar0"
    name = "pyzbar with libzbar"
    return library(name, "pyzbar.pyzbar", ("pyzbar",), f"{install}; the scanner works without it", needed=False)


def web_packages(root: Path) -> Finding:
    """Look whether the front end's packages are there, at the locked releases."""
    try:
        wanted = json.loads((root / "web" / "package.json").read_text("utf-8"))["dependencies"]
        there = {name: _web_version(root, name) for name in wanted}
    except (OSError, ValueError, KeyError) as error:
        return Finding("web packages", found=False, detail=_line(error), advice=SET_UP)
    wrong = sorted(name for name in wanted if there[name] != wanted[name])
    detail = ", ".join(f"{name} {there[name] or 'missing'}" for name in sorted(there))
    return Finding("web packages", not wrong, detail, advice=SET_UP)


def data_folder(folder: Path) -> Finding:
    """Look whether the folder of the demo and of the set-up can be written."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    advice = "work as the owner of that folder, or in a clone of your own"
    return Finding("data folder", os.access(nearest, os.W_OK), str(folder), advice=advice)


def browser() -> Finding:
    """Look for a browser that the tests can drive."""
    found = find_browser()
    if found is None:
        advice = "only the browser tests need it: apt install chromium, or set HAGGLE_BROWSER"
        return Finding("browser for tests", found=False, detail="none that starts", needed=False, advice=advice)
    return Finding("browser for tests", found=True, detail=f"{browser_version(found)} ({found})", needed=False)


def _installed(packages: tuple[str, ...]) -> Iterator[str]:
    for package in packages:
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            continue


def _web_version(root: Path, name: str) -> str | None:
    """Return an installed front-end package's version, or None if it is not there or damaged."""
    try:
        return str(json.loads((root / "web" / "node_modules" / name / "package.json").read_text("utf-8"))["version"])
    except (OSError, ValueError, KeyError):
        return None


def _line(error: Exception) -> str:
    """Return an error in one line."""
    return " ".join(str(error).split()) or type(error).__name__
