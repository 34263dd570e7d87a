"""Deals of print runs, balanced on request so that starting hands have similar scores. The seed decides all choices."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardgen.cards import CardId
from cardgen.deal import DealError, deal, shuffled
from cardgen.payload import MAX_NUMBER
from server.editions import load_edition
from server.games.errors import DomainError
from server.printing.contents import category_deals
from server.scoring import Hand, Scorer, ScoringError
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from cardgen.deal import CategoryDeal

    Cards = tuple[CardId, ...]

MAX_COUNTS = 8000
"""Maximum number of hands that are scored after swaps."""


class HandBalancer:
    """Hands whose cards are swapped until they have similar scores.

    `worth` scores hands, each by itself; at most `most` hands are scored after swaps.
    """

    def __init__(
        self,
        hands: Sequence[Cards],
        deals: Sequence[CategoryDeal],
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
        self._category = {kind: number for number, category in enumerate(deals) for kind in category.kinds}
        self._order = {kind: index for index, kind in enumerate(self._category)}
        self._different = {number for number, category in enumerate(deals) if category.different}

    @property
    def spread(self) -> Fraction:
        """The points between the best hand and the worst."""
        return max(self.points) - min(self.points)

    def run(self, even: int) -> None:
        """Swap until the spread is at most `even` points, no swap helps, or the limit of scored hands is reached."""
        while self.spread > even and self._left > 0 and self._step():
            self._swaps += 1

    def _step(self) -> bool:
        """Improve the best or the worst hand by a swap; return False if none helps."""
        rising = sorted(range(len(self.hands)), key=self.points.__getitem__)
        # Swaps with the hand at the other end are most likely to help.
        return self._improve(rising[-1], rising) or self._improve(rising[0], rising[::-1])

    def _improve(self, one: int, others: Sequence[int]) -> bool:
        """Swap a card so that the best or worst hand gets closer to the others; return False if no swap does that."""
        low, high = min(self.points), max(self.points)
        for other in others:
            if self.points[other] == self.points[one]:
                # All hands left have the same score.
                return False
            for mine, theirs in self._swaps_of(one, other):
                if self._left <= 0:
                    return False
                self._left -= 2
                points = self._worth((mine, theirs))
                if low < points[0] < high and (low < points[1] < high or points[1] == self.points[other]):
                    self.hands[one], self.hands[other] = mine, theirs
                    self.points[one], self.points[other] = points
                    return True
        return False

    def _swaps_of(self, one: int, other: int) -> Iterator[tuple[Cards, Cards]]:
        """Yield both hands after each swap of a card that the deal allows, in random order."""
        mine, theirs = self.hands[one], self.hands[other]
        pairs = [(card, given) for card in _of_each_kind(mine) for given in _of_each_kind(theirs)]
        pairs = [pair for pair in pairs if self._is_allowed(*pair, mine, theirs)]
        seed = f"{self._seed}/even {self._swaps}"
        for card, given in shuffled(pairs, seed, f"{one} {other}", lambda pair: f"{pair[0].name} {pair[1].name}"):
            yield self._replaced(mine, card, given), self._replaced(theirs, given, card)

    def _is_allowed(self, card: CardId, given: CardId, mine: Cards, theirs: Cards) -> bool:
        category = self._category[card.kind]
        if card.kind == given.kind or category != self._category[given.kind]:
            return False
        return category not in self._different or not (
            any(other.kind == given.kind for other in mine) or any(other.kind == card.kind for other in theirs)
        )

    def _replaced(self, hand: Cards, gone: CardId, come: CardId) -> Cards:
        """Return a hand with a card replaced by another, in the order in which hands are dealt."""
        cards = [come if card == gone else card for card in hand]
        return tuple(sorted(cards, key=lambda card: (self._order[card.kind], card.copy)))


def _of_each_kind(hand: Cards) -> list[CardId]:
    """Return one card of each kind of a hand: the copies of a kind are worth the same."""
    return list({card.kind: card for card in reversed(hand)}.values())


@dataclass(frozen=True)
class DealInputs:
    """Inputs of a deal. Equal inputs give the same cards.

    `number` is that of the run, `first` that of its first envelope. `like` is the number of envelopes in the game's
    first run, None for that run itself. `printed` is the number of cards of each kind, `highest` their highest copy.
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
    """A deal: `hands` are the cards of each envelope. `spread` is None if hands were not balanced."""

    inputs: DealInputs
    hands: tuple[tuple[CardId, ...], ...]
    seed: str
    spread: Fraction | None


def deal_run(inputs: DealInputs, envelopes: int, even: int | None = None, *, most: int = MAX_COUNTS) -> DealResult:
    """Deal a number of envelopes; with `even`, swap cards until the starting hands are at most that many points apart.

    Swapping ends early if no swap helps, or when `most` hands were scored; `spread` is the difference that is left.
    Raises DomainError `cannot-print`.
    """
    seed = f"{inputs.seed}/run {inputs.number}"
    try:
        edition = load_edition(inputs.edition, inputs.language)
        deals = category_deals(edition, envelopes, like=inputs.like, printed=inputs.printed)
        hands = _hands(inputs, deals, envelopes, seed)
        if even is None:
            return DealResult(inputs, hands, seed, None)
        scorer = Scorer(edition, inputs.settings, inputs.active_rules)
        balancer = HandBalancer(hands, deals, lambda some: hand_points(scorer, some), seed, most)
        balancer.run(even)
        return DealResult(inputs, tuple(balancer.hands), seed, balancer.spread)
    except (DealError, EditionError, ScoringError) as error:
        raise DomainError("cannot-print", f"The cards cannot be dealt: {error}.", {"why": "deal"}) from None


def hand_points(scorer: Scorer, hands: Sequence[Sequence[CardId]]) -> list[Fraction]:
    """Return the points of hands, each scored by itself; eliminated hands have 0."""
    counted = [Hand(str(number), Counter(card.kind for card in hand)) for number, hand in enumerate(hands)]
    found = {hand.hand.player: hand.score for hand in scorer.score(counted, provisional=True).hands}
    return [found[hand.player] for hand in counted]


def _hands(
    inputs: DealInputs, deals: Sequence[CategoryDeal], envelopes: int, seed: str
) -> tuple[tuple[CardId, ...], ...]:
    hands = [
        tuple(CardId(card.kind, card.copy + inputs.highest.get(card.kind, 0)) for card in hand)
        for hand in deal(deals, envelopes, seed)
    ]
    for card in (card for hand in hands for card in hand if card.copy > MAX_NUMBER):
        raise DealError(f"there would be more than {MAX_NUMBER} cards of {card.kind}")
    return tuple(hands)
