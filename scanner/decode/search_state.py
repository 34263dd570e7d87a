"""The state of a search for codes: codes that were read or only located, and the remaining time."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING

from scanner.decode.identify import expected_missing_cards, is_of_seen, laid_out, scanned
from scanner.geometry import is_squarish
from scanner.image.filters import Pyramid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardgen.cards import PrintedGame
    from scanner.decode.backends import DecodedCode
    from scanner.decode.identify import PhotoLayout
    from scanner.result import Grey, Quad
    from scanner.time_budget import TimeBudget


KEPT, KEPT_BLIND, KEPT_ANY = 0.3, 0.7, 0.5
"""Shares of the time budget that the search leaves for finding unread cards once a code was read, for finding all cards
as long as none was, and without a game for hints and the last pass, which may run over.

Of 1,133 cards in 60 hopeless and sharp photographs of 2 to 12 megapixels 988 are read or named, with 0.5 and 0.75 963,
with 0.3 and 0.3 970. Without a game 0.7 loses 72 of 2,896 codes.
"""

EXPECTED_MISSES = 0.05
"""Expected number of missed cards from which on the search goes on without other evidence.

Derived: of 20 cards two with only one code read give so many, a single one does not."""

MAX_UNREAD = 150
"""Maximum number of located places that are kept: chequered cloth gives thousands."""

SMALLEST_SIDE = 15.0
"""Side in pixels below which no code can be read: less than a pixel for each of its 21 modules."""


@dataclass
class SearchState:
    """State of the search of one picture.

    - `game` is the game whose cards are searched, if known.
    - `codes` were read, `unread` only located.
    - `tried` has the places that each kind of close-up has tried.
    - `cut_short`: the budget ended the search. `overlooked`: there was no time to examine all places afterwards.
    - `dismissed` are located places that are no codes of the game.
    - `unverified` are places that are likely to be codes of the game but were not matched for lack of time.
    """

    grey: Grey
    budget: TimeBudget
    game: PrintedGame | None = None
    codes: list[DecodedCode] = field(default_factory=list)
    unread: list[DecodedCode] = field(default_factory=list)
    dismissed: list[DecodedCode] = field(default_factory=list)
    unverified: list[Quad] = field(default_factory=list)
    tried: dict[str, list[DecodedCode]] = field(default_factory=dict)
    cut_short: bool = False
    overlooked: bool = False

    @cached_property
    def pyramid(self) -> Pyramid:
        """The picture at smaller sizes."""
        return Pyramid(self.grey)

    @property
    def module(self) -> float:
        """Median size of a module in pixels, over the codes that were read or else located; 0 if there is none."""
        return median(one.module for one in self.codes or self.unread) if self.codes or self.unread else 0.0

    @cached_property
    def layout(self) -> PhotoLayout:
        """The layout of the codes that were read: kept until `add` adds one, since it takes some milliseconds."""
        return laid_out(scanned(self.codes, self.game), self.game)

    @property
    def expects_cards(self) -> bool:
        """Return whether so many cards show only one of their codes that some are likely to show none."""
        if self.game is None:
            return False
        height, width = self.grey.shape
        return expected_missing_cards(self.layout, self.game.geometry, width, height) >= EXPECTED_MISSES

    @property
    def wants_more(self) -> bool:
        """Return whether codes seem to be missing: none was read, some were only located, or cards are expected."""
        return not self.codes or any(map(self._matters, self.unread)) or self.expects_cards

    def allows(self, pixels: float = 0.0) -> bool:
        """Return whether there is time for a step of the search that costs so many pixels."""
        kept = KEPT_ANY if self.game is None else KEPT if self.codes else KEPT_BLIND
        return self.budget.allows(pixels, kept)

    def can_run(self, pixels: float = 0.0, *, always: bool = False) -> bool:
        """Return whether there is time for a pass that costs so many pixels, and codes seem to be missing.

        Without a game some passes run `always`, since nothing says how many codes there are.
        """
        # `wants_more` may take milliseconds.
        return self.allows(pixels) and ((always and self.game is None) or self.wants_more)

    def fresh(self, way: str, most: int = MAX_UNREAD, cost: int = 0, *, twins: bool = False) -> Iterator[DecodedCode]:
        """Yield the located places not tried yet by this kind of close-up, until time or `most` of them are up.

        `cost` is that of a place, in pixels. With `twins` also second codes of cards that were read count, since they
        make the outlines of these cards exact.
        """
        tried = self.tried.setdefault(way, [])
        for one in sorted(self.unread, key=lambda one: one.version is None):
            if one in tried or self.is_read(one):
                continue
            # `_matters` may take milliseconds.
            if not self.allows(cost):
                self.cut_short = True
                return
            if self._matters(one, twins=twins):
                if len(tried) >= most:
                    return
                tried.append(one)
                yield one

    def add(self, found: Iterable[DecodedCode]) -> None:
        """Add the result of a pass: each code once per place, and located places that were not read."""
        before = len(self.codes)
        for one in found:
            if self.is_read(one):
                continue
            if one.text is not None:
                self.codes.append(one)
            elif one.side >= SMALLEST_SIDE and is_squarish(one.quad):
                self._take_over(one)
        if len(self.codes) > before:
            vars(self).pop("layout", None)
            self.unread = [one for one in self.unread if not self.is_read(one)]

    def is_read(self, one: DecodedCode) -> bool:
        """Return whether a code was read at this place."""
        return any(one.is_at(code) for code in self.codes)

    def _matters(self, unread: DecodedCode, *, twins: bool = False) -> bool:
        """Return whether a located place may be a code that is wanted: not one of a card that was read."""
        if unread in self.dismissed:
            return False
        return twins or self.game is None or not is_of_seen(unread.quad, self.layout, self.game.geometry)

    def _take_over(self, one: DecodedCode) -> None:
        """Add a located place; of two at the same place keep the one with known version, or else the first."""
        for index, other in enumerate(self.unread):
            if one.is_at(other):
                if one.version and not other.version:
                    self.unread[index] = one
                return
        if len(self.unread) < MAX_UNREAD:
            self.unread.append(one)
