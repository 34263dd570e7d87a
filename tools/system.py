"""What comes from the operating system: libzbar for the second reader, and a browser for the tests.

The product runs without either, so a failure here is told and does not stop the set-up.
"""

from __future__ import annotations

import os
import platform
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tools.problems import ProblemError
from tools.runner import FailedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.places import Places
    from tools.runner import Runner
    from tools.state import State

HOMEBREW = Path("/opt/homebrew/lib")
"""Where Homebrew puts libraries on Apple's own processors; the system does not look there."""
LIMIT = 900.0
"""Seconds that one way to install a part may take."""
HERE = "here"


@dataclass(frozen=True)
class Need:
    """Something of the system's: how to look for it, what installs it, and what is lost without it."""

    part: str
    what: str
    check: Sequence[str]
    apt: str
    brew: Sequence[str]
    loss: str


def zbar(places: Places) -> Need:
    """Describe libzbar."""
    check = [str(places.python), "-c", "import pyzbar.pyzbar"]
    loss = "the scanner works without it, but reads a few codes less"
    return Need("zbar", "libzbar, the scanner's second reader", check, "libzbar0", ["zbar"], loss)


def browser(places: Places) -> Need:
    """Describe the browser."""
    check = [str(places.python), "-P", "-m", "server.cli.browser"]
    loss = "the browser tests cannot run"
    return Need("browser", "Chromium, for the browser tests", check, "chromium", ["--cask", "chromium"], loss)


def on_mac() -> bool:
    """Tell whether this is a Mac."""
    return platform.system() == "Darwin"


def installer() -> str:
    """Return what may install the system's packages without asking: apt as root, Homebrew on a Mac, or nothing."""
    if on_mac():
        return "brew" if shutil.which("brew") else ""
    return "apt" if shutil.which("apt-get") and os.geteuid() == 0 else ""


def is_ready(state: State, part: str) -> bool:
    """Tell whether a part is there, or was looked for before with no better means to install it."""
    return state[part] in (HERE, _missing())


def _missing() -> str:
    return f"missing, installer: {installer() or 'none'}"


def library_path() -> dict[str, str]:
    """Return the variables that let Python find Homebrew's libraries on a Mac."""
    if not on_mac() or not HOMEBREW.is_dir():
        return {}
    name = "DYLD_FALLBACK_LIBRARY_PATH"
    # These are the folders that the system looks in when the variable is not set.
    folders = os.environ.get(name, f"{Path.home()}/lib:/usr/local/lib:/usr/lib").split(":")
    return {name: ":".join([str(HOMEBREW), *folders])}


def browser_path(places: Places) -> dict[str, str]:
    """Return the variable that says where Playwright keeps its own browser."""
    return {"PLAYWRIGHT_BROWSERS_PATH": str(places.home / "browsers")}


def provide(runner: Runner, state: State, places: Places, need: Need) -> None:
    """Look for a part, install it where that is allowed, and say what is lost if it cannot be had."""
    variables = {**browser_path(places), **library_path()}
    found = _works(runner, need, variables) or any(_try(runner, need, variables, *way) for way in _ways(places, need))
    if not found:
        how = f"brew install {' '.join(need.brew)}" if on_mac() else f"as root: apt install {need.apt}"
        runner.say(f"  no {need.what}: {need.loss} ({how})")
    state.finish(need.part, HERE if found else _missing())


def _works(runner: Runner, need: Need, variables: dict[str, str]) -> bool:
    try:
        runner.run(need.check, more=variables)
    except FailedError:
        return False
    return True


def _try(runner: Runner, need: Need, variables: dict[str, str], what: str, command: list[str]) -> bool:
    try:
        with runner.step(what):
            runner.download(command, more={**variables, "DEBIAN_FRONTEND": "noninteractive"}, limit=LIMIT)
            runner.run(need.check, more=variables)
    except ProblemError as problem:
        runner.say(f"    {problem}")
        return False
    return True


def _ways(places: Places, need: Need) -> list[tuple[str, list[str]]]:
    """Return what may be tried to install a part: a title and a command for each way."""
    ways: list[tuple[str, list[str]]] = []
    if installer() == "apt":
        install = f"apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 {need.apt}"
        # The lists of a fresh image are empty, and old ones name packages that are gone.
        ways.append((need.what, ["sh", "-c", f"{install} || {{ apt-get update && {install}; }}"]))
    if installer() == "brew":
        ways.append((need.what, ["brew", "install", *need.brew]))
    if need.part == "browser":
        ways.append((f"{need.what} (Playwright's)", [str(places.python), "-m", "playwright", "install", "chromium"]))
    return ways
