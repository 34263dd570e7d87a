"""What comes from the operating system: libzbar for the second reader; a browser, Redis and Caddy for the tests.

The product runs without either, so a failure here is told and does not stop the set-up.
"""

from __future__ import annotations

import os
import shlex
import shutil
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.problems import ProblemError
from tools.runner import FailedError
from tools.variables import on_mac, product_variables

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tools.places import Places
    from tools.runner import Runner
    from tools.state import State

LIMIT = 900.0
"""Seconds that one way to install a part may take."""
HERE = "here"


@dataclass(frozen=True)
class Need:
    """Something of the system's: commands that fail without it, what installs it, and what is lost without it.

    `apt` and `brew` name packages; the latter may be empty, since Homebrew has no Chromium. Where `folder` is given,
    Debian's package is unpacked there and not installed.
    """

    part: str
    what: str
    checks: Sequence[Sequence[str]]
    apt: str
    brew: str
    loss: str
    folder: Path | None = None


def zbar(places: Places) -> Need:
    """Describe libzbar."""
    checks = [[str(places.python), "-c", "import pyzbar.pyzbar"]]
    loss = "the scanner works without it, but reads a few codes less"
    return Need("zbar", "libzbar, the scanner's second reader", checks, "libzbar0", "zbar", loss)


def browser(places: Places) -> Need:
    """Describe the browser."""
    python = [str(places.python), "-P", "-m"]
    checks = [[*python, "playwright", "--version"], [*python, "server.cli.browser"]]
    loss = "the browser tests cannot run"
    return Need("browser", "Chromium, for the browser tests", checks, "chromium libatomic1", "", loss)


def shell(places: Places) -> Need:
    """Describe the browser without windows; where there is none, a whole one does the same."""
    checks = [[str(places.python), "-P", "-m", "server.cli.browser", "shell"]]
    loss = "the browser tests take longer"
    return Need("shell", "Chromium without windows", checks, "chromium-headless-shell", "", loss)


def redis() -> Need:
    """Describe Redis. Debian has its program without the service, under another name, in the package of its tools."""
    find = "command -v redis-server || command -v redis-check-rdb"
    loss = "the tests on many machines' engines cannot run"
    return Need("redis", "Redis, for the tests on many machines", [["sh", "-c", find]], "redis-tools", "redis", loss)


def caddy(places: Places) -> Need:
    """Describe Caddy. Debian's package brings a service, which would take port 80 at once: its program is enough."""
    find = f"command -v caddy || {shlex.quote(str(places.caddy))} version"
    loss = "the tests on the proxy cannot run"
    folder = places.home / "caddy"
    return Need("caddy", "Caddy, for the tests on the proxy", [["sh", "-c", find]], "caddy", "caddy", loss, folder)


def installer() -> str:
    """Return what may install the system's packages without asking: apt as root, Homebrew on a Mac, or nothing."""
    if on_mac():
        return "brew" if shutil.which("brew") else ""
    return "apt" if shutil.which("apt-get") and os.geteuid() == 0 else ""


def is_ready(state: State, part: str) -> bool:
    """Tell whether a part is there, or was looked for before with no better means: today, where there are any."""
    return state[part] in (HERE, _missing())


def _missing() -> str:
    tool = installer()
    return f"missing, {tool} tried on {time.strftime('%Y-%m-%d')}" if tool else "missing"


def provide(runner: Runner, state: State, places: Places, need: Need) -> None:
    """Look for a part, install it where that is allowed, and say what is lost if it cannot be had."""
    variables = product_variables(places)
    found = _works(runner, need, variables) or any(_try(runner, need, variables, *way) for way in _ways(places, need))
    if not found:
        mac = f"brew install {need.brew}" if need.brew else "install Google Chrome"
        how = mac if on_mac() else f"as root: apt install {need.apt}"
        runner.say(f"  no {need.what}: {need.loss} ({how})")
    state.finish(need.part, HERE if found else _missing())


def _works(runner: Runner, need: Need, variables: dict[str, str]) -> bool:
    try:
        _check(runner, need, variables)
    except FailedError:
        return False
    return True


def _check(runner: Runner, need: Need, variables: dict[str, str]) -> None:
    for command in need.checks:
        runner.run(command, more=variables)


def _try(runner: Runner, need: Need, variables: dict[str, str], what: str, command: list[str]) -> bool:
    try:
        with runner.step(what):
            runner.download(command, more={**variables, "DEBIAN_FRONTEND": "noninteractive"}, limit=LIMIT)
            _check(runner, need, variables)
    except ProblemError as problem:
        runner.say(f"    {problem}")
        return False
    return True


def _ways(places: Places, need: Need) -> list[tuple[str, list[str]]]:
    """Return what may be tried to install a part: a title and a command for each way."""
    ways: list[tuple[str, list[str]]] = []
    if installer() == "apt":
        install = f"apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 {need.apt}"
        if need.folder:
            place = shlex.quote(str(need.folder))
            install = (
                # An older download would be unpacked beside the new one, which dpkg-deb refuses.
                f"(mkdir -p {place} && cd {place} && rm -f {need.apt}_*.deb"
                f" && apt-get download {need.apt} && dpkg-deb -x {need.apt}_*.deb .)"
            )
        # The lists of a fresh image are empty, and old ones name packages that are gone.
        ways.append((need.what, ["sh", "-c", f"{install} || {{ apt-get update && {install}; }}"]))
    if installer() == "brew" and need.brew:
        ways.append((need.what, ["brew", "install", need.brew]))
    if need.part in {"browser", "shell"}:
        # Where it may, Playwright also installs the system libraries that its Chromium needs.
        options = ["--with-deps"] if installer() == "apt" else []
        options += ["--only-shell"] if need.part == "shell" else []
        command = [str(places.python), "-m", "playwright", "install", *options, "chromium"]
        ways.append((f"{need.what} (Playwright's)", command))
    return ways
