"""Sackson's game: the five published hands, and what hands do to each other."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from server.editions import load_edition
from server.scoring import Hand, score
from server.scoring.chance import provisional_seed
from server.scoring.document import document_of
from tests.editions.sackson_1969_cases import ATTACK, PYRAMID, TOUCHES, hand

if TYPE_CHECKING:
    from server.scoring import HandResult, Result
    from tests.editions.cases import Cards

EDITION = load_edition("sackson-1969")
NOON = datetime(1969, 6, 1, 12, tzinfo=UTC)

# The hands that Sackson published with his game, and their scores.
PUBLISHED: dict[str, tuple[Cards, int]] = {
    "1": (hand(blue=6, red=1, orange=3, white=1), 56),
    "2": (hand(yellow=3, blue=2, red=2, orange=3, white=3), 51),
    "3": (hand(blue=2, red=5, orange=2, white=2), 52),
    "4": (hand(yellow=4, blue=2, red=3, white=1), 54),
    "5": (hand(yellow=6, red=1, white=2), 55),
}


def table(*hands: Cards, **more: object) -> Result:
    """Score hands of players named by letters, as one final game."""
    named = [Hand(chr(ord("A") + place), cards) for place, cards in enumerate(hands)]
    return score(EDITION, named, provisional=False, **more)  # type: ignore[arg-type]  # settings or active rules


def of(result: Result, player: str = "A") -> HandResult:
    """Return the result of a player."""
    return next(hand for hand in result.hands if hand.hand.player == player)


def test_the_published_hands_score_as_published() -> None:
    """Five hands of one game: the scores in Sackson's article, and the ranking that follows."""
    result = score(EDITION, [Hand(name, cards) for name, (cards, _) in PUBLISHED.items()])
    assert {h.hand.player: h.score for h in result.hands} == {name: points for name, (_, points) in PUBLISHED.items()}
    assert [(h.hand.player, h.rank) for h in result.hands] == [("1", 1), ("5", 2), ("4", 3), ("3", 4), ("2", 5)]


@pytest.mark.parametrize(
    ("player", "lines"),
    [
        ("1", {None: [12, 3, 12, 5], "14": [24]}),
        ("2", {None: [3, 4, 6, 8, 15], "5": [0], "6": [-10], "10": [20], "13": [5]}),
        ("3", {None: [4, 15, 8, 10], "7": [0], "12": [15]}),
        ("4", {None: [4, 4, 9, 5], "7": [0], "11": [27], "13": [5]}),
        ("5", {None: [6, 3, 10], "6": [-10], "8": [36], "13": [10]}),
    ],
)
def test_the_published_hands_line_by_line(player: str, lines: dict[str | None, list[int]]) -> None:
    """Every step that the article names is a line with the article's points."""
    result = of(score(EDITION, [Hand(name, cards) for name, (cards, _) in PUBLISHED.items()]), player)
    found: dict[str | None, list[int]] = {}
    for line in result.lines:
        if not line.void:
            found.setdefault(line.rule, []).append(int(line.points))
    assert found == lines
    assert [line.voided_by for line in result.lines if line.void] == (["7"] if player in "34" else [])


@pytest.mark.parametrize(("mine", "others", "live", "void"), TOUCHES["7", "6"])
def test_rule_7_voids_deductions_by_rule_6(mine: Cards, others: tuple[Cards, ...], live: int, void: int) -> None:
    """Three red cards void one deduction, which stays in the breakdown; others stay live."""
    lines = [line for line in of(table(mine, *others)).lines if line.rule == "6"]
    assert sum(line.points for line in lines if line.voided_by is None) == -10 * live
    assert sum(line.points for line in lines if line.voided_by == "7") == -10 * void
    assert len(lines) == (live > 0) + (void > 0)


def test_every_touch_is_tested() -> None:
    """The edition declares exactly the touches that have cases."""
    assert {(rule.key, touched) for rule in EDITION.rules for touched in rule.touches} == set(TOUCHES)


def test_deductions_name_the_hands_that_make_them() -> None:
    """The line says who handed in how many blue cards; the void ones, the first by name, say which rule voided them."""
    lines = [line.text for line in of(table(hand(red=3), hand(blue=6), ATTACK)).lines if line.rule == "6"]
    assert lines == [
        "Other hands with 5 or more blue cards that score: B (6). Minus 1 × 10. Void by rule 7.",  # noqa: RUF001 - a multiplication sign
        "Other hands with 5 or more blue cards that score: C (5). Minus 1 × 10.",  # noqa: RUF001 - a multiplication sign
    ]


def test_deductions_by_many_hands_are_one_line() -> None:
    """Up to six hands are named; of more the first five, by name, and how many others there are."""
    for attackers, names in (
        (6, "B (5), C (5), D (5), E (5), F (5), G (5)"),
        (7, "B (5), C (5), D (5), E (5), F (5) and 2 more"),
    ):
        (line,) = [line for line in of(table(hand(), *[ATTACK] * attackers)).lines if line.rule == "6"]
        assert line.points == -10 * attackers
        assert line.text.startswith(f"Other hands with 5 or more blue cards that score: {names}. Minus {attackers} ")


def test_several_provisional_scores_tell_nothing_of_each_other() -> None:
    """No deduction, no majority, no tie by another hand: each scores as it would by itself."""
    hands = [Hand("A", hand(red=3, yellow=2)), Hand("B", hand(red=3, yellow=4)), Hand("C", ATTACK)]
    for one in score(EDITION, hands, provisional=True).hands:
        (alone,) = score(EDITION, [one.hand]).hands
        assert (one.score, one.lines) == (alone.score, alone.lines)


def test_hands_that_tie_are_told() -> None:
    """A tie for most red or yellow brings nothing, and the breakdown says why."""
    lines = {line.rule: line.text for line in of(table(hand(red=2, yellow=3), hand(red=2, yellow=3))).lines}
    assert lines["8"] == "Another hand has as many yellow cards (3): those who tie are passed over."
    assert lines["12"] == "Another hand has as many red cards (2): in a tie for most, nobody's count 2 times."


def test_deductions_come_after_the_doubling() -> None:
    """A pyramid of 24 points doubles to 48, then loses 10; a hand without points falls below zero."""
    without = table(PYRAMID, hand(), active_rules=[6, 8, 11, 4, 12])
    assert of(without).score == 48
    result = table(PYRAMID, ATTACK, hand(), active_rules=[6, 8, 11, 4, 12])
    assert (of(result).score, of(result, "C").score) == (38, -10)


def test_eliminated_hands_come_last_and_do_nothing() -> None:
    """Seven cards of a colour: no score, the last place, shared; no deduction, majority or tie by such a hand."""
    result = table(hand(yellow=1, red=1), hand(blue=7, red=6, yellow=6), hand(white=7), hand())
    assert [(h.hand.player, h.rank, h.eliminated) for h in result.hands] == [
        ("A", 1, False),
        ("D", 2, False),
        ("B", 3, True),
        ("C", 3, True),
    ]
    assert of(result).score == 1 + 1 + 3 + 3
    assert [line.rule for line in of(result, "B").lines] == ["9"]
    assert of(result, "B").lines[0].text.endswith("Blue × 7.")  # noqa: RUF001 - a multiplication sign


def test_elimination_looks_at_the_cards_before_any_are_removed() -> None:
    """Fourteen cards, seven of one colour: out, whatever chance would have removed."""
    for seed in ("a", "b", "c"):
        assert of(table(hand(white=7, red=6, blue=1), settings={"seed": seed})).eliminated


def test_the_draw_names_the_cards_and_comes_from_the_seed() -> None:
    """Equal seeds remove equal cards, other seeds others; the line names them, and the rest adds up to 13."""
    big = hand(yellow=3, blue=4, red=4, orange=3, white=3)
    drawn = {}
    for seed in ("a", "b", "c", "d"):
        result = of(table(big, settings={"seed": seed}))
        (line,) = [line for line in result.lines if line.rule == "15"]
        assert line.text.startswith(f"Colour cards: 17, limit 13. Removed at random, by the seed “{seed}”: ")
        assert result.lines == of(table(big, settings={"seed": seed})).lines
        left = {kind: result.seat.has(kind) for kind in big}
        assert sum(left.values()) == 13 == result.seat.has("colour")
        drawn[seed] = tuple(left.items())
    assert len(set(drawn.values())) > 1


def test_all_rules_but_9_see_only_the_cards_left() -> None:
    """With 6 of each colour 17 of 30 cards leave; sets, caps and majorities count what is left."""
    full = hand(6, 6, 6, 6, 6)
    result = of(table(full))
    left = {kind: result.seat.has(kind) for kind in full}
    sets = [line for line in result.lines if line.rule == "10"]
    assert sum(int(line.points) for line in sets) == 10 * min(left.values())
    cards = {line.text.split(":")[0]: line for line in result.lines if line.rule is None}
    assert len(cards) == 5
    assert cards["Blue"].points == 2 * left["blue"]


def test_information_sheets_count_as_no_cards() -> None:
    """Sheets in the envelope change nothing: not the limit of 13, not a pyramid, not the score."""
    sheets = {f"rule-{number}": 2 for number in range(1, 16)}
    assert of(table(PYRAMID | sheets)).score == of(table(PYRAMID)).score == 48
    thirteen = hand(3, 3, 3, 2, 2)
    assert of(table(thirteen | sheets)).lines == of(table(thirteen)).lines


def test_colours_keep_their_worth_without_the_sheets_that_tell_it() -> None:
    """With no rule active at all a hand is worth its cards."""
    assert of(table(hand(1, 1, 1, 1, 1), active_rules=[])).score == 15


def test_equal_scores_share_a_place_and_the_earlier_is_listed_first() -> None:
    """1, 1, 3: the order of the list follows the time, no tie-break decides."""
    hands = [
        Hand("late", hand(blue=1), NOON + timedelta(minutes=1)),
        Hand("never", hand(blue=1)),
        Hand("early", hand(blue=1), NOON),
        Hand("poor", hand()),
    ]
    found = [(h.hand.player, h.rank, h.decided_by) for h in score(EDITION, hands).hands]
    assert found == [("early", 1, None), ("late", 1, None), ("never", 1, None), ("poor", 4, None)]


def notes(cards: Cards, **more: object) -> set[str | None]:
    """Return the rules that say in a provisional count what may still change."""
    (alone,) = score(EDITION, [Hand("A", cards)], **more).hands  # type: ignore[arg-type]  # active rules
    assert all(line.open == line.text.startswith("Not known yet") for line in alone.lines)
    return {line.rule for line in alone.lines if line.open}


@pytest.mark.parametrize(
    ("cards", "rules"),
    [
        (hand(), {"6"}),
        (hand(yellow=1), {"6", "8"}),
        (hand(red=1), {"6", "12"}),
        (hand(red=3, yellow=2), {"6", "7", "8", "12"}),
        (hand(blue=5, white=4, orange=4), {"6"}),
        (hand(blue=5, white=5, orange=4), {"6", "15"}),
    ],
)
def test_a_hand_alone_says_what_others_may_change(cards: Cards, rules: set[str]) -> None:
    """Rule by rule, and only where it concerns the hand; the score is that of the hand as the only one.

    Where chance removes cards it is that of another draw, by the seed of provisional counts.
    """
    assert notes(cards) == rules
    alone = score(EDITION, [Hand("A", cards)], {"seed": "night"})
    assert alone.hands[0].score == of(table(cards, settings={"seed": provisional_seed("night")})).score


def test_red_cards_that_protect_from_nothing_say_nothing() -> None:
    """Without rule 6 there is no deduction that rule 7 could void, so nothing about it is open."""
    assert notes(hand(red=3), active_rules=[6, 7]) == {"6", "7"}
    assert notes(hand(red=3), active_rules=[7]) == set()


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_a_provisional_draw_tells_nothing_of_the_final_one(language: str) -> None:
    """Neither the game's seed nor the provisional one stands in it; the final count draws anew, and shows its seed."""
    edition = load_edition("sackson-1969", language)
    big = [Hand(name, hand(6, 6, 6, 6, 6)) for name in "ABCDE"]
    alone = score(edition, big, {"seed": "Xanadu"}, provisional=True)
    final = score(edition, big, {"seed": "Xanadu"}, provisional=False)
    told = json.dumps(document_of(alone))
    assert "Xanadu" not in told + alone.seed
    assert alone.seed not in told
    assert json.dumps(document_of(final)).count("Xanadu") == len(big)
    left = [{h.hand.player: dict(h.seat.counts("colour")) for h in result.hands} for result in (alone, final)]
    assert all(sum(counts.values()) == 13 for result in left for counts in result.values())
    assert left[0] != left[1]
    lines = [line for h in alone.hands for line in h.lines if line.rule == "15"]
    assert [line.open for line in lines] == [False, True] * len(big)


def test_a_game_of_several_hands_leaves_nothing_open() -> None:
    """With all hands on the table no line speaks of what is not known."""
    result = table(hand(red=3, yellow=2), ATTACK)
    assert not any(line.open for h in result.hands for line in h.lines)


def test_kinds_stand_in_the_order_of_the_printed_codes() -> None:
    """Five colours and 15 sheets; each player starts with ten cards and two different sheets."""
    expected = ["yellow", "blue", "red", "orange", "white", *(f"rule-{number}" for number in range(1, 16))]
    assert [kind.slug for kind in EDITION.kinds] == expected
    assert [(deal.category, deal.each, deal.different) for deal in EDITION.deal] == [
        ("colour", 10, False),
        ("rule", 2, True),
    ]
    assert (
        len({kind.ink for kind in EDITION.kinds if kind.ink}) == len({k.symbol for k in EDITION.kinds if k.symbol}) == 5
    )
