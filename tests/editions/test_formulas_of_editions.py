"""The rules of the editions as formulas score random hands like functions that were written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.editions import load_edition
from server.optimizer.simulation import SeededRandom
from server.scoring import Hand, Scorer
from server.scoring.hand import cancelling_rules
from tests.editions.rules_as_functions import BOOKS, with_functions

if TYPE_CHECKING:
    from server.scoring import Edition, HandResult

HANDS = pytest.mark.parametrize("hands", [1500, pytest.param(100_000, marks=pytest.mark.thorough)])


def random_hand(edition: Edition, player: str, chance: SeededRandom) -> Hand:
    """Return a hand: often of few kinds, so that limits and ties occur, and seldom with many cards of a kind."""
    cards: dict[str, int] = {}
    for deal in edition.deal:
        kinds = [kind.slug for kind in edition.kinds if kind.category == deal.category]
        chosen = chance.shuffled(kinds)[: chance.one_of([0, 1, 2, 3, 4, 6, 9])]
        most = 2 if deal.category == "rule" else chance.one_of([1, 2, 4, 7, 9])
        cards |= {kind: 1 + chance.below(most) for kind in chosen}
    return Hand(player, cards)


def games(edition: Edition, hands: int, chance: SeededRandom) -> list[list[Hand]]:
    """Return games of one to five hands, in some of which players cancel rules."""
    choosing = cancelling_rules(edition, edition.rule_of)
    result: list[list[Hand]] = []
    while sum(map(len, result)) < hands:
        game = [random_hand(edition, f"Player {index}", chance) for index in range(1 + chance.below(5))]
        if choosing and len(game) > 1:
            in_play = {card for hand in game for card in hand.cards}
            targets = [key for key in sorted(choosing[0].touches) if edition.rule_of[key].card in in_play]
            game = [
                Hand(hand.player, hand.cards, cancels=(chance.one_of(targets),))
                if targets and any(rule.card in hand.cards for rule in choosing)
                else hand
                for hand in game
            ]
        result.append(game)
    return result


def lines(hand: HandResult) -> list[object]:
    return [(line.rule, line.points, line.void, line.voided_by, line.open, line.text) for line in hand.lines]


@HANDS
@pytest.mark.parametrize("slug", sorted(BOOKS))
def test_formulas_score_like_functions(slug: str, hands: int) -> None:
    edition = load_edition(slug)
    formulas, functions = Scorer(edition), Scorer(with_functions(slug, BOOKS[slug]))
    for number, game in enumerate(games(edition, hands, SeededRandom(f"{slug}/{hands}"))):
        ours, theirs = formulas.score(game), functions.score(game)
        assert [(hand.hand.player, hand.score, hand.rank, hand.decided_by, hand.eliminated) for hand in ours.hands] == [
            (hand.hand.player, hand.score, hand.rank, hand.decided_by, hand.eliminated) for hand in theirs.hands
        ]
        if number % 8 == 0:
            assert [lines(hand) for hand in ours.hands] == [lines(hand) for hand in theirs.hands]
