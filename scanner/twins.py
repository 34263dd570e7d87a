"""What two codes a card tell about cards of which neither was read.

If each code is missed by chance with the same share q, then of n cards n q^2 are missed altogether, 2 n q (1 - q) show
one code and n (1 - q)^2 both. So singles^2 / (4 pairs) cards are to be expected of which no code was read.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from scanner.quads import shared
from scanner.sort import status_of
from scanner.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardgen.cards import Game
    from scanner.readers import Found
    from scanner.result import Quad

EXPECTED = 0.05
"""So many cards must be expected to be missed before the whole picture is read again."""

_COVERED = 0.02
# Share of a code that another card may cover before that explains why it was not read.


def hunch_of(game: Game, width: int, height: int) -> Callable[[Sequence[Found]], bool]:
    """Return a function that tells from the codes read in a picture whether cards of the game must be missing."""
    told: dict[int, bool] = {}

    def hunch(found: Sequence[Found]) -> bool:
        # A search only ever adds codes, so their number says which they are.
        if len(found) not in told:
            told[len(found)] = missed_cards(found, game, width, height) >= EXPECTED
        return told[len(found)]

    return hunch


def missed_cards(found: Sequence[Found], game: Game, width: int, height: int) -> float:
    """Return how many cards are to be expected of which neither code was read, though both could be seen."""
    quads: dict[str, list[Quad]] = defaultdict(list)
    for one in found:
        if one.text is not None and status_of(one.text, game)[0] == "card":
            quads[one.text].append(one.quad)
    pairs = sum(len(group) > 1 for group in quads.values())
    singles = {text: group[0] for text, group in quads.items() if len(group) == 1}
    if not singles:
        return 0.0
    table = Table.under([quad for group in quads.values() for quad in group])
    outlines = {text: table.outline(game.geometry, *group[:2]) for text, group in quads.items()}
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    missed = 0
    for text, quad in singles.items():
        place = table.twin_place(game.geometry, quad)
        hidden = any(shared(place, card) > _COVERED for other, card in outlines.items() if other != text)
        missed += not hidden and shared(place, frame) > 1 - _COVERED
    return missed**2 / (4 * max(pairs, 1))
