"""Packages of the operating system are installed if that is allowed, and never stop the set-up."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.setup.checkout import make_checkout
from tools import paths

if TYPE_CHECKING:
    from pathlib import Path

    from tests.setup.checkout import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Give a checkout with an environment, on a Debian where we are root."""
    made = make_checkout(tmp_path)
    made.switch("root")
    made.paths.python.parent.mkdir(parents=True)
    shutil.copy(made.bin / "fake-python", made.paths.python)
    # Programs of this machine's own, Redis and Caddy among them, are not to be seen.
    for name in ("sh", "mkdir", "touch", "rm", "cp", "env"):
        (made.bin / name).symlink_to(str(shutil.which(name)))
    return made


def install(checkout: Checkout, what: str) -> tuple[int, str]:
    """Install what the product or the tests need; return the exit code and what was said."""
    done = subprocess.run(
        ["/bin/sh", checkout.paths.root / "tools" / "system.sh", what],
        cwd=checkout.paths.root,
        env={"PATH": str(checkout.bin)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_library_that_is_there_is_not_installed(checkout: Checkout) -> None:
    """Where the second reader loads, the system's packages are left alone."""
    checkout.switch("zbar")
    assert install(checkout, "product") == (0, "")
    assert checkout.count("apt-get") == 0


@pytest.mark.parametrize(("lists", "calls"), [("fresh", ["install"]), ("old", ["install", "update", "install"])])
def test_root_on_debian_gets_the_library(checkout: Checkout, lists: str, calls: list[str]) -> None:
    """Where it is missing and apt may be used, it is installed without a question, with fresh lists if need be."""
    if lists == "old":
        checkout.switch("fail")
    assert install(checkout, "product") == (0, "  libzbar, by apt ...\n")
    assert [call.split()[1] for call in checkout.calls if call.startswith("apt-get")] == calls


def test_a_message_names_what_to_install(checkout: Checkout) -> None:
    """Who may not install learns what is lost and the command that root would need; apt is not called."""
    (checkout.bin / "root").unlink()
    code, output = install(checkout, "tests")
    assert code == 1
    assert "no Redis: the tests on many machines' engines cannot run (as root: apt install redis-tools" in output
    assert "no Caddy: the tests on the proxy cannot run (as root: apt install caddy" in output
    assert checkout.count("apt-get") == 0


def test_caddy_comes_without_its_service(checkout: Checkout) -> None:
    """Debian's package is fetched and unpacked below the checkout: installed it would take port 80 at once.

    A download of before, of which the program is gone, is not unpacked instead or besides.
    """
    checkout.paths.caddy.parents[2].mkdir(parents=True)
    (checkout.paths.caddy.parents[2] / "caddy_2.6.1_amd64.deb").touch()
    assert install(checkout, "tests")[0] == 0
    assert [call for call in checkout.calls if "caddy" in call and "apt-get" in call] == ["apt-get download caddy"]
    assert checkout.paths.caddy.exists()


def test_homebrews_libraries_are_found_on_a_mac(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Mac the folder of Homebrew comes before those that the system looks in by itself."""
    assert "DYLD_FALLBACK_LIBRARY_PATH" not in checkout.paths.variables()
    monkeypatch.setattr(paths, "on_mac", lambda: True)
    monkeypatch.setattr(paths, "HOMEBREW", checkout.bin)
    monkeypatch.setenv("DYLD_FALLBACK_LIBRARY_PATH", "/mine:/usr/lib")
    assert checkout.paths.variables()["DYLD_FALLBACK_LIBRARY_PATH"] == f"{checkout.bin}:/mine:/usr/lib"


def test_modules_are_compiled_once_also_where_python_is_configured_to_keep_nothing(checkout: Checkout) -> None:
    """What a process has compiled is there for the next one."""
    (checkout.bin / "compiled_once.py").write_text("")
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **checkout.paths.variables()}
    subprocess.run([sys.executable, "-c", "import compiled_once"], cwd=checkout.bin, env=variables, check=True)
    assert list((checkout.bin / "__pycache__").glob("compiled_once*"))
