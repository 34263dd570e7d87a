"""Layout of cards and their backs on sheets. Lengths are in millimetres, from the page's lower left corner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from cardgen.pages.paper import MARGIN, PAPERS, Duplex, Paper, PaperError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardgen.cards import CardId, Geometry


Order = Literal["envelope", "stack", "kind"]
"""Order of the cards: envelope by envelope along the rows of each sheet; envelope by envelope down the pile of sheets,
so that the stacks are in order after the whole pile is cut; or kind by kind."""
Marks = Literal["crop", "lines", "none"]
"""Cutting marks: ticks and crosses, lines across the whole sheet, or none."""
Backs = Literal["none", "long", "short", "fold"]
"""Backs: none; on a page after each page of fronts, for duplex printing along the long or the short edge; or beside the
fronts on the same side of the paper, to be folded over."""
Turn = Literal["across", "up"]
"""Axis about which paper is turned or folded: vertical, so that left and right are swapped, or horizontal."""

MAX_GUTTER = 20.0
MAX_BLEED = 5.0
MAX_SHIFT = 10.0
MIN_SCALE, MAX_SCALE = 0.9, 1.1
_FOOT = 4.5
"""Space below the cards, beyond the margin, for the line of text and the ruler."""
_SIDE = 3.2
"""Space at the left of the cards, beyond the margin, for the text beside each row."""
_SLACK = 1e-6


@dataclass(frozen=True)
class PageSetup:
    """Settings of the pages of a print run. Lengths are in millimetres.

    `gutter` is the distance between cards, and at least two bleeds. `bleed` is how far faces and backs continue beyond
    the cut. `shift` moves all fronts to the right and up, `back_shift` the pages of backs, and `scale` enlarges pages
    about their middle, all to correct an inaccurate printer. `skip` is the number of used places of the first sheet.
    """

    paper: Paper = PAPERS["a4"]
    order: Order = "envelope"
    marks: Marks = "crop"
    gutter: float = 0.0
    bleed: float = 0.0
    backs: Backs = "none"
    shift: tuple[float, float] = (0.0, 0.0)
    back_shift: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)
    skip: int = 0

    @property
    def gap(self) -> float:
        """Millimetres between two cards."""
        return max(self.gutter, 2 * self.bleed)

    @property
    def duplex(self) -> bool:
        """True if a page of backs follows each page of fronts."""
        return self.backs in {"long", "short"}

    @property
    def duplex_mode(self) -> Duplex:
        """The duplex preference of the PDF."""
        if not self.duplex:
            return "Simplex"
        return "DuplexFlipLongEdge" if self.backs == "long" else "DuplexFlipShortEdge"

    def transform(self, paper: Paper, *, back: bool = False) -> tuple[float, float, float, float]:
        """Return (across, up, right, rise), which map the point (x, y) of a page to (across x + right, up y + rise)."""
        (across, up), (right, rise) = self.scale, self.back_shift if back else self.shift
        return across, up, paper.width / 2 * (1 - across) + right, paper.height / 2 * (1 - up) + rise


PLAIN = PageSetup()
"""One-sided A4 without gutter, with crop marks."""


@dataclass(frozen=True)
class PrintedCard:
    """One card on a sheet. Page, row and column count from 1, rows from the top, columns from the left.

    `page` is the page of the PDF, including those of backs.
    """

    card: CardId
    payload: str
    code: str
    envelope: int
    page: int
    row: int
    column: int


@dataclass(frozen=True)
class Grid:
    """A grid of cards on a page, which may be the paper in landscape format.

    `left` and `bottom` are the lower left corner of the block of fronts, at the cut. `axis` is the line about which
    paper is turned or folded, so that backs are mirrored at it; None if there are no backs.
    """

    paper: Paper
    card: Geometry
    columns: int
    rows: int
    left: float
    bottom: float
    gap: float = 0.0
    bleed: float = 0.0
    axis: float | None = None
    turn: Turn = "across"
    folded: bool = False

    @property
    def size(self) -> int:
        """Cards on a sheet."""
        return self.columns * self.rows

    @property
    def sides(self) -> int:
        """Pages of a sheet: two if backs have a page of their own."""
        return 1 if self.axis is None or self.folded else 2

    @property
    def width(self) -> float:
        """Width of the block of fronts, from cut to cut."""
        return self.columns * (self.card.width + self.gap) - self.gap

    @property
    def height(self) -> float:
        """Height of the block of fronts, from cut to cut."""
        return self.rows * (self.card.height + self.gap) - self.gap

    def place(self, number: int) -> tuple[int, int, int]:
        """Return page, row and column, each from 1, of the card with this number from 0, in reading order."""
        sheet, rest = divmod(number, self.size)
        row, column = divmod(rest, self.columns)
        return sheet * self.sides + 1, row + 1, column + 1

    def front(self, row: int, column: int) -> tuple[float, float]:
        """Return the lower left corner of the card at a place."""
        x = self.left + (column - 1) * (self.card.width + self.gap)
        return x, self.bottom + (self.rows - row) * (self.card.height + self.gap)

    def back(self, row: int, column: int) -> tuple[float, float]:
        """Return the lower left corner of the back of the card at a place; ValueError if there are no backs."""
        if self.axis is None:
            raise ValueError("these sheets have no backs")
        x, y = self.front(row, column)
        if self.turn == "across":
            return 2 * self.axis - x - self.card.width, y
        return x, 2 * self.axis - y - self.card.height

    def cuts(self) -> tuple[list[float], list[float]]:
        """Return the cuts: vertical lines from the left, and horizontal ones from below. A fold is not a cut."""
        xs = sorted({place for n in range(1, self.columns + 1) for place in self._sides(self.front(1, n)[0], "across")})
        ys = sorted({place for n in range(1, self.rows + 1) for place in self._sides(self.front(n, 1)[1], "up")})
        if self.folded and self.axis is not None:
            mine = xs if self.turn == "across" else ys
            folds = self.axis
            both = {round(place, 6) for at in mine for place in (at, 2 * folds - at) if abs(at - folds) > _SLACK}
            mine[:] = sorted(both)
        return xs, ys

    def block(self, *, back: bool = False) -> tuple[float, float, float, float]:
        """Return left, bottom, right and top of all cards, with backs beside the fronts; or of a page of backs."""
        x0, y0, x1, y1 = self.left, self.bottom, self.left + self.width, self.bottom + self.height
        if self.axis is None or not (back or self.folded):
            return x0, y0, x1, y1
        if self.turn == "across":
            left, right = 2 * self.axis - x1, 2 * self.axis - x0
            return (x0 if self.folded else left), y0, right, y1
        low, high = 2 * self.axis - y1, 2 * self.axis - y0
        return x0, low, x1, y1 if self.folded else high

    def _sides(self, start: float, way: Turn) -> tuple[float, float]:
        return round(start, 6), round(start + (self.card.width if way == "across" else self.card.height), 6)


def grid(setup: PageSetup, card: Geometry) -> Grid:
    """Return the grid for cards of a size, in landscape format if more cards fit; PaperError if none does."""
    check_values(setup)
    best = max(_layouts(setup, card), key=lambda layout: layout.size)
    if best.size < 1:
        paper, room = setup.paper, f" with {setup.gap:g} mm between cards" if setup.gap else ""
        beside = " and their backs beside them" if setup.backs == "fold" else ""
        other = "choose smaller cards" + (", or less gutter and bleed" if setup.gap else "")
        what = f"cards of {card.width:g} x {card.height:g} mm{beside}{room}"
        raise PaperError(f"{what} do not fit {paper.name} paper: {other}")
    if not 0 <= setup.skip < best.size:
        message = f"{setup.skip} used places: a sheet has {best.size}, so choose 0 to {best.size - 1}"
        raise PaperError(message, why="used-places", most=best.size - 1)
    _check_moved(setup, best)
    return best


def check_values(setup: PageSetup) -> None:
    """Raise PaperError for a value out of range. Use `grid` to check that the cards fit too."""
    for problem in _problems(setup):
        raise PaperError(problem)


def _problems(setup: PageSetup) -> Iterator[str]:
    # The comparisons are written so that NaN is refused too.
    if not 0 <= setup.gutter <= MAX_GUTTER:
        yield f"a gutter of {setup.gutter:g} mm: choose 0 to {MAX_GUTTER:g}"
    if not 0 <= setup.bleed <= MAX_BLEED:
        yield f"a bleed of {setup.bleed:g} mm: choose 0 to {MAX_BLEED:g}"
    for name, shift in (("shift", setup.shift), ("shift of the backs", setup.back_shift)):
        if not all(abs(way) <= MAX_SHIFT for way in shift):
            yield f"a {name} of {shift[0]:g}, {shift[1]:g} mm: choose at most {MAX_SHIFT:g} each way"
    if not all(MIN_SCALE <= way <= MAX_SCALE for way in setup.scale):
        across, up = (100 * way for way in setup.scale)
        yield f"a scale of {across:g}, {up:g} %: choose {100 * MIN_SCALE:g} to {100 * MAX_SCALE:g}"


def places(setup: PageSetup, layout: Grid, count: int) -> list[tuple[int, int, int]]:
    """Return page, row and column of `count` cards in the setup's order, without the used places."""
    if setup.order != "stack":
        return [layout.place(number + setup.skip) for number in range(count)]
    taken = range(setup.skip, setup.skip + count)
    return [layout.place(number) for index in range(layout.size) for number in taken if number % layout.size == index]


def _layouts(setup: PageSetup, card: Geometry) -> Iterator[Grid]:
    """Yield the possible grids, preferred ones first."""
    for paper in (setup.paper, setup.paper.turned):
        if setup.backs == "fold":
            yield _folded(setup, card, paper, "across")
            yield _folded(setup, card, paper, "up")
            continue
        layout = _block(setup, card, paper, (1, 1))
        if setup.duplex:
            upright = (paper.height >= paper.width) == (setup.backs == "long")
            axis = (paper.width if upright else paper.height) / 2
            layout = replace(layout, axis=axis, turn="across" if upright else "up")
        yield layout


def _block(setup: PageSetup, card: Geometry, paper: Paper, halves: tuple[int, int]) -> Grid:
    """Return the block of fronts. `halves` of 2 leaves the same space for backs beside or below them."""
    columns, left = _along(paper.width, card.width, setup, MARGIN + _SIDE, halves[0])
    rows, bottom = _along(paper.height, card.height, setup, MARGIN + _FOOT, halves[1])
    return Grid(paper, card, columns, rows, left, bottom, setup.gap, setup.bleed)


def _along(room: float, side: float, setup: PageSetup, first: float, halves: int) -> tuple[int, float]:
    """Return the number of cards that fit along a side of the paper, and the start of the first one.

    They are centred, unless the text at the `first` edge needs more space.
    """
    within = room - first - MARGIN - 2 * setup.bleed + setup.gap
    count = int((within + _SLACK) // (side + setup.gap)) // halves
    rest = room - halves * count * (side + setup.gap) + setup.gap
    return count, max(rest / 2, first + setup.bleed)


def _folded(setup: PageSetup, card: Geometry, paper: Paper, turn: Turn) -> Grid:
    """Return a grid with backs to the right of the fronts, or below them."""
    across = turn == "across"
    layout = _block(setup, card, paper, (2, 1) if across else (1, 2))
    if across:
        return replace(layout, axis=layout.left + layout.width + setup.gap / 2, turn=turn, folded=True)
    axis = layout.bottom + layout.height + setup.gap / 2
    return replace(layout, bottom=axis + setup.gap / 2, axis=axis, turn=turn, folded=True)


def _check_moved(setup: PageSetup, layout: Grid) -> None:
    """Raise PaperError if the setup's shift and scale move cards off the paper."""
    width, height = layout.paper.width, layout.paper.height
    for back in (False, True)[: layout.sides]:
        across, up, right, rise = setup.transform(layout.paper, back=back)
        x0, y0, x1, y1 = layout.block(back=back)
        if across * x0 + right < 0 or across * x1 + right > width or up * y0 + rise < 0 or up * y1 + rise > height:
            name = "backs" if back else "cards"
            message = f"shift and scale move {name} off the paper: choose a smaller shift or scale"
            raise PaperError(message, why="off-paper")


def by_kind(cards: Sequence[tuple[CardId, int]], kinds: Sequence[str]) -> list[tuple[CardId, int]]:
    """Return cards with their envelopes, sorted by kind."""
    number = {kind: n for n, kind in enumerate(kinds)}
    return sorted(cards, key=lambda card: (number[card[0].kind], card[0].copy))
