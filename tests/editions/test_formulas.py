"""Rules as data: formulas, effects, sentences and mistakes, through an edition in a folder."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from server.editions.lint import lint_edition
from server.editions.loader import read_edition
from server.scoring import EditionError, Hand, Phase, score

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from server.scoring import HandResult

EDITION = """
slug = "fair"
title.en = "Fair"
summary.en = "For tests."
players = { min = 2, max = 9 }
categories = [
  { slug = "colour", name.en = "Colours", each = 6, worth = 1 },
  { slug = "rule", name.en = "Rules", each = 1 },
]
groups = [{ slug = "warm", name.en = "Warm" }, { slug = "round", name.en = "Round" }]
facts = [
  { name = "songs", label.en = "Songs?", type = "whole", minimum = 0, maximum = 9 },
  { name = "polite", label.en = "Polite?", type = "yes-no" },
  { name = "friend", label.en = "Friend?", type = "player" },
]
parts = [{ slug = "left-bag", name.en = "Left bag" }]
cards = [
  { slug = "red", category = "colour", name.en = "Red", ink = "#C2242B", symbol = "gem", groups = ["warm"] },
  { slug = "gold", category = "colour", name.en = "Gold", ink = "#F6CC1B", symbol = "sun", groups = ["warm", "round"] },
  { slug = "blue", category = "colour", name.en = "Blue", ink = "#163A86", symbol = "drop" },
  { slug = "sea-green", category = "colour", name.en = "Sea", ink = "#2A9159", symbol = "clover", groups = ["round"] },
]
"""
CARDS = {"red": 3, "gold": 1, "blue": 3, "rule-4": 1, "rule-11": 2}


def written(folder: Path, *rules: str, more: str = "") -> Path:
    """Write the edition with these rules, whose keys are 11, 4, 5 and so on."""
    keys = ["11", "4", "5", "6"]
    text = EDITION + more
    for key, rule in zip(keys, [*rules, *["informs = true"] * (2 - len(rules))], strict=False):
        text += f'\n[[rules]]\nkey = "{key}"\nname.en = "Rule {key}"\ntext.en = "Text."\n{rule}\n'
    (folder / "fair").mkdir(exist_ok=True)
    (folder / "fair" / "edition.toml").write_text(text, encoding="utf-8")
    return folder / "fair"


def scored(
    folder: Path, *rules: str, others: list[dict[str, int]] | None = None, **hand: Mapping[str, Any]
) -> HandResult:
    """Score the cards with these rules, beside other hands."""
    hands = [Hand("Ada", CARDS, **hand), *(Hand(f"Bob {index}", cards) for index, cards in enumerate(others or []))]
    result = score(read_edition(written(folder, *rules), None), hands, provisional=False)
    return next(one for one in result.hands if one.hand.player == "Ada")


def points(result: HandResult, rule: str = "11") -> Fraction:
    return sum((line.points for line in result.lines if line.rule == rule and not line.void), Fraction(0))


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("7 - 2 * 3", 1),
        ("-7 mod 3", 2),
        ("7 mod (0 - 3)", 1),
        ("-7 // 2", -4),
        ("1 / 3 + 0.5", Fraction(5, 6)),
        ("floor(7 / 2) + abs(red - 10)", 10),
        ("max(red, gold, 2) - min(red, gold)", 2),
        ("5 if red > gold else 9", 5),
        ("total", 10),
        ("colour", 7),
        ("rule_11", 2),
        ("sea_green + warm", 4),
        ("count(most(colour))", 6),
        ("handed_in(warm)", 4),
        ("kinds(colour) * 10 + kinds(warm)", 32),
        ("highest(colour) * 10 + lowest(colour)", 31),
        ("sets(warm) * 10 + sets(colour)", 10),
        ("equal_sets(colour, 2) * 10 + equal_sets(colour, 0)", 20),
        ("kinds(only_most(colour)) * 10 + kinds(only_least(colour))", 1),
        ("count(next_most(colour)) * 10 + count(next_least(colour))", 11),
        ("kinds(exactly(colour, 3)) * 100 + kinds(above(colour, 1)) * 10 + kinds(below(colour, 3))", 221),
        ("kinds(both(warm, round)) * 10 + count(without(warm, round))", 13),
        ("kinds(any_of(warm, round))", 2),
        ("highest_number(rule) * 100 + lowest_number(rule) * 10 + number(rule)", 1140),
        ("sum_of_numbers(rule)", 15),
        ("most_of_others(red) * 10 + sum_of_others(colour)", 48),
        ("songs + (1 if polite else 0)", 5),
        ("in_part(left_bag, warm) * 10 + kinds_in_part(left_bag, colour)", 22),
        ("most_of_others_in_part(left_bag, colour)", 0),
        ("sum(colour, count // 2) * 10 + sum(most(colour), in_part(left_bag, it))", 23),
        ("sum(warm, sum_of_others(it) if count > 1 else 20)", 24),
    ],
)
def test_a_number_has_its_value(tmp_path: Path, formula: str, value: int | Fraction) -> None:
    others = [{"red": 4, "blue": 1}, {"gold": 3}]
    hand = {"facts": {"songs": 4, "polite": True}, "parts": {"left-bag": {"red": 2, "blue": 1}}}
    assert points(scored(tmp_path, f'give = "{formula}"', others=others, **hand)) == value


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("red == blue and not gold > 1", True),
        ("1 < gold <= 3 or red != 3", False),
        ("red in most(colour) and gold not in most(colour)", True),
        ("prime(colour) and odd(colour) and even(total)", True),
        ("prime(1) or prime(total)", False),
        ("all_different(colour)", False),
        ("all_different(warm)", True),
        ("is_shape(colour, 1, 3, 3) and not is_shape(colour, 3, 3)", True),
        ("has_most(blue) and not only_has_most(blue)", True),
        ("only_has_most(warm) and not is_level(warm)", True),
        ("next_has_most(blue)", False),
        ("next_most_of_hands(blue) == 1", True),
        ("is_active(4) and not is_active(5)", True),
        ("holds_card and not provisional", True),
    ],
)
def test_a_condition_holds(tmp_path: Path, condition: str, *, holds: bool) -> None:
    others = [{"blue": 3}, {"blue": 1}]
    rules = [f'when = "{condition}"\ngive = 1', 'give = 2\nwhen = "red > 9"', 'give = 2\nwhen = "red > 9"']
    edition = read_edition(written(tmp_path, *rules), None)
    hands = [Hand("Ada", CARDS), *(Hand(f"Bob {index}", cards) for index, cards in enumerate(others))]
    result = score(edition, hands, active_rules=["11", "4"], provisional=False)
    assert points(next(one for one in result.hands if one.hand.player == "Ada")) == holds


@pytest.mark.parametrize(
    ("rule", "phase", "total"),
    [
        ("eliminate = true", Phase.ELIMINATE, None),
        ("keep.colour = 2", Phase.REMOVE, 2),
        ("worth = { red = 5, blue = 2.5 }", Phase.BASE, Fraction(47, 2)),
        ("worth.warm = 2", Phase.BASE, 11),
        ('cap.blue = "gold"', Phase.COUNT, 5),
        ('zero = "most(colour)"', Phase.WORTH, 1),
        ('each = "colour"\nbut = "blue"\nwhen = "count > 1"\nzero = "it"', Phase.WORTH, 4),
        ('multiply = { cards = "red", by = 3 }', Phase.WORTH, 13),
        ('multiply = { cards = "red", by = 3, number = "gold" }', Phase.WORTH, 9),
        ('at_least.gold = "2 * red"', Phase.WORTH, 12),
        ('give = "red"', Phase.OWN, 10),
        ('give = 2.5\nphase = "table"', Phase.TABLE, Fraction(19, 2)),
        ('give = "most_of_others(red)"', Phase.TABLE, 7),
        ("take = 3", Phase.DEDUCT, 4),
        ("give_others = -3", Phase.DEDUCT, 7),
        ("double = 3", Phase.DOUBLE, 21),
        ('each = "warm"\ngive = "count * 10"', Phase.OWN, 47),
        ('case = [{ when = "red > 3", give = 1 }, { when = "red > 2", give = 2 }, { give = 3 }]', Phase.OWN, 9),
        ("also = [{ give = 1 }, { take = 3 }]", Phase.OWN, 5),
    ],
)
def test_an_effect_has_its_phase(tmp_path: Path, rule: str, phase: Phase, total: Fraction | None) -> None:
    edition = read_edition(written(tmp_path, rule), None)
    assert edition.rule_of["11"].steps[0].phase is phase
    result = scored(tmp_path, rule)
    assert result.eliminated == (total is None)
    assert result.score == (total or 0)


@pytest.mark.parametrize(
    ("rule", "total"),
    [
        ("void = [11]", 7),
        ('adjust = { rules = [11], number = "fine", by = "red" }', 2),
        ("cancel = { rules = [11] }", 7),
        ('shield = { rules = [11], lines = "gold" }', 7),
        ('when = "red > 5"\ncancel = { rules = [11] }', 5),
    ],
)
def test_a_rule_touches_another(tmp_path: Path, rule: str, total: int) -> None:
    assert scored(tmp_path, 'numbers = { fine = 2 }\ntake = "fine"\nphase = "own"', rule).score == total
    assert read_edition(tmp_path / "fair", None).rule_of["4"].touches == {"11"}


@pytest.mark.parametrize(
    ("first", "second", "added", "multiplied"),
    [
        ('multiply = { cards = "red", by = 2 }', 'multiply = { cards = "red", by = 3 }', 7 + 3 + 6, 7 + 3 + 12),
        ('multiply = { cards = "red", by = 2, number = 1 }', 'multiply = { cards = "red", by = 3 }', 14, 16),
        (
            'cap.red = 1\nalso = [{ multiply = { cards = "red", by = 2 } }]',
            'multiply = { cards = "red", by = 3 }',
            8,
            10,
        ),
        ("double = 2", "double = 3", 28, 42),
    ],
)
def test_factors_add_up_or_multiply(tmp_path: Path, first: str, second: str, added: int, multiplied: int) -> None:
    assert scored(tmp_path, first, second).score == added
    path = tmp_path / "fair" / "edition.toml"
    path.write_text('factors = "multiply"\n' + path.read_text(encoding="utf-8"), encoding="utf-8")
    (hand,) = score(read_edition(path.parent, None), [Hand("Ada", CARDS)], provisional=False).hands
    assert hand.score == multiplied == sum(line.points for line in hand.lines if not line.void)


def test_points_so_far_are_those_of_earlier_phases(tmp_path: Path) -> None:
    rules = ['give = "2 * red"', 'take = "points_so_far / 2"', 'when = "points_so_far > 12"\ngive = 5']
    result = scored(tmp_path, *rules)
    assert [points(result, key) for key in ("11", "4", "5")] == [6, Fraction(-13, 2), 0]
    assert [line.text for line in result.lines if line.rule == "4"] == ["Rule 4 \N{EN DASH} 13 / 2 = 6.5."]
    second = 'cap.blue = 2\nalso = [{ give = "100 * scoring(warm) + scoring(blue)" }]'
    assert scored(tmp_path, 'zero = "red"', second).score == 1 + 2 + 102


def test_others_get_points_and_their_lines_name_the_authors(tmp_path: Path) -> None:
    edition = read_edition(written(tmp_path, 'when = "blue > 1"\ngive_others = "-blue"\nnumber = "blue"'), None)
    hands = [Hand("Ada", {"blue": 2}), Hand("Bob", {"blue": 3}), Hand("Cy", {"red": 1})]
    result = {one.hand.player: one for one in score(edition, hands).hands}
    assert [line.text for line in result["Cy"].lines if line.rule] == [
        "Rule 11 \N{EN DASH} Ada (2).",
        "Rule 11 \N{EN DASH} Bob (3).",
    ]
    assert {player: one.score for player, one in result.items()} == {"Ada": -1, "Bob": 1, "Cy": -4}


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ('give = "(highest_number(rule) - red) mod 5"', "(11 \N{MINUS SIGN} 3) mod 5 = 3"),
        ('when = "total mod 4 == 2"\ngive = 5', "10 mod 4 = 2"),
        (
            'when = "red > 2 and red in most(colour)"\ngive = "red * (gold + 1)"',
            "3 > 2; 3 \N{MULTIPLICATION SIGN} (1 + 1) = 6",
        ),
        ('give = "(2 if red < 1 else 7) // 2"', "⌊7 / 2⌋ = 3"),
        ('give = "-abs(gold - blue) / 4"', "\N{MINUS SIGN}|1 \N{MINUS SIGN} 3| / 4 = -0.5"),
        ('give = "max(red, gold) + 0.5"', "max(3; 1) + 0.5 = 3.5"),
        ('when = "red in most(colour)"\ngive = 5', "Rule 11"),
        ('each = "warm"\nbut = "red"\ngive = "count + 1"', "Gold; 1 + 1 = 2"),
        ('zero = "most(colour)"', "Red, Blue"),
        ("cap.blue = 2", "Blue"),
        ('define = { half = "blue / 2" }\ngive = "half * 2"', "1.5 \N{MULTIPLICATION SIGN} 2 = 3"),
        ('give = "gold + 1"\nsays.line.en = "{gold}, {warm}, {calculation}: {gain}."', "1, 4, 1 + 1 = 2: 2."),
        (
            'define.kinds = "counts(warm)"\ngive = 1\nsays.line.en = "{kinds}, {songs}"',
            "Warm \N{MULTIPLICATION SIGN} 4, 0",
        ),
        (
            'lists = { of = ["red", "blue"] }\ngive = "of"\nsays.line.en = "{of}"',
            "Red \N{MULTIPLICATION SIGN} 3, Blue \N{MULTIPLICATION SIGN} 3",
        ),
    ],
)
def test_a_line_shows_the_calculation(tmp_path: Path, rule: str, text: str) -> None:
    (line,) = (line.text for line in scored(tmp_path, rule).lines if line.rule == "11")
    assert line.removeprefix("Rule 11 \N{EN DASH} ").removesuffix(".") == text.removesuffix(".")


def test_a_rule_that_looks_at_other_hands_says_so_in_a_provisional_score(tmp_path: Path) -> None:
    edition = read_edition(written(tmp_path, 'when = "has_most(red)"\ngive = 3'), None)
    (hand,) = score(edition, [Hand("Ada", {"red": 1})], provisional=True).hands
    assert [(line.text, line.open) for line in hand.lines if line.rule] == [
        ("Rule 11.", False),
        ("Not known yet: other hands may change this.", True),
    ]


def test_a_fact_names_another_player(tmp_path: Path) -> None:
    """Formulas read that player's hand; sentences show the name that a reader may see. An eliminated one is nobody."""
    give = "count_of(friend, colour) * 100 + kinds_of(friend, warm) * 10 + (1 if is_mutual(friend) else 0)"
    first = f'when = "is_named(friend)"\ngive = "{give}"\nsays.line.en = "With {{friend}}."'
    second = 'give = "points_of(friend) * 2"\nwhen = "not polite"\nsays.line.en = "{friend}"'
    third = 'when = "blue > 0"\neliminate = true'
    edition = read_edition(written(tmp_path, first, second, third), None)
    hands = [
        Hand("Ada", {"red": 1}, named={"friend": "Bob"}),
        Hand("Bob", {"red": 2, "gold": 1}, named={"friend": "Ada"}, facts={"polite": True}),
        Hand("Cleo", {}, named={"friend": "Bob"}),
        Hand("Dan", {"blue": 1}),
        Hand("Eve", {}, named={"friend": "Dan"}),
        Hand("Fay", {}),
    ]
    found = {one.hand.player: one for one in score(edition, hands).hands}
    assert [points(found[name]) for name in ("Ada", "Bob", "Cleo", "Eve", "Fay")] == [321, 111, 320, 0, 0]
    assert [points(found[name], "4") for name in ("Ada", "Cleo", "Fay")] == [6, 6, 0]
    lines = found["Ada"].lines_in(edition, {"Bob": "a player"})
    assert [line.text for line in lines if line.rule is not None] == ["a player", "With a player."]
    alone = score(edition, hands[:1]).hands[0]
    assert [line.text for line in alone.lines if line.open] == [edition.phrases["unknown_others"]] * 2


def test_a_tie_break_is_a_formula(tmp_path: Path) -> None:
    tie = '[[ties]]\nname = "gold"\nlabel.en = "more gold"\nby = "gold - red"\n'
    edition = read_edition(written(tmp_path, "give = 1", more=tie), None)
    hands = [Hand("Ada", {"red": 2}), Hand("Bob", {"gold": 2})]
    assert [one.hand.player for one in score(edition, hands).hands] == ["Bob", "Ada"]


LONG = " + ".join(["red"] * 80)


@pytest.mark.parametrize(
    ("rule", "place", "sentence"),
    [
        ('give = "red + bleu"', '"red + |bleu"', "there is no card, number or fact 'bleu'; did you mean 'blue'?"),
        ('give = "red +"', '"red |+"', "is no formula"),
        ('when = "red = 2"\ngive = 1', '"red |= 2"', "is no formula; write == to compare"),
        ('when = "red"\ngive = 1', '"|red"', "must be a condition, such as 'red > 2', not cards"),
        ('give = "red > 2"', '"|red > 2"', "must be a number, not a condition; write '1 if … else 0'"),
        ('give = "sum(red, sum(red, 1))"', '"sum(red, |sum(red, 1))"', "sum(…) cannot be inside sum(…)"),
        ('give = "most(colour)"', '"|most(colour)"', "must be a number; write count(…) or kinds(…) around it"),
        ('give = "mots(colour)"', '"|mots(colour)"', "there is no function 'mots'; did you mean 'most'?"),
        ('give = "highest"', '"|highest"', "there is no card, number or fact 'highest'; it is a function: highest(…)"),
        ('give = "highest(red, 2)"', '"|highest(red, 2)"', "highest takes 1 values in its parentheses, not 2"),
        ('give = "number(red)"', '"number(|red)"', "must be a category of cards here"),
        ('give = "red ** 9"', '"|red ** 9"', "has an operator that may not be used; multiply instead of raising"),
        ('give = "red.real"', '"|red.real"', "may not be used in a formula"),
        ('give = "[red][0]"', '"|[red][0]"', "may not be used in a formula"),
        ('give = "(lambda: 1)()"', '"|(lambda: 1)()"', "may not be used in a formula"),
        ("give = \"'a' * 9\"", "\"|'a' * 9\"", "may not be used in a formula"),
        ('give = "1e99999999"', '"|1e99999999"', "is no formula"),
        ('give = "9999999999999"', '"|9999999999999"', "is too large a number (at most 1000000000000)"),
        (f'give = "{LONG}"', '"|red', "is too long, with 477 characters (at most 400); define parts of it"),
        (f'give = "{"-" * 60}red"', '"--', "is nested more than 20 levels deep; define parts of it"),
        (f'give = "{"(" * 300}red"', '"((', "is no formula"),
        ('define.a = "b"\ndefine.b = "a"\ngive = "a"', '"|b"', "needs its own value; define it without itself"),
        ('numbers = { red = 2 }\ngive = "red"', '"|red"', "'red' is a number of the rule and the name of cards; give"),
        ('keep.red = "2"', "keep", "'red' is no category"),
        ("give = 1\ntake = 2", "[[rules]]", "has several effects (give, take); write [[rules.also]] for another one"),
        ('worth.red = 1\nphase = "own"', "phase", "worth cannot be moved to another phase; take it out"),
        ('give = 1\nsay = "loud"', "say", "there is no sentence 'loud'; add says.loud"),
        (
            'give = 1\nsays.line.en = "{thing}"',
            "says.line",
            "unknown placeholder {thing}; define thing, or take it out",
        ),
        ("case = [{ give = 1 }, { give = 2 }]", "case", "always applies, so that the cases after it never do; add"),
        (
            'zero = "red"\nwhen = "points_so_far > 1"',
            "[[rules]]",
            "looks at points before there are any; only effects on",
        ),
        ('give = 1\nsays.more.en = "More."', "says.more", "is a sentence that no effect of the rule writes; take it"),
        ('adjust = { rules = [4], number = "n", by = 1 }', "adjust", "adjust.number: rule 4 has no number 'n' (it has"),
        ('also = [{ when = "red > 1" }]', "also", "has no effect; add one of eliminate, keep, cancel, adjust"),
        ('give = "is_active(77)"', '"is_active(|77)"', "there is no rule '77'"),
        ('give = "in_part(bag, red)"', '"in_part(|bag, red)"', "there is no part of the deck 'bag'"),
        ("cancel = { rules = [4], chosen = true }", "cancel", "never acts, as only holders of the card choose rules"),
        ('give = "friend"', '"|friend"', "names a player; write count_of(…), points_of(…) or another function"),
        ('give = "count_of(songs, red)"', '"count_of(|songs, red)"', "there is no fact 'songs' that names a player"),
    ],
)
def test_a_mistake_has_its_place(tmp_path: Path, rule: str, place: str, sentence: str) -> None:
    """In `place`, a line of the file begins before "|" at the column that is reported."""
    folder = written(tmp_path, rule)
    with pytest.raises(EditionError) as error:
        read_edition(folder, None)
    file, line, rest = str(error.value).split(":", 2)
    text = (folder / "edition.toml").read_text(encoding="utf-8").splitlines()[int(line) - 1]
    column, _, message = rest.partition(": ") if rest.partition(":")[0].isdigit() else ("", "", rest.strip())
    assert file == str(folder / "edition.toml")
    assert message.startswith("rules.11")
    assert sentence in message
    before, _, after = place.partition("|")
    assert (before + after)[:9] in text
    if "|" in place:
        assert int(column) == text.index(before + after) + len(before) + 1


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ('give = "red / (gold - gold)"', "a formula divides by 0"),
        ('give = "red mod (gold - gold)"', "a formula calculates mod 0"),
        ('define.a = "1000000 * 1000000 * gold"\ngive = "a * a"', "a formula has too large a value"),
    ],
)
def test_a_value_that_cannot_be_calculated_is_reported(tmp_path: Path, rule: str, sentence: str) -> None:
    with pytest.raises(EditionError, match=f"rule 11: {sentence}"):
        scored(tmp_path, rule)
    found = [one for one in lint_edition(tmp_path / "fair") if sentence in str(one)]
    assert [(one.file.name, one.line) for one in found] == [("edition.toml", EDITION.count("\n") + 2)]


def test_an_edition_of_data_needs_no_rules_file_and_may_have_one(tmp_path: Path) -> None:
    folder = written(tmp_path, 'give = "red"', "")
    (folder / "rules.py").write_text(
        "from server.scoring import Phase, Rulebook\n\nbook = Rulebook()\n\n\n@book.rule(4, Phase.OWN)\n"
        "def four(me, n):\n    me.points(4)\n",
        encoding="utf-8",
    )
    text = (
        (folder / "edition.toml").read_text(encoding="utf-8").replace('key = "4"', 'key = "4"\nsays.line.en = "Four."')
    )
    (folder / "edition.toml").write_text(text, encoding="utf-8")
    assert lint_edition(folder) == []
    assert score(read_edition(folder, None), [Hand("Ada", {"red": 2})]).hands[0].score == 2 + 2 + 4


def test_a_variant_changes_formulas_effects_and_functions(tmp_path: Path) -> None:
    written(tmp_path, 'numbers = { most = 3 }\nwhen = "red > 1"\ngive = "min(red, most)"', "take = 1")
    (tmp_path / "other").mkdir()
    head = 'slug = "other"\nextends = "fair"\ntitle.en = "Other"\n'
    for change, total in (
        ('[[rules]]\nkey = "11"\ngive = "red * 2"\n', 4 + 8 - 1),
        ('[[rules]]\nkey = "11"\ntake = "most"\nnumbers = { most = 1 }\n', 4 - 1 - 1),
        ('[[rules]]\nkey = "4"\nwhen = "red > 9"\n', 4 + 3),
    ):
        (tmp_path / "other" / "edition.toml").write_text(head + change, encoding="utf-8")
        edition = read_edition(tmp_path / "other", None)
        assert score(edition, [Hand("Ada", {"red": 4})]).hands[0].score == total
    code = "from server.scoring import Phase, Rulebook\n\nbook = Rulebook()\n\n\n@book.rule(4, Phase.OWN)\n"
    (tmp_path / "other" / "rules.py").write_text(f"{code}def four(me, n):\n    me.points(9)\n", encoding="utf-8")
    (tmp_path / "other" / "edition.toml").write_text(head, encoding="utf-8")
    assert score(read_edition(tmp_path / "other", None), [Hand("Ada", {"red": 4})]).hands[0].score == 4 + 3 + 9


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        ("9999999999", "rules.11.numbers.n: is too large, or has too many decimals (at most 1000000000)"),
        ("0.00000000001", "rules.11.numbers.n: is too large, or has too many decimals (at most 1000000000)"),
        ("1e999999999", "rules.11.numbers.n: must be a number without quotation marks, not inf"),
        ("9" * 5000, "has a number that is too long, or too many brackets in each other"),
        ("[" * 5000 + "]" * 5000, "has a number that is too long, or too many brackets in each other"),
    ],
    ids=["large", "small", "exponent", "digits", "brackets"],
)
def test_a_number_that_is_too_large_is_refused(tmp_path: Path, number: str, sentence: str) -> None:
    with pytest.raises(EditionError) as error:
        read_edition(written(tmp_path, f"numbers = {{ n = {number} }}\ngive = 1"), None)
    assert str(error.value).endswith(sentence)


@pytest.mark.parametrize(("red", "text"), [(1, "1 card, 1 carte"), (0, "0 cards, 0 carte"), (2, "2 cards, 2 cartes")])
def test_a_sentence_has_words_for_one_and_for_several(tmp_path: Path, red: int, text: str) -> None:
    english, french = '"{n} {n:point|points}: {red} {red:card|cards}"', '"{red} {red:carte|cartes}"'
    rule = f'numbers.n = 1\ngive = "n"\nsays.line.en = {english}\nsays.line.fr = {french}'
    folder = written(tmp_path, rule)
    names = (folder / "edition.toml").read_text(encoding="utf-8")
    names = re.sub(r'\b(\w+)\.en = "([^"{]*)"', r'\1 = { en = "\2", fr = "\2" }', names)
    (folder / "edition.toml").write_text(names, encoding="utf-8")
    shown = []
    for language in ("en", "fr"):
        (hand,) = score(read_edition(folder, language), [Hand("Ada", {"red": red})], provisional=False).hands
        shown += [line.text.removeprefix("1 point: ") for line in hand.lines if line.rule == "11"]
    assert ", ".join(shown) == text


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("says.line.en", "{red:card}"),
        ("says.line.en", "{red:a|b|c}"),
        ("says.line.en", "{red:>99999999}"),
        ("says.line.en", "{red!r}"),
        ("text.en", "{n:>99999999}"),
    ],
)
def test_a_placeholder_with_wrong_forms_is_a_mistake(tmp_path: Path, sentence: str, text: str) -> None:
    folder = written(tmp_path, 'numbers.n = 1\ngive = "n"\nsays.line.en = "{n}"')
    path = folder / "edition.toml"
    old = '"Text."' if sentence == "text.en" else '"{n}"'
    path.write_text(path.read_text(encoding="utf-8").replace(old, f'"{text}"', 1), encoding="utf-8")
    name = text[1:].partition(":")[0].partition("!")[0]
    wanted = f"the placeholder {{{name}:…}} needs two forms, for one and for several: {{{name}:card|cards}}"
    assert [one.sentence for one in lint_edition(folder) if wanted in str(one)]


def test_a_sentence_shows_a_named_rule_by_its_title(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        'give = 1\nsays.line.en = "By {rule}."',
        'cancel = { rules = [5], chosen = true }\nacts = "holder"\nsays.line.en = "Chosen: {chosen}."',
        "give = 9",
    )
    text = (folder / "edition.toml").read_text(encoding="utf-8")
    text = text.replace('key = "11"\nname.en = "Rule 11"', 'key = "first"\nname.en = "First of all"')
    text = text.replace('key = "5"\nname.en = "Rule 5"', 'key = "late"\nname.en = "Late one"').replace(
        "[5]", '["late"]'
    )
    (folder / "edition.toml").write_text(text, encoding="utf-8")
    hand = Hand("Ada", {"rule-4": 1, "rule-late": 1}, cancels=("late",))
    (result,) = score(read_edition(folder, None), [hand]).hands
    assert {line.rule: line.text for line in result.lines} == {"first": "By First of all.", "4": "Chosen: Late one."}
