"""The editions in `examples/`, which use features that the built-in ones do not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import load_edition
from server.editions.lint import lint_edition
from server.editions.registry import editions_from
from server.printing.game_folder import print_game
from server.scoring import Hand, score
from server.scoring.edition import Edition
from server.scoring.request_schema import read_request
from server.scoring.result import result_document
from tests.editions.games_strategy import NAMES as PLAYERS
from tests.editions.games_strategy import random_cards
from tests.editions.test_properties import listing, live

EXAMPLES = Path(__file__).parents[2] / "examples" / "editions"
NAMES = sorted(file.parent.name for file in EXAMPLES.glob("*/edition.toml"))


@pytest.fixture(autouse=True)
def _examples() -> Iterator[None]:
    """Let the examples be found."""
    with editions_from(EXAMPLES):
        yield


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_valid_printable_and_score_their_recorded_game(name: str, tmp_path: Path) -> None:
    """To update the recorded results: haggle score NAME game.hands.json --json --editions examples/editions."""
    assert lint_edition(EXAMPLES / name) == []
    assert print_game(name, 4, tmp_path / "game", seed="tests").edition.slug == name
    assert {"sheets.pdf", "labels.pdf", "cards.csv", "game.json"} <= {file.name for file in tmp_path.glob("game/*")}
    edition = load_edition(name)
    asked = read_request(edition, (EXAMPLES / name / "game.hands.json").read_bytes())
    result = result_document(score(edition, asked.hands, asked.settings, asked.active_rules))
    assert result == json.loads((EXAMPLES / name / "game.result.json").read_text(encoding="utf-8"))


def entries(edition: Edition, cards: dict[str, int], random: Any) -> dict[str, Any]:  # noqa: ANN401 - a seeded generator
    """Return random facts, and random parts for the cards."""
    facts = {
        fact.name: random.random() < 0.5 if fact.yes_no else random.randint(fact.minimum, fact.maximum)
        for fact in edition.facts
    }
    parts: dict[str, dict[str, int]] = {}
    left = dict(cards)
    for part in edition.parts:
        parts[part.slug] = {kind: random.randint(0, count) for kind, count in left.items()}
        left = {kind: count - parts[part.slug][kind] for kind, count in left.items()}
    return {"facts": facts, "parts": parts}


@pytest.mark.parametrize("name", NAMES)
def test_examples_satisfy_the_invariants_of_scoring(name: str) -> None:
    """Lines add up to the score in every language; the order of rules, cards and players changes nothing."""
    edition = load_edition(name)
    translations = [load_edition(name, language) for language in edition.languages]

    @settings(max_examples=40, deadline=None)
    @given(st.randoms(use_true_random=True))
    def check(random: Any) -> None:  # noqa: ANN401 - a seeded generator
        decks = [random_cards(edition, random) for _ in range(random.randint(1, 5))]
        hands = [Hand(n, deck, **entries(edition, deck, random)) for n, deck in zip(PLAYERS, decks, strict=False)]
        result = score(edition, hands)
        for hand in result.hands:
            for lines in map(hand.lines_in, translations):
                assert live(lines) == hand.score
                assert not any("{" in line.text for line in lines)
        mixed = replace(edition, rules=tuple(random.sample(edition.rules, len(edition.rules))))
        assert listing(score(mixed, random.sample(hands, len(hands)))) == listing(result)

    check()


def brought(name: str, rule: str, hand: Hand, *others: Hand) -> Fraction | None:
    """Return the points that a rule gives a hand in a whole game; None if it has no line."""
    result = score(load_edition(name), [hand, *others], provisional=False)
    mine = next(found for found in result.hands if found.hand.player == hand.player)
    lines = [line for line in mine.lines if line.rule == rule]
    return sum((line.points for line in lines), Fraction(0)) if lines else None


def ada(facts: dict[str, int] | None = None, parts: dict[str, dict[str, int]] | None = None, **cards: int) -> Hand:
    """Return Ada's hand; a deck in parts has the cards of its parts."""
    counted = {kind.replace("_", "-"): number for kind, number in cards.items()}
    for part in (parts or {}).values():
        for kind, number in part.items():
            counted[kind] = counted.get(kind, 0) + number
    return Hand("Ada", counted, facts=facts or {}, parts=parts or {})


GOODS = {"salt": 2, "figs": 1}
CASES = [
    ("mosaic", "1", None, ada(red_star=2, red_heart=2)),
    ("mosaic", "1", 4, ada(red_star=2, red_heart=2, red_drop=1)),
    ("mosaic", "1", 5, ada(red_star=1, blue_star=1, yellow_star=1)),
    # One tile in both sets: only the better one counts.
    ("mosaic", "1", 5, ada(red_star=1, red_heart=1, red_drop=1, blue_star=1, yellow_star=1)),
    ("mosaic", "2", 5, ada(red_star=1)),
    ("mosaic", "3", None, ada(red_star=6)),
    ("mosaic", "3", 0, ada(red_star=4, blue_star=3)),
    ("caravan", "1", None, ada(salt=2)),
    ("caravan", "1", 8, ada(parts={"market": GOODS})),
    ("caravan", "2", None, ada(parts={"store": {"salt": 2, "figs": 2}})),
    ("caravan", "2", 7, ada(parts={"store": {"salt": 3}})),
    ("caravan", "2", 7, ada(parts={"store": {"salt": 4}})),
    ("caravan", "3", 15, ada(parts={"palace": {"salt": 1}})),
    ("caravan", "4", -9, ada(salt=9)),
    ("caravan", "4", -6, ada(parts={"palace": {"salt": 2}})),
    ("caravan", "4", -9, ada(parts={"palace": {"salt": 1}})),
    ("lighthouse", "storm", None, ada(ship=2)),
    ("lighthouse", "storm", -6, ada(ship=3)),
    ("lighthouse", "storm", -6, ada(ship=3, lamp=2)),
    ("lighthouse", "storm", None, ada(ship=3, lamp=3)),
    ("lighthouse", "good-company", None, ada()),
    ("lighthouse", "good-company", Fraction(9, 2), ada({"partners": 9})),
    ("lighthouse", "good-company", 5, ada({"partners": 10})),
    ("lighthouse", "good-company", 5, ada({"partners": 11})),
    ("lighthouse", "courtesy", None, ada({"greeted": True})),
    ("lighthouse", "courtesy", -4, ada({"greeted": False})),
    ("eurocg-short", "12", None, ada(orange=5)),
    ("eurocg-short", "12", 0, ada(orange=6)),
    ("eurocg-short", "1", None, ada(red=14)),
    ("eurocg-short", "1", 0, ada(red=15)),
]


@pytest.mark.parametrize(("name", "rule", "points", "hand"), CASES)
def test_rules_of_examples_act_according_to_their_numbers(
    name: str, rule: str, points: Fraction | int | None, hand: Hand
) -> None:
    assert brought(name, rule, hand) == points


def test_control_of_a_colour_is_shared_by_those_who_tie() -> None:
    """Alone 5, tied 1.5 each, and less than most nothing."""
    bob = Hand("Bob", {"red-heart": 2})
    assert brought("mosaic", "2", ada(red_star=3), bob) == 5
    assert brought("mosaic", "2", ada(red_star=2), bob) == Fraction(3, 2)
    assert brought("mosaic", "2", ada(red_star=1), bob) is None


def test_the_palace_gives_no_points_for_ties() -> None:
    """Parts are compared, not decks."""
    bob = Hand("Bob", {"salt": 9}, parts={"palace": {"salt": 2}})
    assert brought("caravan", "3", ada(parts={"palace": {"figs": 2}}), bob) is None
    assert brought("caravan", "3", ada(parts={"palace": {"figs": 3}}), bob) == 15


def test_a_variant_overrides_parts_of_an_edition() -> None:
    """Fewer rules, other numbers, which texts use too, and another deal, title and name of a rule."""
    short, long = load_edition("eurocg-short"), load_edition("eurocg-2026")
    assert {rule.key for rule in long.rules} - {rule.key for rule in short.rules} == {"11", "15", "19", "20", "22"}
    assert "14" in short.rule_of["1"].text
    assert short.rule_of["18"].name == "All six"
    assert short.rule_of["18"].text == long.rule_of["18"].text
    assert [deal.each for deal in short.deal] == [8, 2]
    assert {ruling.rule for ruling in short.rulings} == {"6", "14", "23", None}
    assert short.rule_of["21"] == replace(
        long.rule_of["21"], position=short.rule_of["21"].position, steps=short.rule_of["21"].steps
    )
