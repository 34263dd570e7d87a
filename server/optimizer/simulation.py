"""Random games from a seed: starting hands, trades, facts and parts, and the points of a hand by rule."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from server.optimizer.space import kinds_of
from server.scoring.rules import AWARDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.scoring import Edition, HandResult
    from server.scoring.edition import Deal, Fact
    from server.scoring.rules import Points


Cards = Counter[str]


def deal_hands(edition: Edition, players: int, chance: SeededRandom) -> list[Cards]:
    """Return the starting hands of `players`, without duplicates in categories of different cards."""
    hands: list[Cards] = [Counter() for _ in range(players)]
    for deal in edition.deal:
        kinds = kinds_of(edition, deal.category)
        each = deal.each_of(kinds, players)
        cards = chance.shuffled(_printed(deal, kinds, players, chance))
        portions = [cards[index * each : (index + 1) * each] for index in range(players)]
        if deal.different and each <= len(kinds):
            _separate_duplicates(portions, chance)
        for hand, portion in zip(hands, portions, strict=True):
            hand.update(portion)
    return hands


def trade_cards(hands: list[Cards], trades: int, chance: SeededRandom) -> list[Cards]:
    """Return the hands after a number of random trades of one card for one or two."""
    after = [Counter(hand) for hand in hands]
    for _ in range(trades if len(hands) > 1 else 0):
        one = chance.below(len(after))
        other = (one + 1 + chance.below(len(after) - 1)) % len(after)
        _give(after[one], after[other], 1, chance)
        _give(after[other], after[one], 1 + chance.below(2), chance)
    return after


def random_facts(edition: Edition, players: int, chance: SeededRandom) -> list[dict[str, int]]:
    """Return random facts for each of `players`; all values are equally likely."""
    return [{fact.name: _random_value(fact, chance) for fact in edition.facts} for _ in range(players)]


def random_parts(edition: Edition, cards: Cards, chance: SeededRandom) -> dict[str, Cards]:
    """Return random parts of a deck: each card is in one of them, all equally likely."""
    parts: dict[str, Cards] = {part.slug: Counter() for part in edition.parts}
    for kind in sorted(cards.elements()) if parts else ():
        parts[chance.one_of(list(parts))][kind] += 1
    return parts


def _random_value(fact: Fact, chance: SeededRandom) -> int:
    if fact.yes_no:
        return bool(chance.below(2))
    return fact.minimum + chance.below(fact.maximum - fact.minimum + 1)


def _give(giver: Cards, taker: Cards, number: int, chance: SeededRandom) -> None:
    for _ in range(min(number, giver.total())):
        card = chance.one_of(sorted(giver.elements()))
        giver[card] -= 1
        if not giver[card]:
            del giver[card]
        taker[card] += 1


def _printed(deal: Deal, kinds: tuple[str, ...], players: int, chance: SeededRandom) -> list[str]:
    """Return the cards of a category; if they do not divide evenly, random kinds have one more."""
    supply = deal.copies(kinds, players)
    if supply is None:
        share, rest = divmod(players * deal.each, len(kinds))
        more = set(chance.shuffled(kinds)[:rest])
        supply = {kind: share + (kind in more) for kind in kinds}
    return [kind for kind, copies in supply.items() for _ in range(copies)]


def _separate_duplicates(portions: list[list[str]], chance: SeededRandom) -> None:
    """Exchange cards until no portion has a kind twice."""
    for mine in portions:
        while len(set(mine)) < len(mine):
            duplicate = next(index for index, kind in enumerate(mine) if kind in mine[:index])
            theirs = chance.one_of(portions)
            there = chance.below(len(theirs))
            if theirs[there] not in mine and mine[duplicate] not in theirs:
                mine[duplicate], theirs[there] = theirs[there], mine[duplicate]


T = TypeVar("T")


class SeededRandom:
    """Random draws that depend only on the seed, by SHA-256 of "seed/0", "seed/1" and so on."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._turns = count()

    def below(self, number: int) -> int:
        """Return a whole number from 0 to below `number`. The bias is less than number / 2**64."""
        digest = hashlib.sha256(f"{self._seed}/{next(self._turns)}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % number

    def share(self) -> float:
        """Return a number from 0 to below 1."""
        return self.below(1 << 32) / (1 << 32)

    def one_of(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order."""
        mixed = list(items)
        for index in range(len(mixed) - 1, 0, -1):
            other = self.below(index + 1)
            mixed[index], mixed[other] = mixed[other], mixed[index]
        return mixed


def points_by_rule(hand: HandResult) -> dict[str | None, Points]:
    """Return the points of a hand by the key of the rule that gave them; their sum is the score.

    Cards count for the rule that sets their worth, or for None if the edition itself states it. Void lines are left
    out; an eliminated hand has no points.
    """
    found: dict[str | None, Points] = {}
    if hand.eliminated:
        return found
    edition, seat, count = hand.edition, hand.seat, hand.count
    for category in edition.valued:
        for kind in seat.counts(category):
            if kind not in count.zeroes:
                set_by = count.worths.get(kind)
                key, worth = (set_by.rule.key, set_by.amount) if set_by else (None, edition.worths.get(kind, 0))
                found[key] = found.get(key, 0) + worth * count.scoring(seat, kind, category)
    for index, entry in enumerate(seat.journal):
        if entry.verb in AWARDS and index not in count.voids:
            found[entry.rule.key] = found.get(entry.rule.key, 0) + entry.amount
    return found
