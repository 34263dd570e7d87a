"""`python -m devtools.release FOLDER`: makes the files of a release. With `--check`: tries files that are there."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from server import VERSION
from tools.install import find_npm, find_uv
from tools.paths import Paths
from tools.runner import Runner

ROOT = Path(__file__).parents[1]
WHEEL = f"haggle_game-{VERSION}-py3-none-any.whl"
PYTHON_SBOM, PAGES_SBOM = f"haggle_game-{VERSION}.python.cdx.json", f"haggle_game-{VERSION}.pages.cdx.json"
WINDOWS_STARTER, STARTER, SUMS = "Haggle.cmd", "haggle", "SHA256SUMS"
SBOM_TOOL = "cyclonedx-bom==7.5.0"
"""Run by uv, since only releases need it."""


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """Run a program; return its output."""
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def environment(folder: Path, wheel: Path, *options: str | Path) -> Path:
    """Install a wheel into a new environment; return its folder of programs."""
    uv = find_uv(Runner(Paths(ROOT)))
    run(uv, "venv", "--quiet", folder)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    run(uv, "pip", "install", "--quiet", "--python", folder, *options, wheel)
    return programs


def make(folder: Path) -> None:
    """Write the wheel, both starters, the lists of all parts (SBOM, in CycloneDX's format), and the sums of files."""
    folder.mkdir(parents=True)
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    shutil.copy(ROOT / STARTER, folder)
    text = (ROOT / WINDOWS_STARTER).read_text(encoding="utf-8")
    (folder / WINDOWS_STARTER).write_bytes("\r\n".join([*text.splitlines(), ""]).encode())
    with tempfile.TemporaryDirectory() as scratch:
        made = environment(Path(scratch) / "venv", folder / WHEEL, "--constraint", ROOT / "locks" / "runtime.txt")
        uv = find_uv(Runner(Paths(ROOT)))
        tool = [uv, "tool", "run", "--quiet", "--from", SBOM_TOOL, "cyclonedx-py", "environment"]
        run(*tool, "--output-reproducible", "--output-file", folder / PYTHON_SBOM, made / "python")
        (folder / PAGES_SBOM).write_text(pages_sbom(Path(scratch)), encoding="utf-8")
    (folder / SUMS).write_text("".join(f"{digest(file)}  {file.name}\n" for file in files(folder)), encoding="utf-8")


def pages_sbom(scratch: Path) -> str:
    """Return the list of the npm packages from which the pages are built."""
    for name in ("package.json", "package-lock.json"):
        # npm wants a version, which only server/__init__.py has.
        found = json.loads((ROOT / "web" / name).read_text(encoding="utf-8")) | {"version": VERSION}
        if "packages" in found:
            found["packages"][""]["version"] = VERSION
        (scratch / name).write_text(json.dumps(found), encoding="utf-8")
    npm = find_npm(Runner(Paths(ROOT)))
    return run(*npm, "sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only", folder=scratch)


def files(folder: Path) -> list[Path]:
    """Return the files of a release, without the sums."""
    return [folder / name for name in (WHEEL, WINDOWS_STARTER, STARTER, PYTHON_SBOM, PAGES_SBOM)]


def digest(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def check(folder: Path) -> None:
    """Try the files of a release: their sums, the wheel in an empty environment, the parts, and Haggle.cmd's lines."""
    sums = "".join(f"{digest(file)}  {file.name}\n" for file in files(folder))
    expect((folder / SUMS).read_text(encoding="utf-8") == sums, f"{SUMS} fits all files")
    starter = (folder / WINDOWS_STARTER).read_bytes()
    expect(starter.count(b"\n") == starter.count(b"\r\n") > 0, f"{WINDOWS_STARTER} has the line ends of Windows")
    with zipfile.ZipFile(folder / WHEEL) as wheel:
        expect(wheel.testzip() is None, f"{WHEEL} is whole")
    with tempfile.TemporaryDirectory() as scratch:
        programs = environment(Path(scratch) / "venv", folder / WHEEL)
        haggle, out = programs / "haggle", Path(scratch) / "game"
        expect(run(haggle, "--version", folder=out.parent).split()[-1] == VERSION, "its version is right")
        expect(json.loads(run(haggle, "doctor", "--json", folder=out.parent))["ok"], "nothing needed is missing")
        run(haggle, "print", "sackson-1969", "--players", "4", "--out", out, folder=out.parent)
        expect((out / "sheets.pdf").read_bytes().startswith(b"%PDF"), "a game is printed")
        listed = packages(json.loads((folder / PYTHON_SBOM).read_text("utf-8"))["components"])
        uv = find_uv(Runner(Paths(ROOT)))
        path = f"PATH={Path(uv).parent}:{os.environ['PATH']}"
        started = run("env", path, "sh", folder / STARTER, "--version", folder=out.parent)
        expect(started.split()[-1] == VERSION, f"{STARTER} starts the wheel")
        installed = packages(json.loads(run(uv, "pip", "list", "--format", "json", "--python", Path(scratch) / "venv")))
        missing = sorted(installed - listed - {"haggle-game"})
        expect(not missing, f"{PYTHON_SBOM} lists all packages {missing or ''}")
    listed = {part["name"] for part in json.loads((folder / PAGES_SBOM).read_text("utf-8"))["components"]}
    expect({"preact", "idb", "zxing-wasm"} <= listed, f"{PAGES_SBOM} lists the parts of the pages")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    date = re.search(rf"^## {re.escape(VERSION)} \(\d+ \w+ \d{{4}}\)$", changes, re.MULTILINE)
    expect(date, f"CHANGELOG.md has the date of {VERSION}")


def packages(parts: list[dict[str, str]]) -> set[str]:
    """Return the normalized names of Python packages."""
    return {re.sub(r"[-_.]+", "-", part["name"]).lower() for part in parts}


def expect(right: object, what: str) -> None:
    """Print what was found; end the program if it is not right."""
    print(f"{'ok' if right else 'WRONG'}: {what}", flush=True)
    if not right:
        sys.exit(1)


def main() -> None:
    """Make or try a release."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true", help="try the files in FOLDER")
    given = parser.parse_args()
    folder = given.folder.absolute()
    if given.check:
        check(folder)
    elif folder.exists() and any(folder.iterdir()):
        sys.exit(f"{folder} is not empty")
    else:
        shutil.rmtree(folder, ignore_errors=True)
        make(folder)
        print("\n".join([*map(str, files(folder)), str(folder / SUMS)]))


if __name__ == "__main__":
    main()
