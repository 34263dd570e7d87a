"""Optional system packages, by apt and Homebrew."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.tools.checkout import make_checkout
from tools import paths

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.checkout import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Return a checkout with an environment, on Debian as root."""
    made = make_checkout(tmp_path)
    made.switch("root")
    made.paths.python.parent.mkdir(parents=True)
    shutil.copy(made.bin / "fake-python", made.paths.python)
    # Hide this machine's programs, such as Redis and Caddy.
    for name in ("sh", "mkdir", "touch", "rm", "cp", "env"):
        (made.bin / name).symlink_to(str(shutil.which(name)))
    return made


def install(checkout: Checkout, what: str) -> tuple[int, str]:
    """Install packages for the product or the tests; return exit code and output."""
    done = subprocess.run(
        ["/bin/sh", checkout.paths.root / "tools" / "system.sh", what],
        cwd=checkout.paths.root,
        env={"PATH": str(checkout.bin)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_an_existing_library_is_not_installed(checkout: Checkout) -> None:
    """If pyzbar can be imported, apt is not called."""
    checkout.switch("zbar")
    assert install(checkout, "product") == (0, "")
    assert checkout.count("apt-get") == 0


@pytest.mark.parametrize(("lists", "calls"), [("fresh", ["install"]), ("old", ["install", "update", "install"])])
def test_a_missing_library_is_installed_by_root(checkout: Checkout, lists: str, calls: list[str]) -> None:
    """Apt installs it without a prompt, after updating its lists if necessary."""
    if lists == "old":
        checkout.switch("fail")
    assert install(checkout, "product") == (0, "  libzbar, by apt ...\n")
    assert [call.split()[1] for call in checkout.calls if call.startswith("apt-get")] == calls


def test_missing_packages_are_listed(checkout: Checkout) -> None:
    """Without permission, the consequences and the command for root are printed; apt is not called."""
    (checkout.bin / "root").unlink()
    code, output = install(checkout, "tests")
    assert code == 1
    assert "no Redis: the tests on many machines' engines cannot run (as root: apt install redis-tools" in output
    assert "no Caddy: the tests on the proxy cannot run (as root: apt install caddy" in output
    assert checkout.count("apt-get") == 0


def test_caddy_is_installed_without_its_service(checkout: Checkout) -> None:
    """Debian's package is unpacked in the checkout, since its service would use port 80.

    Earlier downloads are not unpacked.
    """
    checkout.paths.caddy.parents[2].mkdir(parents=True)
    (checkout.paths.caddy.parents[2] / "caddy_2.6.1_amd64.deb").touch()
    assert install(checkout, "tests")[0] == 0
    assert [call for call in checkout.calls if "caddy" in call and "apt-get" in call] == ["apt-get download caddy"]
    assert checkout.paths.caddy.exists()


def test_homebrews_libraries_are_found_on_a_mac(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Mac the folder of Homebrew comes before the default ones."""
    assert "DYLD_FALLBACK_LIBRARY_PATH" not in checkout.paths.variables()
    monkeypatch.setattr(paths, "on_mac", lambda: True)
    monkeypatch.setattr(paths, "HOMEBREW", checkout.bin)
    monkeypatch.setenv("DYLD_FALLBACK_LIBRARY_PATH", "/mine:/usr/lib")
    assert checkout.paths.variables()["DYLD_FALLBACK_LIBRARY_PATH"] == f"{checkout.bin}:/mine:/usr/lib"


def test_modules_are_compiled_despite_pythondontwritebytecode(checkout: Checkout) -> None:
    """Compiled modules are kept for other processes."""
    (checkout.bin / "compiled_once.py").write_text("")
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **checkout.paths.variables()}
    subprocess.run([sys.executable, "-c", "import compiled_once"], cwd=checkout.bin, env=variables, check=True)
    assert list((checkout.bin / "__pycache__").glob("compiled_once*"))
