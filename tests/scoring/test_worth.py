"""What rules write about the worth of cards, and doublings of all that came before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.editions.checks import mistakes
from server.scoring import Hand, Phase, Rulebook, score
from tests.scoring.support import toy
from tests.scoring.tables import game, scores


def worth_book(*writes: object) -> Rulebook:
    """Return rules that each write one thing about the worth of gold, in the phase that fits."""
    book = Rulebook()
    for place, write in enumerate(writes):
        phase, act = write  # type: ignore[misc]  # pairs
        book.rule(f"rule-{place}", phase)(lambda me, _n, act=act: act(me))
    return book


CAP = (Phase.COUNT, lambda me: me.cap("gold", 2))
TIGHTER = (Phase.COUNT, lambda me: me.cap("gold", 1))
DOUBLE_ALL = (Phase.WORTH, lambda me: me.multiply("gold", 2, 99))
TRIPLE_ONE = (Phase.WORTH, lambda me: me.multiply("gold", 3, 1))
ZERO = (Phase.WORTH, lambda me: me.zero(["gold"]))
AT_LEAST = (Phase.WORTH, lambda me: me.at_least("gold", 20))
AT_LEAST_LESS = (Phase.WORTH, lambda me: me.at_least("gold", 10))


@pytest.mark.parametrize(
    ("writes", "points"),
    [
        ([], 12),
        ([CAP], 8),
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
        ([AT_LEAST, ZERO], 20),
        ([AT_LEAST_LESS, AT_LEAST, ZERO, DOUBLE_ALL], 20),
    ],
)
def test_what_rules_write_about_worth_adds_up_in_any_order(writes: list[object], points: int) -> None:
    """Three coins of 4: the smallest limit, factors on the plain worth, zero before factors, least worths above all."""
    for order in (writes, writes[::-1]):
        edition = toy(worth_book(*order), worths={"gold": 4}, valued=frozenset({"coin"}))
        (hand,) = score(edition, [Hand("Ada", {"gold": 3})]).hands
        assert hand.score == points
        assert sum(line.points for line in hand.lines if not line.void) == points


def test_a_factor_on_a_worthless_kind_is_a_void_line() -> None:
    """The breakdown keeps what the factor would have brought, with the rule that made the kind worthless."""
    edition = toy(worth_book(ZERO, DOUBLE_ALL), worths={"gold": 4}, valued=frozenset({"coin"}))
    (hand,) = score(edition, [Hand("Ada", {"gold": 3})]).hands
    assert [(line.rule, line.points, line.voided_by) for line in hand.lines] == [
        (None, 12, "rule-0"),
        ("rule-0", 0, None),
        ("rule-1", 12, "rule-0"),
    ]


def test_a_doubling_takes_what_came_before_and_nothing_after() -> None:
    """Cards and bonuses double, deductions do not; two doublings both read the points before either."""
    for factors, expected in (([2], 2 * 13 - 1), ([2, 2], 3 * 13 - 1), ([2, 3], 4 * 13 - 1)):
        book = Rulebook()
        book.rule("bonus", Phase.OWN)(lambda me, _n: me.points(10))
        for place, factor in enumerate(factors):
            book.rule(f"double-{place}", Phase.DOUBLE)(lambda me, _n, factor=factor: me.double(factor))
        book.rule("fine", Phase.DEDUCT)(lambda me, _n: me.points(-1))
        assert scores(game(toy(book, worths={"gold": 1}), 3))["a"] == expected


def test_an_edition_may_double_after_deductions() -> None:
    """The order of the phases about points is the edition's."""
    book = Rulebook()
    book.rule("double", Phase.DOUBLE)(lambda me, _n: me.double(2))
    book.rule("fine", Phase.DEDUCT)(lambda me, _n: me.points(-1))
    book.rule("spare", Phase.SHIELD, touches=["fine"])(lambda me, _n: me.has("tin") and me.void(["fine"]))
    plain = toy(book, worths={"gold": 1, "tin": 0})
    usual = [phase for phase in Phase if phase not in (Phase.DOUBLE, Phase.DEDUCT, Phase.SHIELD)]
    late = replace(plain, phases=(*usual, Phase.DEDUCT, Phase.SHIELD, Phase.DOUBLE))
    assert (scores(game(plain, 5))["a"], scores(game(late, 5))["a"]) == (9, 8)
    (spared,) = score(late, [Hand("Ada", {"gold": 5, "tin": 1})]).hands
    assert spared.score == 10
    assert list(mistakes(late)) == []


def test_a_shield_cannot_reach_behind_a_doubling() -> None:
    """What has been doubled cannot be void any more: the edition is refused."""
    book = Rulebook()
    book.rule("fine", Phase.OWN)(lambda me, _n: me.points(-1))
    book.rule("double", Phase.DOUBLE)(lambda me, _n: me.double(2))
    book.rule("spare", Phase.SHIELD, touches=["fine"])(lambda me, _n: me.void(["fine"]))
    assert list(mistakes(toy(book))) == [
        ("rules.spare", "touches rule fine, whose phase is on the wrong side: it acts in OWN")
    ]
