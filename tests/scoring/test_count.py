"""A hand's own points: worths, limits, factors, adjusted numbers, doublings, shields and removed cards."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from server.editions.checks import contradictions
from server.scoring import Hand, Phase, Scorer, ScoringError, score
from server.scoring.hand import Adjustment
from tests.scoring.support import EUROCG, deck, game, scored, scores, toy

if TYPE_CHECKING:
    from server.scoring import Edition

COINS = {"gold": 2, "tin": 3}
WORTH = ("worth", Phase.BASE, lambda me, _n: me.worth("gold", 2))
FINE = ("fine", Phase.DEDUCT, lambda me, _n: me.points(-1))


def rule(key: str, phase: Phase, verb: str, *arguments: object) -> tuple[Any, ...]:
    """Return a rule that writes one thing; it touches the rules that it names."""
    touches = arguments[0] if isinstance(arguments[0], list) and phase in {Phase.ADJUST, Phase.SHIELD} else []
    return key, phase, lambda me, _n: getattr(me, verb)(*arguments), *touches


def lines(edition: Edition, cards: dict[str, int]) -> list[tuple[str | None, int, str | None]]:
    """Return rule, points and who voided them, line by line; those that are not void make the score."""
    (hand,) = score(edition, [Hand("Ada", cards)]).hands
    assert sum(line.points for line in hand.lines if not line.void) == hand.score
    return [(line.rule, int(line.points), line.voided_by) for line in hand.lines]


TIN = (None, 0, None)


MADE = {
    one[0]: one
    for one in (
        WORTH,
        rule("zero", Phase.WORTH, "zero", ["gold"]),
        rule("all", Phase.WORTH, "zero", ["gold", "tin"]),
        rule("more", Phase.WORTH, "multiply", "gold", 2, 99),
        rule("double", Phase.DOUBLE, "double", 2),
        ("gift", Phase.OWN, lambda me, _n: me.points(me.handed_in("gold"))),
        ("both", Phase.DEDUCT, lambda me, _n: (me.points(-1), me.points(5))),
        rule("loss", Phase.DEDUCT, "points", -3),
        rule("void", Phase.SHIELD, "void", ["gift"]),
        rule("void-2", Phase.SHIELD, "void", ["gift"]),
        rule("shield", Phase.SHIELD, "shield", ["both"], 10),
        rule("spoil", Phase.SHIELD, "void", ["double"]),
    )
}


@pytest.mark.parametrize(
    ("rules", "cards", "expected"),
    [
        ("worth", COINS, [(None, 4, None), TIN]),  # a kind without a worth counts nothing
        ("worth zero all", COINS, [(None, 4, "zero"), (None, 0, "all"), ("zero", 0, None), ("all", 0, None)]),
        ("zero", {}, []),
        ("worth zero more", {"gold": 3}, [(None, 6, "zero"), ("zero", 0, None), ("more", 6, "zero")]),
        ("gift void void-2", {"gold": 2}, [TIN, ("gift", 2, "void"), ("void", 0, None), ("void-2", 0, None)]),
        ("gift void", {"tin": 1}, [TIN]),
        ("both loss shield", {}, [("both", -1, "shield"), ("both", 5, None), ("loss", -3, None), ("shield", 0, None)]),
        ("worth double spoil", {"gold": 1}, [(None, 2, None), ("double", 2, "spoil"), ("spoil", 0, None)]),
    ],
)
def test_rules_leave_these_lines(rules: str, cards: dict[str, int], expected: list[Any]) -> None:
    """A void line remains and names the first rule that voided it; an entry without effect has no line."""
    edition = toy(*(MADE[key] for key in rules.split()))
    assert list(contradictions(edition)) == []
    assert lines(edition, cards) == expected


CAP, TIGHTER = (("cap", Phase.COUNT, lambda me, _n, limit=limit: me.cap("gold", limit)) for limit in (2, 1))
DOUBLE_ALL = rule("double", Phase.WORTH, "multiply", "gold", 2, 99)
TRIPLE_ONE = rule("triple", Phase.WORTH, "multiply", "gold", 3, 1)
ZERO = rule("zero", Phase.WORTH, "zero", ["gold"])
AT_LEAST, AT_LEAST_LESS = (rule("least", Phase.WORTH, "at_least", "gold", points) for points in (20, 10))


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        ([], 12),
        *(([rule("cap", Phase.COUNT, "cap", "gold", limit)], 4 * min(max(limit, 0), 3)) for limit in (-1, 0, 1, 3, 4)),
        ([CAP, TIGHTER], 4),
        ([DOUBLE_ALL], 24),
        ([TRIPLE_ONE], 20),
        ([DOUBLE_ALL, TRIPLE_ONE], 32),
        ([CAP, DOUBLE_ALL], 16),
        ([CAP, DOUBLE_ALL, TRIPLE_ONE], 24),
        ([ZERO, DOUBLE_ALL, TRIPLE_ONE], 0),
        ([AT_LEAST], 20),
        ([AT_LEAST, DOUBLE_ALL], 24),
        ([AT_LEAST, AT_LEAST_LESS], 20),
        ([AT_LEAST_LESS, AT_LEAST, ZERO, DOUBLE_ALL], 20),
        ([rule("w", Phase.BASE, "worth", "gold", worth) for worth in (5, 7, 6)], 21),
    ],
)
def test_entries_about_three_of_four_coins_add_up_in_any_order(rules: list[Any], points: int) -> None:
    """The highest worth, the smallest limit, factors on the plain worth, zero before factors, least worths above."""
    for order in permutations(rules):
        named = [(f"{index}", *one[1:]) for index, one in enumerate(order)]
        found = lines(toy(*named, worths={"gold": 4}), {"gold": 3})
        assert sum(gain for _, gain, voided_by in found if voided_by is None) == points


def test_adjustments_of_a_number_add_up_for_one_hand() -> None:
    seen: list[int] = []

    def move(by: int) -> tuple[Any, ...]:
        def act(me: Any, _n: object) -> None:  # noqa: ANN401 - a seat
            seen.extend(me.numbers[key].limit for key in me.numbers if key == "limited")
            if me.has("tin"):
                me.adjust(["limited"], "limit", by)

        return f"move-{by}", Phase.ADJUST, act, "limited"

    limited = ("limited", Phase.OWN, lambda me, n: me.points(n.limit))
    edition = toy(move(1), move(2), limited, numbers={"limited": {"limit": 5}})
    assert scores(score(edition, [Hand("Ada", COINS), Hand("Bob", {"gold": 1})])) == {"Ada": 8, "Bob": 5}
    assert set(seen) == {5}
    (alone,) = score(edition, [Hand("Ada", COINS)], active_rules=["move-1"]).hands
    assert not [line for line in alone.lines if line.rule]


def test_a_doubling_applies_to_earlier_points() -> None:
    """Two doublings both read the points before either; an edition may double after deductions."""
    bonus = rule("bonus", Phase.OWN, "points", 10)
    for factors, expected in (([2], 2 * 13 - 1), ([2, 2], 3 * 13 - 1), ([2, 3], 4 * 13 - 1)):
        doubles = [rule(f"double-{index}", Phase.DOUBLE, "double", factor) for index, factor in enumerate(factors)]
        assert scores(game(toy(bonus, *doubles, FINE, worths={"gold": 1}), 3))["a"] == expected
    spare = ("spare", Phase.SHIELD, lambda me, _n: me.has("tin") and me.void(["fine"]), "fine")
    plain = toy(rule("double", Phase.DOUBLE, "double", 2), FINE, spare, worths={"gold": 1, "tin": 0})
    usual = [phase for phase in Phase if phase not in (Phase.DOUBLE, Phase.DEDUCT, Phase.SHIELD)]
    late = replace(plain, phases=(*usual, Phase.DEDUCT, Phase.SHIELD, Phase.DOUBLE))
    assert list(contradictions(late)) == []
    hands = [Hand("Ada", {"gold": 5}), Hand("Bob", {"gold": 5, "tin": 1})]
    assert scores(score(plain, hands)) == {"Ada": 9, "Bob": 10}
    assert scores(score(late, hands)) == {"Ada": 8, "Bob": 10}


def test_a_shield_after_a_doubling_is_refused() -> None:
    early = rule("fine", Phase.OWN, "points", -1)
    late = rule("spare", Phase.SHIELD, "void", ["fine"])
    assert list(contradictions(toy(early, rule("double", Phase.DOUBLE, "double", 2), late))) == [
        (
            "rules.spare",
            "touches rule fine, but cannot change what it does in OWN, by the order of the phases; take it out",
        )
    ]


def test_the_smallest_limit_decides_how_many_cards_stay() -> None:
    """The cards handed in are remembered, and a kind of which all cards are removed keeps its line."""
    left = ("left", Phase.OWN, lambda me, _n: me.points(me.has("coin")))
    edition = toy(*(rule(f"keep-{limit}", Phase.REMOVE, "keep", "coin", limit) for limit in (5, 3)), left)
    for cards, stay in (({"gold": 4, "tin": 4}, 3), ({"gold": 4}, 3), ({"gold": 3}, 3), ({"gold": 2}, 2)):
        (hand,) = score(edition, [Hand("Ada", cards)]).hands
        assert (hand.score, hand.seat.handed_in("gold"), hand.seat.total) == (stay, cards["gold"], sum(cards.values()))
    one = toy(rule("keep", Phase.REMOVE, "keep", "coin", 1), worths={"gold": 1, "tin": 1})
    assert sorted(points for key, points, _ in lines(one, {"gold": 1, "tin": 1}) if key is None) == [0, 1]


@pytest.mark.parametrize(
    ("cards", "settings", "active", "message"),
    [
        ({"purple": 1}, None, None, "Ada: eurocg-2026 has no card 'purple'"),
        ({"red": -1}, None, None, "Ada: -1 cards of kind 'red'; the number must not be negative"),
        ({}, {"blue_base": -1}, None, "setting blue_base is -1, but must be at least 0"),
        ({}, {"green_base": 1}, None, r"eurocg-2026 has no setting 'green_base' \(it has blue_base, seed\)"),
        ({}, None, [1, 99], "eurocg-2026 has no rule '99'"),
    ],
)
def test_unknown_cards_settings_and_rules_are_refused(cards: Any, settings: Any, active: Any, message: str) -> None:  # noqa: ANN401 - a table
    with pytest.raises(ScoringError, match=message):
        scored(Hand("Ada", cards), settings, active)


def test_a_setting_may_be_as_large_as_its_limit() -> None:
    assert Scorer(toy(), {"luck": 10}).settings == {"luck": 10}
    with pytest.raises(ScoringError, match="setting luck is 11, but must be at least 0 and at most 10"):
        Scorer(toy(), {"luck": 11})


def test_a_scorer_can_be_reused_and_accepts_zero_cards() -> None:
    scorer = Scorer(EUROCG)
    hands = [deck(red=5, green=7, blue=2, pink=0, rules=[2, 11, 23]), deck(red=2, player="Bob")]
    again = [deck(red=5, green=7, blue=2, rules=[2, 11, 23]), hands[1]]
    first, second = scorer.score(hands), scorer.score(again)
    assert [(h.score, h.rank, h.lines) for h in first.hands] == [(h.score, h.rank, h.lines) for h in second.hands]


def test_the_largest_hands_cost_no_more_than_small_ones() -> None:
    """Ten thousand copies of every card are counted, not listed one by one."""
    result = scored(Hand("Ada", {kind.slug: 10_000 for kind in EUROCG.kinds}))
    assert result.seat.total == 10_000 * len(EUROCG.kinds)
    assert result.seat.serials("rule") == tuple(range(1, len(EUROCG.rules) + 1))
    assert [(x.rule, x.points) for x in result.lines if x.points and not x.void] == [("11", 2), ("18", 12)]


def test_adjustments_are_lines_after_all_rules() -> None:
    """No rule doubles or voids them; an eliminated hand has none."""
    double = rule("double", Phase.DOUBLE, "double", 2)
    out = ("out", Phase.ELIMINATE, lambda me, _n: me.eliminate() if me.has("tin") else None)
    given = (Adjustment(5, "best costume"), Adjustment(-3, "late"))
    hands = [
        Hand("a", {"gold": 2}, adjustments=given),
        Hand("b", {"gold": 3}),
        Hand("c", {"tin": 1}, adjustments=given),
    ]
    first, second, third = score(toy(WORTH, double, out), hands).hands
    assert (first.hand.player, first.score, second.score) == ("b", 12, 10)
    assert [(line.rule, line.points, line.text) for line in second.lines[-2:]] == [
        ("±", 5, "best costume"),
        ("±", -3, "late"),
    ]
    assert third.eliminated
    assert [line.rule for line in third.lines] == ["out"]
