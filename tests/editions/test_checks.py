"""The check of texts in several languages, of cards that look alike or do not fit, and places in variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.editions.lint import lint_edition
from server.printing.card_check import card_findings
from tests.editions.test_formulas import EDITION, written

if TYPE_CHECKING:
    from pathlib import Path

RULE = """
[[rules]]
key = "11"
name.en = "Red"
name.de = "Rot"
text.en = "More than {limit} red: {points}."
text.de = "Mehr als {limit} rote: {points}."
numbers = { limit = 3, points = 20 }
when = "red > limit"
give = "points"
says.line.en = "Red: {red}, limit {limit}."
says.line.de = "Rot: {red}, Grenze {limit}."
"""


def german(folder: Path, *changes: tuple[str, str], language: str = "de") -> Path:
    """Write the edition with a rule in English and German, with changes."""
    text = EDITION.replace('title.en = "Fair"', 'title.en = "Fair"\ntitle.de = "Fest"')
    for word in ("For tests.", "Colours", "Rules", "Warm", "Round", "Songs?", "Polite?", "Friend?", "Left bag"):
        text = text.replace(f'.en = "{word}"', f'.en = "{word}", X.de = "{word}"')
    text = text.replace('summary.en = "For tests.", X.de =', 'summary.en = "For tests."\nsummary.de =')
    for word in ("Red", "Gold", "Blue", "Sea"):
        text = text.replace(f'name.en = "{word}"', f'name.en = "{word}", name.de = "{word}"')
    for word in ("Songs?", "Polite?", "Friend?"):
        text = text.replace(f'label.en = "{word}", X.de', f'label.en = "{word}", label.de')
    text = text.replace("X.de", "name.de") + RULE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    text = text.replace(".de = ", f".{language} = ")
    (folder / "fair").mkdir(exist_ok=True)
    (folder / "fair" / "edition.toml").write_text(text, encoding="utf-8")
    return folder / "fair"


def line_of(folder: Path, start: str) -> int:
    lines = (folder / "edition.toml").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith(start))


@pytest.mark.parametrize(
    ("old", "new", "start", "sentence"),
    [
        ("Grenze {limit}", "Grenze {grenze}", "says.line.de", "unknown placeholder {grenze}"),
        ("{red}", "{rot}", "says.line.en", "unknown placeholder {rot}"),
        ("Mehr als {limit}", "Mehr als 3", "text.de", "has the number 3 in digits, where another language has {limit}"),
        ("red: {points}", "red: 20", "text.en", "has the number 20 in digits, where another language has {points}"),
        ("Grenze {limit}", "Grenze 3", "says.line.de", "has the number 3 in digits"),
        ("Mehr als {limit}", "Mehr als {Grenze}", "text.de", "the rule has no number 'Grenze'"),
    ],
)
def test_mistakes_in_one_language_are_found_in_its_line(
    tmp_path: Path, old: str, new: str, start: str, sentence: str
) -> None:
    folder = german(tmp_path, (old, new))
    found = [one for one in lint_edition(folder) if sentence in str(one)]
    assert line_of(folder, start) in {one.line for one in found}


def test_a_sound_edition_in_two_languages_has_no_mistakes(tmp_path: Path) -> None:
    assert lint_edition(german(tmp_path)) == []
    assert card_findings(tmp_path / "fair") == []


def test_digits_that_are_another_number_are_no_mistake(tmp_path: Path) -> None:
    assert lint_edition(german(tmp_path, ("Grenze {limit}", "Grenze {limit} von 30 oder 3.5"))) == []


def test_a_language_that_haggle_does_not_speak_gets_a_hint(tmp_path: Path) -> None:
    (found,) = lint_edition(german(tmp_path, language="it"))
    assert found.hint
    assert "title.it: Haggle's own words are not in 'it' (it has de, en, fr): those about" in str(found)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('ink = "#F6CC1B", symbol = "sun"', 'ink = "#C2242C", symbol = "gem"', "gold.ink: looks like card 'red'"),
        ('name.en = "Gold"', 'name.en = "Red"', "cards.gold.name: has the name of card 'red'"),
        (
            'ink = "#F6CC1B", symbol = "sun", groups = ["warm", "round"] },',
            'motif = "atout-1" }, { slug = "moon", category = "colour", name.en = "Moon", motif = "atout-1" },',
            "cards.moon.motif: looks like card 'gold'",
        ),
    ],
)
def test_cards_that_look_alike_are_mistakes(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    folder = written(tmp_path, "give = 1")
    text = (folder / "edition.toml").read_text(encoding="utf-8")
    assert old in text
    (folder / "edition.toml").write_text(text.replace(old, new), encoding="utf-8")
    assert any(sentence in str(one) for one in lint_edition(folder))


@pytest.mark.parametrize(
    ("old", "new", "start", "sentence"),
    [
        ("{limit} rote", f"{{limit}} {'w' * 90}", "text.de", "rule-11 does not fit a card of"),
        ("{limit} red", f"{{limit}} {'many words ' * 400}", "text.en", "too long for its place"),
        ("{limit} red", "{limit} \N{SNOWMAN}", "text.en", "the font has no character"),
    ],
)
def test_cards_that_cannot_be_printed_are_found_in_their_language(
    tmp_path: Path, old: str, new: str, start: str, sentence: str
) -> None:
    folder = german(tmp_path, (old, new))
    (found,) = card_findings(folder)
    assert sentence in str(found)
    assert (found.line, found.hint) == (line_of(folder, start), False)


def test_mistakes_in_variants_are_found_in_the_right_file_and_line(tmp_path: Path) -> None:
    base = written(tmp_path, "give = 1", more='[[rulings]]\ntext.en = "First."\n')
    folder = tmp_path / "variant"
    folder.mkdir()
    text = 'slug = "variant"\nextends = "fair"\ntitle.en = "Variant"\n\n[[rulings]]\ntext.en = "Second {wrong}."\n'
    text += '\n[[rules]]\nkey = "11"\ngive = 2\n\n[[rules.also]]\nwhen = "rot > 2"\ntake = 1\n'
    (folder / "edition.toml").write_text(text, encoding="utf-8")
    assert [(one.file.parent.name, one.line) for one in lint_edition(folder)] == [("variant", 6), ("variant", 13)]
    path = base / "edition.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("First.", "First {wrong}."), encoding="utf-8")
    places = [(one.file.parent.name, one.line) for one in lint_edition(folder)]
    assert ("fair", line_of(base, 'text.en = "First')) in places


def test_a_rule_with_a_mistake_is_reported_once(tmp_path: Path) -> None:
    """Its numbers may be used by the formula that cannot be read, and another rule may touch its effect."""
    wrong = 'numbers = { points = 2 }\ntake = "points * rad"'
    folder = written(tmp_path, wrong, "shield = { rules = [11], lines = 1 }")
    file = folder / "edition.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("Text.", "{points}.", 1), encoding="utf-8")
    assert [one.field for one in lint_edition(folder)] == ["rules.11.take"]
