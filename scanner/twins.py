"""What two codes a card tell about cards of which neither was read.

If each code is missed by chance with the same share q, then of n cards n q^2 are missed altogether, 2 n q (1 - q) show
one code and n (1 - q)^2 both. So singles^2 / (4 pairs) cards are to be expected of which no code was read.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from scanner.pairs_read import EXPECTED
from scanner.pyramid import Pyramid
from scanner.quads import shared
from scanner.search import Signs
from scanner.sort import is_of_seen, laid_out, meaning_of, scanned
from scanner.table import Table
from scanner.unexplained import unexplained

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import Game
    from scanner.readers import Found
    from scanner.result import Grey, Quad
    from scanner.sort import Layout

_COVERED = 0.02
# Share of a code that another card may cover before that explains why it was not read.


class Cards(Signs):
    """What the codes of a game that were read so far tell of the cards in a picture.

    A card of which one code was read is read. That others lack a code tells how many may lack both, but only where
    something lies on the table that no card explains can there be one.
    """

    def __init__(self, game: Game, grey: Grey) -> None:
        """Take the game whose cards lie in a picture."""
        self._game = game
        self._picture = Pyramid(grey)
        self._told = 0
        self._missed = 0.0
        self._layout: Layout | None = None
        self._more: bool | None = None

    def missing(self, found: Sequence[Found]) -> bool:
        """Tell whether cards are to be expected of which no code was read, and something is left that may be one."""
        if not self.halved(found):
            return False
        if self._more is None:
            layout = self.laid(found)
            cards = [np.array(card.outline) for card in layout.seen]
            others = [np.array(code.quad) for code in layout.codes if code.card is None]
            self._more = bool(unexplained(self._picture, cards, others, self._game.geometry))
        return self._more

    def halved(self, found: Sequence[Found]) -> bool:
        """Tell whether so many cards show one of two codes that some may show none."""
        self._look_at(found)
        return self._missed >= EXPECTED

    def explained(self, found: Sequence[Found], place: Found) -> bool:
        """Tell whether a place is just the other code, or the picture, of a card that was read."""
        self._look_at(found)
        return is_of_seen(place.quad, self.laid(found), self._game.geometry)

    def _look_at(self, found: Sequence[Found]) -> None:
        # A search only ever adds codes, so their number says which they are.
        if len(found) == self._told:
            return
        height, width = self._picture.shape
        self._told, self._layout, self._more = len(found), None, None
        self._missed = missed_cards(found, self._game, width, height)

    def laid(self, found: Sequence[Found]) -> Layout:
        """Return what the codes tell of the table: it takes some milliseconds, and is seldom needed before the end."""
        self._look_at(found)
        if self._layout is None:
            self._layout = laid_out(scanned(found, self._game), self._game)
        return self._layout


def missed_cards(found: Sequence[Found], game: Game, width: int, height: int) -> float:
    """Return how many cards are to be expected of which neither code was read, though both could be seen."""
    quads: dict[str, list[Quad]] = defaultdict(list)
    for one in found:
        if one.text is not None and meaning_of(one.text, game).status == "card":
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
