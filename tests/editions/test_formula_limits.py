"""Formulas at their limits: guarded divisions, definitions in many levels, and names and values that are refused."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from server.editions.lint_process import lint_in_subprocess
from server.editions.loader import read_edition
from server.scoring import EditionError, Hand, score
from tests.editions.test_formulas import points, scored, written

if TYPE_CHECKING:
    from pathlib import Path

TIMES, MINUS = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}"
GUARDED = 'define = { share = "total // (gold - 1)", more = "share + share" }\n'


@pytest.mark.parametrize(
    ("rule", "gain", "text"),
    [
        ('give = "(10 if odd(red) else 20) + red"', 13, "10 + 3 = 13"),
        ('give = "(10 if prime(red + 1) else 20) + red"', 23, "20 + 3 = 23"),
        ('give = "(10 if gold in most(colour) else 20) + red"', 23, "20 + 3 = 23"),
        ('when = "red > 2 or total // (gold - 1) > 2"\ngive = 5', 5, "3 > 2"),
        (f'{GUARDED}give = "share if gold > 1 else red + 4"', 7, "3 + 4 = 7"),
        (f'{GUARDED}give = "more if gold > 1 and more > 2 else red + 4"', 7, "3 + 4 = 7"),
        (f'{GUARDED}case = [{{ when = "gold > 1 and share > 1", give = 9 }}, {{ give = "red + 4" }}]', 7, "3 + 4 = 7"),
        (f'{GUARDED}give = "sum(colour, share * count) if gold > 1 else red + 4"', 7, "3 + 4 = 7"),
        (f'{GUARDED}give = "sum(colour, share if gold > 1 else count) + red"', 10, "7 + 3 = 10"),
        ('give = "equal_sets(colour, total // (gold - 1)) if gold > 1 else red + 4"', 7, "3 + 4 = 7"),
        ('when = "0 < gold - 1 < total // (gold - 1) or red > 2"\ngive = 5', 5, "3 > 2"),
        ('keep.colour = "red / 2"', 0, "Red"),
        ('cap.blue = "red / 2"', 0, "Blue; ⌊3 / 2⌋ = 1"),
        ('cap.blue = "red / 2"\nsays.line.en = "{gain}"', 0, "1"),
        ('multiply = { cards = "red", by = 2, number = "blue / 2" }', 1, "Red"),
    ],
)
def test_a_guarded_formula_shows_what_was_calculated(tmp_path: Path, rule: str, gain: int, text: str) -> None:
    result = scored(tmp_path, rule)
    (line,) = (line.text for line in result.lines if line.rule == "11")
    assert points(result) == gain
    shown = line.removeprefix("Rule 11 \N{EN DASH} ").removesuffix(".")
    assert shown.startswith(text) if "keep" in rule else shown == text


@pytest.mark.parametrize(("prefer", "total"), [("highest", 9 + 5 + 5), ("lowest", 1 + 1 + 1)])
def test_cards_are_kept_by_their_worth(tmp_path: Path, prefer: str, total: int) -> None:
    folder = written(tmp_path, f'keep.colour = 3\nprefer = "{prefer}"')
    text = (folder / "edition.toml").read_text(encoding="utf-8")
    for slug, worth in (("red", 5), ("gold", 9)):
        text = text.replace(f'slug = "{slug}", category', f'slug = "{slug}", worth = {worth}, category')
    (folder / "edition.toml").write_text(text, encoding="utf-8")
    hands = [Hand(name, {"red": 4, "gold": 1, "blue": 4}) for name in ("Ada", "Bob")]
    assert [hand.score for hand in score(read_edition(folder, None), hands).hands] == [total, total]


def test_a_definition_that_fails_where_nothing_guards_it_is_reported(tmp_path: Path) -> None:
    with pytest.raises(EditionError, match="rule 11: a formula divides by 0"):
        scored(tmp_path, f'{GUARDED}give = "more"')


@pytest.mark.parametrize(
    "rule",
    [
        "\n".join(f'define.a{level} = "a{level + 1} + a{level + 1}"' for level in range(19))
        + '\ndefine.a19 = "red"\ngive = "a0"',
        "\n".join(
            f'define.a{level} = "a{level + 1} // a{level + 1} if gold > 9 else a{level + 1}"' for level in range(19)
        )
        + '\ndefine.a19 = "red // gold"\ngive = "a0"',
        "\n".join(f'define.a{level} = "sum(colour, a{level + 1})"' for level in range(12))
        + '\ndefine.a12 = "red"\ngive = "a0"',
        f'give = "count({"most(" * 18}colour{")" * 18})"',
        f'give = "red{" mod (red + gold)" * 18}"',
        f'when = "{" and ".join(["red > 0"] * 33)}"\ngive = 1',
    ],
    ids=["definitions", "guarded", "sums", "calls", "remainders", "conditions"],
)
def test_deep_formulas_load_at_once(tmp_path: Path, rule: str) -> None:
    start = time.thread_time()
    assert points(scored(tmp_path, rule))
    assert time.thread_time() - start < 1


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ('define = { class = "red" }\ngive = 1', "define.class: is a word of formulas, which cannot be a name; rename"),
        ('define = { mod = "red" }\ngive = 1', "define.mod: is a word of formulas, which cannot be a name; rename"),
        ('numbers = { from = 2 }\ngive = "red + from"', "give: is no formula: 'from' cannot be a name; rename it"),
        (
            'define = { everyone = "red" }\ncancel = { rules = [4] }\nsays.line.en = "{everyone}"',
            "says.line: the placeholder {everyone} cannot have this name; define another",
        ),
        (
            'define = { number = "red" }\ngive_others = 1\nsays.line.en = "{number}"',
            "says.line: the placeholder {number} cannot have this name; define another",
        ),
        (f"case = [{'{ when = true, give = 1 }, ' * 41}]", "case: has 41 cases (at most 40); calculate with a formula"),
        ('give = 1\nprefer = "highest"', "prefer: is for keep only; take it out"),
        (f'give = "0.{"0" * 20}1"', "give:1: has too many decimals"),
    ],
)
def test_a_name_or_size_that_cannot_be_is_refused(tmp_path: Path, rule: str, sentence: str) -> None:
    with pytest.raises(EditionError) as error:
        read_edition(written(tmp_path, rule), None)
    place, _, rest = sentence.partition(": ")
    assert f"rules.11.{place.removesuffix(':1')}" in str(error.value)
    assert rest in str(error.value)


@pytest.mark.parametrize(
    "rule", ['give = "1000000000 // 0.0000001"', 'define.a = "1 / 9999999"\ndefine.b = "1 / 9999998"\ngive = "a * b"']
)
def test_a_value_is_bounded(tmp_path: Path, rule: str) -> None:
    with pytest.raises(EditionError, match="rule 11: a formula has too large a value, or too long a fraction"):
        scored(tmp_path, rule)


@pytest.mark.parametrize("name", ["points_so_far", "scoring(red)", "holds_card"])
def test_a_tie_break_cannot_look_at_points_or_a_rule(tmp_path: Path, name: str) -> None:
    by = f"{name} + red" if name != "holds_card" else "1 if holds_card else red"
    tie = f'[[ties]]\nname = "late"\nlabel.en = "Late"\nby = "{by}"\n'
    with pytest.raises(EditionError) as error:
        read_edition(written(tmp_path, "give = 1", more=tie), None)
    word = name.partition("(")[0]
    assert f"ties.late.by: '{word}' belongs to a rule that acts; a tie-break reads cards, facts" in str(error.value)


def test_a_variant_replaces_an_effect_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    written(tmp_path, 'give_others = -1\nnumber = "red"\nphase = "own"')
    (tmp_path / "other").mkdir()
    head = 'slug = "other"\nextends = "fair"\ntitle.en = "Other"\n'
    for change, total in (("give = 5", 2 + 5), ('cap.red = "gold"', 0), ("give_others = 3", 2 + 3)):
        text = f'{head}[[rules]]\nkey = "11"\n{change}\n'
        (tmp_path / "other" / "edition.toml").write_text(text, encoding="utf-8")
        hands = [Hand("Ada", {"red": 2}), Hand("Bob", {"blue": 1})]
        result = score(read_edition(tmp_path / "other", None), hands)
        assert next(one.score for one in result.hands if one.hand.player == "Ada") == total


def test_formulas_that_take_too_long_are_reported_in_the_file_that_has_them(tmp_path: Path) -> None:
    folder = written(tmp_path, 'give = "red"')
    found = lint_in_subprocess(folder, seconds=1e-6)
    assert {(one.file, one.line) for one in found} == {(folder / "edition.toml", 1)}
    assert "does not end within 1e-06 seconds" in found[0].sentence
