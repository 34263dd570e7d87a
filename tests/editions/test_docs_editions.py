"""The page that teaches how to write an edition works as it stands: its files are written, its commands run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from server.cli.main import main
from server.editions.findings import findings

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "editions.md"
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_page_builds_its_edition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Blocks go into their files in turn, each command succeeds, and what the page says it prints it prints."""
    monkeypatch.chdir(tmp_path)
    output, ran, compared, seen = "", 0, 0, set[str]()
    for kind, file, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "sh":
            for command in text.splitlines():
                main(shlex.split(command)[1:])
                ran += 1
            output = capsys.readouterr().out
        elif kind == "text":
            lines = [line.rstrip() for line in output.splitlines()]
            for line in text.splitlines():
                assert line in lines
                compared += 1
        else:
            path = tmp_path / file
            path.parent.mkdir(parents=True, exist_ok=True)
            before = path.read_text(encoding="utf-8") + "\n" if file in seen and kind != "json" else ""
            path.write_text(before + text, encoding="utf-8")
            seen.add(file)
    assert (ran, compared) == (7, 7)
    assert findings(tmp_path / "own" / "tea") == []
    assert findings(tmp_path / "own" / "high-tea") == []


def test_the_links_of_the_page_lead_somewhere() -> None:
    """Each file that the page links is there."""
    links = re.findall(r"\]\(([^)#]+)\)", PAGE.read_text(encoding="utf-8"))
    assert links
    for link in links:
        assert (PAGE.parent / link).resolve().exists(), link
