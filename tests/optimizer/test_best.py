"""The best deck: within the printed supply, beside other hands, proven or found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.editions import load_edition
from server.optimizer.best import NoDeckError, best_deck
from server.optimizer.space import start_cards, supply
from server.scoring import Hand, Phase, Scorer, ScoringError, Seat
from server.scoring.edition import Fact
from tests.optimizer.test_local import PARTS, parted
from tests.scoring.support import toy

if TYPE_CHECKING:
    from server.scoring import Edition

EUROCG, SACKSON, TAROT = (load_edition(name) for name in ("eurocg-2026", "sackson-1969", "tarot-fr"))


@pytest.mark.parametrize(
    ("edition", "players", "expected"),
    [
        (EUROCG, 138, {"rule-7": 2 * 138 // len(EUROCG.rules), "red": 230}),
        (EUROCG, 23, {"special-24": 0}),
        (EUROCG, 24, {"special-24": 1}),
        (SACKSON, 15, {"yellow": 30, "white": 30, "rule-1": 2, "rule-15": 2}),
        (TAROT, 71, {"excuse": 10, "token-red": 213, "rule-20": 1, "rule-21": 2}),
    ],
)
def test_the_stock_is_what_a_game_can_count_on(edition: Edition, players: int, expected: dict[str, int]) -> None:
    """Whole numbers a kind, the smaller where chance decides; supplies and single copies too."""
    found = supply(edition, players)
    assert {kind: found[kind] for kind in expected} == expected
    assert (start_cards(EUROCG, 138), start_cards(SACKSON, 15)) == (13, 12)


@pytest.mark.parametrize(
    ("most", "points"),
    [
        (0, 0),
        (1, 33),
        (8, 66),
        (13, 97),
        *(pytest.param(*case, marks=pytest.mark.thorough) for case in ((26, 161), (60, 407))),
    ],
)
def test_without_the_solver_good_decks_are_found(most: int, points: int) -> None:
    """They are those that it proves, but here they are not proven."""
    found = best_deck(EUROCG, 138, most, seconds=0)
    assert not found.proven
    assert found.hand.score == points == sum(line.points for line in found.hand.lines if not line.void)


def test_cards_of_other_hands_are_not_available() -> None:
    """An empty deck is one too, and may be the best."""
    alone = best_deck(EUROCG, 1, 5)
    assert max(alone.hand.hand.cards.values()) == 1
    held = best_deck(EUROCG, 1, 5, others=[Hand("Ada", dict.fromkeys(("red", "blue", "green"), 1))])
    assert not {"red", "blue", "green"} & set(held.hand.hand.cards)
    assert held.hand.score < alone.hand.score
    nothing = best_deck(SACKSON, 1, 10, others=[Hand("Ada", supply(SACKSON, 1))])
    assert (nothing.proven, dict(nothing.hand.hand.cards)) == (True, {})


def test_other_hands_change_the_best_deck() -> None:
    """Alone in Sackson's edition, most yellow is certain; against five yellow cards it is not, and blue costs ten."""
    alone = best_deck(SACKSON, 15, 10)
    against = best_deck(SACKSON, 15, 10, others=[Hand("Ada", {"yellow": 6}), Hand("Bob", {"blue": 5})])
    assert (alone.hand.score, alone.proven, against.proven) == (124, True, True)
    assert alone.hand.hand.cards["yellow"] == 4
    assert against.hand.score < alone.hand.score
    assert {hand.hand.player for hand in against.result.hands} == {"Best", "Ada", "Bob"}


def test_a_space_that_is_too_large_gives_a_deck_without_proof() -> None:
    """The tarot edition has too many decks: the result is the same each time, and exchanging a card helps no more."""
    found, again = (best_deck(TAROT, 70, 3, starts=1, seconds=0) for _ in range(2))
    assert not found.proven
    assert dict(found.hand.hand.cards) == dict(again.hand.hand.cards)
    scorer, printed = Scorer(TAROT), supply(TAROT, 70)
    for kind in TAROT.kind_of:
        for other in found.hand.hand.cards:
            step = dict(found.hand.hand.cards)
            step[other] -= 1
            step[kind] = step.get(kind, 0) + 1
            if step[kind] <= printed[kind]:
                assert scorer.score([Hand("Best", step)], provisional=False).hands[0].score <= found.hand.score


def test_no_deck_at_all_is_an_error_with_a_reason() -> None:
    edition = toy(("out", Phase.ELIMINATE, lambda me, _n: me.eliminate()))
    with pytest.raises(NoDeckError, match="every deck within these limits is eliminated"):
        best_deck(edition, 4, 3, starts=1)


@pytest.mark.parametrize(("peak", "points"), [(10**9, 10**9 - 7), (123_456_789, 123_456_789)])
def test_a_fact_of_a_large_range_is_found_in_few_steps(peak: int, points: int) -> None:
    """At an end of the range, or at a peak inside it."""
    far = ("far", Phase.OWN, lambda me, _n: me.points(peak - abs(me.fact("far") - peak)))
    found = best_deck(toy(far, facts=(Fact("far", "Far?", False, -5, 10**9 - 7, 0),)), 4, 1, starts=2)
    assert (found.hand.score, found.proven, found.hand.hand.facts["far"]) == (points, False, points)


def test_assumed_facts_are_part_of_the_best_deck() -> None:
    """Given, chosen, or the default where no rule reads them."""
    edition = parted("lucky")
    chosen = best_deck(edition, 4, 3).hand
    assert (chosen.score, chosen.hand.facts["luck"]) == (3, chosen.hand.cards.get("tin", 0))
    assert chosen.hand.facts["kind"] is False
    luckless = best_deck(edition, 4, 3, facts={"luck": -1})
    assert luckless.hand.hand.facts["luck"] == -1
    with pytest.raises(ScoringError, match=r"toy asks for no fact 'x' \(it asks for luck, kind\)"):
        best_deck(edition, 4, 3, facts={"x": 1})
    with pytest.raises(ScoringError, match="fact luck is 4, but must be a whole number from -1 to 3"):
        best_deck(edition, 4, 3, facts={"luck": 4})


def test_other_hands_keep_their_parts() -> None:
    def most(me: Seat, _n: object) -> None:
        mine, *others = (hand.part("left").has("gold") for hand in (me, *me.table.others(me)))
        if all(other < mine for other in others):
            me.points(9 - mine)

    other = Hand("Ada", {"gold": 3}, parts={"left": {"gold": 2}, "right": {"gold": 1}})
    found = best_deck(toy(("most", Phase.TABLE, most), parts=PARTS), 9, 5, others=[other])
    assert (found.hand.score, found.hand.hand.parts) == (6, {"left": {"gold": 3}})
