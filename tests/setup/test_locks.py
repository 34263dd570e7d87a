"""The lock files name packages by release and hash, and no package server."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from tests.setup.checkout import make_checkout
from tools import locks
from tools.paths import Paths
from tools.runner import ProblemError

ROOT = Path(__file__).parents[2]
PATHS = Paths(ROOT)
LOCKS = ("runtime", "dev", "uv", "node")


def pins(name: str) -> dict[str, str]:
    """Return the packages of a lock and their releases."""
    return dict(re.findall(r"^([a-z0-9][a-z0-9.-]*)==(\S+)", PATHS.lock(name).read_text(), re.MULTILINE))


def wanted(group: str) -> set[str]:
    """Return the names of the direct dependencies in pyproject.toml: `runtime`, or a dependency group."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = project["project"]["dependencies"] if group == "runtime" else project["dependency-groups"][group]
    return {re.split(r"[^A-Za-z0-9_.-]", entry)[0].lower().replace("_", "-") for entry in listed}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_releases_and_hashes_and_no_address(name: str) -> None:
    """Each entry is one exact release for all Pythons, with the SHA-256 of its files; no server or folder is named."""
    text = PATHS.lock(name).read_text()
    assert "://" not in text
    assert not re.search(r"^\s*(-|#.*\s/)", text.replace("\\\n    --hash", ""), re.MULTILINE)
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(entries) == len(pins(name)) > 0
    for entry in entries:
        assert re.match(r"[a-z0-9.-]+==\S+( ;[^\\\n]+)? \\\n( +--hash=sha256:[0-9a-f]{64}( \\)?\n)+$", entry), entry


def test_the_locks_hold_what_the_project_asks_for() -> None:
    """The product's dependencies are locked in both at the same releases, those for tests in one."""
    assert wanted("runtime") <= set(pins("runtime"))
    assert wanted("dev") <= set(pins("dev"))
    assert not wanted("dev") & set(pins("runtime"))
    assert pins("runtime").items() <= pins("dev").items()


def test_renewing_writes_every_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each lock is made for every system and with hashes, the tests' one on the product's releases.

    Anything but `--upgrade` is answered with the usage, before anything is written.
    """
    for arguments in (["--help"], ["--upgrade", "flask"]):
        with pytest.raises(ProblemError, match="usage"):
            locks.renew(PATHS, arguments)
    checkout = make_checkout(tmp_path)
    monkeypatch.setenv("PATH", f"{checkout.bin}:/usr/bin:/bin")
    assert locks.renew(checkout.paths, ["--upgrade"]) == 0
    compiled = [call for call in checkout.calls if call.startswith("uv pip compile")]
    assert len(compiled) == len(LOCKS)
    for name in LOCKS:
        [call] = [call for call in compiled if f"--output-file {checkout.paths.lock(name)} " in call]
        assert "--universal" in call
        assert "--generate-hashes" in call
        assert "--upgrade" in call
        assert (f"--constraint {checkout.paths.lock('runtime')}" in call) is (name == "dev")
    assert sum("--omit-lockfile-registry-resolved" in call for call in checkout.calls) == 2
    for folder in (checkout.paths.web, checkout.paths.measures):
        assert "://" not in (folder / "package-lock.json").read_text()


@pytest.mark.parametrize("folder", [PATHS.web, PATHS.measures], ids=["web", "measures"])
def test_npm_packages_are_locked_exactly_and_without_addresses(folder: Path) -> None:
    """Every package of package.json has one exact release, and its entry a hash and no address to load it from."""
    package = json.loads((folder / "package.json").read_text())
    lock = json.loads((folder / "package-lock.json").read_text())
    assert package["private"] is True
    assert "scripts" not in package
    modules = {path.removeprefix("node_modules/"): entry for path, entry in lock["packages"].items() if path}
    assert all(modules[name]["version"] == version for name, version in package["dependencies"].items())
    for name, entry in modules.items():
        assert entry["integrity"].startswith("sha512-"), name
        assert "resolved" not in entry, name
    assert "://" not in json.dumps(lock)
