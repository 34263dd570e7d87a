"""The state of a search for codes: codes that were read or only located, and the remaining time."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scanner.decode.identify import expected_missing_cards, is_of_seen, laid_out, scanned
from scanner.geometry.quads import is_squarish
from scanner.image.filters import Pyramid
from scanner.time_budget import decode_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from cardgen.cards import PrintedGame
    from scanner.decode.backends import DecodedCode
    from scanner.decode.identify import PhotoLayout
    from scanner.result import Grey, Quad
    from scanner.time_budget import TimeBudget


EXPECTED_MISSES = 0.05
"""Expected number of missed cards from which on the search goes on without other evidence."""

MAX_UNREAD = 150
"""Maximum number of located places that are kept: chequered cloth gives thousands."""

SUSPECTED, CALM = 0.75, 0.4
"""Shares of the work that are spent without a game: while codes seem to be missing, and otherwise."""

SMALLEST_SIDE = 15.0
"""Side in pixels below which no code can be read: less than a pixel for each of its 21 modules."""

# A corner of a code is this far from its middle, in sides: half the diagonal and a bit.
_CORNER = 0.8

# Codes on one table differ by at most this factor in size, once so many were read that the median is known; larger
# quads are made of corners of different codes.
_LIKE_SIZE, _ENOUGH = 2.0, 3


@dataclass
class SearchState:
    """State of the search of one picture.

    - `game` is the game whose cards are searched, if known.
    - `codes` were read, `unread` only located.
    - `tried` has the places that each kind of close-up has tried.
    - `unit` is the time of the plain pass in seconds.
    - `cut_short`: the budget ended the search. `overlooked`: there was no time to examine all places afterwards.
    - `whole` is the budget of all passes while `budget` is that of the current one, and `calm` the part of it that is
      spent without evidence.
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
    unit: float = 0.0
    cut_short: bool = False
    overlooked: bool = False
    whole: TimeBudget = field(init=False)
    calm: TimeBudget | None = None
    _laid: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] = field(
        default_factory=lambda: (np.empty((0, 2)), np.empty(0)), repr=False
    )
    _layout: tuple[int, PhotoLayout] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.game is None:
            self.calm = self.budget.part(CALM)
            limit = self.budget.part(SUSPECTED).limit + self.budget.reserved
            self.budget = replace(self.budget, limit=limit)
        self.whole = self.budget

    @cached_property
    def pyramid(self) -> Pyramid:
        """The picture at smaller sizes."""
        return Pyramid(self.grey)

    @property
    def module(self) -> float:
        """Median size of a module in pixels, over the codes that were read or else located; 0 if there is none."""
        return float(np.median([one.module for one in self.codes or self.unread])) if self.codes or self.unread else 0.0

    @property
    def late(self) -> bool:
        """Return whether the budget of the current pass is used up."""
        return self.budget.late

    @property
    def suspects(self) -> list[DecodedCode]:
        """Located places that may be codes: of a size similar to that of the codes read, once there are some."""
        if len(self.codes) < _ENOUGH:
            return self.unread
        usual = float(np.median([one.side for one in self.codes]))
        return [one for one in self.unread if usual / _LIKE_SIZE < one.side < usual * _LIKE_SIZE]

    @property
    def layout(self) -> PhotoLayout:
        """The layout of the codes that were read. Cached, since it takes some milliseconds."""
        # A search only ever adds codes, so their number identifies them.
        if self._layout is None or self._layout[0] != len(self.codes):
            self._layout = len(self.codes), laid_out(scanned(self.codes, self.game), self.game)
        return self._layout[1]

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

    def can_run(self, cost: float) -> bool:
        """Return whether a pass that costs `cost` plain passes is wanted and affordable.

        Without a game the number of codes is unknown, so passes are wanted without evidence too, but not for long.
        """
        seconds = cost * self.unit
        # `wants_more` may take milliseconds.
        if not self.whole.has(seconds):
            return False
        if self.wants_more:
            return self.budget.has(seconds)
        return self.calm is not None and self.calm.has(seconds)

    def fresh(self, way: str, most: int = MAX_UNREAD, cost: int = 0, *, twins: bool = False) -> Iterator[DecodedCode]:
        """Yield the suspects that were not tried by this kind of close-up, until time or `most` of them are up.

        `cost` is the time of decoding a JPEG with this number of pixels, which a place may take. With `twins` also
        second codes of cards that were read count, since they make the outlines of these cards exact.
        """
        tried = self.tried.setdefault(way, [])
        for one in sorted(self.suspects, key=lambda one: one.version is None):
            if one in tried or self.is_read(one):
                continue
            # `_matters` may take milliseconds.
            if self.late or not self.whole.affords(decode_seconds(cost)):
                self.cut_short = True
                return
            if self._matters(one, twins=twins):
                if len(tried) >= most:
                    return
                tried.append(one)
                yield one

    @contextmanager
    def limited(self, share: float) -> Iterator[None]:
        """Limit the enclosed work to a share of the remaining budget; running out of it does not end the search."""
        before, self.budget = self.cut_short, self.whole.part(share)
        try:
            yield
        finally:
            self.budget = self.whole
            self.cut_short = before or (self.cut_short and self.whole.late)

    def add(self, found: Iterable[DecodedCode]) -> None:
        """Add the result of a pass: each code once per place, and located places that were not read."""
        new: list[DecodedCode] = []
        for one in [one for one in found if not self.is_read(one)]:
            if any(one.is_at(other) for other in new):
                continue
            if one.text is not None:
                new.append(one)
            elif one.side >= SMALLEST_SIDE and is_squarish(one.quad):
                self._take_over(one)
        if new:
            self.whole.grant()
            self.codes += new
            self.unread = [one for one in self.unread if not any(one.is_at(other) for other in new)]

    def is_read(self, one: DecodedCode) -> bool:
        """Return whether a code was read at this place (`DecodedCode.is_at`)."""
        middles, sides = self._places()
        far, large = np.hypot(*(middles - one.middle).T), np.maximum(sides, one.side)
        return bool(((far < large / 2) & (large < 2 * np.minimum(sides, one.side) + 1)).any())

    def explains(self, unread: DecodedCode) -> bool:
        """Return whether all finder patterns of a quad belong to codes that were read."""
        middles, sides = self._places()
        patterns = unread.quad[[0, 1, 3]]
        near = np.linalg.norm(patterns[:, np.newaxis] - middles, axis=2) < _CORNER * sides
        return bool(near.any(axis=1).all())

    def _places(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the middles, shape (n, 2), and the sides of the codes that were read."""
        if len(self._laid[1]) != len(self.codes):
            self._laid = np.array([one.middle for one in self.codes]), np.array([one.side for one in self.codes])
        return self._laid

    def _matters(self, unread: DecodedCode, *, twins: bool = False) -> bool:
        """Return whether a located place may be a code that is wanted: not one of a card that was read."""
        if unread in self.dismissed or self.explains(unread):
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
