"""Reading an edition's folder: it works for any folder, and says what is wrong in one line."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from server.editions import EditionError, edition_names, editions_from, load_edition
from server.editions.loader import read_edition
from server.editions.starter import begin
from server.scoring import Hand, Phase, score
from tests.editions.harbour import written

if TYPE_CHECKING:
    from pathlib import Path

TOML = """
slug = "coins"
title.en = "Coins"
title.de = "Münzen"
summary.en = "Two coins."
summary.de = "Zwei Münzen."
players = { min = 2, max = 4 }

[[categories]]
slug = "coin"
name = { en = "Coins", de = "Münzen" }
each = 2
valued = true

[[categories]]
slug = "rule"
name = { en = "Rules", de = "Regeln" }
each = 1

[[settings]]
name = "luck"
label = { en = "Luck", de = "Glück" }
text = { en = "Luck.", de = "Glück." }
minimum = 0
maximum = 9
default = 3

[[ties]]
name = "more-gold"
label = { en = "more gold", de = "mehr Gold" }
rule = "gold"

[[rulings]]
rule = "gold"
text = { en = "Gold is gold.", de = "Gold ist Gold." }

[[cards]]
slug = "gold"
category = "coin"
name = { en = "Gold", de = "Gold" }

[[rules]]
key = "gold"
name = { en = "Gold", de = "Gold" }
text = { en = "Each gold: {points}.", de = "Jedes Gold: {points}." }
numbers = { points = 5 }
settings = ["luck"]
says.worth = { en = "Luck {luck}.", de = "Glück {luck}." }
"""

RULES = """
from dataclasses import dataclass
from server.scoring import Phase, Rulebook

book = Rulebook()

@dataclass
class Purse:
    gold: int

@book.rule("gold", Phase.BASE)
def gold(me, n):
    me.worth("gold", n.points + n.luck)

@book.tie("more-gold")
def more_gold(me):
    return Purse(me.handed_in("gold")).gold
"""


def write(folder: Path, toml: str = TOML, rules: str = RULES) -> Path:
    """Write an edition into a folder and return it."""
    (folder / "edition.toml").write_text(toml, encoding="utf-8")
    (folder / "rules.py").write_text(rules, encoding="utf-8")
    return folder


def test_an_edition_can_lie_in_any_folder(tmp_path: Path) -> None:
    """A folder with two files is an edition that scores; rules with names get cards of that name."""
    edition = read_edition(write(tmp_path), "en")
    assert [kind.slug for kind in edition.kinds] == ["gold", "rule-gold"]
    assert edition.kind_of["rule-gold"].number is None
    assert edition.kind_of["rule-gold"].text == "Each gold: 5."
    (hand,) = score(edition, [Hand("Ada", {"gold": 2})]).hands
    assert (hand.score, hand.lines[0].text) == (16, "Gold: 2 × 8 = 16. Luck 3.")  # noqa: RUF001 - a multiplication sign


def test_texts_come_in_the_language_asked_for(tmp_path: Path) -> None:
    """A language is data: the same files give another edition's texts; a missing one is named."""
    toml = TOML.replace(', de = "Glück {luck}."', "")
    with pytest.raises(
        EditionError, match=r"rules.gold.says.worth: has no text in 'de' \(it has en\); add says.worth.de"
    ):
        read_edition(write(tmp_path, toml), "de")


INFORMS = """
[[rules]]
key = "news"
informs = true
name = { en = "News", de = "Neues" }
text = { en = "Coins.", de = "Münzen." }
"""


@pytest.mark.parametrize(
    ("card", "more", "told_by"),
    [
        ("", "", {}),
        ("", INFORMS, {"gold": ("news",)}),
        ('told_by = ["gold"]', INFORMS, {"gold": ("gold",)}),
    ],
)
def test_a_worth_is_told_by_its_cards_rules_or_all_that_inform(
    tmp_path: Path, card: str, more: str, told_by: dict[str, tuple[str, ...]]
) -> None:
    """An author who does not say which rules tell a worth gives nothing away."""
    toml = TOML.replace('category = "coin"\n', f'category = "coin"\n{card}\n') + more
    assert read_edition(write(tmp_path, toml), "en").told_by == told_by


def test_every_listed_edition_loads() -> None:
    """All editions of the package load and bear the name under which they are listed."""
    assert "eurocg-2026" in edition_names()
    for name in edition_names():
        assert load_edition(name).slug == name


def test_an_unknown_edition_is_named_with_those_that_exist() -> None:
    """The error says what there is."""
    with pytest.raises(EditionError, match=r"unknown edition 'nope' \(there is .*eurocg-2026.*\)"):
        load_edition("nope")


def test_an_unknown_language_is_refused() -> None:
    """An edition without texts in a language says which it has."""
    with pytest.raises(EditionError, match=r"eurocg-2026 has no texts in 'xx' \(it has .*en"):
        load_edition("eurocg-2026", "xx")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('slug = "coins"', "slug = ", "edition.toml:2: after = a value is missing or has no quotation marks: slug ="),
        ('slug = "coins"', 'slug = "Coins!"', "edition.toml:2: slug: must be small letters, digits and hyphens"),
        (
            'slug = "coins"',
            'slug = "coins"\ncolour = 1',
            "edition.toml:3: colour: is no field here (there is slug, extends,",
        ),
        ("points = 5", 'points = "5"', "rules.gold.numbers.points: must be a number without quotation marks, not '5'"),
        (
            "Each gold: {points}",
            "Each gold: {pionts}",
            "rules.gold.text.en: the rule has no number 'pionts' (there is points)",
        ),
        ("Each gold: {points}", "Each gold: {points", "rules.gold.text.en: a brace is missing or too many"),
        (
            'category = "coin"',
            'category = "con"',
            "cards.gold.category: there is no category 'con'; did you mean 'coin'?",
        ),
        ('slug = "rule"\n', 'slug = "rules"\n', "categories: rules need a category with slug ="),
        ('key = "gold"', 'key = "silver"', "rules.gold: has a function, but no wording"),
        ('name = "more-gold"', 'name = "most-gold"', "ties.more-gold: has a function, but no [[ties]] of that name"),
        (
            'settings = ["luck"]',
            'settings = ["lukc"]',
            "rules.gold.settings: there is no setting 'lukc'; there is luck",
        ),
        ('settings = ["luck"]', 'settings = ["luck", "points"]', "rules.gold.settings: there is no setting 'points'"),
        ("points = 5 }", "points = 5, luck = 1 }", "rules.gold.settings: 'luck' is a number and a setting"),
        ("default = 3", "default = 10", "settings.luck.default: 10 is out of range (0 to 9)"),
        ("maximum = 9", "maximum = 0", "settings.luck.default: "),
        ("default = 3", "default = -1", "settings.luck.default: "),
        ("min = 2", "min = 5", "players: min is above max"),
        (
            'slug = "coins"',
            'slug = "coins"\nphases = ["later"]',
            "phases: should name phases about points, each once (",
        ),
        ('slug = "coins"', 'slug = "coins"\nphases = ["own", "own"]', "phases: should name phases about"),
        ('slug = "coins"', 'slug = "coins"\nphases = ["adjust"]', "phases: should name phases about"),
        ('key = "gold"\n', 'key = "gold"\nfamily = "f"\n', "rules.gold.family: there is no family 'f' (there is none)"),
        (
            'key = "gold"\n',
            'keys = ["gold", "ore"]\n',
            "rules.gold: several cards need a name for their effect",
        ),
        ('key = "gold"\n', "", "rules.no. 1: should have a key, or keys of several cards"),
        ('key = "gold"\n', 'key = "gold"\ninforms = true\n', "rules.gold: only informs, but has a function"),
        ('key = "gold"\n', 'key = "gold"\nlists = { of = ["goold"] }\n', "there is no card, group or category 'goold'"),
        (
            'text = { en = "Each gold: {points}.", de = "Jedes Gold: {points}." }',
            "",
            "rules.gold: has no text, and no f",
        ),
        (
            'category = "coin"',
            'category = "coin"\ngroups = ["metal"]',
            "cards.gold.groups: there is no group 'metal' (there is none)",
        ),
        (
            'category = "coin"',
            'category = "coin"\ntold_by = ["goold"]',
            "cards.gold.told_by: names rule goold, which does not exist",
        ),
        ("each = 2", "each = 2\neach_kind = 1", "categories.coin: says in several ways"),
        (
            "each = 2",
            "supply = { sets = [[5, 1], [4, 2]], enough = 1 }",
            "categories.coin.supply: sets should be pairs",
        ),
        ("each = 2", "supply = { sets = [[5]], enough = 1 }", "categories.coin.supply: sets should be pairs"),
        ("[[cards]]", '[[groups]]\nslug = "gold"\nname = { en = "Gold" }\n\n[[cards]]', "groups.gold: has the name of"),
        (
            "[[rules]]",
            '[[families]]\nname = "f"\n\n[[rules]]',
            'families.f: has no function; write @book.family("f", Phase.…)',
        ),
        (
            'label = { en = "more gold", de = "mehr Gold" }\nrule = "gold"',
            'label.en = "x"\nrule = "tin"',
            "names rule tin",
        ),
    ],
)
def test_a_mistake_in_the_toml_is_one_clear_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    """Each mistake names the file and the place in it."""
    assert old in TOML
    with pytest.raises(EditionError) as caught:
        read_edition(write(tmp_path, TOML.replace(old, new, 1)), "en")
    assert str(caught.value).startswith(str(tmp_path))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("book = 1", "rules.py:1: defines no 'book = Rulebook()'"),
        ("1/0", "rules.py:1: cannot be run: ZeroDivisionError"),
        ("def", "rules.py:1: Python cannot read this: invalid syntax"),
        (RULES + '\nbook.rule("gold", Phase.OWN)(gold)\n', "rules.py:19: rule gold has two functions"),
        (
            RULES + '\nbook.family("f", Phase.OWN)(gold)\n',
            "families.f: has a function, but no [[families]] of that name",
        ),
        (
            RULES.replace('@book.tie("more-gold")\n', ""),
            'ties.more-gold: has no function; write @book.tie("more-gold")',
        ),
        (RULES.replace("Phase.BASE)", "Phase.ADJUST, touches=[7])"), "touches rule 7, which does not exist"),
        (RULES.replace("Phase.BASE)", 'Phase.ADJUST, touches=["gold"])'), "whose phase is on the wrong side"),
        (RULES.replace("Phase.BASE)", 'Phase.SHIELD, touches=["gold"])'), "whose phase is on the wrong side"),
    ],
)
def test_a_mistake_in_the_rules_is_one_clear_line(tmp_path: Path, rules: str, message: str) -> None:
    """Python that fails or contradicts the wording is an error of the edition, not a traceback."""
    with pytest.raises(EditionError) as caught:
        read_edition(write(tmp_path, rules=rules), "en")
    assert message in str(caught.value)


def test_a_rule_without_function_must_break_ties(tmp_path: Path) -> None:
    """Wording that nothing carries out is a mistake."""
    rules = RULES.replace('@book.rule("gold", Phase.BASE)\n', "")
    toml = TOML.replace('rule = "gold"\n\n[[rulings]]', "\n[[rulings]]")
    with pytest.raises(EditionError, match=r"rules\.gold: has wording, but no function"):
        read_edition(write(tmp_path, toml, rules), "en")
    assert read_edition(write(tmp_path, TOML, rules), "en").rule_of["gold"].steps == ()


@pytest.mark.parametrize("twice", ["categories", "settings", "ties", "cards", "rules"])
def test_nothing_stands_twice(tmp_path: Path, twice: str) -> None:
    """A second part of the same name is a mistake, whatever the part."""
    parts = TOML.split("\n\n")
    again = next(part for part in parts if part.startswith(f"[[{twice}]]"))
    with pytest.raises(EditionError, match="stands twice in the file"):
        read_edition(write(tmp_path, f"{TOML}\n{again}\n"), "en")


def test_a_folder_without_files_is_an_error(tmp_path: Path) -> None:
    """Missing files are named."""
    with pytest.raises(EditionError, match=r"edition.toml:1: cannot be read: No such file"):
        read_edition(tmp_path, "en")
    (tmp_path / "edition.toml").write_text(TOML, encoding="utf-8")
    with pytest.raises(EditionError, match=r"rules.py:1: is missing; every edition"):
        read_edition(tmp_path, "en")


def test_a_family_gives_wording_sentences_and_scope(tmp_path: Path) -> None:
    """Several cards of one effect share what their family says, with their own numbers and decimals."""
    toml = TOML.replace(
        "[[rules]]",
        """[[families]]
name = "lucky"
acts = "holder"
title = { en = "Luck {points}", de = "Glück {points}" }
text = { en = "Each tin: {points}.", de = "Jedes Zinn: {points}." }
says.worth = { en = "By rule {rule}.", de = "Durch Regel {rule}." }

[[cards]]
slug = "tin"
category = "coin"
name = { en = "Tin", de = "Zinn" }
groups = ["metal"]

[[groups]]
slug = "metal"
name = { en = "Metal", de = "Metall" }

[[rules]]
keys = ["a", "b"]
effect = "tin-luck"
family = "lucky"
numbers = { points = 2.5 }
lists = { of = ["metal"] }

[[rules]]""",
        1,
    )
    rules = (
        RULES
        + """
@book.family("lucky", Phase.BASE)
def lucky(me, n):
    for group in me.rule.lists["of"]:
        for kind in me.kinds(group):
            me.worth(kind, n.points)
"""
    )
    edition = read_edition(write(tmp_path, toml, rules), "de")
    assert [(rule.key, rule.effect, rule.name) for rule in edition.rules][:2] == [
        ("a", "tin-luck", "Glück 2,5"),
        ("b", "tin-luck", "Glück 2,5"),
    ]
    hand = Hand("Ada", {"tin": 3, "rule-a": 1, "rule-b": 1})
    (result,) = score(edition, [hand]).hands
    assert result.score == Fraction(15, 2)
    assert [line.text for line in result.lines] == [
        "Zinn: 3 × 2,5 = 7,5. Durch Regel a.",  # noqa: RUF001 - a multiplication sign
        "Gleiche Wirkung wie Regel a: Sie zählt nur einmal.",
    ]
    assert result.lines_in(read_edition(tmp_path, "en"))[0].text == "Tin: 3 × 2.5 = 7.5. By rule a."  # noqa: RUF001 - as above


def test_a_language_that_the_shared_words_lack_gets_them_in_english(tmp_path: Path) -> None:
    """An author may write an edition in any language; sentences that all editions share then stay English."""
    toml = TOML.replace("de =", "it =").replace("title.de", "title.it").replace("summary.de", "summary.it")
    edition = read_edition(write(tmp_path, toml), "it")
    (hand,) = score(edition, [Hand("Ada", {"gold": 2})]).hands
    assert hand.lines[0].text == "Gold: 2 × 8 = 16. Glück 3."  # noqa: RUF001 - a multiplication sign


def test_an_edition_states_the_order_of_the_phases_about_points(tmp_path: Path) -> None:
    """Those that it names come first, in its order; without a word the usual order holds."""
    assert read_edition(write(tmp_path), "en").phases == tuple(Phase)
    toml = TOML.replace('slug = "coins"', 'slug = "coins"\nphases = ["deduct", "double"]', 1)
    stated = read_edition(write(tmp_path, toml), "en").phases
    assert stated[:7] == tuple(Phase)[:7]
    assert stated[7:] == (Phase.DEDUCT, Phase.DOUBLE, Phase.OWN, Phase.TABLE, Phase.SHIELD)


@pytest.mark.parametrize(
    ("old", "new"), [("min = 2", "min = 4"), ("default = 3", "default = 0"), ("default = 3", "default = 9")]
)
def test_the_ends_of_a_range_belong_to_it(tmp_path: Path, old: str, new: str) -> None:
    """As many players at least as at most, and a default at either end, are no mistakes."""
    assert read_edition(write(tmp_path, TOML.replace(old, new, 1)), "en").slug == "coins"


def test_a_rule_may_name_a_card_that_a_variant_leaves_out(tmp_path: Path) -> None:
    """Nobody holds it, so the rule does nothing; other wrong names are still refused."""
    (tmp_path / "pale").mkdir()
    text = 'slug = "pale"\nextends = "eurocg-2026"\ntitle.en = "Pale"\n[without]\ncards = ["pink"]\n'
    (tmp_path / "pale" / "edition.toml").write_text(text, encoding="utf-8")
    edition = read_edition(tmp_path / "pale", None)
    assert edition.absent == {"pink"}
    (hand,) = score(edition, [Hand("Ada", {"red": 2})]).hands
    assert "pink" not in hand.seat.counts("colour")


def test_an_edition_is_read_again_when_a_file_of_it_or_of_one_that_it_extends_changes(tmp_path: Path) -> None:
    """A server that runs offers what the author has written, and says what is broken."""
    written(tmp_path)
    for name, base in (("pier", "harbour"), ("quay", "pier")):
        begin(name, tmp_path, base)
    changes = ("edition.toml", "points = 3", "points = 8"), ("rules.py", "n.points * pairs", "2 * n.points * pairs")
    with editions_from(tmp_path):
        before = [load_edition(name) for name in ("harbour", "pier", "quay")]
        assert all(load_edition(edition.slug) is edition for edition in before)
        found = []
        for moment, (file, old, new) in enumerate((*changes, ("edition.toml", 'slug = "harbour"', "slug = "))):
            path = tmp_path / "harbour" / file
            path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
            os.utime(path, ns=(moment, moment))
            for edition in before if moment < len(changes) else ():
                (hand,) = score(
                    load_edition(edition.slug), [Hand("Ada", {"fish": 1, "salt": 1})], provisional=False
                ).hands
                found.append(next(line.points for line in hand.lines if line.rule == "1"))
        assert found == [8, 8, 8, 16, 16, 16]
        for edition in before:
            with pytest.raises(EditionError, match=r"harbour.edition\.toml:1: "):
                load_edition(edition.slug)
