"""The best deck as a whole: within what is printed, beside other hands, proven or found."""

from __future__ import annotations

import pytest

from server.editions import load_edition
from server.scoring import Hand, Numbers, Phase, Rulebook, Scorer, Seat
from server.search import NoDeckError, best_deck, start_cards, stock
from server.search.cells import Cells
from server.search.holdings import every, one_of_each_size
from server.search.local import found_best
from server.search.space import Space
from tests.scoring.support import toy

EUROCG, SACKSON, TAROT = (load_edition(name) for name in ("eurocg-2026", "sackson-1969", "tarot-fr"))


def test_the_stock_is_what_a_game_can_count_on() -> None:
    """Whole numbers a kind, the smaller where chance decides; supplies and single copies too."""
    assert stock(EUROCG, 138)["rule-7"] == 12
    assert stock(EUROCG, 138)["red"] == 230
    assert stock(EUROCG, 23)["special-24"] == 0
    assert stock(EUROCG, 24)["special-24"] == 1
    assert stock(SACKSON, 15) == dict.fromkeys(("yellow", "blue", "red", "orange", "white"), 30) | {
        f"rule-{number}": 2 for number in range(1, 16)
    }
    tarot = stock(TAROT, 71)
    assert (tarot["excuse"], tarot["token-red"], tarot["rule-20"], tarot["rule-21"]) == (10, 213, 1, 2)


def test_start_cards_are_those_of_all_categories() -> None:
    """EuroCG: 10 colours, 2 rules, 1 special; Sackson: 10 colours, 2 sheets."""
    assert start_cards(EUROCG, 138) == 13
    assert start_cards(SACKSON, 15) == 12


def test_a_proven_deck_is_explained() -> None:
    """Thirteen cards of EuroCG: the lines of the breakdown add up to the score, which is proven."""
    found = best_deck(EUROCG, 138, 13)
    assert found.proven
    assert found.hand.score == 97 == sum(line.points for line in found.hand.lines if not line.void)
    assert dict(found.hand.hand.cards) == {"blue": 1, "orange": 7, "yellow": 4, "rule-6": 1}


def test_few_copies_limit_the_deck() -> None:
    """With one player a single copy of most colours is there, and what others hold is gone."""
    alone = best_deck(EUROCG, 1, 13)
    assert alone.proven
    assert max(alone.hand.hand.cards.values()) == 1
    held = best_deck(EUROCG, 1, 13, others=[Hand("Ada", dict.fromkeys(("red", "blue", "green"), 1))])
    assert not {"red", "blue", "green"} & set(held.hand.hand.cards)
    assert held.hand.score < alone.hand.score


def test_other_hands_change_the_best_deck() -> None:
    """Sackson alone takes most yellow for granted; against five yellow cards it does not, and blue costs ten."""
    alone = best_deck(SACKSON, 15, 10)
    others = [Hand("Ada", {"yellow": 6}), Hand("Bob", {"blue": 5})]
    against = best_deck(SACKSON, 15, 10, others=others)
    assert (alone.hand.score, alone.proven, against.proven) == (124, True, True)
    assert alone.hand.hand.cards["yellow"] == 4
    assert against.hand.score < alone.hand.score
    assert {hand.hand.player for hand in against.result.hands} == {"Best", "Ada", "Bob"}


def test_what_cannot_be_gone_through_is_only_found() -> None:
    """The tarot edition has too many decks: the result says so, is the same each time, and no single card helps."""
    found = best_deck(TAROT, 70, 5, starts=1)
    again = best_deck(TAROT, 70, 5, starts=1)
    assert not found.proven
    assert dict(found.hand.hand.cards) == dict(again.hand.hand.cards)
    scorer = Scorer(TAROT)
    for kind in TAROT.kind_of:
        for other in found.hand.hand.cards:
            step = dict(found.hand.hand.cards)
            step[other] -= 1
            step[kind] = step.get(kind, 0) + 1
            if step[kind] <= stock(TAROT, 70)[kind]:
                assert scorer.score([Hand("Best", step)], provisional=False).hands[0].score <= found.hand.score


def test_starting_often_enough_finds_the_proven_best() -> None:
    """On a small space of EuroCG the search with random starts reaches what is proven."""
    active = tuple(EUROCG.rule_of)
    copies = dict.fromkeys(("red", "blue", "green", "orange", "yellow", "pink", "rule-6", "rule-9"), 9)
    stock_of_all = dict.fromkeys((kind.slug for kind in EUROCG.kinds), 0) | copies
    found = found_best(Space(EUROCG, stock_of_all, 4, active=active), 30)
    assert found is not None
    assert Scorer(EUROCG).score([Hand("A", found.holding.cards)]).hands[0].score == 43


def test_where_others_hold_everything_nothing_is_the_best_deck() -> None:
    """An empty deck is in the game, and proven."""
    nothing = best_deck(SACKSON, 1, 10, others=[Hand("Ada", stock(SACKSON, 1))])
    assert nothing.proven
    assert dict(nothing.hand.hand.cards) == {}


def test_no_deck_at_all_is_an_error_with_a_reason() -> None:
    """An edition that eliminates everybody has no best deck, proven or looked for."""
    book = Rulebook()

    @book.rule(7, Phase.ELIMINATE)
    def out(me: Seat, _n: Numbers) -> None:
        me.eliminate()

    for limit in (0, 1000):
        with pytest.raises(NoDeckError, match="every deck within these limits is eliminated"):
            best_deck(toy(book), 4, 3, limit=limit, starts=1)


def test_holdings_are_counted_and_listed_alike() -> None:
    """The number of holdings is the length of their list; each stands there once and within its limits."""
    copies = {"a": 2, "b": 0, "c": 3}
    for most in range(7):
        listed = list(every(tuple(copies), copies, most))
        space = Space(toy(Rulebook()), dict(zip(("gold", "tin", "rule-1"), copies.values(), strict=True)), most)
        assert len(listed) == Cells(space).number(["coin", "rule"])
        assert len({tuple(sorted(holding.cards.items())) for holding in listed}) == len(listed)
        assert all(holding.size == sum(holding.cards.values()) <= most for holding in listed)
        sizes = [holding.size for holding in one_of_each_size(tuple(copies), copies, most)]
        assert sizes == list(range(min(most, 5) + 1))


@pytest.mark.parametrize("most", [0, 1])
def test_hardly_any_cards_are_a_deck_too(most: int) -> None:
    """No card brings nothing; one card of EuroCG brings 33."""
    assert best_deck(EUROCG, 138, most).hand.score == (0, 33)[most]
