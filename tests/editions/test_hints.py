"""A new variant: its hints fit the edition that it extends, one by one and all together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from server.editions import edition_names, editions_from
from server.editions.findings import findings
from server.editions.loader import read_edition
from server.editions.registry import folder_of
from server.editions.starter import begin

EXAMPLES = Path(__file__).parents[2] / "examples" / "editions"
NAMES = [*edition_names(), *sorted(file.parent.name for file in EXAMPLES.glob("*/edition.toml"))]
HINT = re.compile(r"^#(?=\S)", re.MULTILINE)


def blocks(text: str) -> list[str]:
    """Return the blocks of a file that are hints."""
    return [block for block in text.split("\n\n") if HINT.search(block)]


@pytest.mark.parametrize("name", NAMES)
def test_all_hints_together_are_valid(name: str, tmp_path: Path) -> None:
    """And what they say is what the other edition says, apart from the rule that goes."""
    with editions_from(EXAMPLES):
        folder = begin("mine", tmp_path, name)
        base = read_edition(folder_of(name), None)
        file = folder / "edition.toml"
        text = file.read_text(encoding="utf-8")
        file.write_text(HINT.sub("", text), encoding="utf-8")
        assert findings(folder) == []
        mine = read_edition(folder, None)
        assert (mine.players_min, mine.players_max, mine.deal) == (base.players_min, base.players_max, base.deal)
        assert mine.settings == base.settings
        gone = [rule for rule in base.rules if rule.key not in mine.rule_of]
        assert len(gone) == 1
        assert [(r.key, r.numbers) for r in mine.rules] == [(r.key, r.numbers) for r in base.rules if r not in gone]


@pytest.mark.parametrize("name", edition_names())
def test_each_hint_alone_is_valid(name: str, tmp_path: Path) -> None:
    """An author takes up one and leaves the others."""
    folder = begin("mine", tmp_path, name)
    file = folder / "edition.toml"
    text = file.read_text(encoding="utf-8")
    found = blocks(text)
    assert len(found) >= 4
    for block in found:
        file.write_text(text.replace(block, HINT.sub("", block)), encoding="utf-8")
        assert read_edition(folder, None).slug == "mine"


def test_the_hints_are_those_of_the_edition(tmp_path: Path) -> None:
    """Not those of another: its categories, its numbers, its players."""
    text = (begin("mine", tmp_path, "tarot-fr") / "edition.toml").read_text(encoding="utf-8")
    assert "#players = { min = 35, max = 70 }" in text
    assert '#slug = "token"\n#each_kind = 3' in text
    assert "#numbers = { fine = 15, points = 10 }" in text
    assert "colour" not in text
