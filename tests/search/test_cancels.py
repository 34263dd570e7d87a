"""A deck that holds a card which cancels a rule cancels the rule that suits it best."""

from __future__ import annotations

from fractions import Fraction

from server.editions import load_edition
from server.scoring import Hand, Scorer, ScoringError
from server.scoring.cancels import cancelling
from server.search.exact import proven_best
from server.search.local import found_best
from server.search.space import Space
from tests.search.brute import decks

TAROT = load_edition("tarot-fr")
CANCEL = cancelling(TAROT, TAROT.rule_of)[0]
WHITE_IS_NOTHING = "2"
"""The key of the general rule that makes white tokens worthless."""


def small_space(*others: Hand) -> Space:
    """Return a space of white tokens, one card of which they are worth something, a general and a cancel card."""
    active = tuple(TAROT.rule_of)
    copies = {"token-white": 3, "rule-24": 1, "rule-25": 1, "rule-2": 1, "rule-9": 1, CANCEL.card: 1}
    stock = dict.fromkeys((kind.slug for kind in TAROT.kinds), 0) | copies
    return Space(TAROT, stock, 5, active=active, others=others)


def best_by_trying(space: Space) -> Fraction:
    """Return the highest score of all decks and all choices; those that the engine refuses are no choices."""
    scorer = Scorer(TAROT)
    scores = [Fraction(0)]
    stock = {kind: copies for kind, copies in space.stock.items() if copies}
    for cards in decks(Space(TAROT, stock, space.most)):
        for cancels in ((), *((key,) for key in sorted(CANCEL.touches))):
            try:
                result = scorer.score([Hand("Best", cards, cancels=cancels), *space.others], provisional=False)
            except ScoringError:
                continue
            scores += [hand.score for hand in result.hands if hand.hand.player == "Best"]
    return max(scores)


def test_choices_are_proven_alone_and_beside_others() -> None:
    """The proven best is that of trying every deck with every choice."""
    for others in ((), (Hand("Ada", {f"rule-{WHITE_IS_NOTHING}": 1, "token-white": 1}),)):
        space = small_space(*others)
        best = proven_best(space)
        assert best is not None
        assert best.points == best_by_trying(space)
        assert best.cancels == (WHITE_IS_NOTHING,)


def test_choices_are_found_too() -> None:
    """Against a hand that makes white tokens worthless, cancelling its rule pays, proven or found."""
    space = small_space(Hand("Ada", {f"rule-{WHITE_IS_NOTHING}": 1, "token-white": 1}))
    best, found = proven_best(space), found_best(space, 4)
    assert best is not None
    assert found is not None
    scorer = Scorer(TAROT)
    for cards, cancels in ((best.holding.cards, best.cancels), (found.holding.cards, found.cancels)):
        mine = {kind: number for kind, number in cards.items() if not kind.startswith("!")}
        result = scorer.score([Hand("Best", mine, cancels=cancels), *space.others], provisional=False)
        assert next(hand for hand in result.hands if hand.hand.player == "Best").score == best.points
