"""Haggle.cmd and haggle on machines without Python and uv: they download a pinned uv."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tools.install import OLDEST_UV

ROOT = Path(__file__).parents[2]
SYSTEMS = {
    "aarch64-apple-darwin": "Darwin arm64",
    "x86_64-apple-darwin": "Darwin x86_64",
    "aarch64-unknown-linux-gnu": "Linux aarch64",
    "x86_64-unknown-linux-gnu": "Linux x86_64",
}
PROGRAMS = ("cp", "dirname", "gzip", "mkdir", "mktemp", "mv", "readlink", "rm", "sh", "tar")
FAKES = {
    "uname": 'for word in $(cat "$0.says"); do [ "$1" = -s ] && break; done; echo "$word"',
    # `curl.fails` has commands that replace the download.
    "curl": """
for last; do :; done
echo "curl $last" >> "$bin/calls"
while [ "$1" != --output ]; do shift; done
if [ -e "$0.fails" ]; then . "$0.fails"; else cp "$bin/uv.tar.gz" "$2"; fi""",
}


@dataclass(frozen=True)
class Machine:
    """A machine of which `bin` has all programs, and a folder with `haggle`."""

    bin: Path
    folder: Path

    def write(self, name: str, script: str) -> None:
        """Write a program."""
        (self.bin / name).write_text(f'#!/bin/sh\nbin="{self.bin}"\n{script}\n')
        (self.bin / name).chmod(0o755)

    def start(self, *arguments: str) -> tuple[int, list[str]]:
        """Start Haggle; return the exit code and the lines of errors."""
        environment = {"PATH": str(self.bin), "HOME": str(self.bin.parent)}
        command = [self.folder / "haggle", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr.splitlines()

    @property
    def calls(self) -> list[str]:
        """The calls of curl (with the address) and uv so far."""
        log = self.bin / "calls"
        return log.read_text().splitlines() if log.exists() else []

    @property
    def kept(self) -> list[str]:
        """The files in the user's cache."""
        return [path.name for path in (self.bin.parent / ".cache").rglob("*") if path.is_file()]


def machine(folder: Path, system: str) -> Machine:
    """Return a machine on which `haggle`, beside nothing else, expects a fake uv."""
    made = Machine(folder / "bin", folder / "my games")
    made.bin.mkdir()
    made.folder.mkdir()
    for name in (*PROGRAMS, "cat", *(["sha256sum"] if "linux" in system else [])):
        (made.bin / name).symlink_to(str(shutil.which(name)))
    for name, script in FAKES.items():
        made.write(name, script)
    if "darwin" in system:
        made.write("shasum", f'[ "$*" = "-a 256" ] && exec {shutil.which("sha256sum")}')
    (made.bin / "uname.says").write_text(SYSTEMS[system])
    made.write("uv", 'echo "uv $*" >> "$bin/calls"')
    archive = made.bin / "uv.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(made.bin / "uv", f"uv-{system}/uv")
    (made.bin / "uv").unlink()
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    text, found = re.subn(f"(system={system} hash=)[0-9a-f]{{64}} ", rf"\g<1>{digest} ", (ROOT / "haggle").read_text())
    assert found == 1
    (made.folder / "haggle").write_text(text)
    (made.folder / "haggle").chmod(0o755)
    return made


def checkout(folder: Path, system: str = "x86_64-unknown-linux-gnu") -> Machine:
    """Return a machine with a checkout."""
    made = machine(folder, system)
    (made.folder / "tools").mkdir()
    (made.folder / "tools" / "launch.py").touch()
    return made


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_checkout_is_started_by_a_downloaded_uv(tmp_path: Path, system: str) -> None:
    """The archive for the kind of machine is downloaded once."""
    made = checkout(tmp_path, system)
    assert made.start("score", "a b")[0] == 0
    address, _, started = made.calls
    version = re.search(r'^set "VERSION=(.+)"$', (ROOT / "Haggle.cmd").read_text(), re.MULTILINE)
    assert version
    assert address == f"curl https://github.com/astral-sh/uv/releases/download/{version[1]}/uv-{system}.tar.gz"
    assert started.startswith("uv run --quiet --no-project --python >=3.11,<3.15 python -I -c ")
    assert started.endswith(f" {made.folder} score a b")
    assert made.kept == ["uv"]
    assert made.start() == (0, [])
    assert [call.split()[0] for call in made.calls] == ["curl", "uv", "uv", "uv", "uv"]


def test_a_wheel_beside_it_is_started_by_a_downloaded_uv(tmp_path: Path) -> None:
    """Without arguments the demo is started; without a wheel, or with two, nothing is."""
    made = machine(tmp_path, "aarch64-apple-darwin")
    assert made.start() == (
        1,
        ["haggle: no haggle_game-....whl beside this file: download both into the same folder"],
    )
    assert made.calls == []
    wheel = made.folder / "haggle_game-1.0.0-py3-none-any.whl"
    wheel.touch()
    assert made.start()[0] == 0
    assert made.calls[-1] == f"uv tool run --python >=3.11,<3.15 --from {wheel} haggle demo"
    made.start("doctor", "--json")
    assert made.calls[-1].endswith(" haggle doctor --json")
    (made.folder / "haggle_game-1.1.0-py3-none-any.whl").touch()
    assert made.start() == (
        1,
        ["haggle: several haggle_game-....whl beside this file: delete all but the newest"],
    )


def test_a_python_without_pip_does_not_start_the_set_up(tmp_path: Path) -> None:
    """It could not install uv."""
    made = checkout(tmp_path)
    made.write("python3", 'case "$3" in *pip*) exit 1 ;; esac; echo "python" >> "$bin/calls"')
    made.start()
    assert made.calls[-1].startswith("uv run ")
    made.write("uv", "echo uv 0.12.16")
    made.start()
    assert made.calls[-1] == "python"


@pytest.mark.parametrize("said", ["uv 0.9.30 (0cbf1f1 2025-01-01)", "uv 0.10.12", "no uv", ""])
def test_a_uv_on_the_path_that_is_too_old_is_not_used(tmp_path: Path, said: str) -> None:
    """Neither for a wheel nor for a checkout without pip."""
    for name, start in (("wheel", machine), ("checkout", checkout)):
        (tmp_path / name).mkdir()
        made = start(tmp_path / name, "x86_64-unknown-linux-gnu")
        (made.folder / "haggle_game-1.0.0-py3-none-any.whl").touch()
        made.write("uv", f'[ "$*" = --version ] && echo "{said}" || echo "old uv $*" >> "$bin/calls"')
        assert made.start()[0] == 0
        assert made.calls[0].startswith("curl ")
        assert made.calls[-1].startswith("uv ")


@pytest.mark.parametrize("said", ["uv 0.11.0", "uv 0.12.16 (abc)", "uv 1.0.0"])
def test_a_uv_on_the_path_that_is_new_enough_is_used(tmp_path: Path, said: str) -> None:
    made = machine(tmp_path, "x86_64-unknown-linux-gnu")
    (made.folder / "haggle_game-1.0.0-py3-none-any.whl").touch()
    made.write("uv", f'[ "$*" = --version ] && echo "{said}" || echo "uv $*" >> "$bin/calls"')
    assert made.start()[0] == 0
    assert made.calls[0].startswith("uv ")


@pytest.mark.parametrize(
    ("fault", "advice"),
    [
        ("echo other > $2", "the downloaded file differs from the expected one: run this again"),
        ("exit 6", "go online"),
        ("rm $bin/tar; cp $bin/uv.tar.gz $2", "is the disk full?"),
    ],
)
def test_a_failed_download_is_explained_and_repeated(tmp_path: Path, fault: str, advice: str) -> None:
    """Nothing of it is started or kept."""
    made = checkout(tmp_path)
    (made.bin / "curl.fails").write_text(fault)
    for _ in range(2):
        code, errors = made.start()
        assert code == 1
        assert errors[-1].startswith("haggle: ")
        assert advice in errors[-1]
        assert made.kept == []
    assert [call.split()[0] for call in made.calls] == ["curl", "curl"]


def test_an_interrupted_download_leaves_nothing(tmp_path: Path) -> None:
    made = checkout(tmp_path)
    (made.bin / "curl.fails").write_text("echo half > $2; kill -TERM $PPID")
    assert made.start()[0] == 130
    assert made.kept == []
    (made.bin / "curl.fails").unlink()
    assert made.start()[0] == 0


@pytest.mark.parametrize(
    ("without", "advice"),
    [("curl", "no curl, which downloads uv: install it, or install Python"), ("uname", "this kind of machine")],
)
def test_machines_without_a_download_get_advice(tmp_path: Path, without: str, advice: str) -> None:
    made = checkout(tmp_path)
    made.write(without, "echo FreeBSD" if without == "uname" else "")
    (made.bin / without).chmod(0o644 if without == "curl" else 0o755)
    code, [error] = made.start()
    assert code == 1
    assert error.startswith("haggle: ")
    assert advice in error
    assert "apt install --no-install-recommends python3 python3-pip" in error


def test_haggle_cmd_downloads_a_pinned_uv_by_its_hash_with_what_windows_brings() -> None:
    text = (ROOT / "Haggle.cmd").read_text(encoding="utf-8")
    version = re.search(r'^set "VERSION=((\d+)\.(\d+)\.\d+)"$', text, re.MULTILINE)
    assert version
    assert (int(version[2]), int(version[3])) >= OLDEST_UV
    assert f"\noldest={OLDEST_UV[1]}\n" in (ROOT / "haggle").read_text()
    assert f"\nversion={version[1]}\n" in (ROOT / "haggle").read_text()
    assert re.search(r'^set "HASH=[0-9a-f]{64}"$', text, re.MULTILINE)
    before, _, after = text.partition("certutil.exe")
    assert "uv.exe" not in re.sub(r"^(rem|set|if) .*$", "", before, flags=re.MULTILINE), "nothing runs before the check"
    assert after.index("findstr") < after.index("tar.exe")
    assert not re.search("powershell|runas", text, re.IGNORECASE)


def test_haggle_cmd_refuses_several_wheels_as_haggle_does() -> None:
    text = (ROOT / "Haggle.cmd").read_text(encoding="utf-8")
    refusal = re.search(r"several haggle_game-.+newest", (ROOT / "haggle").read_text())
    assert refusal
    refused = text.index(f'set "REASON={refusal[0]}"\nif defined SEVERAL goto failed\n')
    assert refused < text.index("tool run")


def test_git_gives_haggle_cmd_the_line_ends_of_windows() -> None:
    assert "*.cmd text eol=crlf" in (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
