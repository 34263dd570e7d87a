"""The deal: the number of copies of each kind, and the cards of each envelope.

All randomness comes from a seed and can be reproduced by anyone: items are shuffled by sorting them by the SHA-256
digests of "seed/purpose/name".
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from cardgen.cards import CardId
from cardgen.payload import MAX_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

T = TypeVar("T")

_ROUNDS = 2
"""Rounds of swaps after which pairs of kinds are about as frequent as in a random deal."""


class DealError(ValueError):
    """The deal is impossible; the message says why."""


@dataclass(frozen=True)
class CategoryDeal:
    """The cards of a category in each envelope: `each` cards of `kinds`, all of different kinds if `different`.

    `supply` is the number of cards of each kind; those left over are put aside. If it is None, exactly the cards that
    are dealt are printed, spread evenly over the kinds.
    """

    kinds: tuple[str, ...]
    each: int
    different: bool = False
    supply: Mapping[str, int] | None = None


def shuffled(items: Iterable[T], seed: str, purpose: str, name: Callable[[T], str]) -> list[T]:
    """Return the items in the order of the SHA-256 digests of "seed/purpose/name"."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{seed}/{purpose}/{name(item)}".encode()).digest())


def copies(category: CategoryDeal, players: int, seed: str) -> dict[str, int]:
    """Return the number of copies of each kind for a game of `players`.

    All kinds get the same number. If the cards do not divide evenly, the seed decides which kinds get one more.
    """
    if category.supply is not None:
        if max(category.supply.values()) > MAX_NUMBER:
            raise DealError(f"{players} players are too many: a kind can have at most {MAX_NUMBER} copies")
        return dict(category.supply)
    if not category.kinds:
        if category.each:
            raise DealError("a category has no cards, so none can be dealt: add cards of it to the edition")
        return {}
    number, rest = divmod(players * category.each, len(category.kinds))
    if number + (rest > 0) > MAX_NUMBER:
        raise DealError(f"{players} players are too many: a kind can have at most {MAX_NUMBER} copies")
    favoured = set(shuffled(category.kinds, seed, "one more", str)[:rest])
    return {kind: number + (kind in favoured) for kind in category.kinds}


def deal(categories: Sequence[CategoryDeal], players: int, seed: str) -> list[list[CardId]]:
    """Deal a game's cards into envelopes: one list of cards for each player, in the order of `categories`.

    Raises DealError for no players, for too many, and for more different kinds a player than there are.
    """
    if players < 1:
        raise DealError("a game needs at least one player")
    envelopes: list[list[CardId]] = [[] for _ in range(players)]
    for category in categories:
        for envelope, hand in zip(envelopes, _deal_category(category, players, seed), strict=True):
            envelope.extend(sorted(hand, key=lambda card: (category.kinds.index(card.kind), card.copy)))
    return envelopes


def _deal_category(category: CategoryDeal, players: int, seed: str) -> list[list[CardId]]:
    counts = copies(category, players, seed)
    cards = [CardId(kind, copy) for kind, count in counts.items() for copy in range(1, count + 1)]
    order = shuffled(cards, seed, "deal", lambda card: card.name)
    if not category.different:
        return [order[player : players * category.each : players] for player in range(players)]
    if category.each > len(category.kinds):
        raise DealError(f"{category.each} different cards a player, but only {len(category.kinds)} kinds")
    # Cards are sorted by kind, with the kinds in random order. In a round-robin deal, a player's cards are `players`
    # positions apart, and no kind has more copies than that, so they are always of different kinds.
    position = {card: number for number, card in enumerate(order)}
    first = {kind: min(position[card] for card in cards if card.kind == kind) for kind, n in counts.items() if n}
    order.sort(key=lambda card: (first[card.kind], position[card]))
    hands = [order[player::players] for player in range(players)]
    return _mixed(hands, seed)


def _mixed(hands: list[list[CardId]], seed: str) -> list[list[CardId]]:
    """Swap cards between hands so that pairs of kinds are random, and shuffle the hands.

    A round-robin deal repeats the same pairs of kinds. The swaps keep the kinds in every hand different.
    """
    each = len(hands[0])
    for swap in range(_ROUNDS * each * each):
        # Every position of a hand is swapped with every position of others, so that any two kinds can meet.
        here, there = swap % each, swap // each % each
        for number, other in enumerate(shuffled(range(len(hands)), seed, f"swap {swap}", str)):
            mine, theirs = hands[number], hands[other]
            mine_kept = {card.kind for card in mine[:here] + mine[here + 1 :]}
            theirs_kept = {card.kind for card in theirs[:there] + theirs[there + 1 :]}
            if mine is not theirs and theirs[there].kind not in mine_kept and mine[here].kind not in theirs_kept:
                mine[here], theirs[there] = theirs[there], mine[here]
    return shuffled(hands, seed, "seat", lambda hand: "+".join(card.name for card in hand))
