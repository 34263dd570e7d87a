"""Deals the envelopes of a print run, and makes them even where starting hands shall be so. Pure: a seed decides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardgen.cards import CardId
from cardgen.deal import DealError, deal, shuffled
from cardgen.payload import MAX_NUMBER
from server.editions import load_edition
from server.games.errors import DomainError
from server.printing.contents import deal_portions
from server.scoring import Hand, Scorer, ScoringError
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from cardgen.deal import Portion

    Cards = tuple[CardId, ...]


class HandBalancer:
    """Hands on their way to being even.

    `worth` tells what a hand is worth by itself, and is asked at most `most` times for hands after a swap.
    """

    def __init__(
        self,
        hands: Sequence[Cards],
        shares: Sequence[Portion],
        worth: Callable[[Sequence[Cards]], list[Fraction]],
        seed: str,
        most: int,
    ) -> None:
        self.hands = list(hands)
        self.points = worth(hands)
        self._worth = worth
        self._seed = seed
        self._left = most
        self._swaps = 0
        self._share = {kind: number for number, share in enumerate(shares) for kind in share.kinds}
        self._order = {kind: place for place, kind in enumerate(self._share)}
        self._different = {number for number, share in enumerate(shares) if share.different}

    @property
    def spread(self) -> Fraction:
        """The points between the best hand and the worst."""
        return max(self.points) - min(self.points)

    def run(self, even: int) -> None:
        """Swap until the hands are within so many points, no swap helps, or `worth` was asked often enough."""
        while self.spread > even and self._left > 0 and self._step():
            self._swaps += 1

    def _step(self) -> bool:
        """Bring the best or the worst hand nearer to the others; False if no swap does."""
        rising = sorted(range(len(self.hands)), key=self.points.__getitem__)
        # Who has least gains most from the best hand, and the other way round.
        return self._helped(rising[-1], rising) or self._helped(rising[0], rising[::-1])

    def _helped(self, one: int, others: Sequence[int]) -> bool:
        """Swap a card of an outermost hand so that it is outermost no more, and no other one gets so."""
        low, high = min(self.points), max(self.points)
        for other in others:
            if self.points[other] == self.points[one]:
                # Nobody is left but those who have as much or as little.
                return False
            for mine, theirs in self._swapped(one, other):
                if self._left <= 0:
                    return False
                self._left -= 2
                points = self._worth((mine, theirs))
                if low < points[0] < high and (low < points[1] < high or points[1] == self.points[other]):
                    self.hands[one], self.hands[other] = mine, theirs
                    self.points[one], self.points[other] = points
                    return True
        return False

    def _swapped(self, one: int, other: int) -> Iterator[tuple[Cards, Cards]]:
        """Yield both hands after each swap of a card that the deal allows, in an order of chance."""
        mine, theirs = self.hands[one], self.hands[other]
        pairs = [(card, given) for card in _of_each_kind(mine) for given in _of_each_kind(theirs)]
        pairs = [pair for pair in pairs if self._may(*pair, mine, theirs)]
        seed = f"{self._seed}/even {self._swaps}"
        for card, given in shuffled(pairs, seed, f"{one} {other}", lambda pair: f"{pair[0].name} {pair[1].name}"):
            yield self._with(mine, card, given), self._with(theirs, given, card)

    def _may(self, card: CardId, given: CardId, mine: Cards, theirs: Cards) -> bool:
        share = self._share[card.kind]
        if card.kind == given.kind or share != self._share[given.kind]:
            return False
        return share not in self._different or not (
            any(other.kind == given.kind for other in mine) or any(other.kind == card.kind for other in theirs)
        )

    def _with(self, hand: Cards, gone: CardId, come: CardId) -> Cards:
        """Return a hand with another card in place of one, in the order in which hands are dealt."""
        cards = [come if card == gone else card for card in hand]
        return tuple(sorted(cards, key=lambda card: (self._order[card.kind], card.copy)))


def _of_each_kind(hand: Cards) -> list[CardId]:
    """Return one card of each kind of a hand: the copies of a kind are worth the same."""
    return list({card.kind: card for card in reversed(hand)}.values())


MOST_COUNTS = 8000
"""So many hands are counted after a swap; then they stay as even as they are."""


@dataclass(frozen=True)
class DealInputs:
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
class DealResult:
    """A deal: `hands` are the cards of each envelope from the first on. `spread` is None where nobody asked for it."""

    basis: DealInputs
    hands: tuple[tuple[CardId, ...], ...]
    seed: str
    spread: Fraction | None


def deal_run(basis: DealInputs, envelopes: int, even: int | None = None, *, most: int = MOST_COUNTS) -> DealResult:
    """Deal so many envelopes; with `even`, swap cards until the starting hands are within so many points.

    Where no swap does it, or `most` hands were counted, they stay as they are then; `spread` says how near that is.
    Refusal `cannot-print`.
    """
    seed = f"{basis.seed}/run {basis.number}"
    try:
        edition = load_edition(basis.edition, basis.language)
        shares = deal_portions(edition, envelopes, like=basis.like, printed=basis.printed)
        hands = _hands(basis, shares, envelopes, seed)
        if even is None:
            return DealResult(basis, hands, seed, None)
        scorer = Scorer(edition, basis.settings, basis.active_rules)
        evening = HandBalancer(hands, shares, lambda some: worths(scorer, some), seed, most)
        evening.run(even)
        return DealResult(basis, tuple(evening.hands), seed, evening.spread)
    except (DealError, EditionError, ScoringError) as error:
        raise DomainError("cannot-print", f"The cards cannot be dealt: {error}.", {"why": "deal"}) from None


def worths(scorer: Scorer, hands: Sequence[Sequence[CardId]]) -> list[Fraction]:
    """Return the points of these hands, each counted by itself; out of the game is 0."""
    counted = [Hand(str(number), Counter(card.kind for card in hand)) for number, hand in enumerate(hands)]
    found = {hand.hand.player: hand.score for hand in scorer.score(counted, provisional=True).hands}
    return [found[hand.player] for hand in counted]


def _hands(basis: DealInputs, shares: Sequence[Portion], envelopes: int, seed: str) -> tuple[tuple[CardId, ...], ...]:
    hands = [
        tuple(CardId(card.kind, card.copy + basis.highest.get(card.kind, 0)) for card in hand)
        for hand in deal(shares, envelopes, seed)
    ]
    for card in (card for hand in hands for card in hand if card.copy > MAX_NUMBER):
        raise DealError(f"there would be more than {MAX_NUMBER} cards of {card.kind}")
    return tuple(hands)
