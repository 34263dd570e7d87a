"""What only the operating system can give is installed where that is allowed, and never stops the set-up."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.setup.checkout import make_checkout
from tools import system, variables
from tools.runner import Runner
from tools.state import State

if TYPE_CHECKING:
    from pathlib import Path

    from tests.setup.checkout import Checkout

WORKS = '#!/bin/sh\necho "apt-get $*" >> "{0}/calls"\ntouch "{0}/zbar"\n'
FAILS = '#!/bin/sh\necho "apt-get $*" >> "{0}/calls"\necho "E: nothing here"\nexit 100\n'

FETCHES = '#!/bin/sh\necho "apt-get $*" >> "{0}/calls"\ntouch caddy_2.6.2_amd64.deb\n'
UNPACKS = """#!/bin/sh
[ "$*" = "-x caddy_2.6.2_amd64.deb ." ] || exit 2
mkdir -p usr/bin && echo "#!/bin/sh" > usr/bin/caddy && chmod 755 usr/bin/caddy
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """Give a checkout that is set up, on a Debian where we are root."""
    made = make_checkout(tmp_path)
    made.mark_ready()
    monkeypatch.setenv("PATH", f"{made.bin}:/usr/bin:/bin")
    monkeypatch.setattr(system, "installer", lambda: "apt")
    return made


def provide(checkout: Checkout, apt: str) -> State:
    """Look for libzbar, with an apt-get that behaves as its script says; return what is remembered."""
    (checkout.bin / "apt-get").write_text(apt.format(checkout.bin))
    (checkout.bin / "apt-get").chmod(0o755)
    state = State(checkout.places)
    system.provide(Runner(checkout.places), state, checkout.places, system.zbar(checkout.places))
    return state


def test_a_library_that_is_there_is_not_installed(checkout: Checkout) -> None:
    """Where the second reader loads, the system's packages are left alone."""
    checkout.switch("zbar")
    assert provide(checkout, WORKS)["zbar"] == "here"
    assert checkout.count("apt-get") == 0


def test_root_on_debian_gets_the_library(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    """Where it is missing and apt may be used, it is installed without a question."""
    assert provide(checkout, WORKS)["zbar"] == "here"
    assert checkout.count("apt-get install -y") == 1
    assert "the scanner works without it" not in capsys.readouterr().err


@pytest.mark.parametrize("older", [False, True])
def test_caddy_comes_without_its_service(checkout: Checkout, monkeypatch: pytest.MonkeyPatch, *, older: bool) -> None:
    """Debian's package is fetched and unpacked below the checkout: installed it would take port 80 at once.

    A download of before, of which the program is gone, is not unpacked instead or besides.
    """
    if older:
        place = checkout.places.home / "caddy"
        place.mkdir(parents=True)
        (place / "caddy_2.6.1_amd64.deb").touch()
    for name, script in (("apt-get", FETCHES), ("dpkg-deb", UNPACKS)):
        (checkout.bin / name).write_text(script.format(checkout.bin))
        (checkout.bin / name).chmod(0o755)
    # A Caddy of this machine's own is not to be seen.
    monkeypatch.setenv(
        "PATH", f"{checkout.bin}:{_only(checkout.bin.parent / 'few', 'sh', 'mkdir', 'chmod', 'touch', 'rm')}"
    )
    state = State(checkout.places)
    system.provide(Runner(checkout.places), state, checkout.places, system.caddy(checkout.places))
    assert state["caddy"] == "here"
    assert [call for call in checkout.calls if "apt-get" in call] == ["apt-get download caddy"]
    assert checkout.places.caddy.exists()


def _only(folder: Path, *names: str) -> Path:
    """Make a folder for the PATH with a few of the system's programs."""
    folder.mkdir()
    for name in names:
        (folder / name).symlink_to(str(shutil.which(name)))
    return folder


def test_a_failed_installation_is_told_and_tried_again_another_day(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Apt is tried with fresh lists once more; then the loss is told, and today's next start does not try again."""
    state = provide(checkout, FAILS)
    called = [call.split()[1] for call in checkout.calls if call.startswith("apt-get")]
    assert called == ["install", "update"]
    assert "the scanner works without it" in capsys.readouterr().err
    assert system.is_ready(state, "zbar")
    monkeypatch.setattr(time, "strftime", lambda _: "2040-01-01")
    assert not system.is_ready(state, "zbar")


def test_a_library_that_was_missing_for_a_user_is_installed_for_root(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be had without rights is looked for again as soon as somebody has them."""
    monkeypatch.setattr(system, "installer", lambda: "")
    state = provide(checkout, WORKS)
    assert system.is_ready(state, "zbar")
    assert checkout.count("apt-get") == 0
    monkeypatch.setattr(system, "installer", lambda: "apt")
    assert not system.is_ready(state, "zbar")


@pytest.mark.parametrize(
    ("mac", "program", "user", "tool"),
    [
        (False, "apt-get", 0, "apt"),
        (False, "apt-get", 1000, ""),
        (False, "dnf", 0, ""),
        (True, "brew", 501, "brew"),
        (True, "port", 501, ""),
    ],
)
def test_only_some_may_install(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    mac: bool,  # noqa: FBT001 - a parameter of the test
    program: str,
    user: int,
    tool: str,
) -> None:
    """Apt is used by root alone, Homebrew by whoever has it, and other installers by nobody."""
    (tmp_path / program).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(system, "on_mac", lambda: mac)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert system.installer() == tool


def test_homebrews_libraries_are_found_on_a_mac(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Mac the folder of Homebrew comes before those that the system looks in by itself."""
    monkeypatch.setattr(variables, "on_mac", lambda: True)
    monkeypatch.setattr(variables, "HOMEBREW", checkout.bin)
    monkeypatch.setenv("DYLD_FALLBACK_LIBRARY_PATH", "/mine:/usr/lib")
    found = variables.product_variables(checkout.places)
    assert found["DYLD_FALLBACK_LIBRARY_PATH"] == f"{checkout.bin}:/mine:/usr/lib"
    monkeypatch.setattr(variables, "on_mac", lambda: False)
    assert "DYLD_FALLBACK_LIBRARY_PATH" not in variables.product_variables(checkout.places)


def test_our_own_node_serves_playwright_too(checkout: Checkout) -> None:
    """Playwright's Node.js needs a library that bare systems lack, so ours is named where there is one."""
    assert "PLAYWRIGHT_NODEJS_PATH" not in variables.product_variables(checkout.places)
    checkout.places.node.parent.mkdir(parents=True)
    checkout.places.node.touch()
    assert variables.product_variables(checkout.places)["PLAYWRIGHT_NODEJS_PATH"] == str(checkout.places.node)


def test_modules_are_compiled_once_also_where_python_is_told_to_keep_nothing(checkout: Checkout) -> None:
    """What a process has compiled lies in the set-up's folder for the next one, and nothing beside the sources."""
    module = checkout.bin / "compiled_once.py"
    module.write_text("")
    told = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables.product_variables(checkout.places)}
    subprocess.run([sys.executable, "-c", "import compiled_once"], cwd=module.parent, env=told, check=True)
    assert [file.name.partition(".")[0] for file in checkout.places.bytecode.rglob("compiled_once*")] == [module.stem]
    assert not (module.parent / "__pycache__").exists()
