"""The points of lines that are not void add up to the score, always: random games of every edition, in every way."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random  # noqa: TID251 - seeded, so that the same games are looked at each time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import edition_names, load_edition
from server.scoring import score
from tests.editions.games_strategy import game, games

if TYPE_CHECKING:
    from server.scoring import Edition, Hand, HandResult

NAMES = edition_names()


def check(edition: Edition, hand: HandResult) -> None:
    """Check the lines of a hand, one by one and together."""
    live = sum((line.points for line in hand.lines if not line.void), Fraction(0))
    assert live == (0 if hand.eliminated else hand.score)
    for line in hand.lines:
        assert line.void == (line.voided_by is not None)
        assert not (line.open and (line.points or line.void))
        assert (line.kind is None) == (line.rule is not None)
        assert line.rule is None or line.rule in edition.rule_of
    kinds = [line.kind for line in hand.lines if line.kind]
    valued = [kind.slug for kind in edition.kinds if kind.category in edition.valued and hand.hand.cards.get(kind.slug)]
    assert kinds == ([] if hand.eliminated else valued)


@pytest.mark.parametrize("name", NAMES)
def test_lines_add_up_in_games_of_several_hands(name: str) -> None:
    """Final games, provisional counts of the same hands, and each hand as a final game of its own."""
    edition = load_edition(name)

    @settings(max_examples=250, deadline=None)
    @given(games(name, least=2), st.text(max_size=3))
    def add_up(hands: list[Hand], seed: str) -> None:
        for provisional in (False, True):
            for hand in score(edition, hands, {"seed": seed}, provisional=provisional).hands:
                check(edition, hand)
        for hand in hands:
            check(edition, score(edition, [replace(hand, cancels=())], {"seed": seed}, provisional=False).hands[0])

    add_up()


@pytest.mark.parametrize("name", NAMES)
def test_lines_add_up_with_some_of_the_rules(name: str) -> None:
    """Any subset of the rules, with nothing cancelled: lines name no rule that is left out, and still add up."""
    edition = load_edition(name)

    @settings(max_examples=250, deadline=None)
    @given(games(name), st.integers(0, 2**32), st.booleans())
    def add_up(hands: list[Hand], chosen: int, provisional: bool) -> None:  # noqa: FBT001 - drawn
        random = Random(chosen)  # noqa: S311 - a test's choice
        keys = list(edition.rule_of)
        active = random.sample(keys, random.randint(0, len(keys)))
        some = [replace(hand, cancels=()) for hand in hands]
        for hand in score(edition, some, active_rules=active, provisional=provisional).hands:
            check(edition, hand)
            named = {key for line in hand.lines for key in (line.rule, line.voided_by) if key}
            assert named <= set(active)

    add_up()


# What a game may hold that makes adding up hard; in 400 random games each occurs at least so often.
RARE = {
    "eurocg-2026": {"void worth": 20, "void rule": 20},
    "sackson-1969": {
        "void worth": 20,
        "eliminated": 20,
        "removed": 20,
        "taken by others": 20,
        "saved from others": 10,
        "doubled": 5,
        "several took": 5,
    },
    "tarot-fr": {"void worth": 20, "void rule": 20, "cancelled": 20, "halves": 20, "least worth": 5},
}


def traits(hand: HandResult) -> set[str]:
    """Return what is special about a scored hand."""
    verbs = {entry.verb.name for entry in hand.seat.journal}
    took = [entry for entry in hand.seat.journal if entry.verb.name == "POINTS" and "authors" in entry.values]
    found = {
        "void worth": any(line.void and line.kind for line in hand.lines),
        "void rule": any(line.void and line.rule for line in hand.lines),
        "eliminated": hand.eliminated,
        "removed": "REMOVE" in verbs,
        "taken by others": bool(took),
        "several took": any(entry.values["times"] != 1 for entry in took),
        "saved from others": any(line.void and line.points < 0 for line in hand.lines),
        "doubled": "DOUBLE" in verbs,
        "cancelled": "CANCEL" in verbs,
        "halves": hand.score.denominator == 2,
        "least worth": any(entry.verb.name == "FLOOR" and entry.amount for entry in hand.seat.journal),
    }
    return {name for name, is_so in found.items() if is_so}


@pytest.mark.parametrize("name", NAMES)
def test_random_games_hold_what_makes_adding_up_hard(name: str) -> None:
    """The properties above would be worth little if their games never had a shield, a doubling or a half."""
    edition = load_edition(name)
    seen: Counter[str] = Counter()
    for seed in range(400):
        hands = score(edition, game(edition, Random(seed), 2), {"seed": str(seed)}, provisional=False).hands  # noqa: S311 - a test's choice
        seen.update(set().union(*(traits(hand) for hand in hands)))
    assert {trait: seen[trait] for trait, least in RARE[name].items() if seen[trait] < least} == {}
