"""`haggle editions check` finds every mistake at once, each with its file and line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.editions import EditionError, edition_names
from server.editions.findings import editions_in, findings
from server.editions.registry import PACKAGE
from server.editions.starter import begin

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Begin an edition without mistakes."""
    return begin("mine", tmp_path)


def change(folder: Path, *pairs: tuple[str, str], file: str = "edition.toml") -> Path:
    """Replace texts in a file of an edition."""
    text = (folder / file).read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / file).write_text(text, encoding="utf-8")
    return folder / file


def told(folder: Path) -> list[tuple[str, str, str]]:
    """Return each finding as file, the text of its line, and sentence."""
    return [
        (f.file.name, f.file.read_text(encoding="utf-8").splitlines()[f.line - 1].strip(), f.sentence)
        for f in findings(folder)
    ]


@pytest.mark.parametrize("name", edition_names())
def test_the_built_in_editions_have_none(name: str) -> None:
    """Nor has a new one."""
    assert findings(PACKAGE / name.replace("-", "_")) == []


def test_a_new_edition_has_none(folder: Path) -> None:
    """The starter is clean."""
    assert findings(folder) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "sentence"),
    [
        ("edition.toml", 'slug = "mine"', 'slug = "yours"', 'slug = "yours"', "slug: must be 'mine'"),
        (
            "edition.toml",
            "limit = 5 }",
            "limit = 5, spare = 1 }",
            "numbers = { limit = 5, spare = 1 }",
            "numbers.spare: neither the wording nor a function",
        ),
        (
            "edition.toml",
            "more than {limit} red",
            "more than {limti} red",
            'text.en = "Hand in more than {limti}',
            "'limti'",
        ),
        (
            "edition.toml",
            "cards: {count}, limit",
            "cards: {cuont}, limit",
            'says.line.en = "Red cards: {cuont}',
            "{cuont}",
        ),
        (
            "edition.toml",
            'title.en = "Mine"',
            'title.en = "Mine"\ntitle.de = "Meins"',
            "summary.en",
            "summary: lacks a text in de (it has en); add summary.de",
        ),
        ("edition.toml", 'ink = "#C2242B"\n', "", "[[cards]]", "cards.red: has no ink"),
        ("edition.toml", 'symbol = "heart"', 'symbol = "hart"', 'symbol = "hart"', "there is no symbol 'hart'"),
        ("edition.toml", 'ink = "#C2242B"', 'ink = "red"', 'ink = "red"', "cards.red.ink: must be a colour such as"),
        ("edition.toml", "each = 8", "eech = 8", "eech = 8", "categories.colour.eech: is no field here"),
        ("edition.toml", "players = {", "players = [", "players = [ min", ""),
        ("edition.toml", "says.unknown.en", "says.open.en", "me.unknown()", "rule 3 has no sentence 'unknown'"),
        ("edition.toml", "says.unknown.en", "says.open.en", "says.open.en", "a sentence that no function"),
        ("edition.toml", 'text.en = "Who alone', 'name.de = "x"\n# ', "[[rules]]", ""),
        (
            "rules.py",
            "@book.rule(3,",
            "@book.rule(4,",
            "@book.rule(4, Phase.TABLE)",
            "rules.4: has a function, but no wording",
        ),
        ("rules.py", 'me.zero(["red"]', 'me.zero(1 / 0, ["red"]', 'me.zero(1 / 0, ["red"]', "ZeroDivisionError"),
        ("rules.py", "n.limit", "n.limti", "if me.has", "has no number 'limti'"),
        ("rules.py", 'me.has("blue")', 'me.has("bleu")', 'blue = me.has("bleu")', "no card, group or category 'bleu'"),
        (
            "rules.py",
            'counts("colour")',
            'counts("color")',
            'counts = me.counts("color")',
            "there is no category 'color'",
        ),
        (
            "rules.py",
            "    if blue:",
            "    me.cancel([1], everyone=True)\n    if blue:",
            "me.cancel([1]",
            "without declaring it",
        ),
        ("rules.py", "book = Rulebook()", "import random\nbook = Rulebook()", "import random", "imports random"),
        ("rules.py", "book = Rulebook()", "book = 1 / 0", "book = 1 / 0", "ZeroDivisionError"),
        ("rules.py", "book = Rulebook()", "book = (", "book = (", "Python cannot read this: '(' was never closed"),
    ],
)
def test_a_mistake_is_found_with_its_line(
    folder: Path, file: str, old: str, new: str, line: str, sentence: str
) -> None:
    """Each kind of mistake: in the TOML, in the functions as written, and when they run."""
    change(folder, (old, new), file=file)
    found = told(folder)
    assert any(text.startswith(line) and sentence in what for _, text, what in found), found
    assert not any("Traceback" in what or "\n" in what for *_, what in found)


def test_all_mistakes_are_found_at_once(folder: Path) -> None:
    """Wrong form, wrong wording, wrong code, and functions that fail, in both files together."""
    change(folder, ("each = 8", "each = -8"), ("{points} points.", "{pionts} points."), ('ink = "#163A86"\n', ""))
    change(folder, ("limit = 5", "limit = 5, spare = 1"))
    change(
        folder,
        ("        sets = min", "        sets = 1 // 0 + min"),
        ("if blue:", 'if me.has("bleu"):'),
        ("me.zero(", "me.adjust([3], 'points', 1)\n        me.zero("),
        file="rules.py",
    )
    sentences = "\n".join(what for *_, what in told(folder))
    for wanted in (
        "each",
        "'pionts'",
        "spare",
        "ZeroDivisionError",
        "'bleu'",
        "touches rule 3",
        "cards.blue: has no ink",
    ):
        assert wanted in sentences, wanted


def test_no_mistake_hides_behind_another(folder: Path) -> None:
    """A symbol in a card of a wrong category, and a card's name in a function without wording, are told at once."""
    change(folder, ('category = "colour"', 'category = "color"'), ('symbol = "heart"', 'symbol = "hart"'))
    change(folder, ("@book.rule(3,", "@book.rule(4,"), ('me.has("blue")', 'me.has("bleu")'), file="rules.py")
    found = told(folder)
    for wanted in (
        "cards.red.category: there is no category 'color'",
        "cards.red.symbol: there is no symbol 'hart'",
        "rules.4: has a function, but no wording",
        "there is no card, group or category 'bleu'",
    ):
        assert sum(wanted in what for *_, what in found) == 1, (wanted, found)
    assert len(found) == 5, found


def test_a_variant_is_told_which_of_its_files_to_mend(tmp_path: Path) -> None:
    """A mistake of the variant is in its file; what it leaves out must exist, and it cannot extend itself."""
    folder = begin("short", tmp_path, "eurocg-2026")
    file = folder / "edition.toml"
    assert findings(folder) == []
    text = file.read_text(encoding="utf-8")
    file.write_text(text + '\n[[rules]]\nkey = "12"\nnumbers = { spare = 3 }\n', encoding="utf-8")
    assert [(name, line) for name, line, _ in told(folder)] == [("edition.toml", "numbers = { spare = 3 }")]
    file.write_text(text + '\n[without]\nrules = ["99"]\n', encoding="utf-8")
    (found,) = findings(folder)
    assert found.sentence == "without.rules: 'eurocg-2026' has no '99'; take it out"
    file.write_text(text.replace('extends = "eurocg-2026"', 'extends = "short"'), encoding="utf-8")
    (found,) = findings(folder)
    assert "extends this edition itself" in found.sentence


def test_a_folder_of_editions_is_checked_whole(tmp_path: Path) -> None:
    """Its editions in alphabetical order; a folder without any is an error, and so is none."""
    for name in ("two", "one"):
        begin(name, tmp_path)
    assert [folder.name for folder in editions_in(tmp_path)] == ["one", "two"]
    (tmp_path / "three").mkdir()
    with pytest.raises(EditionError, match=r"three: there is no edition\.toml in it"):
        editions_in(tmp_path / "three")
    with pytest.raises(EditionError, match="four: there is no such folder"):
        editions_in(tmp_path / "four")
