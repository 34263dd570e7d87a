"""The state of one search for codes: what was read, what was only located, and the time that is left."""

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
from scanner.time_budget import A_CODE, ENDING, decode_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    from cardgen.cards import PrintedGame
    from scanner.decode.backends import DecodedCode, Reader
    from scanner.decode.known_codes import KnownCodeReading
    from scanner.result import Grey, Quad
    from scanner.time_budget import TimeBudget


EXPECTED = 0.05
"""So many cards must be expected to be missed before more is done than codes ask for."""

# Pairs below which they tell nothing.
_FEWEST = 3

# Side of a code in pixels from which on hardly any is missed.
_CLEAR = 3.0 * 21

# How many times the smallest the largest code may be on a table that is not seen at a slant.
_LEVEL = 1.5


def all_seen(codes: Sequence[DecodedCode]) -> bool:
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


_Cell = tuple[int, int, int]


class CodePlaces:
    """A set of codes that is asked which of them mark the same place as another (`Found.is_at`).

    Codes of a size lie in cells as large as they are: those with sides from 2^n to 2^(n + 1) in cells of 2^n pixels.
    """

    def __init__(self, codes: Iterable[DecodedCode] = ()) -> None:
        self._cells: dict[_Cell, list[DecodedCode]] = defaultdict(list)
        for one in codes:
            self.add(one)

    def add(self, one: DecodedCode) -> None:
        """Put a code into the set."""
        level = _level(one)
        self._cells[level, *_cell(one, level)].append(one)

    def any_at(self, one: DecodedCode) -> bool:
        """Tell whether a code of the set marks the same place."""
        return any(one.is_at(other) for other in self._near(one))

    def _near(self, one: DecodedCode) -> Iterator[DecodedCode]:
        """Go through the codes that may mark the same place: of half to twice the size, less than that apart."""
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
"""Located places that are kept for another try: checkered cloth makes thousands."""

FEW = 60
"""Up to so many codes a picture of which no game is known is searched though no sign tells of more."""

UNKNOWN = 1.2
"""A look is taken to last so many times as long as usual as long as it is not known how long its reader takes here."""

PLACES = {"module by module": 1_000_000, "enlarged": 400_000, "second opinion": 400_000}
"""What a place takes with ways of looking closer that take long, as long as none was tried: as long as decoding a JPEG
of so many pixels."""

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
    """What the codes read so far tell of others; where no game is known that is nothing."""

    def missing(self, _found: Sequence[DecodedCode]) -> bool:
        """Tell whether there must be more of them."""
        return False

    def halved(self, _found: Sequence[DecodedCode]) -> bool:
        """Tell whether there may be more of them, so that a cheap look is worth it."""
        return False

    def explained(self, _found: Sequence[DecodedCode], _place: DecodedCode) -> bool:
        """Tell whether a place belongs to what was read, so that nothing is lost with it."""
        return False


@dataclass
class SearchState:
    """One picture being searched.

    `signs` say from the codes that were read whether there must be more of them. `others` holds other quads for the
    places in `unread`, and `tried` for each way of looking closer the quads that had it. `unit` is the time in
    seconds that reading the whole picture once took, and `slower` how many times more than expected a reader took last,
    `longest` the most seconds that a way of looking closer took for a place;
    `surprised` tells whether a look at the whole picture gave codes
    that no sign had told of, `cut_short` whether the budget ended the search,
    `overlooked` whether located places were passed over afterwards since there was no time to doubt them,
    and `whole` is the budget of all passes while one of them has only a part of it. `game` is the one whose cards are
    looked for, if it is known, and `readings` are places that may show one of them,
    `dismissed` such as look like none of their codes; the first `paired` readings were compared with each other.
    `glimpsed` are places that look like codes where likelier ones were cards, but there was no time to compare them.
    """

    grey: Grey
    budget: TimeBudget
    signs: StopCriterion = field(default_factory=StopCriterion)
    game: PrintedGame | None = None
    codes: list[DecodedCode] = field(default_factory=list)
    unread: list[DecodedCode] = field(default_factory=list)
    others: list[DecodedCode] = field(default_factory=list)
    readings: list[KnownCodeReading] = field(default_factory=list)
    paired: int = 0
    dismissed: list[DecodedCode] = field(default_factory=list)
    glimpsed: list[Quad] = field(default_factory=list)
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
        """Located places that may well be codes: of a size like that of the codes read, once there are some."""
        if len(self.codes) < _ENOUGH:
            return self.unread
        usual = float(np.median([one.side for one in self.codes]))
        return [one for one in self.unread if usual / _LIKE_SIZE < one.side < usual * _LIKE_SIZE]

    @property
    def wants_more(self) -> bool:
        """Whether something says that codes are missing: none was read, some were only located, or others tell."""
        return (
            self.surprised
            or not self.codes
            or any(self._matters(one) for one in self.unread)
            or self.signs.missing(self.codes)
        )

    def takes(self, cost: float, reader: Reader | None = None) -> bool:
        """Tell whether a look at the whole picture is wanted and affordable that costs as much as so many plain looks.

        Where a `reader` took longer than that before, it will again: print and cloth keep ZBar busy. Without a game
        nothing tells how many codes there are, so of a picture of few all looks are taken, but of a deck of ours.
        """
        seconds = cost * self.unit * self.slower.get(reader, UNKNOWN)
        # Whether more is wanted may take milliseconds to tell.
        if not self.whole.has(seconds):
            return False
        if self.wants_more:
            return self.budget.has(seconds)
        return self.game is None and len(self.codes) <= FEW and not all_seen(self.codes)

    def fresh(
        self, way: str, most: int = MAX_UNREAD, *, others: bool = False, twins: bool = False
    ) -> Iterator[DecodedCode]:
        """Go through the suspects that were not looked at in this way before, until time or their number is up.

        With `others` also through the other quads for their places, for ways that depend on where exactly corners are.
        With `twins` also through second codes of cards that were read, for ways that cost little.
        """
        tried = self.tried.setdefault(way, [])
        longest = self.longest.get(way, self.whole.pace * decode_seconds(PLACES.get(way, 0)))
        again = self.others if others else ()
        for one in (*sorted(self.suspects, key=lambda one: one.version is None), *again):
            if one in tried or self.is_read(one):
                continue
            # What the codes tell of a place may take milliseconds.
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
        """Bound what follows to a share of the work that is left; what it did not come to may still have its turn."""
        before, self.budget = self.cut_short, self.whole.part(share)
        try:
            yield
        finally:
            self.budget = self.whole
            self.cut_short = before or (self.cut_short and self.whole.late)

    def _matters(self, unread: DecodedCode, *, twins: bool = False) -> bool:
        """Tell whether a located place may be a code that is wanted.

        Where the game is known that is one like its codes, on a card of which no code was read, or else with `twins`.
        """
        if unread in self.dismissed or self.explains(unread):
            return False
        return twins or not self.signs.explained(self.codes, unread)

    def explains(self, unread: DecodedCode) -> bool:
        """Tell whether a quad is made of corner patterns that belong to codes that were read."""
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
        """Whether the time is used up."""
        return self.budget.late

    def add(self, found: Iterable[DecodedCode]) -> None:
        """Take over what a pass found: each code once a place, and located places where nothing was read."""
        new = CodePlaces()
        for one in found:
            if one.text is not None:
                if not self.is_read(one):
                    self.whole.see()
                    self.codes.append(one)
                    new.add(one)
                    self._read.add(one)
            elif _may_be_code(one) and not self.is_read(one):
                self._take_over(one)
        self.unread = [one for one in self.unread if not new.any_at(one)]
        if self.game is not None:
            self.whole.keep(decode_seconds(ENDING + A_CODE * len(self.codes)))

    def is_read(self, one: DecodedCode) -> bool:
        """Tell whether a code was read at this place."""
        return self._read.any_at(one)

    def _take_over(self, one: DecodedCode) -> None:
        """Keep a located place; of two at one place the one whose version is known, else the first."""
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
    """Tell whether a corner of two quads differs enough that reading with the other one is worth a try."""
    return float(np.abs(one.quad - other.quad).max()) > _APART * min(one.module, other.module)


def _may_be_code(found: DecodedCode) -> bool:
    return found.side >= _SMALLEST_SIDE and is_squarish(found.quad)
