"""Deals the envelopes of a print run, again and again where starting hands shall be even. Pure: a seed decides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardgen.cards import CardId
from cardgen.deal import DealError, deal
from cardgen.payload import MAX_NUMBER
from server.editions import EditionError, load_edition
from server.jobs.portions import portions
from server.play.refusals import Refusal
from server.scoring import Hand, Scorer, ScoringError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from server.editions import Edition

MOST_TRIES = 200
"""After so many deals the most even one is taken."""


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
    tries: int
    spread: Fraction | None


def deal_run(basis: Basis, envelopes: int, even: int | None = None) -> Dealt:
    """Deal so many envelopes; with `even`, until the starting hands are within so many points, or no try is left.

    Then the most even deal is taken; its `spread` says how near it came. Refusal `cannot-print`.
    """
    seed = f"{basis.seed}/run {basis.number}"
    try:
        edition = load_edition(basis.edition, basis.language)
        if even is None:
            return Dealt(basis, _hands(basis, edition, envelopes, seed), seed, 1, None)
        scorer = Scorer(edition, basis.settings, basis.active_rules)
        tries = (
            _tried(basis, edition, scorer, envelopes, tries=tries, seed=seed if tries == 1 else f"{seed}/try {tries}")
            for tries in range(1, MOST_TRIES + 1)
        )
        return _first_even(tries, even)
    except (DealError, EditionError, ScoringError) as error:
        raise Refusal("cannot-print", f"The cards cannot be dealt: {error}.", {"why": "deal"}) from None


def spread_of(scorer: Scorer, hands: Sequence[Sequence[CardId]]) -> Fraction:
    """Return the points between the best and the worst of these hands, each counted by itself; out of the game is 0."""
    counted = [Hand(str(number), Counter(card.kind for card in hand)) for number, hand in enumerate(hands)]
    scores = [hand.score for hand in scorer.score(counted, provisional=True).hands]
    return max(scores) - min(scores)


def _first_even(deals: Iterator[Dealt], even: int) -> Dealt:
    """Return the first deal that is even enough; if none is, the most even one with the number of all tries."""
    best = next(deals)
    tries = 1
    while best.spread is not None and best.spread > even and (deal := next(deals, None)) is not None:
        tries = deal.tries
        if deal.spread is not None and deal.spread < best.spread:
            best = deal
    return replace(best, tries=tries)


def _tried(basis: Basis, edition: Edition, scorer: Scorer, envelopes: int, *, tries: int, seed: str) -> Dealt:
    hands = _hands(basis, edition, envelopes, seed)
    return Dealt(basis, hands, seed, tries, spread_of(scorer, hands))


def _hands(basis: Basis, edition: Edition, envelopes: int, seed: str) -> tuple[tuple[CardId, ...], ...]:
    shares = portions(edition, envelopes, like=basis.like, printed=basis.printed)
    hands = [
        tuple(CardId(card.kind, card.copy + basis.highest.get(card.kind, 0)) for card in hand)
        for hand in deal(shares, envelopes, seed)
    ]
    for card in (card for hand in hands for card in hand if card.copy > MAX_NUMBER):
        raise DealError(f"there would be more than {MAX_NUMBER} cards of {card.kind}")
    return tuple(hands)
