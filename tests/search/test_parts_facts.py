"""The proven best deck of editions whose decks have parts, and that ask for facts: the same as trying everything."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.scoring import Hand, Numbers, Phase, Rulebook, Scorer, ScoringError, Seat
from server.scoring.edition import Fact, PartOfDeck
from server.search import best_deck
from server.search.exact import proven_best
from server.search.holdings import TooManyError
from server.search.local import found_best
from server.search.marks import Marks
from server.search.space import Space
from tests.scoring.support import toy
from tests.search.brute import brute_best

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.scoring import Edition

    Make = Callable[[Rulebook], object]

PARTS = (PartOfDeck("left", "Left"), PartOfDeck("right", "Right"))
FACTS = (Fact("luck", "Luck?", False, -1, 3, 0), Fact("kind", "Kind?", True, 0, 1, False))


def _gold_left(book: Rulebook) -> None:
    @book.rule("gold-left", Phase.OWN)
    def rule(me: Seat, _n: Numbers) -> None:
        me.points(5 * min(me.part("left").has("gold"), 2) - me.part("left").has("tin"))


def _balanced(book: Rulebook) -> None:
    @book.rule("balanced", Phase.TABLE)
    def rule(me: Seat, _n: Numbers) -> None:
        left, right = me.part("left").has("coin"), me.part("right").has("coin")
        me.points(7 if left == right > 0 else 0)


def _pairs_right(book: Rulebook) -> None:
    @book.rule("pairs-right", Phase.OWN)
    def rule(me: Seat, _n: Numbers) -> None:
        me.points(4 * sum(number // 2 for number in me.part("right").counts("coin").values()))


def _too_much(book: Rulebook) -> None:
    @book.rule("too-much", Phase.DEDUCT)
    def rule(me: Seat, _n: Numbers) -> None:
        me.points(-3 * max(me.has("gold") - 2, 0) - (5 if me.total > 4 else 0))


def _loose_tin(book: Rulebook) -> None:
    @book.rule("loose-tin", Phase.OWN)
    def rule(me: Seat, _n: Numbers) -> None:
        laid = me.part("left").has("tin") + me.part("right").has("tin")
        me.points(2 * (me.has("tin") - laid))


def _lucky(book: Rulebook) -> None:
    @book.rule("lucky", Phase.OWN)
    def rule(me: Seat, _n: Numbers) -> None:
        me.points(3 if me.fact("luck") == me.has("tin") else me.fact("luck"))


def _kind(book: Rulebook) -> None:
    @book.rule("kind", Phase.OWN)
    def rule(me: Seat, _n: Numbers) -> None:
        me.points(2 if me.fact("kind") else me.part("left").has("gold"))


def _peeks(book: Rulebook) -> None:
    @book.rule("peeks", Phase.OWN)
    def rule(me: Seat, _n: Numbers) -> None:
        me.points(6 if me.hand.parts.get("left", {}).get("gold", 0) == 1 else 0)


def _two_alike(book: Rulebook) -> None:
    @book.rule("two-alike", Phase.OWN)
    def rule(me: Seat, _n: Numbers) -> None:
        apart = me.part("left").has("coin") == me.part("right").has("coin") == 1
        me.points(20 if apart and me.highest("coin") > 1 else 0)


def _tin_right(book: Rulebook) -> None:
    @book.rule("tin-right", Phase.OWN)
    def rule(me: Seat, _n: Numbers) -> None:
        me.points(3 * min(me.part("right").has("tin"), 1))


def _pair(book: Rulebook) -> None:
    @book.rule("pair", Phase.OWN)
    def rule(me: Seat, _n: Numbers) -> None:
        me.points(4 if me.has("gold") == 2 else 0)


def _late(book: Rulebook) -> None:
    @book.rule("late", Phase.OWN)
    def rule(me: Seat, _n: Numbers) -> None:
        if me.part("left").has("coin") == 2 and me.part("right").has("coin") == 1:
            me.points(9 * me.part("left").has("tin"))


RULES: tuple[Make, ...] = (_gold_left, _balanced, _pairs_right, _too_much, _loose_tin, _lucky, _kind, _peeks)
RULES += (_two_alike, _pair, _late, _tin_right)


def edition_of(makes: tuple[Make, ...], worth: int) -> Edition:
    """Return a tiny edition of some of these rules, with two parts and two facts; coins may have no worth at all."""
    book = Rulebook()
    for make in makes:
        make(book)
    worths, valued = ({"gold": worth}, {"coin"}) if worth else ({}, set[str]())
    return replace(toy(book), parts=PARTS, facts=FACTS, worths=worths, valued=frozenset(valued))


@settings(max_examples=80, deadline=None)
@given(
    st.sets(st.sampled_from(RULES)).map(lambda makes: tuple(sorted(makes, key=RULES.index))),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 4),
    st.sampled_from([0, 2]),
    st.booleans(),
)
def test_it_agrees_with_trying_everything(
    makes: tuple[Make, ...],
    gold: int,
    tin: int,
    most: int,
    worth: int,
    fixed: bool,  # noqa: FBT001 - drawn by hypothesis
) -> None:
    """Whatever the rules read of parts and facts together, and however few copies the parts must share."""
    edition = edition_of(makes, worth)
    facts = {"luck": 1} if fixed else {}
    active = tuple(edition.rule_of)
    space = Space(edition, {"gold": gold, "tin": tin, "rule-1": 0}, most, active=active, facts=facts)
    best = proven_best(space)
    assert best is not None
    small = replace(space, stock={"gold": gold, "tin": tin})
    assert best.points == brute_best(small)
    hand = Marks(edition, facts).hand("Best", best.holding.cards)
    assert Scorer(edition).score([hand], provisional=False).hands[0].score == best.points
    assert hand.cards.get("gold", 0) <= gold
    assert hand.cards.get("tin", 0) <= tin


@pytest.mark.parametrize("makes", [(_gold_left, _late), (_balanced, _pair), (_gold_left, _tin_right, _two_alike)])
def test_what_rules_read_of_several_parts_at_once_is_kept(makes: tuple[Make, ...]) -> None:
    """A question about all parts together, or one that comes up late, changes which cards stand for others."""
    edition = edition_of(makes, 0)
    for most in (2, 4):
        space = Space(edition, {"gold": 4, "tin": 4, "rule-1": 0}, most, active=tuple(edition.rule_of))
        best = proven_best(space)
        assert best is not None
        assert best.points == brute_best(replace(space, stock={"gold": 4, "tin": 4}))


def test_parts_that_lie_apart_prove_what_no_listing_could() -> None:
    """With plenty of cards each part is searched by itself; the whole decks would be far too many."""
    edition = edition_of((_gold_left, _balanced, _pairs_right), 0)
    space = Space(edition, {"gold": 60, "tin": 60, "rule-1": 60}, 40, active=tuple(edition.rule_of))
    best = proven_best(space, limit=2000)
    assert best is not None
    # 2 gold on the left, 18 other cards beside them at the cost of 1 each, or fewer: 7 + 10 + 4 a pair on the right.
    assert best.points == 10 + 4 * 19


def test_too_many_values_of_a_fact_are_no_proof() -> None:
    """A fact that must be tried with every deck counts; given, it does not."""
    book = Rulebook()

    @book.rule("near", Phase.OWN)
    def near(me: Seat, _n: Numbers) -> None:
        me.points(-abs(me.fact("far") - 700 - me.has("gold")))

    edition = replace(toy(book), facts=(Fact("far", "Far?", False, 0, 10**6, 0),))
    space = Space(edition, {"gold": 2, "tin": 0, "rule-1": 0}, 2, active=("near",))
    with pytest.raises(TooManyError):
        proven_best(space, limit=1000)
    best = proven_best(replace(space, facts={"far": 702}), limit=1000)
    assert best is not None
    assert (best.points, best.holding.size) == (0, 2)


def test_a_fact_of_a_large_range_is_found_in_few_steps() -> None:
    """Too many values to try are crossed in leaps, up to an end of the range or to a peak inside it."""
    for peak, points in ((10**9, 10**9 - 7), (123_456_789, 123_456_789)):
        book = Rulebook()

        @book.rule("far", Phase.OWN)
        def far(me: Seat, _n: Numbers, peak: int = peak) -> None:
            value = me.fact("far")
            me.points(min(value, 2 * peak - value) if peak < 10**9 else value)

        edition = replace(toy(book), facts=(Fact("far", "Far?", False, -5, 10**9 - 7, 0),))
        found = best_deck(edition, 4, 1, starts=2)
        assert (found.hand.score, found.proven) == (points, False)
        assert found.hand.hand.facts["far"] == points


def test_what_is_only_found_lies_in_parts_and_has_facts_too() -> None:
    """The search without proof reaches the proven best on a small space."""
    edition = edition_of((_gold_left, _balanced, _pairs_right, _lucky, _kind), 1)
    space = Space(edition, {"gold": 3, "tin": 3, "rule-1": 1}, 5, active=tuple(edition.rule_of))
    best, found = proven_best(space), found_best(space, 6)
    assert best is not None
    assert found is not None
    hand = Marks(edition).hand("Best", found.holding.cards)
    assert Scorer(edition).score([hand], provisional=False).hands[0].score == best.points


def test_the_deck_says_which_facts_it_assumes() -> None:
    """All facts of the edition stand in the hand: given, chosen, or the default where no rule reads them."""
    edition = edition_of((_lucky,), 0)
    chosen = best_deck(edition, 4, 3).hand
    assert (chosen.score, chosen.hand.facts["luck"]) == (3, chosen.hand.cards.get("tin", 0))
    assert chosen.hand.facts["kind"] is False
    given_luck = best_deck(edition, 4, 3, facts={"luck": -1})
    assert given_luck.hand.hand.facts["luck"] == -1
    assert given_luck.proven
    with pytest.raises(ScoringError, match="toy asks for no fact 'x' \\(it asks for luck, kind\\)"):
        best_deck(edition, 4, 3, facts={"x": 1})
    with pytest.raises(ScoringError, match="fact luck is 4, but must be a whole number from -1 to 3"):
        best_deck(edition, 4, 3, facts={"luck": 4})


def test_other_hands_keep_their_parts_and_facts() -> None:
    """A rule that compares reads them as they were handed in."""
    book = Rulebook()

    @book.rule("most", Phase.TABLE)
    def most(me: Seat, _n: Numbers) -> None:
        if all(other.part("left").has("gold") < me.part("left").has("gold") for other in me.table.others(me)):
            me.points(9 - me.part("left").has("gold"))

    edition = replace(toy(book), parts=PARTS)
    other = Hand("Ada", {"gold": 3}, parts={"left": {"gold": 2}, "right": {"gold": 1}})
    found = best_deck(edition, 9, 5, others=[other])
    assert found.proven
    assert found.hand.score == 6
    assert found.hand.hand.parts == {"left": {"gold": 3}}
