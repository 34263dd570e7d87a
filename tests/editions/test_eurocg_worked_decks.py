"""The worked decks of EuroCG 2026: score, and what each rule brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.scoring.support import EUROCG, deck, scored

if TYPE_CHECKING:
    from server.scoring import Hand

MANY_RULES = [4, 5, 6, 7, 8, 9, 10]

# Deck, score, points of the cards by kind, points by rule, and what was void (kind or rule: by which rule).
DECKS: list[tuple[Hand, int, dict[str, int], dict[int, int], dict[str, str]]] = [
    (deck(), 0, {}, {}, {}),
    (deck(rules=[23]), 7, {}, {2: 2, 17: 5}, {}),
    (deck(red=4, blue=1, rules=[7]), 42, {"red": 8, "blue": 1}, {2: 3, 11: 11, 16: 6, 17: 5, 22: 8}, {}),
    (
        deck(red=4, blue=2, green=3, orange=1, yellow=5, pink=1, rules=[1, 2, 3, 4], specials=1),
        53,
        {"red": 8, "blue": 2, "green": 9, "orange": 3, "pink": 2},
        {4: 4, 17: 5, 18: 12, 22: 8},
        {"yellow": "1"},
    ),
    (
        deck(red=5, green=7, blue=2, rules=[2, 11, 23], specials=1),
        56,
        {"red": 10, "green": 21, "blue": 2},
        {3: 3, 11: 11, 16: 9},
        {},
    ),
    (
        deck(red=3, blue=3, pink=2, rules=MANY_RULES, specials=2),
        28,
        {"red": 6, "blue": 3, "pink": 0},
        {3: 6, 21: 13},
        {},
    ),
    (
        deck(red=2, blue=3, pink=2, rules=MANY_RULES, specials=2),
        14,
        {"red": 4, "blue": 3, "pink": 2},
        {17: 5},
        {"rule 3": "14"},
    ),
    (deck(blue=17, specials=3), 16, {}, {11: 11, 16: 5}, {"blue": "1"}),
    (deck(green=6, orange=6, yellow=6, rules=[1, 1]), 2, {}, {4: 2}, dict.fromkeys(("green", "orange", "yellow"), "1")),
    (
        deck(orange=7, green=6, blue=4, rules=[3, 20], specials=1),
        52,
        {"green": 18, "blue": 4},
        {4: 2, 11: 11, 16: 9, 22: 8},
        {"orange": "1"},
    ),
]


@pytest.mark.parametrize(("hand", "score", "cards", "rules", "voids"), DECKS)
def test_a_worked_deck_has_its_score_and_lines(
    hand: Hand, score: int, cards: dict[str, int], rules: dict[int, int], voids: dict[str, str]
) -> None:
    """Each worked deck scores as worked out by hand, line by line, and nothing else brings points."""
    result = scored(hand)
    assert result.score == score
    slug_of = {kind.name: kind.slug for kind in EUROCG.kinds}
    names = [slug_of[line.text.split(":")[0]] if line.rule is None else f"rule {line.rule}" for line in result.lines]
    lines = list(zip(names, result.lines, strict=True))
    live = {name: int(line.points) for name, line in lines if not line.void and line.rule is None}
    assert live == cards
    gained = {name: int(line.points) for name, line in lines if not line.void and line.rule and line.points}
    assert gained == {f"rule {rule}": points for rule, points in rules.items()}
    assert {name: line.voided_by for name, line in lines if line.void} == voids
