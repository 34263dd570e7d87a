"""Errors in editions are reported all at once, in one line each, with location and remedy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from server.editions import edition_names
from server.editions.lint import editions_in, lint_edition
from server.editions.lint_process import lint_in_subprocess
from server.editions.loader import read_edition
from server.editions.registry import PACKAGE
from server.editions.starter import create_edition
from server.scoring.errors import EditionError
from tests.editions.harbour import TOML, written

if TYPE_CHECKING:
    from pathlib import Path

    from server.editions.source_lines import EditionFinding

Change = tuple[str, str]


def add(place: str, *lines: str) -> Change:
    """Return a change that adds lines below a text."""
    return place, "\n".join((place, *lines))


def first(*code: str) -> Change:
    """Return a change that adds code at the start of the function of rule 1."""
    return "    pairs = min", "\n".join((*(f"    {line}" for line in code), "    pairs = min"))


def said(finding: EditionFinding) -> str:
    """Return the field and the sentence of a mistake, as the command prints them."""
    return f"{finding.field}: {finding.sentence}".removeprefix(": ")


SLUG = 'slug = "harbour"'
KEY_2 = 'key = "2"'
TIE = 'label.de = "frühere Abgabe"'
STINK = "@book.rule(2, Phase.OWN)"
BOOK = "book = Rulebook()"
HAND_IN = 'book.tie("earlier-hand-in")(earlier_hand_in)'
RULE_1 = "@book.rule(1"
TEXT_4 = """\
text.en = "Each trip to the pier brings as many points as the tide is high."
text.de = "Jeder Gang zum Pier bringt so viele Punkte, wie die Flut hoch ist."
"""
CANCELLING = """\
Phase.CANCEL, touches=[2])
def breeze(me: Seat, n: Numbers) -> None:
    if me.has("salt") >= n.need:
        me.cancel([2], everyone=False,"""
ADJUSTING = (
    CANCELLING,
    CANCELLING.replace("CANCEL", "ADJUST").replace("cancel([2], everyone=False,", 'adjust([2], "limits", 1,'),
)
FAMILY = ("", "[[families]]", 'name = "eels"')
EELS = ("", "[[rules]]", 'key = "6"', 'name = { en = "Eel", de = "Aal" }', 'text = { en = "Eel.", de = "Aal." }')
NO_FISCH = "there is no card, number or fact 'fisch'; did you mean 'fish'?"
REFUSED: list[tuple[Change, str | None, str]] = [
    # Values in the TOML.
    ((KEY_2, 'key = "1"'), "[[rules]]", "rules.1: is used twice in the file; give the second another name"),
    (('slug = "salt"', 'slug = "fish"'), "[[cards]]", "cards.fish: is used twice in the file; give the second another"),
    (
        add("worth = 1", "", "[[categories]]", 'slug = "goods"', 'name.en = "x"'),
        "[[",
        "categories.goods: is used twice",
    ),
    ((KEY_2, 'keys = ["2", "2"]\neffect = "stink"'), "[[rules]]", "rules.2: is used twice in the file; rename one"),
    (('slug = "salt"', 'slug = "rule-2"'), None, "cards.rule-2: is used twice in the file; rename one"),
    (('name = "tide"', 'name = "luck"'), "settings =", "rules.4.settings: there is no setting 'tide'; known: luck"),
    (
        ('type = "whole"', 'type = "number"'),
        "type",
        'facts.trips.type: must be "whole", "yes-no" or "player", not "number"',
    ),
    (("maximum = 5", "maximum = -5"), "[[facts]]", "facts.trips: a whole number needs a minimum and a maximum"),
    (("maximum = 5\n", ""), "[[facts]]", "facts.trips: a whole number needs a minimum and a maximum"),
    (("#2A9159", "#2a915"), "ink", 'cards.fish.ink: must be a colour such as "#C2242B"'),
    ((f"{SLUG}\n", ""), "title.en", "slug: is missing; add it"),
    ((SLUG, 'slug = "Harbour!"'), None, "slug: must be small letters, digits and hyphens"),
    (('slug = "fish"\n', ""), "[[cards]]", "cards.no. 1.slug: is missing; add it"),
    (('name.en = "Fish"\nname.de = "Fisch"', 'name = "Fish"'), "name", "cards.fish.name: must say its language: name."),
    (("need = 3 }", 'need = "3" }'), "numbers", "rules.3.numbers.need: must be a number without quotation marks"),
    (("need = 3 }", "need = inf }"), "numbers", "rules.3.numbers.need: must be a number"),
    (('key = "3"', "key = 3"), "key = 3", "rules.no. 3.key: must be a text in quotation marks, not 3"),
    (('key = "3"\n', ""), "[[rules]]", "rules.no. 3: should have a key, or keys of several cards"),
    ((KEY_2, 'keys = ["2", "22"]'), "[[rules]]", "rules.2: several cards need a name for their effect"),
    (("each = 6", 'each = "6"'), "each", "categories.goods.each: must be a whole number without quotation marks"),
    (add("each = 6", "each_kind = 1"), "[[categories]]", "categories.goods: says in several ways"),
    *(
        (("each = 6", f"supply = {{ sets = {sets}, enough = 1 }}"), "supply", "categories.goods.supply: sets should be")
        for sets in ("[[5, 1], [4, 2]]", "[[5]]")
    ),
    (("min = 4", "min = 0"), "players", "players.min: must be at least 1, not 0"),
    (("min = 4", "min = 21"), "players", "players: min is above max; swap them"),
    (("players = { min = 4, max = 20 }\n", ""), "slug", "players: is missing; add it"),
    (('title.en = "Harbour"', 'titel = "x"\ntitle.en = "Harbour"'), "titel", "titel: is an unknown field; write title"),
    (add(SLUG, "colour = 1"), "colour", "colour: is an unknown field (known: slug, extends,"),
    (
        ('category = "goods"\nname.en = "Salt"', 'category = "good"\nname.en = "Salt"'),
        "cat",
        "'good'; did you mean 'go",
    ),
    (('slug = "rule"', 'slug = "rules"'), "slug", "categories: rules need a category with slug"),
    (('settings = ["tide"]', 'settings = ["tide", "need"]'), "settings", "rules.4.settings: there is no setting 'need"),
    (add('settings = ["tide"]', "numbers = { tide = 1 }"), None, "'tide' is a number and a setting; rename one"),
    *((("default = 2", f"default = {n}"), "default", f"settings.tide.default: {n} is out of r") for n in (-1, 10)),
    *(
        (add(SLUG, f"phases = {names}"), "phases", "phases: should name phases about points, each once (")
        for names in ('["later"]', '["own", "own"]', '["adjust"]')
    ),
    (add(KEY_2, 'family = "f"'), "family", "rules.2.family: there is no family 'f' (known: none)"),
    (add(TIE, *EELS, "give = '2 * fisch'"), "give", f"rules.6.give: {NO_FISCH}"),
    (add(TIE, *FAMILY, "give = '2 * fisch'", *EELS, "family = 'eels'"), "give", f"families.eels.give: {NO_FISCH}"),
    (add(KEY_2, "informs = true"), "[[rules]]", "rules.2: only informs, but has an effect or a function"),
    (add('settings = ["tide"]', 'lists = { of = ["fishes"] }'), "lists", "'fishes'; did you mean 'fish'?"),
    (add('symbol = "gem"', 'groups = ["wet"]'), "groups", "cards.salt.groups: there is no group 'wet' (known: none)"),
    (add('symbol = "gem"', 'told_by = ["9"]'), "told_by", "cards.salt.told_by: names rule 9, which does not exist"),
    (add(TIE, "", "[[groups]]", 'slug = "fish"', 'name = { en = "F", de = "F" }'), "[[", "groups.fish: has the name o"),
    (add(TIE, "", "[[families]]", 'name = "f"'), "[[families]]", "families.f: has no effect; add one such as give ="),
    (add(TIE, 'rule = "9"'), "rule", "names rule 9, which"),
    (add(TIE, "", "[[rulings]]", 'rule = "9"', 'text = { en = "a", de = "b" }'), "rule =", "names rule 9, which"),
    (add(SLUG, 'extends = "harbor"'), "extends", "extends: there is no edition 'harbor' (known:"),
    # Syntax of TOML.
    (("each = 6", "each = "), "each =", "after = a value is missing or has no quotation marks: each ="),
    (add("each = 6", "each = 7"), "each = 7", "this is defined twice in the same table; keep one"),
    (('name.en = "Fish"', 'name.en = "Fish'), "name.en", 'a text has no end; close it with a " in its line'),
    (("min = 4, max", "min = 4 max"), "players", "a bracket, a comma or a quotation mark is missing or too many"),
    # Numbers and sentences.
    ((TEXT_4, ""), None, "rules.4: has no text, and no family with one; add text."),
    (("More than {limit}", "More than {limits}"), "text.en", "the rule has no number 'limits' (known: limit, fine)"),
    (("More than {limit}", "More than {limit"), "text.en", "rules.2.text.en: a brace is missing or too many"),
    # Functions.
    (("@book.rule(4, Phase.OWN)", ""), "[[rules]]", "rules.4: has wording, but no effect; add one such as give"),
    (("@book.rule(4, Phase.OWN)", "@book.rule(1, Phase.OWN)"), RULE_1, "rule 1 has two functions"),
    (("@book.rule(4, Phase.OWN)", "@book.rule(9, Phase.OWN)"), None, "rules.9: has a function, but no wording"),
    (
        add(TIE, "", "[[ties]]", 'name = "age"', 'label = { en = "a", de = "b" }'),
        "[[ties]]",
        "ties.age: has no formula",
    ),
    (add(BOOK, 'book.tie("age")(lambda me: 0)'), "book.tie", "ties.age: has a function, but no [[ties]] of that name"),
    (add(HAND_IN, HAND_IN.replace("earlier-hand-in", "age")), 'book.tie("age")', "ties.age: has a function, but no [["),
    (add(BOOK, 'book.family("f", Phase.OWN)(lambda me, n: None)'), "", "families.f: has a function, but no [[families"),
    ((BOOK, "book = 1 / 0"), "book = 1 / 0", "cannot be run: ZeroDivisionError"),
    ((BOOK, "book = ("), "book = (", "Python cannot read this: '(' was never closed"),
    (("> n.limit:", "> n.limit"), "if me.has", "Python cannot read this: expected ':'"),
    (("Phase.TABLE", "Phase.TABEL"), "@book.rule(5", "Phase has no TABEL; write TABLE"),
    (("touches=[2]", "touches=[22, 2]"), "@book.rule(3", "rules.3: touches rule 22, which does not exist; take it out"),
    *(
        (
            (STINK, STINK.replace("OWN", f"{phase}, touches=[2]")),
            None,
            "rules.2: touches rule 2, but cannot change what",
        )
        for phase in ("SHIELD", "ADJUST")
    ),
    # Randomness, clock and environment.
    ((BOOK, f"import random\n{BOOK}"), "import", "imports random; a count must not depend on chance"),
    ((BOOK, f"from time import time\n{BOOK}"), "from time", "must not depend on the clock"),
    ((BOOK, f"import server.scoring, urllib.request\n{BOOK}"), "import server", "imports urllib.request; a count"),
]
FOUND: list[tuple[Change, str, str]] = [
    ((SLUG, 'slug = "port"'), "slug", "slug: must be 'harbour', the name of the folder, not 'port'"),
    (('symbol = "gem"\n', ""), "[[cards]]", "cards.salt: has no symbol, so it cannot be printed; add symbol"),
    (('ink = "#C2242B"\n', ""), "[[cards]]", "cards.salt: has no ink, so it cannot be printed; add ink"),
    (('"gem"', '"gm"'), "symbol", "cards.salt.symbol: there is no symbol 'gm' (known:"),
    (('symbol = "gem"', 'motif = "gem"'), "motif", "cards.salt.motif: there is no motif 'gem' (known:"),
    # Languages.
    (('says.line.de = "Salz: {count}."\n', ""), "says.line.en", "lacks a text in de (it has en); add says.line.de"),
    (add('name.de = "Gestank"', 'name.deutsch = "G"'), "name.deutsch", "must be a language of two small letters"),
    (add('name.de = "Gestank"', 'name.fr = "P"'), "name.fr", "is in a language that the title lacks; add"),
    # Numbers and sentences.
    (("Mehr als {limit}", "Mehr als {grenze}"), "text.de", "the rule has no number 'grenze' (known: limit, fine)"),
    (("limit = 4,", "limit = 4, extra = 9,"), "numbers", "numbers.extra: neither the wording nor a function of the r"),
    (("me.points(-n.fine", "me.points(-5"), "numbers", "numbers.fine: only the wording uses this number, so changin"),
    (("bringt {points} Punkte", "bringt mehr"), "numbers", "points: the card does not state this number in every la"),
    (add(KEY_2, 'wording_only = ["fein"]'), "wording_only", "the rule has no number 'fein' (known: limit, fine)"),
    (("n.limit", "n.limt"), "if me.has", "rule 2 has no number 'limt' (it has limit, fine)"),
    (('count=me.has("fish")', 'cnt=me.has("fish")'), "says.line.en", "unknown placeholder {count}"),
    (("Gesalzene Fische: {pairs}", "Fische: {paare}"), "says.line.de", "line.de: unknown placeholder {paare}"),
    (("Gesalzene Fische: {pairs}", "Fische: {pairs"), "says.line.de", "rules.1.says.line.de: a brace is missing"),
    (("Fisch, Salz", "{Fisch}, Salz"), "summary.de", "summary.de: unknown placeholder {Fisch} (known: none); take"),
    (("me.points(-n.fine", "me.points(-n.fine / 2"), "me.points", "rule 2 writes -2.5; points are whole numbers or e"),
    (
        ('says.unknown.en = "Not known yet."\nsays.unknown.de = "Noch offen."\n', ""),
        "me.unknown",
        "rule 5 has no sentence",
    ),
    (
        ("    me.unknown()\n", ""),
        "says.unknown",
        "rules.5.says.unknown: is a sentence that no function of the rule writes",
    ),
    # Touches, phases and names.
    (ADJUSTING, "me.adjust", "rule 2 has no number 'limits' to adjust (it has limit, fine)"),
    ((", touches=[2]", ""), "me.cancel", "rule 3 touches rule 2 without declaring it; add it to touches"),
    (("touches=[2]", "touches=[5, 2]"), "@book.rule(3", "hint: rule 3 declares that it touches rule 5, but never d"),
    ((STINK, "@book.rule(2, Phase.WORTH)"), "me.points(-n", "rule 2 acts in phase WORTH, where no rule"),
    (('me.fact("trips"), trips', 'me.fact("trip"), trips'), "me.points", "the edition asks for no fact 'trip'"),
    (('min(me.has("fish")', 'min(me.has("fisch")'), "pairs", "there is no card, group or category 'fisch'; did you m"),
    (first('me.counts("good")'), "me.counts", "there is no category 'good'"),
    ((BOOK, "bok = Rulebook()"), RULE_1, "there is no 'book'; write book = Rulebook()"),
    # Randomness, clock and environment.
    (first("me.points(__import__('random').randint(1, 9), pairs=1)"), "me.points(__", "imports random"),
    (first("import os", "me.points(os.urandom(1)[0], pairs=1)"), "import os", "on the machine"),
    (first("exit(3)"), "exit(3)", "calls exit(); a rule only reads the hand and writes to it"),
    (first("raise SystemExit(3)"), "raise", "rule 1 ends the program (SystemExit), which no"),
    (first("print('seen')"), "print", "hint: prints each time the rule is applied"),
    (first("salted(me, n)"), "salted", "rule 1 fails: RecursionError"),
    # An address may come again at once: then it is the order of the hands, or the next process, that gives it away.
    (first("me.points(id(object()) % 7, pairs=1)"), RULE_1, "rule 1 "),
    (first("book.n = getattr(book, 'n', 0) + 1", "me.points(book.n, pairs=1)"), RULE_1, "differently"),
    (('sole_most("salt") is me', "seats[0] is me"), "@book.rule(5", "rule 5 depends on the order in which the hands c"),
]


def one(folder: Path, line: str, sentence: str) -> str:
    """Return the only finding in a folder, after checking its line and text."""
    (found,) = lint_edition(folder)
    assert sentence in str(found)
    assert found.file.read_text(encoding="utf-8").splitlines()[found.line - 1].strip().startswith(line)
    assert not re.search(r"pydantic|Value error|Input should|tomllib|Traceback|\n", str(found))
    return str(found)


@pytest.mark.parametrize(("change", "line", "sentence"), REFUSED, ids=[case[2] for case in REFUSED])
def test_errors_while_loading_are_one_line(tmp_path: Path, change: Change, line: str | None, sentence: str) -> None:
    """`line` is the start of the reported line; None if other errors follow."""
    folder = written(tmp_path, change)
    if line is None:
        assert any(sentence in str(found) for found in lint_edition(folder))
    else:
        one(folder, line, sentence)
    with pytest.raises(EditionError) as caught:
        read_edition(folder, None)
    assert str(caught.value).startswith(f"{folder}/")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("change", "line", "sentence"), FOUND, ids=[case[2] for case in FOUND])
def test_errors_found_by_the_check_are_one_line(tmp_path: Path, change: Change, line: str, sentence: str) -> None:
    one(written(tmp_path, change), line, sentence)


@pytest.mark.parametrize(
    "changes",
    [
        (),
        (("min = 4", "min = 20"), ("default = 2", "default = 0")),
        (("default = 2", "default = 9"),),
        (("me.points(-n.fine", "me.points(-5"), add("numbers = { limit = 4, fine = 5 }", 'wording_only = ["fine"]')),
        (("bringt {points} Punkte", "bringt mehr"), add("numbers = { points = 3 }", "puzzle = true")),
        (("@book.rule(4, Phase.OWN)", ""), add(TIE, 'rule = "4"')),
    ],
    ids=["whole", "least", "most", "a number in words alone", "a puzzle", "a rule that only breaks ties"],
)
def test_valid_changes_are_not_reported(tmp_path: Path, changes: tuple[Change, ...]) -> None:
    assert lint_edition(written(tmp_path, *changes)) == []


@pytest.mark.parametrize("name", [*edition_names(), None])
def test_built_in_and_new_editions_have_no_errors(name: str | None, tmp_path: Path) -> None:
    assert lint_edition(PACKAGE / name.replace("-", "_") if name else create_edition("mine", tmp_path)) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param(
            [
                ("each = 6", 'each = "6"'),
                ("#C2242B", "red"),
                ('name.de = "Brise"\n', ""),
                ("Mehr als {limit}", "Mehr als {grenze}"),
                first("1 / 0"),
                (", touches=[2]", ""),
                ('sole_most("salt")', 'sole_most("slat")'),
            ],
            [
                "categories.goods.each",
                "cards.salt.ink",
                "rules.2.text.de",
                "rules.3.name",
                "rule 1 fails",
                "rule 3 touches rule 2 without declaring it",
                "there is no card, group or category 'slat'",
            ],
            id="form, languages, wording, Python as written, and rules that fail",
        ),
        pytest.param(
            [
                (BOOK, f"{BOOK}\nlow = 1 / 0\nhigh = low + 1"),
                ("Phase.TABLE", "Phase.TABEL"),
                ("Phase.CANCEL", "Phase.CANCLE"),
            ],
            ["cannot be run", "Phase has no CANCLE", "Phase has no TABEL"],
            id="statements that fail, but not what follows from them",
        ),
        pytest.param(
            [
                ('category = "goods"\nname.en = "Fish"', 'category = "good"\nname.en = "Fish"'),
                ('"drop"', '"drip"'),
                ("@book.rule(4, Phase.OWN)", "@book.rule(9, Phase.OWN)"),
                ('me.fact("trips"), trips=me.fact("trips")', 'me.has("bleu"), trips=me.fact("trips")'),
            ],
            [
                "cards.fish.category",
                "cards.fish.symbol",
                "rules.4",
                "rules.9",
                "there is no card, group or category 'bleu'",
            ],
            id="no mistake hides behind another",
        ),
        pytest.param(
            [
                add(SLUG, 'title.deutsch = "Hafen"', '"[key]" = 1'),
                ("[[ties]]", "[[handout]]\nheading = 5\n\n[[ties]]"),
                ("Mehr als {limit}", "Mehr als {grenze}"),
            ],
            [
                "title.deutsch",
                "is an unknown field",
                "rules.2.text.de",
                "handout.no. 1.name",
                "handout.no. 1.text",
                "handout.no. 1.heading",
            ],
            id="no mistake hides behind those in the title and in the hand-out",
        ),
        pytest.param(
            [
                ('[[cards]]\nslug = "fish"', '[[cards]]\nslug = "eel"\n\n[[cards]]\nslug = "fish"'),
                ("[[ties]]", '[[ties]]\nrule = "1"\n\n[[ties]]'),
                add(TIE, *EELS, "give = '2 * eel'"),
            ],
            ["cards.eel.category", "cards.eel.name", "ties.no. 1.label", "ties.no. 1.name"],
            id="items that lack two fields, but not those that follow, nor the rule that names one of them",
        ),
        pytest.param(
            [('slug = "goods"\n', ""), ('slug = "rule"', "slug = 1")],
            ["categories.no. 1.slug", "categories.no. 2.slug"],
            id="all items of a list, but not that it is empty then",
        ),
    ],
)
def test_all_errors_are_reported_in_order(tmp_path: Path, changes: list[Change], expected: list[str]) -> None:
    found = lint_edition(written(tmp_path, *changes))
    assert [said(one).split(";")[0][: len(words)] for one, words in zip(found, expected, strict=True)] == expected


def test_syntax_errors_of_both_files_are_reported(tmp_path: Path) -> None:
    """Other errors are not reported until the files can be parsed."""
    no_values = ("minimum = 0\nmaximum = 9", "minimum 0\nmaximum =")
    folder = written(tmp_path, ("each = 6", "each ="), no_values, ("> n.limit:", "> n.limit"))
    assert [(one.file.name, one.line) for one in lint_edition(folder)] == [
        ("edition.toml", 12),
        ("edition.toml", 44),
        ("edition.toml", 45),
        ("rules.py", 14),
    ]


def test_a_missing_or_unreadable_file_is_reported(tmp_path: Path) -> None:
    folder = written(tmp_path)
    (folder / "rules.py").write_text("book = 1", encoding="utf-8")
    with pytest.raises(EditionError, match=r"rules.py:1: defines no 'book = Rulebook\(\)'"):
        read_edition(folder, None)
    (folder / "rules.py").unlink()
    assert {one.sentence for one in lint_edition(folder)} == {
        'has wording, but no effect; add one such as give = "…", a function in rules.py, or informs = true'
    }
    (folder / "edition.toml").write_bytes(TOML.encode("latin-1"))
    (found,) = lint_edition(folder)
    assert (found.line, found.sentence) == (41, "is not UTF-8; save the file in that encoding")
    (folder / "edition.toml").unlink()
    with pytest.raises(EditionError, match=r"edition.toml:1: cannot be read: No such file"):
        read_edition(folder, None)


@pytest.mark.parametrize(
    ("more", "sentences"),
    [
        ('title.it = "Breve"', ["title.it: 'sackson-1969' has no texts in this language; take it out, or add all"]),
        ('[[rules]]\nkey = "12"\nnumbers = { spare = 3 }', ["rules.12.numbers.spare: neither the wording nor a func"]),
        (
            '[without]\nrules = ["77"]\n\n[[rules]]\nkey = "4"\nname.en = "White"\nfamily = "f"',
            [
                "without.rules: 'sackson-1969' has no '77'; take it out",
                "rules.4.name: lacks a text in de, fr (it has en); add name.de, name.fr",
                "rules.4.family: there is no family 'f' (known: none)",
            ],
        ),
    ],
)
def test_errors_of_a_variant_are_reported_once_in_its_own_file(tmp_path: Path, more: str, sentences: list[str]) -> None:
    file = create_edition("short", tmp_path, "sackson-1969") / "edition.toml"
    file.write_text(f"{file.read_text(encoding='utf-8')}{more}\n", encoding="utf-8")
    found = lint_edition(file.parent)
    assert [said(finding)[: len(words)] for finding, words in zip(found, sentences, strict=True)] == sentences
    assert {finding.file for finding in found} == {file}


def test_a_variant_extends_a_valid_edition_and_not_itself(tmp_path: Path) -> None:
    create_edition("good", tmp_path)
    file = create_edition("mine", tmp_path, "good") / "edition.toml"
    text = file.read_text(encoding="utf-8")
    for base, sentence in (
        ("god", "extends: there is no edition 'god' (known: eurocg-2026, good, sackson-1969, tarot-fr)"),
        ("mine", "extends: 'mine' extends this edition itself; name another"),
    ):
        file.write_text(text.replace('extends = "good"', f'extends = "{base}"'), encoding="utf-8")
        one(file.parent, "extends", sentence)


def test_all_editions_of_a_folder_are_checked(tmp_path: Path) -> None:
    for name in ("two", "one"):
        create_edition(name, tmp_path)
    assert [folder.name for folder in editions_in(tmp_path)] == ["one", "two"]
    (tmp_path / "three").mkdir()
    for name, message in (("three", r"there is no edition\.toml in it"), ("four", "there is no such folder")):
        with pytest.raises(EditionError, match=f"{name}: {message}"):
            editions_in(tmp_path / name)


# Checks in separate processes, which a rule may end or block

SECONDS = 1.5


def reported(folder: Path) -> list[str]:
    """Return each finding with the text of its line."""
    return [
        f"{one.file.read_text(encoding='utf-8').splitlines()[one.line - 1].strip()}: {said(one)}"
        for one in lint_in_subprocess(folder, SECONDS)
    ]


def test_errors_are_found_in_other_processes(tmp_path: Path) -> None:
    """They have file, line and text; hints are marked as such."""
    folder = written(tmp_path / "bad", ("each = 6", "each = '6'"), ("> n.limit", "> n.limt"))
    assert [(one.file.name, one.line, one.hint) for one in lint_in_subprocess(folder)] == [
        ("edition.toml", 12, False),
        ("rules.py", 14, False),
    ]
    (hint,) = lint_in_subprocess(written(tmp_path / "hint", ("touches=[2]", "touches=[2, 5]")))
    assert hint.hint


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (first("while me.has('fish') > 2: pass"), "while me.has('fish') > 2: pass"),
        (first("sum(range(10 ** 12))"), "sum(range(10 ** 12))"),
    ],
    ids=["a loop", "a single call that no signal interrupts"],
)
def test_an_endless_rule_is_reported_with_its_line_and_other_errors(tmp_path: Path, change: Change, line: str) -> None:
    ink, endless = reported(written(tmp_path, change, ("#C2242B", "red")))
    assert "cards.salt.ink: must be a colour" in ink
    assert endless == f"{line}: a rule does not end within 1.5 seconds; look for a loop that has no end"


def test_an_endless_file_is_reported_with_its_line(tmp_path: Path) -> None:
    ink, line = reported(written(tmp_path, (BOOK, "while True: pass"), ("#C2242B", "red")))
    assert "cards.salt.ink" in ink
    assert line == "while True: pass: this file does not end within 1.5 seconds; look for a loop that has no end"


ORDER = "me.points(sum(n * len(word) for n, word in enumerate({'a', 'bb', 'ccc', 'dddd', 'eeeee'})), pairs=1)"
STATEFUL = (
    "book.seen = getattr(book, 'seen', None) or sorted(me.hand.cards.items())",
    "me.points(sum(number for _, number in book.seen), pairs=1)",
)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (
            ("len.__self__.__import__('os')._exit(7)",),
            "a rule ends the program (exit code 7); rules only read the hand",
        ),
        ((ORDER,), "rule 1 does not score the same hands alike in each run; it must"),
        (STATEFUL, "rule 1 does not score the same hands alike in each run; it must"),
    ],
    ids=["ends the program", "the order of a set", "kept from the first game on"],
)
def test_results_that_differ_between_processes_are_reported(
    tmp_path: Path, code: tuple[str, ...], sentence: str
) -> None:
    (line,) = reported(written(tmp_path, first(*code)))
    assert f": {sentence}" in line
