"""Examples of rules: decks on either side of each boundary, plain words, recorded cases, and mutated rules."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from server.editions.examples.cases import record_case
from server.editions.examples.near_misses import NearMiss
from server.editions.examples.reading import _FUNCTIONS as IN_WORDS
from server.editions.examples.report import recorded, rule_report, rule_reports
from server.editions.examples.rule_context import EditionRules, RuleContext
from server.editions.examples.search import MOST_EXAMPLES, find_examples
from server.editions.formulas.functions import FUNCTIONS
from server.editions.formulas.meaning import MeaningPart
from server.editions.formulas.translator import _ARITHMETIC, _CARD_SETS, _TESTS
from server.editions.lint import lint_edition
from server.editions.loader import read_edition
from server.editions.registry import PACKAGE
from server.editions.schema import EditionFile
from server.editions.source import read_source
from tests.editions.test_formulas import written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.editions.examples.search import RuleExamples

TIMES, MINUS = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}"
MUTANTS = 500
SAMPLE = 25
SHARE = 0.95
HEART = 'category = "colour", text.en = "…", groups = ["suit"]'
HEARTS = "".join(f'  {{ slug = "heart-{n}", name.en = "{n}", {HEART} }},\n' for n in range(2, 15))
LIMIT = 'when = "blue > 6"\nzero = "blue"'


@cache
def rules_of(folder: Path) -> EditionRules:
    file = EditionFile.model_validate(read_source(folder).document)
    return EditionRules(read_edition(folder, None), file)


# == Mutated rules: a generator of its own, which does not know how examples are found ==

TIES = {
    "most": "only_most",
    "only_most": "most",
    "least": "only_least",
    "only_least": "least",
    "has_most": "only_has_most",
    "only_has_most": "has_most",
    "next_has_most": "only_has_most",
}
LIMITS = {">": ">=", ">=": ">", "<": "<=", "<=": "<", "==": ">="}


def mutated_formulas(formula: str, names: dict[str, list[str]]) -> Iterator[str]:
    """Yield formulas with another limit, another colour, the other connective, or without a rule for ties."""
    for found in re.finditer(r"[<>=]=?|\b\w+\b", formula):
        text = found[0]
        others = [LIMITS[text]] if text in LIMITS else []
        others += [TIES[text]] if text in TIES and formula[found.end() :].startswith("(") else []
        others += [{"and": "or", "or": "and"}[text]] if text in {"and", "or"} else []
        others += [str(int(text) + 1), str(int(text) - 1)] if text.isdigit() and int(text) else []
        for other in others + names.get(text, [])[:2]:
            yield formula[: found.start()] + other + formula[found.end() :]


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the formulas of a meaning that decide scores."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        only_writes = isinstance(inner, dict) and inner.keys() <= {"when", "say", "unknown", "always"}
        if isinstance(inner, str) and name not in {"say", "phase", "unknown"}:
            if name != "number" or path[-1:] == ("multiply",):
                yield (*path, name), inner
        elif name != "define" and not only_writes:
            yield from places(inner, (*path, name))


def mutants(rules: EditionRules, key: str) -> Iterator[NearMiss]:
    """Yield mutated rules."""
    rule = rules.edition.rule_of[key]
    meaning = rules.meaning(rule)
    if meaning is None:
        return
    names: dict[str, list[str]] = {}
    kinds = {kind.slug.replace("-", "_"): kind.category for kind in rules.edition.kinds}
    for slug, category in kinds.items():
        names[slug] = [other for other in kinds if other != slug and kinds[other] == category]
    document = meaning.model_dump(exclude_defaults=True, include=set(MeaningPart.model_fields))
    formulas = list(places(document))
    for name, number in rule.numbers.items():
        if any(re.search(rf"\b{name}\b", formula) for _, formula in formulas):
            for step in (1, -1):
                yield NearMiss(f"{key} {name}", meaning, {**rule.numbers, name: number + step}, rule.lists)
    for path, formula in formulas:
        for other in mutated_formulas(formula, names):
            changed = MeaningPart.model_validate(replaced(document, path, other))
            yield NearMiss(f"{key} {formula} -> {other}", changed, rule.numbers, rule.lists)


def replaced(value: Any, path: tuple[str | int, ...], other: str) -> Any:  # noqa: ANN401 - a document
    if not path:
        return other
    if isinstance(value, list):
        return [replaced(one, path[1:], other) if place == path[0] else one for place, one in enumerate(value)]
    return {name: replaced(one, path[1:], other) if name == path[0] else one for name, one in value.items()}


def shown(context: RuleContext, examples: RuleExamples, miss: NearMiss) -> bool | None:
    """Return whether an example of a rule changes with a mutant; None if that cannot be compiled."""
    scorer = context.scorer_of(miss)
    if scorer is None:
        return None
    decks = [pair for one in examples.examples for pair in ((one.table, one.scores), (one.other, one.other_scores))]
    return any(context.scores(table, scorer) != scores for table, scores in decks)


def tried(folders: list[str], number: int, keys: frozenset[str] = frozenset()) -> list[str]:
    """Return the mutants that change no example, of a number of those of some rules; fail if there are fewer."""
    found = [
        (sha256(miss.what.encode()).hexdigest(), folder, key, miss)
        for folder in folders
        for key, rule in rules_of(PACKAGE / folder).edition.rule_of.items()
        if rule.steps and (not keys or key in keys)
        for miss in mutants(rules_of(PACKAGE / folder), key)
    ]
    known: dict[tuple[str, str], tuple[RuleContext, RuleExamples]] = {}
    results: list[tuple[bool, str]] = []
    for _, folder, key, miss in sorted(found, key=lambda one: one[0]):
        if (folder, key) not in known:
            context = RuleContext(rules_of(PACKAGE / folder), key)
            known[folder, key] = context, find_examples(context)
        result = shown(*known[folder, key], miss)
        results += [(result, f"{folder} {miss.what}")] if result is not None else []
        if len(results) == number:
            break
    assert len(results) == number
    assert max(len(examples.examples) for _, examples in known.values()) <= MOST_EXAMPLES
    return [what for result, what in results if not result]


def test_mutated_rules_change_an_example_of_a_rule() -> None:
    assert tried(["sackson_1969"], SAMPLE, frozenset({"4", "5", "7", "9", "11", "13"})) == []


@pytest.mark.thorough
def test_most_mutated_rules_of_all_editions_change_an_example() -> None:
    assert len(tried(["eurocg_2026", "sackson_1969", "tarot_fr"], MUTANTS)) <= MUTANTS * (1 - SHARE)


# == Examples ==


def test_an_example_is_the_smallest_pair_of_decks_on_either_side_of_a_limit(tmp_path: Path) -> None:
    report = rule_report(rules_of(written(tmp_path, LIMIT)), "11")
    pairs = [[(deck.text, deck.score) for deck in pair] for pair in report.examples]
    assert [(f"6 {TIMES} Blue", "6"), (f"7 {TIMES} Blue", "0")] in pairs


def test_examples_of_rules_that_compare_hands_include_a_tie(tmp_path: Path) -> None:
    report = rule_report(rules_of(written(tmp_path, 'when = "only_has_most(red)"\ngive = 5')), "11")
    highest = [sorted(score or 0 for score in deck.scores)[-2:] for pair in report.examples for deck in pair]
    assert any(first == second > 0 for first, second in highest)
    assert report.words == ("If every other hand has fewer “Red” (a tie is not enough): the hand gains 5 points.",)


def test_examples_vary_facts_and_parts_of_a_deck(tmp_path: Path) -> None:
    rule = 'when = "polite"\ngive = "in_part(left_bag, red) + songs"'
    texts = {deck.text for pair in rule_report(rules_of(written(tmp_path, rule)), "11").examples for deck in pair}
    assert any("in Left bag" in text for text in texts)
    assert any("songs: 1" in text and "polite: true" in text for text in texts)


def test_examples_vary_the_players_that_facts_name(tmp_path: Path) -> None:
    """As a test case, a named player is the number of a hand."""
    folder = written(tmp_path, 'give = "count_of(friend, red)"')
    report = rule_report(rules_of(folder), "11")
    texts = {deck.text for pair in report.examples for deck in pair}
    assert any("; Cleo: friend: Ada" in text for text in texts), texts
    edition = read_edition(folder, None)
    for pair in report.examples:
        for deck in pair:
            record_case(folder, recorded(edition, deck, deck.scores))
    assert "named = { friend = 1 }" in (folder / "edition.toml").read_text(encoding="utf-8")
    assert [one for one in lint_edition(folder) if not one.hint] == []


EACH = (
    "For each kind of “Colours” in the hand, except “Blue”, if the number of its cards is more than 6: "
    "that kind: worth nothing."
)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (
            'each = "colour"\nbut = "blue"\nwhen = "count > 6"\nzero = "it"',
            EACH,
        ),
        (
            'numbers = { by = 4 }\ngive = "(red - 3) mod by"',
            f"The hand gains as many points as the remainder of (the number of “Red” {MINUS} 3) divided by 4.",
        ),
        (
            'define = { pairs = "min(red, blue)" }\nworth.gold = "pairs"',
            "Each “Gold” is worth as many points as the least of (the number of “Red”; the number of “Blue”).",
        ),
        ('give_others = "-3"', "Every other hand loses 3 points."),
        ('case = [{ when = "red > 1 or blue > 1", take = 2 }, { take = 1 }]', "Otherwise: the hand loses 1 point."),
    ],
)
def test_rules_are_explained_in_plain_words(tmp_path: Path, rule: str, words: str) -> None:
    rules = rules_of(written(tmp_path, rule))
    assert words in rule_report(rules, "11").words


def test_all_functions_have_words() -> None:
    assert IN_WORDS.keys() == FUNCTIONS.keys() | _ARITHMETIC.keys() | _TESTS.keys() | _CARD_SETS.keys() | {"sum"}


def test_a_rule_in_python_has_examples_too() -> None:
    rules = rules_of(PACKAGE.parents[1] / "examples" / "editions" / "mosaic")
    (key,) = [rule.key for rule in rules.edition.rules if rules.meaning(rule) is None and rule.steps][:1]
    report = rule_report(rules, key)
    assert report.words == ("A function in rules.py says what this rule does.",)
    assert report.matters
    assert report.examples


# == Recorded cases, and rules without effect ==

CASE = '[[cases]]\nrule = "11"\nhands = [{ cards = { blue = 7 } }]\nscores = [0]\n'


def test_a_recorded_case_fails_once_the_rule_changes(tmp_path: Path) -> None:
    folder = written(tmp_path, LIMIT, more=CASE)
    assert lint_edition(folder) == []
    written(tmp_path, LIMIT.replace("6", "7"), more=CASE)
    (found,) = lint_edition(folder)
    assert f"{found.field}: {found.sentence}" == "cases.no. 1: scores 7 by rule 11 now, but its author expects 0"
    assert found.line == (folder / "edition.toml").read_text().splitlines().index("[[cases]]") + 1


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        (CASE.replace('"11"', '"12"'), "names rule 12, which does not exist"),
        (CASE.replace("blue", "green"), "cannot be scored: hand 1: fair has no card 'green'"),
        (CASE.replace("[0]", "[0, 1]"), "needs a score for each hand"),
        (CASE.replace("[0]", '["many"]'), "must be a number without quotation marks"),
    ],
)
def test_bad_cases_are_reported(tmp_path: Path, case: str, sentence: str) -> None:
    assert any(sentence in str(one) for one in lint_edition(written(tmp_path, LIMIT, more=case)))


def test_examples_reach_runs_in_a_long_group(tmp_path: Path) -> None:
    """Such as a straight flush in a suit of 13 cards."""
    folder = written(tmp_path, 'give = "50 * runs(suit, 5)"')
    text = (folder / "edition.toml").read_text(encoding="utf-8")
    text = text.replace("groups = [{", 'groups = [{ slug = "suit", name.en = "Suit" }, {', 1)
    (folder / "edition.toml").write_text(text.replace("cards = [\n", f"cards = [\n{HEARTS}"), encoding="utf-8")
    report = rule_report(rules_of(folder), "11")
    assert report.matters
    gains = [[Fraction(deck.score.replace(MINUS, "-")) for deck in pair] for pair in report.examples]
    assert any(after - before > 50 for before, after in gains)


def test_a_rule_that_no_deck_makes_matter_is_named(tmp_path: Path) -> None:
    rules = ['when = "red > 2 and red < 2"\ngive = 5', 'when = "red > 2"\ngive = "red - red + 0 * blue"']
    found = lint_edition(written(tmp_path, *rules))
    assert [one.hint for one in found] == [True, True]
    assert "rules.11: never acted" in str(found[0])
    assert "rules.4: never acted" in str(found[1])


@pytest.mark.parametrize(("condition", "hints"), [("red > tide", 0), ("red < 0 * tide", 1)])
def test_a_rule_with_a_setting_is_tried_with_other_values_of_it(tmp_path: Path, condition: str, hints: int) -> None:
    setting = 'name = "tide", label.en = "Tide", text.en = "…", minimum = 0, maximum = 99, default = 99'
    rule = f'settings = ["tide"]\nwhen = "{condition}"\ngive = 5'
    found = lint_edition(written(tmp_path, rule, more=f"settings = [{{ {setting} }}]"))
    assert [(one.hint, one.field) for one in found] == [(True, "rules.11")] * hints


def test_examples_of_whole_editions_exist_for_each_rule() -> None:
    reports = list(rule_reports(PACKAGE / "sackson_1969"))
    assert all(report.matters and 1 <= len(report.examples) <= MOST_EXAMPLES for report in reports)
