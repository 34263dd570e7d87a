"""The examples of the page about writing an edition work."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from devtools.editions_reference import PAGE as REFERENCE
from devtools.editions_reference import reference
from server.cli.main import main
from server.editions import schema
from server.editions.formulas import meaning
from server.editions.formulas.functions import FUNCTIONS
from server.editions.formulas.meaning import EFFECTS
from server.editions.loader import read_edition
from server.editions.starter import SLOTS, common_rules, create_edition
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


def test_the_reference_is_that_of_the_schema() -> None:
    """If not, write it again with `python -m devtools.editions_reference`."""
    assert REFERENCE.read_text(encoding="utf-8") == reference()


def test_the_page_lists_all_effects() -> None:
    rows = re.findall(r"^\| `(\w+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {*rows} >= {*EFFECTS}


def test_all_fields_are_explained() -> None:
    """On the page, or by the docstrings in the reference."""
    page = PAGE.read_text(encoding="utf-8") + re.sub(r"^\|.*", "", REFERENCE.read_text("utf-8"), flags=re.MULTILINE)
    models = [cls for module in (schema, meaning) for cls in vars(module).values() if isinstance(cls, type)]
    fields = {field for cls in models if issubclass(cls, BaseModel) for field in cls.model_fields}
    assert [field for field in sorted(fields) if not re.search(rf"\b{field}\b", page)] == []


def test_the_common_rules_work(tmp_path: Path) -> None:
    """Each has its texts in three languages, and does something in an edition with these cards."""
    folder = create_edition("tea", tmp_path)
    file = folder / "edition.toml"
    head = file.read_text(encoding="utf-8").partition("# A rule:")[0]
    for old, new in (("colour", "plate"), ('"red"', '"tea"'), ('"blue"', '"cake"')):
        head = head.replace(old, new)
    common = (ROOT / "server" / "editions" / "common_rules.toml").read_text(encoding="utf-8")
    rules = re.sub(r"^\w+\.(?:de|fr) = .*\n", "", common, flags=re.MULTILINE)
    for name in SLOTS:
        rules = rules.replace(f"{{{name}}}", name)
    keys = iter(range(1, 100))
    rules = re.sub(r"^\[\[rules\]\]$", lambda found: f'{found[0]}\nkey = "{next(keys)}"', rules, flags=re.MULTILINE)
    file.write_text(head + rules.replace('["rule"]', '["18"]'), encoding="utf-8")
    edition = read_edition(folder, None)
    assert len(edition.rules) == 20
    assert all(rule.steps for rule in edition.rules)
    assert all(set(rule[texts]) == {"en", "de", "fr"} for rule in common_rules() for texts in ("name", "text"))
    first, _ = score(edition, [Hand("Ada", {"tea": 3, "cake": 1}), Hand("Bob")]).hands
    assert first.hand.player == "Ada"


def test_the_editor_explains_all_functions() -> None:
    """In English with the words of their docstrings, and in each language all of them."""
    english, *others = (
        json.loads((ROOT / "web" / "texts" / language / "editions.json").read_text("utf-8"))["editions"]["functions"]
        for language in ("en", "de", "fr")
    )
    docstrings = {name: (function.act.__doc__ or "").partition("\n")[0] for name, function in FUNCTIONS.items()}
    explained = {name: english[name]["help"] for name in FUNCTIONS}
    words = {name: text.replace("`", "").removeprefix("Return ") for name, text in docstrings.items()}
    assert explained == {name: text.removeprefix("the ").removesuffix(".") for name, text in words.items()}
    assert all(one.keys() == english.keys() for one in others)
