"""What codes of our cards tell where no game is known: their form shows what they are, and each card bears two.

Nobody has checked their signatures, so this decides only how long it is worth looking for more.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardgen.payload import CARD, LABEL, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scanner.readers import Found

EXPECTED = 0.05
"""So many cards must be expected to be missed before more is done than codes ask for."""

_FEWEST = 3
# Pairs below which they tell nothing.
_CLEAR = 3.0 * 21
# Side of a code in pixels from which on hardly any is missed.
_LEVEL = 1.5
# How many times the smallest the largest code may be on a table that is not seen at a slant.


def all_seen(codes: Sequence[Found]) -> bool:
    """Tell whether codes are those of a deck of ours that lies in plain view.

    Where modules are small, or smaller at one side than at the other, both codes of a card are missed for one reason.
    """
    sides = [one.side for one in codes]
    clear = min(sides, default=0.0) >= _CLEAR and max(sides) <= _LEVEL * min(sides)
    return clear and all_in_pairs(one.text for one in codes)


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
