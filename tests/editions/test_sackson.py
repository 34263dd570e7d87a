"""Sackson's game: the five published hands, effects of hands on each other, and the draw."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from server.editions import load_edition
from server.scoring import Hand, score
from server.scoring.phase_effects import provisional_seed
from server.scoring.result import result_document
from tests.editions.sackson_1969_cases import ATTACK, PYRAMID, hand
from tests.scoring.support import by_player, by_rule

if TYPE_CHECKING:
    from server.scoring import HandResult
    from tests.editions.cases import Cards

EDITION = load_edition("sackson-1969")
NOON = datetime(1969, 6, 1, 12, tzinfo=UTC)
FULL = hand(6, 6, 6, 6, 6)

# The hands that Sackson published with his game, their scores, and the points of their lines by rule.
PUBLISHED: dict[str, tuple[Cards, int, dict[str | None, list[int]]]] = {
    "1": (hand(blue=6, red=1, orange=3, white=1), 56, {None: [12, 3, 12, 5], "14": [24]}),
    "2": (
        hand(yellow=3, blue=2, red=2, orange=3, white=3),
        51,
        {None: [3, 4, 6, 8, 15], "5": [0], "6": [-10], "10": [20], "13": [5]},
    ),
    "3": (hand(blue=2, red=5, orange=2, white=2), 52, {None: [4, 15, 8, 10], "7": [0], "12": [15]}),
    "4": (hand(yellow=4, blue=2, red=3, white=1), 54, {None: [4, 4, 9, 5], "7": [0], "11": [27], "13": [5]}),
    "5": (hand(yellow=6, red=1, white=2), 55, {None: [6, 3, 10], "6": [-10], "8": [36], "13": [10]}),
}


def game(*hands: Cards, seed: str = "", active: list[int] | None = None) -> dict[str, HandResult]:
    """Score hands of players A, B, C… as one final game; results by player."""
    named = [Hand(chr(ord("A") + index), cards) for index, cards in enumerate(hands)]
    return by_player(score(EDITION, named, {"seed": seed}, active, provisional=False))


def alone(cards: Cards, active: list[int] | None = None) -> HandResult:
    """Score a hand provisionally."""
    return score(EDITION, [Hand("A", cards)], active_rules=active).hands[0]


def test_the_published_hands_score_as_published_line_by_line() -> None:
    result = score(EDITION, [Hand(name, cards) for name, (cards, _, _) in PUBLISHED.items()])
    assert [(h.hand.player, h.rank) for h in result.hands] == [("1", 1), ("5", 2), ("4", 3), ("3", 4), ("2", 5)]
    for name, found in by_player(result).items():
        _, points, expected = PUBLISHED[name]
        lines: dict[str | None, list[int]] = {}
        for line in found.lines:
            if not line.void:
                lines.setdefault(line.rule, []).append(int(line.points))
        assert (found.score, lines) == (points, expected), name
        assert [line.voided_by for line in found.lines if line.void] == (["7"] if name in "34" else [])


@pytest.mark.parametrize(("red", "attackers", "void", "live"), [(2, 1, 0, 1), (3, 1, 1, 0), (5, 2, 1, 1), (6, 3, 2, 1)])
def test_rule_7_voids_a_deduction_by_rule_6_for_three_red_cards(red: int, attackers: int, void: int, live: int) -> None:
    lines = by_rule(game(hand(red=red), *[ATTACK] * attackers)["A"], 6)
    assert [(line.points, line.voided_by) for line in lines] == [
        *([(-10 * void, "7")] if void else []),
        *([(-10 * live, None)] if live else []),
    ]
    assert {(rule.key, touched) for rule in EDITION.rules for touched in rule.touches} == {("7", "6")}


OTHERS = "Other hands with 5 or more blue cards that score"


@pytest.mark.parametrize(
    ("cards", "others", "texts"),
    [
        (
            hand(red=3),
            [hand(blue=6), ATTACK],
            [f"{OTHERS}: B (6). Minus 1 × 10. Void by rule 7.", f"{OTHERS}: C (5). Minus 1 × 10."],  # noqa: RUF001 - a multiplication sign
        ),
        (hand(), [ATTACK] * 6, [f"{OTHERS}: B (5), C (5), D (5), E (5), F (5), G (5). Minus 6 × 10."]),  # noqa: RUF001 - as above
        (hand(), [ATTACK] * 7, [f"{OTHERS}: B (5), C (5), D (5), E (5), F (5) and 2 more. Minus 7 × 10."]),  # noqa: RUF001 - as above
    ],
)
def test_deductions_name_up_to_six_hands_that_make_them(cards: Cards, others: list[Cards], texts: list[str]) -> None:
    assert [line.text for line in by_rule(game(cards, *others)["A"], 6)] == texts


def test_a_tie_for_most_gives_no_points() -> None:
    tied = game(*[hand(red=2, yellow=3)] * 2)["A"]
    assert [line.text for rule in (8, 12) for line in by_rule(tied, rule)] == [
        "Another hand has as many yellow cards (3): those who tie are passed over.",
        "Another hand has as many red cards (2): in a tie for most, nobody’s count 2 times.",
    ]


def test_eliminated_hands_come_last_and_do_nothing() -> None:
    """Seven cards of a colour, even if some would be removed at random."""
    big = hand(white=7, red=6, blue=1)
    result = game(hand(yellow=1, red=1), hand(blue=7, red=6, yellow=6), big, hand(), seed="a")
    assert [(name, h.rank, h.eliminated) for name, h in result.items()] == [
        ("A", 1, False),
        ("D", 2, False),
        ("B", 3, True),
        ("C", 3, True),
    ]
    assert result["A"].score == 1 + 1 + 3 + 3
    assert [line.rule for line in result["B"].lines] == ["9"]
    assert result["B"].lines[0].text.endswith("Blue × 7.")  # noqa: RUF001 - a multiplication sign
    assert all(game(big, seed=seed)["A"].eliminated for seed in "bcd")


def test_random_losses_depend_on_the_seed_and_precede_other_rules() -> None:
    """The line names the removed cards; sets, caps and majorities count the other 13."""
    removed = set()
    for seed in "abcd":
        result = game(FULL, seed=seed)["A"]
        (line,) = by_rule(result, 15)
        assert line.text.startswith(f"Colour cards: 30, limit 13. Removed at random, by the seed “{seed}”: ")
        assert result.lines == game(FULL, seed=seed)["A"].lines
        left = {kind: result.seat.has(kind) for kind in FULL}
        assert sum(left.values()) == 13 == result.seat.has("colour")
        assert sum(line.points for line in by_rule(result, 10)) == 10 * min(left.values())
        cards = {line.kind: line.points for line in by_rule(result, None)}
        assert (len(cards), cards["blue"]) == (5, 2 * left["blue"])
        removed.add(tuple(left.items()))
    assert len(removed) > 1


def test_information_sheets_do_not_count_as_cards() -> None:
    sheets = {f"rule-{number}": 2 for number in range(1, 16)}
    for cards in (PYRAMID, hand(3, 3, 3, 2, 2)):
        assert game(cards | sheets)["A"].lines == game(cards)["A"].lines
    assert game(hand(1, 1, 1, 1, 1), active=[])["A"].score == 15


def test_equal_scores_share_a_place_and_the_earlier_is_listed_first() -> None:
    blue = hand(blue=1)
    times = {"late": (blue, NOON + timedelta(minutes=1)), "never": (blue, None), "early": (blue, NOON)}
    hands = [*(Hand(name, cards, time) for name, (cards, time) in times.items()), Hand("poor", hand())]
    found = [(h.hand.player, h.rank, h.decided_by) for h in score(EDITION, hands).hands]
    assert found == [("early", 1, None), ("late", 1, None), ("never", 1, None), ("poor", 4, None)]


@pytest.mark.parametrize(
    ("cards", "active", "rules"),
    [
        (hand(), None, {"6"}),
        (hand(yellow=1), None, {"6", "8"}),
        (hand(red=1), None, {"6", "12"}),
        (hand(red=3, yellow=2), None, {"6", "7", "8", "12"}),
        (hand(blue=5, white=4, orange=4), None, {"6"}),
        (hand(blue=5, white=5, orange=4), None, {"6", "15"}),
        (hand(red=3), [6, 7], {"6", "7"}),
        (hand(red=3), [7], set()),
    ],
)
def test_a_provisional_hand_lists_effects_of_others(cards: Cards, active: list[int] | None, rules: set[str]) -> None:
    """Rule by rule, and only where it concerns the hand; chance draws by the seed of provisional counts."""
    found = alone(cards, active)
    assert {line.rule for line in found.lines if line.open} == rules
    assert all(line.open == line.text.startswith("Not known yet") for line in found.lines)
    assert found.score == game(cards, seed=provisional_seed(""), active=active)["A"].score
    assert not any(line.open for result in game(cards, ATTACK, active=active).values() for line in result.lines)


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_a_provisional_draw_reveals_nothing_of_the_final_one(language: str) -> None:
    """It contains neither seed; the final score draws again, and shows its seed."""
    edition = load_edition("sackson-1969", language)
    hands = [Hand(name, FULL) for name in "ABCDE"]
    early, final = (score(edition, hands, {"seed": "Xanadu"}, provisional=provisional) for provisional in (True, False))
    document = json.dumps(result_document(early))
    assert "Xanadu" not in document + early.seed
    assert early.seed not in document
    assert json.dumps(result_document(final)).count("Xanadu") == len(hands)
    left = [{name: dict(h.seat.counts("colour")) for name, h in by_player(result).items()} for result in (early, final)]
    assert all(sum(counts.values()) == 13 for result in left for counts in result.values())
    assert left[0] != left[1]
    assert [line.open for h in early.hands for line in by_rule(h, 15)] == [False, True] * len(hands)


def test_kinds_are_in_the_order_of_the_printed_codes() -> None:
    """Five colours and 15 sheets; each player starts with ten cards and two different sheets."""
    expected = [*FULL, *(f"rule-{number}" for number in range(1, 16))]
    assert [kind.slug for kind in EDITION.kinds] == expected
    dealt: list[Any] = [(deal.category, deal.each, deal.different) for deal in EDITION.deal]
    assert dealt == [("colour", 10, False), ("rule", 2, True)]
    colours = EDITION.kinds[:5]
    assert len({kind.ink for kind in colours}) == len({kind.symbol for kind in colours}) == 5
