"""The balance of an edition: random games, the distribution of scores, and rules compared with scores without them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import edition_names, load_edition
from server.optimizer.balance import Distribution, balance
from server.optimizer.simulation import (
    SeededRandom,
    deal_hands,
    points_by_rule,
    random_facts,
    random_parts,
    trade_cards,
)
from server.optimizer.space import start_cards, supply
from server.scoring import Hand, Phase, score
from server.scoring.edition import Fact, PartOfDeck
from tests.scoring.support import toy

EUROCG = load_edition("eurocg-2026")
PARTS = (PartOfDeck("left", "Left"), PartOfDeck("right", "Right"))


@pytest.mark.parametrize("name", edition_names())
@pytest.mark.parametrize("players", [1, 2, 35, 70])
def test_hands_follow_the_deal_of_the_edition(name: str, players: int) -> None:
    """The right number of printed cards, different if the edition says so, and the same hands for the same seed."""
    edition = load_edition(name)
    hands = deal_hands(edition, players, SeededRandom("a"))
    assert [hand.total() for hand in hands] == [start_cards(edition, players)] * players
    printed = supply(edition, players)
    assert all(number <= printed[kind] + 1 for kind, number in sum(hands, Counter()).items())
    different = {deal.category for deal in edition.deal if deal.different}
    for hand in hands:
        assert all(n == 1 for kind, n in hand.items() if edition.kind_of[kind].category in different)
    assert deal_hands(edition, players, SeededRandom("a")) == hands
    assert players == 1 or deal_hands(edition, players, SeededRandom("b")) != hands


@settings(max_examples=25)
@given(st.integers(1, 9), st.integers(0, 40), st.text(max_size=3))
def test_trades_lose_no_card(players: int, trades: int, seed: str) -> None:
    before = deal_hands(EUROCG, players, SeededRandom(seed))
    counts = [Counter(hand) for hand in before]
    after = trade_cards(before, trades, SeededRandom(seed))
    assert before == counts
    assert sum(after, Counter()) == sum(before, Counter())
    assert all(number > 0 for hand in after for number in hand.values())
    assert after == before or (trades and players > 1)


def test_draws_are_even_and_shuffles_keep_everything() -> None:
    chance = SeededRandom("even")
    found = Counter(chance.below(6) for _ in range(6000))
    assert sorted(found) == list(range(6))
    assert all(850 < number < 1150 for number in found.values())
    mixed = chance.shuffled(range(50))
    assert sorted(mixed) == list(range(50)) != mixed


def test_starting_hands_are_the_dealt_cards() -> None:
    found = balance(EUROCG, 4, 1, 0, "x")
    hands = deal_hands(EUROCG, 4, SeededRandom("x/eurocg-2026/4"))
    result = score(EUROCG, [Hand(f"Player {n}", cards) for n, cards in enumerate(hands, 1)])
    assert list(found.start.scores) == sorted(hand.score for hand in result.hands)
    assert found.start == found.traded
    assert balance(EUROCG, 4, 1, 5, "x").traded != found.traded


def test_the_gain_of_a_rule_is_the_difference_without_it() -> None:
    """Points for everyone, points for some, none, and points that depend on parts and facts."""
    edition = toy(
        ("seven", Phase.OWN, lambda me, _n: me.points(7)),
        ("tin", Phase.OWN, lambda me, _n: me.points(-3 * me.has("tin"))),
        ("nothing", Phase.OWN, lambda me, _n: me.points(0)),
        ("left", Phase.OWN, lambda me, _n: me.points(me.part("left").has("coin"))),
        ("luck", Phase.OWN, lambda me, _n: me.points(me.fact("luck"))),
        parts=PARTS,
        facts=(Fact("luck", "Luck?", False, 0, 4, 0),),
    )
    found = balance(edition, 6, 20, 2, "x")
    gives = {share.rule.key: share for share in found.rules}
    assert (gives["seven"].acts, gives["seven"].gain, gives["seven"].eliminates) == (1, 7, 0)
    assert (gives["nothing"].acts, gives["nothing"].gain) == (0, 0)
    assert 0 < gives["tin"].acts < 1
    assert gives["tin"].gain == pytest.approx(-3)  # half of the coins are tin, two coins a player
    assert 0 < gives["left"].acts < 1
    assert gives["left"].gain == gives["left"].lines == pytest.approx(1, abs=0.25)  # two coins, half of them left
    assert gives["luck"].gain == pytest.approx(2, abs=0.4)
    assert found.traded.mean == pytest.approx(float(sum(share.gain for share in found.rules)))


def test_a_rule_that_eliminates_is_counted_separately() -> None:
    """Eliminated hands have no score and do not distort the effect of the rule."""
    edition = toy(("out", Phase.ELIMINATE, lambda me, _n: me.has("tin") and me.eliminate()))
    found = balance(edition, 6, 20, 0, "x")
    (share,) = found.rules
    assert share.eliminates == share.acts == found.traded.eliminated / 120 > 0
    assert share.gain == 0
    assert len(found.traded.scores) + found.traded.eliminated == 120


@pytest.mark.thorough
def test_many_rules_are_compared_on_fewer_games() -> None:
    """All games count for the spread; at least one game is counted without each rule."""
    found = balance(load_edition("tarot-fr"), 70, 4, 1, "x")
    assert (found.games, found.rule_games) == (4, 3)
    assert (len(found.rules), len(found.start.scores)) == (169, 280)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(edition_names()), st.integers(1, 6), st.text(max_size=4))
def test_the_shares_of_rules_and_cards_are_the_score(name: str, players: int, seed: str) -> None:
    edition = load_edition(name)
    hands = trade_cards(deal_hands(edition, players, SeededRandom(seed)), 5 * players, SeededRandom(seed))
    result = score(edition, [Hand(str(index), cards) for index, cards in enumerate(hands)], provisional=False)
    for hand in result.hands:
        shares = points_by_rule(hand)
        assert sum(shares.values()) == hand.score
        setting = {entry.rule.key for entry in hand.count.worths.values()}
        for key in edition.rule_of.keys() - setting:
            assert shares.get(key, 0) == sum(line.points for line in hand.lines if line.rule == key and not line.void)


@pytest.mark.parametrize("name", edition_names())
def test_cards_and_lines_make_up_the_mean_score(name: str) -> None:
    """Rules that set worths have their cards."""
    found = balance(load_edition(name), 8, 1, 10, "x")
    assert found.cards + sum(share.lines for share in found.rules) == pytest.approx(found.traded.mean)
    assert found.cards > 0 or name != "sackson-1969"
    if name == "eurocg-2026":
        assert found.cards == 0
        assert any(share.lines > 1 for share in found.rules if Phase.BASE in share.rule.phases)


def test_parts_and_facts_depend_on_the_seed() -> None:
    """Every card is in a part, every value of a fact occurs, and hands are those of an edition without either."""
    facts = (Fact("luck", "Luck?", False, -1, 2, 0), Fact("kind", "Kind?", True, 0, 1, False))
    edition = replace(toy(), parts=PARTS, facts=facts)
    facts, again = (random_facts(edition, 60, SeededRandom("x")) for _ in range(2))
    assert facts == again
    assert {entry["luck"] for entry in facts} == {-1, 0, 1, 2}
    assert {entry["kind"] for entry in facts} == {False, True}
    assert all(isinstance(entry["kind"], bool) for entry in facts)
    cards = Counter({"gold": 30, "tin": 20})
    parts = random_parts(edition, cards, SeededRandom("x"))
    assert sum(parts.values(), Counter()) == cards
    assert all(10 < part.total() < 40 for part in parts.values())
    assert random_parts(toy(), cards, SeededRandom("x")) == {}
    assert balance(edition, 6, 4, 2, "x").start.scores == balance(toy(), 6, 4, 2, "x").start.scores


def test_quantiles_and_moments_of_a_distribution() -> None:
    """Quantiles, mean and deviation; all are 0 without scores."""
    spread = Distribution(tuple(Fraction(score) for score in (1, 2, 3, 4)), 2)
    assert [spread.quantile(part) for part in (0, 0.25, 0.5, 0.75, 1)] == [1, 1, 2, 3, 4]
    assert (spread.mean, spread.deviation) == (2.5, pytest.approx(1.25**0.5))
    nothing = Distribution((), 3)
    assert (nothing.mean, nothing.deviation, nothing.quantile(0.5)) == (0, 0, 0)
