"""The balance of an edition: spreads of scores, and rules compared with counts without them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import edition_names, load_edition
from server.scoring import Hand, Numbers, Phase, Rulebook, Seat, score
from server.scoring.edition import Fact, PartOfDeck
from server.search.balance import Spread, balance
from server.search.chance import Chance
from server.search.games import dealt, entered, laid, traded
from server.search.shares import shares_of
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


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(edition_names()), st.integers(1, 6), st.text(max_size=4))
def test_the_shares_of_rules_and_cards_are_the_score(name: str, players: int, seed: str) -> None:
    """Nothing of a hand's score is without a rule or the cards themselves, and nothing counts twice."""
    edition = load_edition(name)
    hands = traded(dealt(edition, players, Chance(seed)), 5 * players, Chance(seed))
    result = score(edition, [Hand(str(place), cards) for place, cards in enumerate(hands)], provisional=False)
    for hand in result.hands:
        shares = shares_of(hand)
        assert sum(shares.values()) == hand.score
        for key in edition.rule_of:
            lines = [line.points for line in hand.lines if line.rule == key and not line.void]
            set_worths = any(entry.rule.key == key for entry in hand.count.worths.values())
            assert set_worths or shares.get(key, 0) == sum(lines)


@pytest.mark.parametrize("name", edition_names())
def test_cards_and_lines_make_up_the_mean_score(name: str) -> None:
    """What the table shows beside the rules adds up, in every edition; rules that set worths have their cards."""
    found = balance(load_edition(name), 8, 2, 10, "x")
    assert found.cards + sum(share.lines for share in found.rules) == pytest.approx(found.traded.mean)
    assert found.cards > 0 or name != "sackson-1969"
    if name == "eurocg-2026":
        assert found.cards == 0
        assert any(share.lines > 1 for share in found.rules if Phase.BASE in share.rule.phases)


def test_parts_and_facts_are_drawn_by_the_seed() -> None:
    """Every card lies in a part, every value of a fact comes up, and hands are those of an edition without either."""
    edition = replace(
        toy(Rulebook()),
        parts=(PartOfDeck("left", "Left"), PartOfDeck("right", "Right")),
        facts=(Fact("luck", "Luck?", False, -1, 2, 0), Fact("kind", "Kind?", True, 0, 1, False)),
    )
    chance = Chance("x")
    facts = entered(edition, 60, chance)
    assert {entry["luck"] for entry in facts} == {-1, 0, 1, 2}
    assert {entry["kind"] for entry in facts} == {False, True}
    assert all(isinstance(entry["kind"], bool) for entry in facts)
    cards = Counter({"gold": 30, "tin": 20})
    parts = laid(edition, cards, chance)
    assert sum(parts.values(), Counter()) == cards
    assert all(10 < part.total() < 40 for part in parts.values())
    assert laid(toy(Rulebook()), cards, chance) == {}
    assert balance(edition, 6, 4, 2, "x").start.scores == balance(toy(Rulebook()), 6, 4, 2, "x").start.scores
    again = Chance("x")
    assert entered(edition, 60, again) == facts


def test_rules_about_parts_and_facts_take_part() -> None:
    """A rule that reads them does something to some hands and not to others."""
    book = Rulebook()

    @book.rule("left", Phase.OWN)
    def left(me: Seat, _n: Numbers) -> None:
        me.points(me.part("left").has("coin"))

    @book.rule("luck", Phase.OWN)
    def luck(me: Seat, _n: Numbers) -> None:
        me.points(me.fact("luck"))

    parts = (PartOfDeck("left", "Left"), PartOfDeck("right", "Right"))
    edition = replace(toy(book), parts=parts, facts=(Fact("luck", "Luck?", False, 0, 4, 0),))
    found = balance(edition, 6, 30, 0, "x")
    gives = {share.rule.key: share for share in found.rules}
    assert 0 < gives["left"].acts < 1
    assert gives["left"].gain == gives["left"].lines == pytest.approx(1, abs=0.25)  # two coins, half of them left
    assert gives["luck"].gain == pytest.approx(2, abs=0.4)


def test_shares_and_moments_of_a_spread() -> None:
    """The least, the middle and the most of what is there; nothing at all is 0."""
    spread = Spread(tuple(Fraction(score) for score in (1, 2, 3, 4)), 2)
    assert [spread.share(part) for part in (0, 0.25, 0.5, 0.75, 1)] == [1, 1, 2, 3, 4]
    assert spread.mean == 2.5
    assert spread.deviation == pytest.approx(1.25**0.5)
    nothing = Spread((), 3)
    assert (nothing.mean, nothing.deviation, nothing.share(0.5)) == (0, 0, 0)
