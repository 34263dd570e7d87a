"""What every edition owes, whichever it is: this module walks the registry, so that a new edition cannot forget."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import server.editions
from server.editions import edition_names, load_edition
from server.scoring import Hand, score
from tests.editions.cases import Case, outcome
from tests.editions.games_strategy import games

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = Path(server.editions.__file__).parent
LANGUAGES = ("de", "en", "fr")
NAMES = edition_names()
# Numbers that say how much, not from where on: the exact points of a rule's cases check them.
AMOUNTS = {"points", "fine", "worth", "factor", "each", "tied", "alone", "single", "more"}
# Numbers that only stand in the wording: facts that the player is to work out, and numbers of cards by name.
WORDS = {
    "eurocg-2026": {("5", "workshop"), ("5", "minus"), ("7", "vertices"), ("8", "year"), ("8", "modulus")},
    "sackson-1969": set(),
    "tarot-fr": {("bouts", "low"), ("bouts", "high"), *(("run", name) for name in ("jack", "knight", "queen", "king"))},
}


def cases(name: str) -> list[Case]:
    """Return the cases of an edition, from the module that bears its name."""
    module = import_module(f"tests.editions.{name.replace('-', '_')}_cases")
    found: list[Case] = module.CASES
    return found


@pytest.mark.parametrize(
    ("name", "case"), [pytest.param(name, case, id=case.name) for name in NAMES for case in cases(name)]
)
def test_a_rule_does_what_its_numbers_say(name: str, case: Case) -> None:
    """Just below, at and just above each number a rule acts or not, for the points it should."""
    assert outcome(load_edition(name), case) == case.expected


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_and_every_number_has_its_cases(name: str) -> None:
    """Each effect is seen at work and, where it can be idle, idle; each number from below, at and above."""
    edition = load_edition(name)
    for rule in edition.rules:
        mine = [case for case in cases(name) if case.effect == rule.effect]
        if not rule.steps or rule.effect == "cancel":
            continue
        assert any(case.expected is not None for case in mine), f"no case in which rule {rule.key} acts"
        for number in rule.numbers:
            if number in AMOUNTS or (rule.effect, number) in WORDS[name]:
                continue
            edge = [case.expected for case in mine if case.number == number]
            assert len(edge) >= 3, f"rule {rule.key}: {number} lacks a case below, at or above"
            assert len(set(edge)) > 1, f"rule {rule.key}: {number} makes no difference"


def listing(hands: Any) -> dict[str, tuple[object, ...]]:  # noqa: ANN401 - a result
    """Return what a result says of each player."""
    return {hand.hand.player: (hand.score, hand.rank, hand.decided_by, hand.lines) for hand in hands.hands}


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_rules_cards_and_players_changes_nothing(name: str) -> None:
    """Rules, cards and seats shuffled, and the same scored twice: every line, score and rank stays."""
    edition = load_edition(name)

    @settings(max_examples=120, deadline=None)
    @given(games(name), st.randoms(use_true_random=True), st.text(max_size=4))
    def check(hands: list[Hand], random: Any, seed: str) -> None:  # noqa: ANN401 - a seeded generator
        plain = score(edition, hands, {"seed": seed})
        mixed = replace(edition, rules=tuple(random.sample(edition.rules, len(edition.rules))))
        others = [replace(hand, cards=dict(random.sample(list(hand.cards.items()), len(hand.cards)))) for hand in hands]
        random.shuffle(others)
        assert listing(score(mixed, others, {"seed": seed})) == listing(plain)
        assert listing(score(edition, hands, {"seed": seed})) == listing(plain)

    check()


@pytest.mark.parametrize("name", NAMES)
def test_lines_add_up_in_every_language(name: str) -> None:
    """Live lines add up to the score, halves too; all languages tell the same points, with no gap in a sentence."""
    edition = load_edition(name)
    translations = [load_edition(name, language) for language in LANGUAGES]

    @settings(max_examples=200, deadline=None)
    @given(games(name))
    def check(hands: list[Hand]) -> None:
        for hand in score(edition, hands).hands:
            told = [hand.lines_in(translation) for translation in translations]
            for lines in told:
                if not hand.eliminated:
                    assert sum((line.points for line in lines if not line.void), Fraction(0)) == hand.score
                assert all(line.void == (line.voided_by is not None) for line in lines)
                assert not any("{" in line.text or not line.text.strip() for line in lines)
            assert len({tuple((line.rule, line.points, line.voided_by) for line in lines) for lines in told}) == 1

    check()


@pytest.mark.parametrize("name", NAMES)
def test_a_hand_alone_adds_up_and_leaves_others_alone(name: str) -> None:
    """A provisional count of each hand adds up too, its notes bring no points, and others do not change it."""
    edition = load_edition(name)

    @settings(max_examples=100, deadline=None)
    @given(games(name))
    def check(hands: list[Hand]) -> None:
        for hand in score(edition, hands, provisional=True).hands:
            assert hand.eliminated or sum((x.points for x in hand.lines if not x.void), Fraction(0)) == hand.score
            assert not any(line.points for line in hand.lines if line.open)
            (alone,) = score(edition, [replace(hand.hand, cancels=())], provisional=True).hands
            assert (hand.score, hand.lines) == (alone.score, alone.lines)

    check()


def texts(part: Any, place: str) -> Iterator[tuple[str, dict[str, str]]]:  # noqa: ANN401 - parsed TOML
    """Yield every text of a file with its place: a table whose values are texts under language keys."""
    if isinstance(part, list):
        for index, item in enumerate(part):
            yield from texts(item, f"{place}[{index}]")
    elif isinstance(part, dict):
        if part and all(isinstance(item, str) for item in part.values()) and set(part) & set(LANGUAGES):
            yield place, part
        else:
            for key, item in part.items():
                yield from texts(item, f"{place}.{key}")


FILES = [HOME / "phrases.toml", *(HOME / name.replace("-", "_") / "edition.toml" for name in NAMES)]


@pytest.mark.parametrize("file", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_text_is_there_in_all_languages(file: Path) -> None:
    """English, German and French, all with the same placeholders, and none empty."""
    found = list(texts(tomllib.loads(file.read_text(encoding="utf-8")), file.stem))
    assert len(found) > 20
    for place, part in found:
        assert sorted(part) == list(LANGUAGES), place
        assert all(text.strip() == text and text for text in part.values()), place
        placeholders = {language: sorted(set(re.findall(r"\{\w+\}", text))) for language, text in part.items()}
        assert placeholders["de"] == placeholders["en"] == placeholders["fr"], place


@pytest.mark.parametrize("file", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_french_marks_stay_with_their_words(file: Path) -> None:
    """Before a colon, a semicolon and the like stands a space at which no line breaks."""
    for place, part in texts(tomllib.loads(file.read_text(encoding="utf-8")), file.stem):
        assert not re.search(r" [:;?!»]|« ", part["fr"]), place


@pytest.mark.parametrize("name", NAMES)
def test_wording_takes_its_numbers_from_the_table(name: str) -> None:
    """No digit stands in the wording of a new rule card, except numbers of rules."""
    file = tomllib.loads((HOME / name.replace("-", "_") / "edition.toml").read_text(encoding="utf-8"))
    reference = re.compile(r"\b([Rr]ules?|[Rr]egeln?|[Rr]ègles?) \d+((, \d+)* (and|und|et) \d+)?")
    for part in [*file["rules"], *file.get("families", [])]:
        for language, wording in part.get("text", {}).items():
            assert not re.search(r"\d", reference.sub("", wording)), (part, language)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_edition_speaks_every_language(name: str, language: str) -> None:
    """Loaded in a language, the edition is the same but for its texts; its own language comes first."""
    edition, own = load_edition(name, language), load_edition(name)
    assert edition.language == language
    assert sorted(edition.languages) == list(LANGUAGES)
    assert own.language == own.languages[0] == ("fr" if name == "tarot-fr" else "en")
    assert [kind.slug for kind in edition.kinds] == [kind.slug for kind in own.kinds]
    assert [(rule.key, rule.numbers, rule.effect) for rule in edition.rules] == [
        (rule.key, rule.numbers, rule.effect) for rule in own.rules
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rule_texts_fit_their_cards(name: str, language: str) -> None:
    """The wording of a rule takes at most 330 characters in any language."""
    for rule in load_edition(name, language).rules:
        assert 0 < len(rule.text) <= 330, rule.key
        assert len(rule.name) <= 50, rule.key
