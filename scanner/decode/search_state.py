"""The state of a search for codes: codes that were read or only located, and the remaining time."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from math import floor, log2
from typing import TYPE_CHECKING

import numpy as np

from cardgen.payload import CARD, LABEL, parse
from scanner.geometry.quads import is_squarish
from scanner.image.pyramid import Pyramid
from scanner.time_budget import decode_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    from cardgen.cards import PrintedGame
    from scanner.decode.backends import DecodedCode, Reader
    from scanner.result import Grey, Quad
    from scanner.time_budget import TimeBudget


EXPECTED_MISSES = 0.05
"""Expected number of missed cards from which on the search goes on without other evidence."""

# Number of pairs below which there is no estimate.
_FEWEST = 3

# Side of a code in pixels from which on hardly any is missed.
_CLEAR = 3.0 * 21

# How many times the smallest the largest code may be on a table that is not seen at a slant.
_LEVEL = 1.5


def all_seen(codes: Sequence[DecodedCode]) -> bool:
    """Return whether codes are those of a complete Haggle deck in plain view.

    If modules are small, or sizes vary over the picture, both codes of a card may be missed for the same reason.
    """
    sides = [one.side for one in codes]
    clear = min(sides, default=0.0) >= _CLEAR and max(sides) <= _LEVEL * min(sides)
    return clear and all_in_pairs(one.text for one in codes)


def all_in_pairs(texts: Iterable[str | None]) -> bool:
    """Return whether codes are those of a Haggle deck of which hardly a card can be missing.

    If codes are missed independently, singles^2 / (4 pairs) cards are expected of which no code was read. Other texts
    come in unknown number, so more may be missing; labels of envelopes have a single Haggle code.
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
    return pairs >= _FEWEST and singles**2 / (4 * pairs) < EXPECTED_MISSES


_Cell = tuple[int, int, int]


class CodePlaces:
    """A spatial index of codes by place (`DecodedCode.is_at`).

    Codes with sides from 2^n to 2^(n + 1) pixels are in cells of 2^n pixels.
    """

    def __init__(self, codes: Iterable[DecodedCode] = ()) -> None:
        self._cells: dict[_Cell, list[DecodedCode]] = defaultdict(list)
        for one in codes:
            self.add(one)

    def add(self, one: DecodedCode) -> None:
        """Add a code to the index."""
        level = _level(one)
        self._cells[level, *_cell(one, level)].append(one)

    def any_at(self, one: DecodedCode) -> bool:
        """Return whether an indexed code marks the same place."""
        return any(one.is_at(other) for other in self._near(one))

    def _near(self, one: DecodedCode) -> Iterator[DecodedCode]:
        """Yield the codes that may mark the same place: of half to twice the size, and closer than that."""
        own = _level(one)
        for level in (own - 1, own, own + 1):
            x, y = _cell(one, level)
            reach = 2 if level < own else 1
            for column in range(x - reach, x + reach + 1):
                for row in range(y - reach, y + reach + 1):
                    if (level, column, row) in self._cells:
                        yield from self._cells[level, column, row]


def _level(one: DecodedCode) -> int:
    return floor(log2(max(one.side, 1)))


def _cell(one: DecodedCode, level: int) -> tuple[int, int]:
    x, y = one.middle
    return floor(x / 2**level), floor(y / 2**level)


MAX_UNREAD = 150
"""Maximum number of located places that are kept: chequered cloth gives thousands."""

FEW = 60
"""Number of codes up to which a picture is searched without evidence of more, if the game is unknown."""

UNKNOWN_SPEED = 1.2
"""Factor on the usual cost of a pass as long as its reader's speed in this picture is unknown."""

PLACE_COST = {"bent": 1_000_000, "enlarged": 400_000, "zbar": 400_000}
"""Assumed cost of a place for slow kinds of close-ups until one was measured: the time of decoding a JPEG with this
number of pixels."""

# A code of 21 modules with less than a pixel each is beyond reading.
_SMALLEST_SIDE = 15.0

# A corner of a code is this far from its middle, in sides: half the diagonal and a bit.
_CORNER = 0.8

# Quads for one place with a corner farther apart than this, in modules, are both tried.
_APART = 1.5

_ENOUGH = 3

# Codes on one table differ less in size; larger quads are made of corners of different codes.
_LIKE_SIZE = 2.0


class StopCriterion:
    """Decides from the codes read so far whether codes are missing. This one, for an unknown game, never says so."""

    def missing(self, _found: Sequence[DecodedCode]) -> bool:
        """Return whether codes must be missing."""
        return False

    def may_be_missing(self, _found: Sequence[DecodedCode]) -> bool:
        """Return whether codes may be missing, so that a cheap pass is worthwhile."""
        return False

    def explained(self, _found: Sequence[DecodedCode], _place: DecodedCode) -> bool:
        """Return whether a place belongs to a card that was read."""
        return False


@dataclass
class SearchState:
    """State of the search of one picture.

    - `criterion` decides from the codes that were read whether more are missing.
    - `game` is the game whose cards are searched, if known.
    - `codes` were read, `unread` only located; `others` are alternative quads for the places in `unread`.
    - `tried` has the quads that each kind of close-up has tried.
    - `unit` is the time of the plain pass in seconds, `slower` the last measured cost of each reader relative to the
      expected one, `longest` the longest time of each kind of close-up for a place, in seconds.
    - `surprised`: a pass gave codes although none seemed to be missing.
    - `cut_short`: the budget ended the search. `overlooked`: there was no time to examine all places afterwards.
    - `whole` is the budget of all passes while `budget` is that of the current one.
    - `dismissed` are located places that are no codes of the game.
    - `unverified` are places that are likely to be codes of the game but were not matched for lack of time.
    """

    grey: Grey
    budget: TimeBudget
    criterion: StopCriterion = field(default_factory=StopCriterion)
    game: PrintedGame | None = None
    codes: list[DecodedCode] = field(default_factory=list)
    unread: list[DecodedCode] = field(default_factory=list)
    others: list[DecodedCode] = field(default_factory=list)
    dismissed: list[DecodedCode] = field(default_factory=list)
    unverified: list[Quad] = field(default_factory=list)
    tried: dict[str, list[DecodedCode]] = field(default_factory=dict)
    unit: float = 0.0
    slower: dict[Reader | None, float] = field(default_factory=dict)
    longest: dict[str, float] = field(default_factory=dict)
    surprised: bool = False
    cut_short: bool = False
    overlooked: bool = False
    whole: TimeBudget = field(init=False)
    _read: CodePlaces = field(default_factory=CodePlaces, repr=False)
    _laid: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] = field(
        default_factory=lambda: (np.empty((0, 2)), np.empty(0)), repr=False
    )

    def __post_init__(self) -> None:
        self.whole = self.budget

    @cached_property
    def pyramid(self) -> Pyramid:
        """The picture at smaller sizes."""
        return Pyramid(self.grey)

    @property
    def suspects(self) -> list[DecodedCode]:
        """Located places that may be codes: of a size similar to that of the codes read, once there are some."""
        if len(self.codes) < _ENOUGH:
            return self.unread
        usual = float(np.median([one.side for one in self.codes]))
        return [one for one in self.unread if usual / _LIKE_SIZE < one.side < usual * _LIKE_SIZE]

    @property
    def wants_more(self) -> bool:
        """Return whether codes seem to be missing: none was read, some were only located, or by the stop criterion."""
        return (
            self.surprised
            or not self.codes
            or any(self._matters(one) for one in self.unread)
            or self.criterion.missing(self.codes)
        )

    def can_run(self, cost: float, reader: Reader | None = None) -> bool:
        """Return whether a pass that costs `cost` plain passes is wanted and affordable.

        The cost is scaled by the last measured speed of the `reader`. Without a game the number of codes is unknown, so
        all passes are wanted in pictures with few codes, except for complete Haggle decks.
        """
        seconds = cost * self.unit * self.slower.get(reader, UNKNOWN_SPEED)
        # `wants_more` may take milliseconds.
        if not self.whole.has(seconds):
            return False
        if self.wants_more:
            return self.budget.has(seconds)
        return self.game is None and len(self.codes) <= FEW and not all_seen(self.codes)

    def fresh(
        self, way: str, most: int = MAX_UNREAD, *, others: bool = False, twins: bool = False
    ) -> Iterator[DecodedCode]:
        """Yield the suspects that were not tried by this kind of close-up, until time or `most` of them are up.

        With `others` also alternative quads for their places, if the exact corners matter. With `twins` also second
        codes of cards that were read, for cheap close-ups.
        """
        tried = self.tried.setdefault(way, [])
        longest = self.longest.get(way, self.whole.pace * decode_seconds(PLACE_COST.get(way, 0)))
        again = self.others if others else ()
        for one in (*sorted(self.suspects, key=lambda one: one.version is None), *again):
            if one in tried or self.is_read(one):
                continue
            # `_matters` may take milliseconds.
            if self.late or not self.whole.has(longest):
                self.cut_short = True
                return
            if self.game is not None and not self._matters(one, twins=twins):
                continue
            if len(tried) >= most:
                return
            tried.append(one)
            began = time.thread_time()
            yield one
            longest = max(longest, time.thread_time() - began)
            self.longest[way] = longest

    @contextmanager
    def limited(self, share: float) -> Iterator[None]:
        """Limit the enclosed work to a share of the remaining budget; running out of it does not end the search."""
        before, self.budget = self.cut_short, self.whole.part(share)
        try:
            yield
        finally:
            self.budget = self.whole
            self.cut_short = before or (self.cut_short and self.whole.late)

    def _matters(self, unread: DecodedCode, *, twins: bool = False) -> bool:
        """Return whether a located place may be a code that is wanted.

        With a game, codes of cards that were read do not count, except with `twins`.
        """
        if unread in self.dismissed or self.explains(unread):
            return False
        return twins or not self.criterion.explained(self.codes, unread)

    def explains(self, unread: DecodedCode) -> bool:
        """Return whether all finder patterns of a quad belong to codes that were read."""
        if not self.codes:
            return False
        patterns = unread.quad[[0, 1, 3]]
        middles, sides = self._laid
        if len(sides) != len(self.codes):
            middles = np.array([one.middle for one in self.codes])
            sides = np.array([one.side for one in self.codes])
            self._laid = middles, sides
        near = np.linalg.norm(patterns[:, np.newaxis] - middles, axis=2) < _CORNER * sides
        return bool(near.any(axis=1).all())

    @property
    def late(self) -> bool:
        """Return whether the budget of the current pass is used up."""
        return self.budget.late

    def add(self, found: Iterable[DecodedCode]) -> None:
        """Add the result of a pass: each code once per place, and located places that were not read."""
        new = CodePlaces()
        for one in found:
            if one.text is not None:
                if not self.is_read(one):
                    self.whole.grant()
                    self.codes.append(one)
                    new.add(one)
                    self._read.add(one)
            elif _may_be_code(one) and not self.is_read(one):
                self._take_over(one)
        self.unread = [one for one in self.unread if not new.any_at(one)]

    def is_read(self, one: DecodedCode) -> bool:
        """Return whether a code was read at this place."""
        return self._read.any_at(one)

    def _take_over(self, one: DecodedCode) -> None:
        """Add a located place; of two at the same place keep the one with known version, or else the first."""
        for index, other in enumerate(self.unread):
            if one.is_at(other):
                if one.version and not other.version:
                    self.unread[index] = one
                elif len(self.others) < MAX_UNREAD and all(_differ(one, seen) for seen in (other, *self.others)):
                    self.others.append(one)
                return
        if len(self.unread) < MAX_UNREAD:
            self.unread.append(one)

    @property
    def module(self) -> float:
        """Median size of a module in pixels, over the codes that were read or else located; 0 if there is none."""
        return float(np.median([one.module for one in self.codes or self.unread])) if self.codes or self.unread else 0.0


def _differ(one: DecodedCode, other: DecodedCode) -> bool:
    """Return whether the corners of two quads differ enough to try both."""
    return float(np.abs(one.quad - other.quad).max()) > _APART * min(one.module, other.module)


def _may_be_code(found: DecodedCode) -> bool:
    return found.side >= _SMALLEST_SIDE and is_squarish(found.quad)
