"""`haggle editions check` tells each mistake in one line: where it is, what it is, and what to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from server.editions.findings import findings
from server.editions.loader import read_edition
from server.editions.starter import begin
from server.scoring.edition import EditionError
from tests.editions.harbour import TOML, written

if TYPE_CHECKING:
    from pathlib import Path

PAIRS = "    pairs = min"
FISH = 'name.en = "Fish"\nname.de = "Fisch"'
ONE_LINE = [
    # What the TOML may not say.
    ('key = "2"', 'key = "1"', "[[rules]]", "rules.1: stands twice in the file; give the second another name"),
    ('slug = "salt"', 'slug = "fish"', "[[cards]]", "cards.fish: stands twice in the file; give the second another"),
    ('type = "whole"', 'type = "number"', 'type = "n', 'facts.trips.type: must be "whole" or "yes-no", not "number"'),
    ("maximum = 5", "maximum = -5", "[[facts]]", "facts.trips: a whole number needs a minimum and a maximum"),
    ("maximum = 5\n", "", "[[facts]]", "facts.trips: a whole number needs a minimum and a maximum"),
    ("#2A9159", "#2a915", 'ink = "#2a915"', 'cards.fish.ink: must be a colour such as "#C2242B"'),
    ('slug = "harbour"\n', "", "title.en", "slug: is missing; add it"),
    ('slug = "fish"\n', "", "[[cards]]", "cards.no. 1.slug: is missing; add it"),
    ('slug = "salt"', 'slug = "Sea Salt"', 'slug = "Sea Salt"', "cards.Sea Salt.slug: must be small letters, digits"),
    (FISH, 'name = "Fish"', 'name = "Fish"', 'cards.fish.name: must say its language: name.en = "Fish"'),
    ("need = 3 }", 'need = "3" }', "numbers", "rules.3.numbers.need: must be a number without quotation marks"),
    ("need = 3 }", "need = inf }", "numbers", "rules.3.numbers.need: must be a number"),
    ('key = "3"', "key = 3", "key = 3", "rules.no. 3.key: must be a text in quotation marks, not 3"),
    ("each = 6", 'each = "6"', 'each = "6"', "categories.goods.each: must be a whole number without quotation marks"),
    ("min = 4", "min = 0", "players", "players.min: must be at least 1, not 0"),
    ("min = 4", "min = 44", "players", "players: min is above max; swap them"),
    ("players = { min = 4, max = 20 }\n", "", "slug", "players: is missing; add it"),
    ('title.en = "Harbour"', 'titel = "x"\ntitle.en = "Harbour"', "titel", "titel: is no field here; write title"),
    (
        'label.en = "Trips',
        'labels = 3\nlabel.en = "Trips',
        "labels",
        "facts.trips.labels: is no field here; write label",
    ),
    (
        'category = "goods"\nname.en = "Salt"',
        'category = "good"\nname.en = "Salt"',
        "category",
        "there is no category 'good'; did you mean 'goods'?",
    ),
    ('slug = "rule"', 'slug = "rules"', "slug", "categories: rules need a category with slug"),
    ('settings = ["tide"]', 'settings = ["tides"]', "settings", "there is no setting 'tides'; there is tide"),
    ("default = 2", "default = 12", "default = 12", "settings.tide.default: 12 is out of range (0 to 9)"),
    ('symbol = "gem"\n', "", "[[cards]]", "cards.salt: has no symbol, so it cannot be printed; add symbol"),
    ("[[ties]]", '[[rulings]]\nrule = "9"\ntext = { en = "a", de = "b" }\n\n[[ties]]', "rule =", "names rule 9, which"),
    (
        'settings = ["tide"]',
        'settings = ["tide"]\nlists = { of = ["fishes"] }',
        "lists",
        "'fishes'; did you mean 'fish'?",
    ),
    (
        'slug = "harbour"',
        'slug = "harbour"\nextends = "harbor"',
        "extends",
        "extends: there is no edition 'harbor' (there is",
    ),
    # What is no TOML.
    ("each = 6", "each = ", "each =", "after = a value is missing or has no quotation marks: each ="),
    ("each = 6", "each = 6\neach = 7", "each = 7", "this stands twice in the same table; keep one"),
    ('name.en = "Fish"', 'name.en = "Fish', "name.en", 'a text has no end; close it with a " in its line'),
    ("min = 4, max", "min = 4 max", "players", "a bracket, a comma or a quotation mark is missing or too many"),
    # Languages.
    ('says.line.de = "Salz: {count}."\n', "", "says.line.en", "lacks a text in de (it has en); add says.line.de"),
    (
        'name.de = "Gestank"',
        'name.deutsch = "G"\nname.de = "Gestank"',
        "name.deutsch",
        "is no language; write two small",
    ),
    (
        'name.de = "Gestank"',
        'name.de = "G"\nname.fr = "P"',
        "name.fr",
        "speaks a language that the title does not; add",
    ),
    # Numbers and sentences.
    ("Mehr als {limit}", "Mehr als {grenze}", "text.de", "the rule has no number 'grenze' (there is limit, fine)"),
    ("Mehr als {limit}", "Mehr als {limit", "text.de", "rules.2.text.de: a brace is missing or too many"),
    ("limit = 4,", "limit = 4, extra = 9,", "numbers", "numbers.extra: neither the wording nor a function of the rule"),
    ("me.points(-n.fine", "me.points(-5", "numbers", "numbers.fine: only the wording uses this number, so changing it"),
    ("n.limit", "n.limt", "if me.has", "rule 2 has no number 'limt' (it has limit, fine)"),
    ('count=me.has("fish")', 'cnt=me.has("fish")', "says.line.de", "unknown placeholder {count}"),
    ("Gesalzene Fische: {pairs}", "Gesalzene Fische: {paare}", "says.line.de", "line.de: unknown placeholder {paare}"),
    (
        "Gesalzene Fische: {pairs}",
        "Gesalzene Fische: {pairs",
        "says.line.de",
        "rules.1.says.line.de: a brace is missing",
    ),
    ("Fisch, Salz", "{Fisch}, Salz", "summary.de", "summary.de: unknown placeholder {Fisch} (there is none); take it"),
    (
        "me.points(-n.fine",
        "me.points(-n.fine / 2",
        "me.points",
        "rule 2 writes -2.5; points are whole numbers or exact",
    ),
    # Touches and phases.
    (", touches=[2]", "", "me.cancel", "rule 3 touches rule 2 without declaring it; add it to touches"),
    ("touches=[2]", "touches=[22, 2]", "@book.rule(3", "rules.3: touches rule 22, which does not exist; take it out"),
    ("touches=[2]", "touches=[5, 2]", "@book.rule(3", "hint: rule 3 declares that it touches rule 5, but never did"),
    (
        "@book.rule(2, Phase.OWN)",
        "@book.rule(2, Phase.WORTH)",
        "me.points(-n",
        "rule 2 acts in phase WORTH, where no rule",
    ),
    ("Phase.TABLE", "Phase.TABEL", "@book.rule(5", "Phase has no TABEL; write TABLE"),
    # Functions.
    ("@book.rule(4, Phase.OWN)", "", "[[rules]]", 'rules.4: has wording, but no function; write @book.rule("4"'),
    ("@book.rule(4, Phase.OWN)", "@book.rule(1, Phase.OWN)", "@book.rule(1", "rule 1 has two functions"),
    (
        'book.tie("earlier-hand-in")(earlier_hand_in)',
        "",
        "[[ties]]",
        "ties.earlier-hand-in: has no function; write @book",
    ),
    ('me.fact("trips"), trips', 'me.fact("trip"), trips', "me.points", "the edition asks for no fact 'trip'"),
    ('min(me.has("fish")', 'min(me.has("fisch")', "pairs", "there is no card, group or category 'fisch'; did you mean"),
    ("book = Rulebook()", "bok = Rulebook()", "@book.rule(1", "there is no 'book'; write book = Rulebook()"),
    ("> n.limit:", "> n.limit", "if me.has", "Python cannot read this: expected ':'"),
    # What a count must not do.
    (
        "book = Rulebook()",
        "import random\nbook = Rulebook()",
        "import",
        "imports random; a count must not depend on chance",
    ),
    ("book = Rulebook()", "from time import time\nbook = Rulebook()", "from time", "must not depend on the clock"),
    (PAIRS, f"    me.points(__import__('random').randint(1, 9), pairs=1)\n{PAIRS}", "me.points(__", "imports random"),
    (PAIRS, f"    import os\n    me.points(os.urandom(1)[0], pairs=1)\n{PAIRS}", "import os", "on the machine"),
    (
        PAIRS,
        f"    import sys; sys.exit(3)\n{PAIRS}",
        "import sys",
        "imports sys; a count must not depend on the machine",
    ),
    (PAIRS, f"    exit(3)\n{PAIRS}", "exit(3)", "calls exit(); a rule only reads the hand and writes to it"),
    (PAIRS, f"    input()\n{PAIRS}", "input()", "calls input(); a rule only reads the hand and writes to it"),
    (PAIRS, f"    raise SystemExit(3)\n{PAIRS}", "raise", "rule 1 ends the program (SystemExit), which no"),
    (PAIRS, f"    print('seen')\n{PAIRS}", "print", "hint: prints, each time the rule looks at a hand"),
    (PAIRS, f"    salted(me, n)\n{PAIRS}", "salted", "rule 1 fails: RecursionError"),
    # An address may come again at once: then it is the order of the hands, or the next process, that gives it away.
    (PAIRS, f"    me.points(id(object()) % 7, pairs=1)\n{PAIRS}", "@book.rule(1", "rule 1 "),
    (
        PAIRS,
        f"    book.n = getattr(book, 'n', 0) + 1\n    me.points(book.n, pairs=1)\n{PAIRS}",
        "@book.rule(1",
        "differently",
    ),
    (
        'sole_most("salt") is me',
        "seats[0] is me",
        "@book.rule(5",
        "rule 5 depends on the order in which the hands come",
    ),
]


@pytest.mark.parametrize(("old", "new", "line", "sentence"), ONE_LINE, ids=[case[3][:50] for case in ONE_LINE])
def test_a_mistake_is_one_line(tmp_path: Path, old: str, new: str, line: str, sentence: str) -> None:
    """No second line tells of what only follows from it, and no word of a library's shows."""
    (found,) = findings(written(tmp_path, (old, new)))
    assert sentence in str(found)
    text = found.file.read_text(encoding="utf-8").splitlines()[found.line - 1].strip()
    assert text.startswith(line)
    assert not re.search(r"pydantic|Value error|Input should|tomllib|Traceback|\n", str(found))


def test_the_edition_that_is_broken_here_has_no_mistake(tmp_path: Path) -> None:
    """So each line above is about what was changed."""
    assert findings(written(tmp_path)) == []


def test_mistakes_of_all_kinds_come_at_once(tmp_path: Path) -> None:
    """Form, languages, wording, Python as it is written, and rules that fail: a line each, in their order."""
    folder = written(
        tmp_path,
        ("each = 6", 'each = "6"'),
        ("#C2242B", "red"),
        ('name.de = "Brise"\n', ""),
        ("Mehr als {limit}", "Mehr als {grenze}"),
        ("    pairs = min", "    1 / 0\n    pairs = min"),
        (", touches=[2]", ""),
        ('sole_most("salt")', 'sole_most("slat")'),
    )
    assert [one.sentence.split(":")[0].split(";")[0] for one in findings(folder)] == [
        "categories.goods.each",
        "cards.salt.ink",
        "rules.2.text.de",
        "rules.3.name",
        "rule 1 fails",
        "rule 3 touches rule 2 without declaring it",
        "there is no card, group or category 'slat'",
    ]


def test_several_lines_that_are_no_toml_are_all_told(tmp_path: Path) -> None:
    """So is the Python that cannot be read beside them; the rest waits until the files can be read."""
    folder = written(
        tmp_path,
        ("each = 6", "each ="),
        ("minimum = 0\nmaximum = 9", "minimum 0\nmaximum ="),
        ("> n.limit:", "> n.limit"),
    )
    assert [(one.file.name, one.line) for one in findings(folder)] == [
        ("edition.toml", 12),
        ("edition.toml", 44),
        ("edition.toml", 45),
        ("rules.py", 14),
    ]


def test_statements_that_fail_are_all_told(tmp_path: Path) -> None:
    """What only follows from one of them, such as a name that it would have made, is not."""
    folder = written(
        tmp_path,
        ("book = Rulebook()", "book = Rulebook()\nlow = 1 / 0\nhigh = low + 1"),
        ("Phase.TABLE", "Phase.TABEL"),
        ("Phase.CANCEL", "Phase.CANCLE"),
    )
    assert [one.sentence for one in findings(folder)] == [
        "cannot be run: ZeroDivisionError: division by zero",
        "Phase has no CANCLE; write CANCEL",
        "Phase has no TABEL; write TABLE",
    ]


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """An edition that extends no other needs functions."""
    folder = written(tmp_path)
    (folder / "rules.py").unlink()
    (found,) = findings(folder)
    assert str(found) == f"{folder / 'rules.py'}:1: is missing; every edition that extends no other needs one"
    (folder / "edition.toml").write_bytes(TOML.encode("latin-1"))
    (found,) = findings(folder)
    assert (found.line, found.sentence) == (41, "is not UTF-8; save the file in that encoding")


def test_a_number_may_stand_in_words_alone_where_the_rule_says_so(tmp_path: Path) -> None:
    """The author then knows; a name that is no number of the rule is a mistake."""
    folder = written(
        tmp_path / "1", ("me.points(-n.fine", "me.points(-5"), ("fine = 5 }", 'fine = 5 }\nwording_only = ["fine"]')
    )
    assert findings(folder) == []
    folder = written(tmp_path / "2", ("fine = 5 }", 'fine = 5 }\nwording_only = ["fein"]'))
    assert [one.sentence for one in findings(folder)] == [
        "rules.2.wording_only: the rule has no number 'fein' (there is limit, fine)"
    ]


def test_a_number_that_no_card_states_makes_a_puzzle(tmp_path: Path) -> None:
    """The author says so, or writes the number into the wording of every language."""
    left_out = ("bringt {points} Punkte", "bringt mehr")
    (found,) = findings(written(tmp_path / "1", left_out))
    assert found.sentence.startswith("rules.1.numbers.points: the card does not state this number in every language; ")
    marked = ("numbers = { points = 3 }", "numbers = { points = 3 }\npuzzle = true")
    assert findings(written(tmp_path / "2", left_out, marked)) == []


def test_a_number_that_is_moved_must_be_there(tmp_path: Path) -> None:
    """The name of a number that another rule moves is checked like that of its own."""
    folder = written(
        tmp_path,
        ("@book.rule(3, Phase.CANCEL, touches=[2])", "@book.rule(3, Phase.ADJUST, touches=[2])"),
        ("me.cancel([2], everyone=False, count", 'me.adjust([2], "limits", 1, count'),
    )
    (found,) = findings(folder)
    assert found.sentence == "rule 2 has no number 'limits' to adjust (it has limit, fine)"


def test_a_variant_that_adds_a_language_is_told_once(tmp_path: Path) -> None:
    """Not for each text of the edition that it extends, whose file is not the author's."""
    folder = begin("short", tmp_path, "sackson-1969")
    file = folder / "edition.toml"
    file.write_text(file.read_text(encoding="utf-8") + 'title.it = "Breve"\n', encoding="utf-8")
    (found,) = findings(folder)
    assert (found.file, found.line) == (file, len(file.read_text(encoding="utf-8").splitlines()))
    assert re.fullmatch(
        r"title\.it: 'sackson-1969' has no texts in this language; take it out, or add all \d+ texts", found.sentence
    )


def test_mistakes_in_what_a_variant_leaves_out_hide_no_others(tmp_path: Path) -> None:
    """And a text that lacks several languages is one mistake."""
    folder = begin("short", tmp_path, "sackson-1969")
    file = folder / "edition.toml"
    more = '[without]\nrules = ["77"]\n\n[[rules]]\nkey = "4"\nname.en = "White"\nfamily = "f"\n'
    file.write_text(f"{file.read_text(encoding='utf-8')}{more}", encoding="utf-8")
    assert [one.sentence for one in findings(folder)] == [
        "without.rules: 'sackson-1969' has no '77'; take it out",
        "rules.4.name: lacks a text in de, fr (it has en); add name.de, name.fr",
        "rules.4.family: there is no family 'f' (there is none)",
    ]


def test_broken_editions_are_no_choice_for_a_variant(tmp_path: Path) -> None:
    """Nor is the variant itself."""
    begin("good", tmp_path)
    for name, toml in (("broken", "slug = "), ("renamed", 'slug = "other"')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "edition.toml").write_text(toml, encoding="utf-8")
    (begin("bad-rules", tmp_path) / "rules.py").write_text("def", encoding="utf-8")
    folder = begin("mine", tmp_path, "good")
    file = folder / "edition.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('extends = "good"', 'extends = "god"'), encoding="utf-8")
    (found,) = findings(folder)
    assert found.sentence == "extends: there is no edition 'god' (there is eurocg-2026, good, sackson-1969, tarot-fr)"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("import random", "imports random; a count must not depend on chance"),
        ("from os import path", "imports os; a count must not depend on the machine"),
        ("import server.scoring, urllib.request", "imports urllib.request; a count"),
    ],
)
def test_an_edition_that_could_depend_on_chance_is_not_loaded(tmp_path: Path, line: str, sentence: str) -> None:
    """The loader refuses as the check does, with file and line."""
    folder = written(tmp_path, ("book = Rulebook()", f"{line}\nbook = Rulebook()"))
    with pytest.raises(EditionError) as caught:
        read_edition(folder, None)
    assert str(caught.value).startswith(f"{folder / 'rules.py'}:3: {sentence}")
