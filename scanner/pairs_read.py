"""What codes of our cards tell where no game is known: their form shows what they are, and each card bears two.

Nobody has checked their signatures, so this decides only how long it is worth looking for more.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardgen.payload import CARD, LABEL, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

EXPECTED = 0.05
"""So many cards must be expected to be missed before more is done than codes ask for."""

_FEWEST = 3
# Pairs below which they tell nothing.


def all_in_pairs(texts: Iterable[str | None]) -> bool:
    """Tell whether codes are those of a deck of ours of which hardly a card can be missing.

    If each code is missed by chance, singles^2 / (4 pairs) cards are to be expected of which none was read. A text of
    another form says nothing about how many there are, so there may be more; labels of envelopes bear one code of ours.
    """
    seen: Counter[str] = Counter()
    for text in texts:
        payload = parse(text) if text else None
        if payload is None:
            return False
        if payload.letter == CARD:
            seen[payload.text] += 1
        elif payload.letter != LABEL:
            return False
    pairs = sum(times > 1 for times in seen.values())
    singles = len(seen) - pairs
    return pairs >= _FEWEST and singles**2 / (4 * pairs) < EXPECTED
