"""Where cards lie on sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardgen.paper import MARGIN, PaperError

if TYPE_CHECKING:
    from cardgen.cards import CardId, Geometry
    from cardgen.paper import Paper

_FOOT = 9.5
"""Wanted below the cards, for the line of words and the ruler, in millimetres."""


@dataclass(frozen=True)
class PrintedCard:
    """One card on a sheet. Page, row and column count from 1, rows from the top, columns from the left."""

    card: CardId
    payload: str
    code: str
    envelope: int
    page: int
    row: int
    column: int


@dataclass(frozen=True)
class Grid:
    """How cards lie on a page: their number each way, and the lower left corner of the block in millimetres."""

    columns: int
    rows: int
    left: float
    bottom: float

    @property
    def size(self) -> int:
        """Cards on a page."""
        return self.columns * self.rows

    def place(self, number: int) -> tuple[int, int, int]:
        """Return page, row and column, each from 1, of the card with this number from 0."""
        page, rest = divmod(number, self.size)
        row, column = divmod(rest, self.columns)
        return page + 1, row + 1, column + 1


def grid(paper: Paper, card: Geometry) -> Grid:
    """Return how cards of a size lie on a paper, edge to edge; PaperError if not even one fits."""
    columns = int((paper.width - 2 * MARGIN) // card.width)
    rows = int((paper.height - 2 * MARGIN) // card.height)
    if columns < 1 or rows < 1:
        raise PaperError(f"a card of {card.width:g} x {card.height:g} mm does not fit {paper.name} paper")
    rest = paper.height - rows * card.height
    # In the middle of the page, but higher where the foot needs the room.
    bottom = max(rest / 2, min(_FOOT, rest - MARGIN))
    return Grid(columns, rows, (paper.width - columns * card.width) / 2, bottom)
