"""The balance of an edition: spreads of scores, and rules compared with counts without them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from server.editions import load_edition
from server.scoring import Hand, Numbers, Phase, Rulebook, Seat, score
from server.search.balance import Spread, balance
from server.search.chance import Chance
from server.search.games import dealt
from tests.scoring.support import toy

EUROCG = load_edition("eurocg-2026")


def test_the_start_is_what_was_dealt() -> None:
    """The spread holds the score of every starting hand of the seed's games, in ascending order."""
    found = balance(EUROCG, 4, 1, 0, "x")
    hands = dealt(EUROCG, 4, Chance("x/eurocg-2026/4"))
    expected = sorted(
        hand.score for hand in score(EUROCG, [Hand(f"Player {n}", cards) for n, cards in enumerate(hands, 1)]).hands
    )
    assert list(found.start.scores) == expected
    assert found.start == found.traded
    assert balance(EUROCG, 4, 1, 5, "x").traded != found.traded


def test_a_rule_gives_what_is_missing_without_it() -> None:
    """Seven points for everyone, three taken for tin, and a rule that does nothing."""
    book = Rulebook()

    @book.rule("a", Phase.OWN)
    def seven(me: Seat, _n: Numbers) -> None:
        me.points(7)

    @book.rule("b", Phase.OWN)
    def three(me: Seat, _n: Numbers) -> None:
        me.points(-3 * me.has("tin"))

    @book.rule("c", Phase.OWN)
    def nothing(me: Seat, _n: Numbers) -> None:
        me.points(0)

    found = balance(toy(book), 6, 20, 2, "x")
    gives = {share.rule.key: share for share in found.rules}
    assert (gives["a"].acts, gives["a"].gain, gives["a"].eliminates) == (1, 7, 0)
    assert (gives["c"].acts, gives["c"].gain) == (0, 0)
    assert 0 < gives["b"].acts < 1
    # Half of the coins are tin, two coins a player.
    assert gives["b"].gain == pytest.approx(-3)
    assert found.traded.mean == pytest.approx(7 - 3)


def test_a_rule_that_eliminates_is_told_apart() -> None:
    """Hands that are out have no score and do not spoil what the rule gives."""
    book = Rulebook()

    @book.rule("out", Phase.ELIMINATE)
    def out(me: Seat, _n: Numbers) -> None:
        if me.has("tin"):
            me.eliminate()

    found = balance(toy(book), 6, 20, 0, "x")
    (share,) = found.rules
    assert share.eliminates == share.acts == found.traded.eliminated / 120 > 0
    assert share.gain == 0
    assert len(found.traded.scores) + found.traded.eliminated == 120


def test_many_rules_are_compared_on_fewer_games() -> None:
    """All games count for the spread; at least one game is counted without each rule."""
    tarot = load_edition("tarot-fr")
    found = balance(tarot, 70, 4, 1, "x")
    assert (found.games, found.rule_games) == (4, 3)
    assert len(found.rules) == 169
    assert len(found.start.scores) == 280


def test_shares_and_moments_of_a_spread() -> None:
    """The least, the middle and the most of what is there; nothing at all is 0."""
    spread = Spread(tuple(Fraction(score) for score in (1, 2, 3, 4)), 2)
    assert [spread.share(part) for part in (0, 0.25, 0.5, 0.75, 1)] == [1, 1, 2, 3, 4]
    assert spread.mean == 2.5
    assert spread.deviation == pytest.approx(1.25**0.5)
    nothing = Spread((), 3)
    assert (nothing.mean, nothing.deviation, nothing.share(0.5)) == (0, 0, 0)
