"""`docs/scanner.md` speaks of what is there: files, modules, pictures, profiles and options."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli.bench_scan import scan as bench_scan
from server.cli.scan import command as scan
from server.studio import CURVES, SCENES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "scanner.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """Return a part of the page, from its heading to the next one."""
    return re.split(r"^#+ ", PAGE.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def names(text: str) -> set[str]:
    """Return what stands in backticks in a text."""
    return set(re.findall(r"`([^`\n]+)`", text))


def test_files_and_pictures_are_there() -> None:
    """Every path in the page leads to a file or folder, every picture is beside it."""
    paths = {name for name in names(PAGE) if re.fullmatch(r"(scanner|server|tools|tests|docs)/[\w/.]+", name)}
    assert len(paths) > 5
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", PAGE)
    assert len(pictures) > 5
    assert [picture for picture in pictures if not (ROOT / "docs" / picture).is_file()] == []


@pytest.mark.parametrize(
    ("heading", "package"), [("What happens to a photograph", "scanner"), ("The studio", "server/studio")]
)
def test_modules_are_there(heading: str, package: str) -> None:
    """The tables of steps name modules of the package."""
    rows = re.findall(r"^\| [a-z ]+ \| ((?:`\w+`(?:, )?)+) \|", section(heading), re.MULTILINE)
    modules = {name for row in rows for name in names(row)} - set(SCENES)
    assert len(modules) > 5
    assert [name for name in sorted(modules) if not (ROOT / package / f"{name}.py").is_file()] == []


def test_every_profile_is_named() -> None:
    """The table of the studio's conditions has all profiles and curves, and no others."""
    rows = section("The studio").partition("| condition | profiles | curve |")[2].split("\n\n")[0]
    assert names(rows) == set(SCENES) | set(CURVES)


def test_options_are_taken() -> None:
    """Every option in the page is one of a command that it speaks of."""
    known = {option for one in (bench_scan, scan) for parameter in one.params for option in parameter.opts}
    for tool in ("fuzz", "wrong_reads"):
        said = subprocess.run(
            [sys.executable, "-m", f"tools.{tool}", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        known |= set(re.findall(r"--\w+", said.stdout))
    assert set(re.findall(r"(?<![\w-])--[a-z]+", PAGE)) <= known
