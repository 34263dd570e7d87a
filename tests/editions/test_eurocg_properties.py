"""What holds for every deck of EuroCG 2026: random decks, counted twice and shuffled."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from server.scoring import Hand, score
from tests.editions.eurocg_reference import COLOURS, reference
from tests.scoring.support import EUROCG

# Small counts are the interesting ones: most limits lie below 8.
COUNTS = st.one_of(st.integers(0, 8), st.integers(0, 3), st.integers(0, 25))
RULE_CARDS = st.lists(st.integers(1, 23), max_size=9)


@st.composite
def decks(draw: st.DrawFn, player: str = "Ada") -> Hand:
    """Make a random deck: colours often absent, up to nine rule cards, some specials."""
    cards: dict[str, int] = {}
    for colour in draw(st.sets(st.sampled_from(COLOURS))):
        cards[colour] = draw(COUNTS)
    for number in draw(RULE_CARDS):
        cards[f"rule-{number}"] = cards.get(f"rule-{number}", 0) + 1
    for special in draw(st.lists(st.integers(1, 24), max_size=4)):
        cards[f"special-{special}"] = cards.get(f"special-{special}", 0) + 1
    return Hand(player, cards)


games = st.integers(1, 4).flatmap(lambda n: st.tuples(*[decks(f"p{i}") for i in range(n)]))
name_of = {kind.slug: kind.name for kind in EUROCG.kinds}


@settings(max_examples=3000, deadline=None)
@given(decks(), st.integers(0, 6))
def test_the_engine_agrees_with_the_reference(hand: Hand, blue_base: int) -> None:
    """Score, points of every colour, points of every rule and zeroed colours are those of the second count."""
    result = score(EUROCG, [hand], {"blue_base": blue_base}).hands[0]
    expected = reference(hand.cards, blue_base)
    assert result.score == expected.score
    colours = {line.text.split(":")[0]: line for line in result.lines if line.rule is None}
    live = {name: 0 if line.void else line.points for name, line in colours.items()}
    assert live == {name_of[colour]: points for colour, points in expected.colours.items()}
    assert {name for name, line in colours.items() if line.void} == {name_of[colour] for colour in expected.zeroed}
    gained = {int(line.rule): line.points for line in result.lines if line.rule and line.points and not line.void}
    assert gained == expected.rules


@settings(max_examples=300, deadline=None)
@given(decks())
def test_lines_add_up_and_stand_in_order(hand: Hand) -> None:
    """Live lines add up to the score; cards come first, then rules by number; blue is marked as the organiser's."""
    result = score(EUROCG, [hand]).hands[0]
    assert sum((line.points for line in result.lines if not line.void), Fraction(0)) == result.score
    keys = [0 if line.rule is None else int(line.rule) for line in result.lines]
    assert keys == sorted(keys)
    assert all(line.void == (line.voided_by is not None) for line in result.lines)
    assert sum("set by the organiser" in line.text for line in result.lines) == 1
    assert not any("{" in line.text for line in result.lines)


@settings(max_examples=300, deadline=None)
@given(games, st.data())
def test_the_order_of_rules_cards_and_players_changes_nothing(hands: tuple[Hand, ...], data: st.DataObject) -> None:
    """Rules shuffled within their phases, cards and seats shuffled: every line and every rank stays."""
    plain = score(EUROCG, hands)
    other_edition = replace(EUROCG, rules=tuple(data.draw(st.permutations(EUROCG.rules))))
    others = [Hand(hand.player, dict(data.draw(st.permutations(list(hand.cards.items()))))) for hand in hands]
    other = score(other_edition, data.draw(st.permutations(others)))
    first = {hand.hand.player: (hand.score, hand.rank, hand.decided_by, hand.lines) for hand in plain.hands}
    second = {hand.hand.player: (hand.score, hand.rank, hand.decided_by, hand.lines) for hand in other.hands}
    assert first == second


@settings(max_examples=100, deadline=None)
@given(games)
def test_hands_do_not_influence_each_other(hands: tuple[Hand, ...]) -> None:
    """Every rule of this edition looks at one deck: a hand scores the same alone and among others."""
    together = {hand.hand.player: hand.lines for hand in score(EUROCG, hands).hands}
    for hand in hands:
        assert score(EUROCG, [hand]).hands[0].lines == together[hand.player]


@settings(max_examples=300, deadline=None)
@given(decks(), st.sets(st.integers(1, 23)))
def test_a_subset_of_rules_writes_only_its_own_lines(hand: Hand, active: set[int]) -> None:
    """Inactive rules write and void nothing, and the lines still add up."""
    result = score(EUROCG, [hand], active_rules=active).hands[0]
    assert {int(line.rule) for line in result.lines if line.rule} <= active
    assert {int(line.voided_by) for line in result.lines if line.voided_by} <= active
    assert sum((line.points for line in result.lines if not line.void), Fraction(0)) == result.score
