"""Lock files: exact releases with hashes, and no addresses."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from tests.tools.checkout import make_checkout
from tools import locks
from tools.paths import Paths
from tools.runner import ProblemError

ROOT = Path(__file__).parents[2]
PATHS = Paths(ROOT)
LOCKS = ("runtime", "dev", "uv", "node")


def pins(name: str) -> dict[str, str]:
    """Return the releases of a lock file by package."""
    return dict(re.findall(r"^([a-z0-9][a-z0-9.-]*)==(\S+)", PATHS.lock(name).read_text(), re.MULTILINE))


def wanted(group: str) -> set[str]:
    """Return the names of the direct dependencies in pyproject.toml: `runtime`, or a dependency group."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = project["project"]["dependencies"] if group == "runtime" else project["dependency-groups"][group]
    return {re.split(r"[^A-Za-z0-9_.-]", entry)[0].lower().replace("_", "-") for entry in listed}


@pytest.mark.parametrize("name", LOCKS)
def test_lock_files_have_releases_and_hashes_without_addresses(name: str) -> None:
    """Each entry is one exact release for all versions of Python, with SHA-256 hashes."""
    text = PATHS.lock(name).read_text()
    assert "://" not in text
    assert not re.search(r"^\s*(-|#.*\s/)", text.replace("\\\n    --hash", ""), re.MULTILINE)
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(entries) == len(pins(name)) > 0
    for entry in entries:
        assert re.match(r"[a-z0-9.-]+==\S+( ;[^\\\n]+)? \\\n( +--hash=sha256:[0-9a-f]{64}( \\)?\n)+$", entry), entry


def test_lock_files_contain_all_dependencies() -> None:
    """Both lock files have the same releases of the product's dependencies; those of tests are in one."""
    assert wanted("runtime") <= set(pins("runtime"))
    assert wanted("dev") <= set(pins("dev"))
    assert not wanted("dev") & set(pins("runtime"))
    assert pins("runtime").items() <= pins("dev").items()


def test_all_lock_files_are_updated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are for all systems and have hashes; that of tests uses the product's releases.

    Options other than `--upgrade` are usage errors.
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
    """Packages of package.json have exact releases, and their entries a hash and no URL."""
    package = json.loads((folder / "package.json").read_text())
    lock = json.loads((folder / "package-lock.json").read_text())
    assert package["private"] is True
    modules = {path.removeprefix("node_modules/"): entry for path, entry in lock["packages"].items() if path}
    direct = {**package["dependencies"], **package.get("devDependencies", {})}
    assert all(modules[name]["version"] == version for name, version in direct.items())
    for name, entry in modules.items():
        assert entry["integrity"].startswith("sha512-"), name
        assert "resolved" not in entry, name
    assert "://" not in json.dumps(lock)
