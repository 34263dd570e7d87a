"""Where rules of EuroCG 2026 touch each other: every pair at work, and no pair forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.scoring.support import EUROCG, by_rule, deck, scored

if TYPE_CHECKING:
    from server.scoring import Hand

# The rule that touches, the rule touched, a hand at the edge: one without and one with the touch.
TOUCHES: dict[tuple[str, str], list[tuple[Hand, bool]]] = {
    ("19", "12"): [
        (deck(green=7, blue=1), True),
        (deck(green=7, blue=1, pink=1), False),
        (deck(green=8, blue=1, pink=1), True),
    ],
    ("19", "13"): [
        (deck(red=5, blue=1), True),
        (deck(red=5, blue=1, pink=1), False),
        (deck(red=6, blue=1, pink=1), True),
    ],
    ("20", "14"): [
        (deck(blue=1, rules=[1, 2, 3, 4, 5, 6]), True),
        (deck(red=1, blue=1, rules=[1, 2, 3, 4, 5, 6]), False),
        (deck(red=1, rules=[1, 2, 3, 4, 5, 6, 7]), False),
        (deck(red=1, rules=[1, 2, 3, 4, 5, 6, 7, 8]), True),
    ],
    ("14", "2"): [(deck(red=3, rules=[8]), False)],  # one rule card is never above the limit
    ("14", "3"): [(deck(rules=[1, 2, 3, 4, 5]), False), (deck(rules=[1, 2, 3, 4, 5, 6, 7]), True)],
    ("14", "4"): [(deck(rules=[1, 2, 3, 4]), False), (deck(rules=[1, 2, 3, 4, 5, 6]), True)],
}


def test_every_touch_is_tested() -> None:
    """The edition declares exactly the touches that this module tests."""
    assert {(rule.key, touched) for rule in EUROCG.rules for touched in rule.touches} == set(TOUCHES)


@pytest.mark.parametrize(
    ("touched", "hand", "acts"),
    [
        (touched, hand, acts)
        for (_, touched), cases in TOUCHES.items()
        if touched in {"12", "13", "14"}
        for hand, acts in cases
    ],
)
def test_a_moved_limit_decides(touched: str, hand: Hand, acts: bool) -> None:  # noqa: FBT001 - a column of the table
    """Rules 12, 13 and 14 act or not by the limit that rules 19 and 20 leave them."""
    assert bool(by_rule(scored(hand), int(touched))) == acts


@pytest.mark.parametrize(
    ("touched", "hand", "void"),
    [(touched, hand, void) for (rule, touched), cases in TOUCHES.items() if rule == "14" for hand, void in cases],
)
def test_rule_14_voids_what_rule_cards_bring(touched: str, hand: Hand, void: bool) -> None:  # noqa: FBT001 - a column
    """The line of the touched rule stays, void or not."""
    (line,) = by_rule(scored(hand), int(touched))
    assert (line.void, line.voided_by) == (void, "14" if void else None)
    assert line.points > 0


@pytest.mark.parametrize("inactive", ["19", "20", "14"])
def test_an_inactive_rule_touches_nothing(inactive: str) -> None:
    """Without the touching rule, the touched one acts by its printed limit, and nothing is void."""
    active = [int(rule.key) for rule in EUROCG.rules if rule.key != inactive]
    hand = deck(red=5, green=1, blue=1, rules=[1, 2, 3, 4, 5, 7])
    result = scored(hand, active=active)
    assert by_rule(result, int(inactive)) == []
    expected = {"19": (True, False), "20": (False, True), "14": (False, False)}[inactive]
    red = by_rule(result, None)[0].void
    four = by_rule(result, 4)[0].void
    assert (red, four) == expected
