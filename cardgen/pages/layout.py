"""Where cards lie on sheets, and their backs behind them. Lengths in millimetres, from the page's lower left corner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from cardgen.pages.paper import MARGIN, PAPERS, Duplex, Paper, PaperError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardgen.cards import CardId, Geometry


Order = Literal["envelope", "stack", "kind"]
"""Cards of one envelope after another as one reads, to be cut sheet by sheet; the same for who cuts the whole pile at
once and puts stack upon stack, so that each place's stack goes on where the one before ends; or all cards of a kind
together."""
Marks = Literal["crop", "lines", "none"]
"""Where to cut: ticks and crosses, lines across the whole sheet, or nothing."""
Backs = Literal["none", "long", "short", "fold"]
"""No backs; a page of backs after each page of fronts, for a printer that turns the paper about its long or its short
edge; or backs beside the fronts on one side of the paper, to be folded over."""

WIDEST_GUTTER = 20.0
WIDEST_BLEED = 5.0
FARTHEST_SHIFT = 10.0
SMALLEST_SCALE, LARGEST_SCALE = 0.9, 1.1


@dataclass(frozen=True)
class PageSetup:
    """How a run comes onto paper. Lengths in millimetres.

    `gutter` is the room between cards, `bleed` how far faces and backs go on beyond the cut; the room is at least two
    bleeds. `shift` moves all fronts to the right and up, `back_shift` the pages of backs, `scale` enlarges both ways
    about the middle of the page: for a printer that drifts. `skip` places of the first sheet are used already.
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
        """Whether a page of backs follows each page of fronts."""
        return self.backs in {"long", "short"}

    @property
    def turning(self) -> Duplex:
        """What the PDF asks of a printer that can print on both sides."""
        if not self.duplex:
            return "Simplex"
        return "DuplexFlipLongEdge" if self.backs == "long" else "DuplexFlipShortEdge"

    def drift(self, paper: Paper, *, back: bool = False) -> tuple[float, float, float, float]:
        """Return (across, up, right, rise): the point (x, y) of a page comes to (across x + right, up y + rise)."""
        (across, up), (right, rise) = self.scale, self.back_shift if back else self.shift
        return across, up, paper.width / 2 * (1 - across) + right, paper.height / 2 * (1 - up) + rise


PLAIN = PageSetup()
"""One side of A4, edge to edge, with crop marks."""


def check_values(setup: PageSetup) -> None:
    """Raise PaperError for a value that no setup has; what fits together is for the layout to say."""
    for problem in _problems(setup):
        raise PaperError(problem)


def _problems(setup: PageSetup) -> Iterator[str]:
    # Written so that what is not a number is wrong too.
    if not 0 <= setup.gutter <= WIDEST_GUTTER:
        yield f"a gutter of {setup.gutter:g} mm: choose 0 to {WIDEST_GUTTER:g}"
    if not 0 <= setup.bleed <= WIDEST_BLEED:
        yield f"a bleed of {setup.bleed:g} mm: choose 0 to {WIDEST_BLEED:g}"
    for name, shift in (("shift", setup.shift), ("shift of the backs", setup.back_shift)):
        if not all(abs(way) <= FARTHEST_SHIFT for way in shift):
            yield f"a {name} of {shift[0]:g}, {shift[1]:g} mm: choose at most {FARTHEST_SHIFT:g} each way"
    if not all(SMALLEST_SCALE <= way <= LARGEST_SCALE for way in setup.scale):
        # In percent, as it is asked for.
        across, up = (100 * way for way in setup.scale)
        yield f"a scale of {across:g}, {up:g} %: choose {100 * SMALLEST_SCALE:g} to {100 * LARGEST_SCALE:g}"


_FOOT = 4.5
"""Wanted below the cards beyond the margin, for the line of words and the ruler."""
_SIDE = 3.2
"""Wanted at the left of the cards beyond the margin, for the words beside each row."""
_SLACK = 1e-6
Turn = Literal["across", "up"]
"""How paper is turned or folded: about an upright line, so that left and right change places, or about a level one."""


@dataclass(frozen=True)
class PrintedCard:
    """One card on a sheet. Page, row and column count from 1, rows from the top, columns from the left.

    `page` is the page of the PDF, those of backs counted too.
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
    """How cards lie on a page, which may be the paper turned: their number each way, and where the first ones are.

    `left` and `bottom` are the lower left corner of the block of fronts, at the cut. `axis` is the line about which
    paper is turned or folded, so that what mirrors in it lies behind; None where there are no backs. `sides` is the
    number of pages that a sheet takes.
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
        """Pages of a sheet: two where backs have a page of their own."""
        return 1 if self.axis is None or self.folded else 2

    @property
    def width(self) -> float:
        """Of the block of fronts, from cut to cut."""
        return self.columns * (self.card.width + self.gap) - self.gap

    @property
    def height(self) -> float:
        """Of the block of fronts, from cut to cut."""
        return self.rows * (self.card.height + self.gap) - self.gap

    def place(self, number: int) -> tuple[int, int, int]:
        """Return page, row and column, each from 1, of the card with this number from 0, as one reads."""
        sheet, rest = divmod(number, self.size)
        row, column = divmod(rest, self.columns)
        return sheet * self.sides + 1, row + 1, column + 1

    def front(self, row: int, column: int) -> tuple[float, float]:
        """Return the lower left corner of the card at a place."""
        x = self.left + (column - 1) * (self.card.width + self.gap)
        return x, self.bottom + (self.rows - row) * (self.card.height + self.gap)

    def back(self, row: int, column: int) -> tuple[float, float]:
        """Return the lower left corner of the back of the card at a place; ValueError where there are no backs."""
        if self.axis is None:
            raise ValueError("these sheets have no backs")
        x, y = self.front(row, column)
        if self.turn == "across":
            return 2 * self.axis - x - self.card.width, y
        return x, 2 * self.axis - y - self.card.height

    def cuts(self) -> tuple[list[float], list[float]]:
        """Return where to cut: upright lines from the left, level ones from below. A fold is no cut."""
        xs = sorted({place for n in range(1, self.columns + 1) for place in self._sides(self.front(1, n)[0], "across")})
        ys = sorted({place for n in range(1, self.rows + 1) for place in self._sides(self.front(n, 1)[1], "up")})
        if self.folded and self.axis is not None:
            mine = xs if self.turn == "across" else ys
            folds = self.axis
            both = {round(place, 6) for at in mine for place in (at, 2 * folds - at) if abs(at - folds) > _SLACK}
            mine[:] = sorted(both)
        return xs, ys

    def block(self, *, back: bool = False) -> tuple[float, float, float, float]:
        """Return left, bottom, right and top of all that is cut, backs beside the fronts too; or of a page of backs."""
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
    """Return how cards of a size lie on paper, on the paper turned where more fit; PaperError if it cannot be."""
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


def checked(setup: PageSetup, card: Geometry) -> PageSetup:
    """Return the setup, if cards of this size can be printed so; PaperError with what to do instead."""
    grid(setup, card)
    return setup


def places(setup: PageSetup, layout: Grid, count: int) -> list[tuple[int, int, int]]:
    """Return page, row and column of each of so many cards, in the setup's order, with its used places left free."""
    if setup.order != "stack":
        return [layout.place(number + setup.skip) for number in range(count)]
    taken = range(setup.skip, setup.skip + count)
    return [layout.place(number) for place in range(layout.size) for number in taken if number % layout.size == place]


def _layouts(setup: PageSetup, card: Geometry) -> Iterator[Grid]:
    """Yield the ways in which cards may lie, the first one wins among equals."""
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
    """Return the block of fronts; `halves` of 2 keep as much room for backs beside or below them."""
    columns, left = _along(paper.width, card.width, setup, MARGIN + _SIDE, halves[0])
    rows, bottom = _along(paper.height, card.height, setup, MARGIN + _FOOT, halves[1])
    return Grid(paper, card, columns, rows, left, bottom, setup.gap, setup.bleed)


def _along(room: float, side: float, setup: PageSetup, first: float, halves: int) -> tuple[int, float]:
    """Return how many cards fit along a side of the paper, and where the first one begins.

    They lie in the middle, but farther from the edge that has words before it where these need the room.
    """
    within = room - first - MARGIN - 2 * setup.bleed + setup.gap
    count = int((within + _SLACK) // (side + setup.gap)) // halves
    rest = room - halves * count * (side + setup.gap) + setup.gap
    return count, max(rest / 2, first + setup.bleed)


def _folded(setup: PageSetup, card: Geometry, paper: Paper, turn: Turn) -> Grid:
    """Return fronts at the left with backs at their right, or fronts above and backs below."""
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
        across, up, right, rise = setup.drift(layout.paper, back=back)
        x0, y0, x1, y1 = layout.block(back=back)
        if across * x0 + right < 0 or across * x1 + right > width or up * y0 + rise < 0 or up * y1 + rise > height:
            name = "backs" if back else "cards"
            message = f"shift and scale move {name} off the paper: choose a smaller shift or scale"
            raise PaperError(message, why="off-paper")


def by_kind(cards: Sequence[tuple[CardId, int]], kinds: Sequence[str]) -> list[tuple[CardId, int]]:
    """Return cards with their envelopes, all of a kind together, in the order of the kinds."""
    number = {kind: n for n, kind in enumerate(kinds)}
    return sorted(cards, key=lambda card: (number[card[0].kind], card[0].copy))
