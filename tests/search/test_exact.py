"""The proven best deck: the same score as trying every deck, for small spaces of every edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import load_edition
from server.scoring import Hand, Numbers, Phase, Rulebook, Seat, score
from server.search.exact import proven_best
from server.search.holdings import TooManyError
from server.search.space import Space
from tests.scoring.support import toy
from tests.search.brute import brute_best
from tests.search.eurocg_enumeration import best_score

if TYPE_CHECKING:
    from server.scoring import Edition

EUROCG, SACKSON, TAROT = (load_edition(name) for name in ("eurocg-2026", "sackson-1969", "tarot-fr"))
COLOURS = [kind.slug for kind in EUROCG.kinds if kind.category == "colour"]


def space(edition: Edition, stock: dict[str, int], most: int, **more: object) -> Space:
    """Return a space in which only the kinds in `stock` are printed; all rules are active if not said otherwise."""
    everything = dict.fromkeys((kind.slug for kind in edition.kinds), 0) | stock
    active = tuple(rule.key for rule in edition.rules)
    return Space(edition, everything, most, **{"active": active, **more})  # type: ignore[arg-type] # by name


def small(given_space: Space) -> Space:
    """Return the same space with the kinds left out of which nothing is printed, for trying every deck."""
    stock = {kind: copies for kind, copies in given_space.stock.items() if copies}
    return Space(**{**vars(given_space), "stock": stock})


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.sampled_from(COLOURS), st.integers(1, 9), max_size=3),
    st.dictionaries(st.sampled_from([f"rule-{n}" for n in (1, 4, 9, 12, 22, 23)]), st.integers(1, 3), max_size=3),
    st.integers(0, 3),
    st.sampled_from([3, 8, 21, 24]),
    st.sets(st.sampled_from(range(1, 24)), max_size=6),
    st.sampled_from([0, 1, 7]),
)
def test_eurocg_agrees_with_trying_every_deck(
    colours: dict[str, int], rules: dict[str, int], specials: int, most: int, left_out: set[int], blue: int
) -> None:
    """Whatever was printed, whichever rules are active and whatever blue is worth, below and above 19 cards."""
    stock = colours | rules | {"special-1": specials}
    active = tuple(str(number) for number in range(1, 24) if number not in left_out)
    searched = space(EUROCG, stock, most, active=active, settings={"blue_base": blue})
    best = proven_best(searched)
    assert best is not None
    assert best.points == brute_best(small(searched))
    assert best.holding.size == sum(best.holding.cards.values()) <= most
    assert all(number <= searched.stock[kind] for kind, number in best.holding.cards.items())
    found = score(EUROCG, [Hand("A", best.holding.cards)], {"blue_base": blue}, active)
    assert found.hands[0].score == best.points


@pytest.mark.parametrize("most", [0, 1, 2, 5, 10, 13])
def test_eurocg_agrees_with_an_independent_enumeration(most: int) -> None:
    """With everything in plenty the best score is the one of a second count that shares nothing with the engine."""
    best = proven_best(space(EUROCG, dict.fromkeys((kind.slug for kind in EUROCG.kinds), 20), most))
    assert best is not None
    assert best.points == best_score(most)


def test_twenty_cards_of_eurocg_in_the_second_count() -> None:
    """The deck that the documentation names has the score that no deck of 20 cards exceeds."""
    deck = {"blue": 3, "orange": 7, "yellow": 6, "rule-1": 1, "rule-9": 2}
    assert score(EUROCG, [Hand("A", deck)]).hands[0].score == best_score(20) == 118


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(st.sampled_from(["yellow", "blue", "red", "orange", "white"]), st.integers(1, 7), max_size=4),
    st.lists(
        st.dictionaries(st.sampled_from(["yellow", "blue", "red", "orange", "rule-4"]), st.integers(0, 8), max_size=4),
        max_size=3,
    ),
    st.sampled_from([2, 6, 14]),
    st.sets(st.sampled_from(range(4, 16)), max_size=5),
)
def test_sackson_agrees_with_trying_every_deck(
    colours: dict[str, int], others: list[dict[str, int]], most: int, left_out: set[int]
) -> None:
    """Alone and against other hands: majorities, blue cards of others, elimination, removed cards."""
    hands = tuple(Hand(name, cards) for name, cards in zip("ABC", others, strict=False))
    active = tuple(str(number) for number in range(1, 16) if number not in left_out)
    searched = space(SACKSON, colours | {"rule-1": 1}, most, active=active, others=hands, settings={"seed": "x"})
    best = proven_best(searched)
    assert best is not None
    assert best.points == brute_best(small(searched))


def test_a_small_tarot_game_agrees_with_trying_every_deck() -> None:
    """Rules that act by their cards are main cards: worths, general cards, effects that count once, halves."""
    stock = {"pique-7": 2, "coeur-7": 1, "excuse": 1, "token-red": 2, "token-blue": 2}
    stock |= dict.fromkeys(("rule-2", "rule-24", "rule-25", "rule-85"), 1)
    searched = space(TAROT, stock, 5)
    best = proven_best(searched)
    assert best is not None
    assert best.points == brute_best(small(searched))


def test_too_many_holdings_are_no_proof() -> None:
    """At the limit the search runs; one below it says that it cannot."""
    searched = space(EUROCG, {"red": 4, "blue": 1}, 5)
    assert proven_best(searched, limit=24) is not None
    assert proven_best(searched, limit=10) is not None
    with pytest.raises(TooManyError):
        proven_best(searched, limit=9)


def test_what_is_read_late_widens_the_search() -> None:
    """A rule that looks at another category only for an unlikely deck is found out all the same."""
    book = Rulebook()

    @book.rule(1, Phase.OWN)
    def late(me: Seat, _n: Numbers) -> None:
        if me.has("tin") == 5:
            me.points(10 * me.size("rule"))

    edition = toy(book)
    searched = space(edition, {"gold": 2, "tin": 6, "rule-1": 2}, 7)
    best = proven_best(searched)
    assert best is not None
    assert best.points == brute_best(small(searched))
    assert best.holding.cards["tin"] == 5
    assert best.holding.cards["rule-1"] == 2


def test_a_rule_may_calculate_with_the_total_in_any_way() -> None:
    """Every calculation with the number of cards is seen, whatever it is."""
    book = Rulebook()

    @book.rule("sum", Phase.OWN)
    def odd(me: Seat, _n: Numbers) -> None:
        total = me.total
        if total > 2 and total.bit_length() == 3 and total * total != 36 and total != 4:
            me.points(total + 10 - (7 - total) // 2)

    searched = space(toy(book), {"gold": 4, "tin": 4}, 8)
    best = proven_best(searched)
    assert best is not None
    assert best.points == brute_best(small(searched))
    assert best.holding.size == 7


def test_a_game_in_which_all_are_out_has_no_best_deck() -> None:
    """None, not a score."""
    book = Rulebook()

    @book.rule("out", Phase.ELIMINATE)
    def out(me: Seat, _n: Numbers) -> None:
        me.eliminate()

    assert proven_best(space(toy(book), {"gold": 2}, 2)) is None
