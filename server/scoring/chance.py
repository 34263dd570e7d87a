"""The one place of chance: which cards are removed from a hand with too many. Anyone can repeat the draw.

Each card of the hand gets the SHA-256 digest of the UTF-8 text

    seed/rule/player/kind/copy

where `seed` is the game's setting, `rule` the key of the rule, `player` the name as given, `kind` the card's slug,
and `copy` counts the hand's cards of that kind from 1. The cards with the smallest digests are removed.

A provisional count draws by another seed, the first 16 hexadecimal digits of the SHA-256 digest of `seed/provisional`:
a player who sees such a count cannot work out the draw of the final one from it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from heapq import nsmallest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def provisional_seed(seed: str) -> str:
    """Return the seed by which provisional counts of a game draw; it does not tell the game's own."""
    return hashlib.sha256(f"{seed}/provisional".encode()).hexdigest()[:16]


def drawn(seed: str, rule: str, player: str, cards: Mapping[str, int], number: int) -> dict[str, int]:
    """Draw `number` of the `cards` (copies by kind); return how many of each kind, in the order of `cards`."""
    digests = (
        (hashlib.sha256(f"{seed}/{rule}/{player}/{kind}/{copy}".encode()).digest(), kind)
        for kind, copies in cards.items()
        for copy in range(1, copies + 1)
    )
    taken = Counter(kind for _, kind in nsmallest(number, digests))
    return {kind: taken[kind] for kind in cards if taken[kind]}
