"""Deals the envelopes of a print run, and makes them even where starting hands shall be so. Pure: a seed decides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardgen.cards import CardId
from cardgen.deal import DealError, deal
from cardgen.payload import MAX_NUMBER
from server.editions import EditionError, load_edition
from server.jobs.portions import portions
from server.play.evening import Evening
from server.play.refusals import Refusal
from server.scoring import Hand, Scorer, ScoringError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from cardgen.deal import Portion
MOST_COUNTS = 8000
"""So many hands are counted after a swap; then they stay as even as they are."""


@dataclass(frozen=True)
class Basis:
    """What a deal stands on. Two of the same give the same cards.

    `number` is the run's, `first` its first envelope's; `like` is how many envelopes the game's first run had, None for
    that run itself. `printed` and `highest` say how many cards of each kind there are, and the highest copy.
    """

    edition: str
    language: str
    settings: Mapping[str, int]
    active_rules: Sequence[str] | None
    seed: str
    number: int
    first: int
    like: int | None
    printed: Mapping[str, int]
    highest: Mapping[str, int]


@dataclass(frozen=True)
class Dealt:
    """A deal: `hands` are the cards of each envelope from the first on. `spread` is None where nobody asked for it."""

    basis: Basis
    hands: tuple[tuple[CardId, ...], ...]
    seed: str
    spread: Fraction | None


def deal_run(basis: Basis, envelopes: int, even: int | None = None, *, most: int = MOST_COUNTS) -> Dealt:
    """Deal so many envelopes; with `even`, swap cards until the starting hands are within so many points.

    Where no swap does it, or `most` hands were counted, they stay as they are then; `spread` says how near that is.
    Refusal `cannot-print`.
    """
    seed = f"{basis.seed}/run {basis.number}"
    try:
        edition = load_edition(basis.edition, basis.language)
        shares = portions(edition, envelopes, like=basis.like, printed=basis.printed)
        hands = _hands(basis, shares, envelopes, seed)
        if even is None:
            return Dealt(basis, hands, seed, None)
        scorer = Scorer(edition, basis.settings, basis.active_rules)
        evening = Evening(hands, shares, lambda some: worths(scorer, some), seed, most)
        evening.run(even)
        return Dealt(basis, tuple(evening.hands), seed, evening.spread)
    except (DealError, EditionError, ScoringError) as error:
        raise Refusal("cannot-print", f"The cards cannot be dealt: {error}.", {"why": "deal"}) from None


def worths(scorer: Scorer, hands: Sequence[Sequence[CardId]]) -> list[Fraction]:
    """Return the points of these hands, each counted by itself; out of the game is 0."""
    counted = [Hand(str(number), Counter(card.kind for card in hand)) for number, hand in enumerate(hands)]
    found = {hand.hand.player: hand.score for hand in scorer.score(counted, provisional=True).hands}
    return [found[hand.player] for hand in counted]


def _hands(basis: Basis, shares: Sequence[Portion], envelopes: int, seed: str) -> tuple[tuple[CardId, ...], ...]:
    hands = [
        tuple(CardId(card.kind, card.copy + basis.highest.get(card.kind, 0)) for card in hand)
        for hand in deal(shares, envelopes, seed)
    ]
    for card in (card for hand in hands for card in hand if card.copy > MAX_NUMBER):
        raise DealError(f"there would be more than {MAX_NUMBER} cards of {card.kind}")
    return tuple(hands)
