"""The examples of the page about writing an edition work."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from server.cli.main import main
from server.editions import schema
from server.editions.formulas import meaning
from server.editions.formulas.functions import FUNCTIONS
from server.editions.formulas.meaning import EFFECTS
from server.editions.loader import read_edition
from server.editions.starter import create_edition
from server.scoring import Hand, score

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "editions.md"
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAME = re.compile(r"^Game [0-9A-Z]{4}:", re.MULTILINE)
"""The name of the game differs in each run."""


def run(command: str) -> int:
    """Run a command of the page and return its exit code."""
    try:
        main(shlex.split(command)[1:])
    except SystemExit as leaving:
        return int(leaving.code or 0)
    return 0


def test_the_page_builds_its_edition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Code blocks are written to their files in turn, and commands print the output on the page."""
    monkeypatch.chdir(tmp_path)
    output, codes, compared, seen = "", list[int](), 0, set[str]()
    for kind, file, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "sh":
            codes += [run(command) for command in text.splitlines()]
            captured = capsys.readouterr()
            assert captured.err == ""
            output = captured.out
        elif kind == "text":
            shown, printed = (GAME.sub("Game X:", words).splitlines() for words in (text, output))
            assert shown == [line.rstrip() for line in printed]
            compared += 1
        else:
            path = tmp_path / file
            path.parent.mkdir(parents=True, exist_ok=True)
            before = path.read_text(encoding="utf-8") + "\n" if file in seen and kind != "json" else ""
            path.write_text(before + text, encoding="utf-8")
            seen.add(file)
    assert codes == [0, 0, 0, 0, 0, 0, 0, 1]
    assert compared == 5


def test_the_page_lists_all_functions_and_effects() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, function in FUNCTIONS.items():
        first, _, _ = (function.act.__doc__ or "").partition("\n")
        row = re.search(rf"^\| `{name}\([^|]*\)` \| (.*) \|$", page, re.MULTILINE)
        assert row is not None, name
        assert row[1] == first.removeprefix("Return ")
    rows = re.findall(r"^\| `(\w+)", page, re.MULTILINE)
    assert {*rows} >= {*EFFECTS}


def test_the_page_names_all_fields() -> None:
    page = PAGE.read_text(encoding="utf-8")
    models = [cls for module in (schema, meaning) for cls in vars(module).values() if isinstance(cls, type)]
    fields = {field for cls in models if issubclass(cls, BaseModel) for field in cls.model_fields}
    assert [field for field in sorted(fields) if not re.search(rf"\b{field}\b", page)] == []


def test_the_common_rules_of_the_page_work(tmp_path: Path) -> None:
    rows = re.findall(r"^\| [A-Z][^|]*\. \| (`.*`) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    folder = create_edition("tea", tmp_path)
    head = (folder / "edition.toml").read_text(encoding="utf-8").partition("# A rule:")[0]
    for old, new in (("colour", "plate"), ('"red"', '"tea"'), ('"blue"', '"cake"')):
        head = head.replace(old, new)
    rules = [
        f'[[rules]]\nkey = "{key}"\nname.en = "Rule"\ntext.en = "Text."\n' + row.strip("`").replace("`<br>`", "\n")
        for key, row in enumerate(rows, 1)
    ]
    (folder / "edition.toml").write_text(head + "\n".join(rules), encoding="utf-8")
    edition = read_edition(folder, None)
    assert len(edition.rules) == 20
    assert all(rule.steps for rule in edition.rules)
    first, _ = score(edition, [Hand("Ada", {"tea": 3, "cake": 1}), Hand("Bob")]).hands
    assert first.hand.player == "Ada"
