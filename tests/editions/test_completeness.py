"""The completeness of every edition: cases of all rules and numbers, all texts in its languages, and its page."""

from __future__ import annotations

import re
import tomllib
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardgen.strings import wordings
from server.editions import edition_names, load_edition
from server.editions.registry import PACKAGE, folder_of
from tests.editions.cases import Case, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
DOCS, EXAMPLES = ROOT / "docs" / "editions", ROOT / "examples" / "editions"
LANGUAGES = ("de", "en", "fr")
"""Languages that every edition has; it may have more."""
NAMES = edition_names()
# Numbers that are amounts, not limits: cases check them by their exact points.
AMOUNTS = {"points", "fine", "worth", "factor", "each", "tied", "alone", "single", "more"}
# Numbers that occur only in texts: facts for the player to work out, and numbers of cards by name.
WORDS = {
    "eurocg-2026": {("5", "workshop"), ("5", "minus"), ("7", "vertices"), ("8", "year"), ("8", "modulus")},
    "sackson-1969": set(),
    "tarot-fr": {("bouts", "low"), ("bouts", "high"), *(("run", name) for name in ("jack", "knight", "queen", "king"))},
}


def cases(name: str, effect: str) -> list[Case]:
    """Return the cases of an effect from the module with the edition's name."""
    module = import_module(f"tests.editions.{name.replace('-', '_')}_cases")
    return [case for case in module.CASES if case.effect == effect]


@pytest.mark.parametrize(
    ("name", "effect"),
    [(name, effect) for name in NAMES for effect in dict.fromkeys(rule.effect for rule in load_edition(name).rules)],
)
def test_rules_act_according_to_their_numbers(name: str, effect: str) -> None:
    """Each number has cases below, at and above it, with exact points."""
    edition = load_edition(name)
    rule = next(rule for rule in edition.rules if rule.effect == effect)
    found = cases(name, effect)
    for case in found:
        assert outcome(edition, case) == case.expected, case
    if not rule.steps or effect == "cancel":
        return
    assert any(case.expected is not None for case in found), "no case in which the rule acts"
    for number in rule.numbers:
        if number not in AMOUNTS and (effect, number) not in WORDS[name]:
            edge = [case.expected for case in found if case.number == number]
            assert len(edge) >= 3, f"{number} lacks a case below, at or above"
            assert len(set(edge)) > 1, f"{number} makes no difference"


# Texts

WRONG_SPACES = r"(?<!\u202f)[;?!»]|(?<!\u202f)(?<!Light Speed):(?=\s|$)|«(?!\u202f)"
"""French sets a narrow no-break space inside quotation marks and before signs of two parts."""
FORMAL = {"en": "(?!)", "de": r"(?<=[\w,] )(?:Sie|Ihnen|Ihre?[mnrs]?)\b", "fr": r"\b[Vv](?:ous|otre|os)\b"}
STRAIGHT_QUOTES = r"\w'\w|\""


def texts(part: Any, place: str) -> Iterator[tuple[str, dict[str, str]]]:  # noqa: ANN401 - parsed TOML
    """Yield all texts of a file with their locations: tables of texts by language."""
    if isinstance(part, list):
        for index, item in enumerate(part):
            yield from texts(item, f"{place}[{index}]")
    elif isinstance(part, dict):
        if part and all(isinstance(item, str) for item in part.values()) and set(part) & set(LANGUAGES):
            yield place, part
        else:
            for key, item in part.items():
                yield from texts(item, f"{place}.{key}")


def strings(part: Any) -> list[str]:  # noqa: ANN401 - dictionaries and lists of texts
    """Return all texts in a part."""
    if isinstance(part, str):
        return [part]
    return [text for item in (part.values() if isinstance(part, dict) else part) for text in strings(item)]


@pytest.mark.parametrize(
    "file",
    [
        *(PACKAGE / "phrases.toml", PACKAGE / "handout.toml"),
        *(folder_of(name) / "edition.toml" for name in NAMES),
        *EXAMPLES.glob("*/edition.toml"),
    ],
    ids=lambda file: file.parent.name if file.stem == "edition" else file.stem,
)
def test_all_texts_are_translated(file: Path) -> None:
    """Into the same languages, with the same placeholders, and with the signs and the address of each language."""
    found = list(texts(tomllib.loads(file.read_text(encoding="utf-8")), file.stem))
    assert len(found) > 2
    languages = sorted(found[0][1])
    assert {*LANGUAGES} <= {*languages}
    for place, part in found:
        assert sorted(part) == languages, place
        assert all(text.strip() == text and text for text in part.values()), place
        assert len({str(sorted(set(re.findall(r"\{\w+\}", text)))) for text in part.values()}) == 1, place
        assert not re.search(WRONG_SPACES, part["fr"]), place
        assert not any(re.search(FORMAL[language], part[language]) for language in LANGUAGES), place
        assert not any(re.search(STRAIGHT_QUOTES, text) for text in part.values()), place


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_prints_have_the_signs_of_their_language(language: str) -> None:
    """The words on labels, sheets and hand-outs."""
    found = strings(asdict(wordings(language)))
    assert len(found) > 40
    for text in found:
        assert not re.search(STRAIGHT_QUOTES, text)
        assert language != "fr" or not re.search(WRONG_SPACES, text), text
        assert not re.search(FORMAL[language], text), text


@pytest.mark.parametrize("name", NAMES)
def test_an_edition_is_the_same_in_every_language(name: str) -> None:
    """Its own language comes first. Texts have at most 330 characters, and no digits except numbers of rules."""
    own = load_edition(name)
    assert own.language == own.languages[0] == ("fr" if name == "tarot-fr" else "en")
    assert {*LANGUAGES} <= {*own.languages}
    for language in own.languages:
        edition = load_edition(name, language)
        assert (edition.language, sorted(edition.languages)) == (language, sorted(own.languages))
        assert [kind.slug for kind in edition.kinds] == [kind.slug for kind in own.kinds]
        for rule, same in zip(edition.rules, own.rules, strict=True):
            assert (rule.key, rule.numbers, rule.effect) == (same.key, same.numbers, same.effect)
            assert 0 < len(rule.text) <= 330, rule.key
            assert len(rule.name) <= 50, rule.key
    file = tomllib.loads((folder_of(name) / "edition.toml").read_text(encoding="utf-8"))
    reference = re.compile(r"\b([Rr]ules?|[Rr]egeln?|[Rr]ègles?) \d+((, \d+)* (and|und|et) \d+)?")
    for part in [*file["rules"], *file.get("families", [])]:
        for language, wording in part.get("text", {}).items():
            assert not re.search(r"\d", reference.sub("", wording)), (part, language)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_every_rule_ruling_and_setting(name: str) -> None:
    """In English; pages of editions in other languages have a row for each effect, not all texts."""
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    edition, english = load_edition(name), load_edition(name, "en")
    for rule in english.rules:
        same = ", ".join(twin.key for twin in edition.rules if twin.effect == rule.effect)
        text = f" {rule.text} |" if edition.language == "en" else ""
        assert f"| {same} | {rule.name} |{text}" in page
    for ruling in english.rulings:
        assert f"- {f'Rule {ruling.rule}: ' if ruling.rule else ''}{ruling.text}\n" in page
    assert all(f"`{setting.name}`" in page for setting in edition.settings)
