"""Options for printing, as in commands and in the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast, get_args

from cardgen.pages.layout import Backs, Marks, Order, PageSetup, check_values
from cardgen.pages.paper import LABELS, PAPERS, STICKERS, LabelStock, PaperError, format_of

if TYPE_CHECKING:
    from collections.abc import Collection

Pair = tuple[float, float]

ORDERS: tuple[Order, ...] = get_args(Order)
MARKS: tuple[Marks, ...] = get_args(Marks)
BACKS: tuple[Backs, ...] = get_args(Backs)
MAX_SKIPPED = 200
"""The highest number of used places on the first sheet."""

OWNED = "owned"
"""All categories of cards without text, which people may own already."""


@dataclass(frozen=True)
class PrintOptions:
    """Options of a print run. Lengths are in millimetres; `scale` is in percent, across and up.

    Most fields are those of `cardgen.pages.layout.PageSetup`. `second` is the cards' second language, or "". `labels`
    and `stickers` are formats; `labels_skip` and `stickers_skip` are the numbers of used ones on their first sheets.
    `stick` are the categories that are printed as stickers, or OWNED.
    """

    paper: str = "a4"
    order: str = "envelope"
    marks: str = "crop"
    backs: str = "none"
    gutter: float = 0.0
    bleed: float = 0.0
    shift: Pair = (0.0, 0.0)
    back_shift: Pair = (0.0, 0.0)
    scale: Pair = (100.0, 100.0)
    skip: int = 0
    second: str = ""
    labels: str = LABELS.format.name
    labels_skip: int = 0
    stickers: str = STICKERS.format.name
    stickers_skip: int = 0
    stick: tuple[str, ...] = ()

    def setup(self) -> PageSetup:
        """Return the setup of the sheets; PaperError, in one line, for an invalid value."""
        _one_of("paper", self.paper, PAPERS)
        _one_of("order", self.order, ORDERS)
        _one_of("marks", self.marks, MARKS)
        _one_of("backs", self.backs, BACKS)
        across, up = self.scale
        setup = PageSetup(
            paper=PAPERS[self.paper],
            order=cast("Order", self.order),
            marks=cast("Marks", self.marks),
            backs=cast("Backs", self.backs),
            gutter=self.gutter,
            bleed=self.bleed,
            shift=self.shift,
            back_shift=self.back_shift,
            scale=(across / 100, up / 100),
            skip=self.skip,
        )
        check_values(setup)
        return setup

    def labels_on(self) -> LabelStock:
        """Return the stock for labels; PaperError for an unknown format."""
        return LabelStock(format_of(self.labels), self.labels_skip)

    def stickers_on(self) -> LabelStock:
        """Return the stock for stickers; PaperError for an unknown format."""
        return LabelStock(format_of(self.stickers), self.stickers_skip)


DEFAULT_OPTIONS = PrintOptions()
"""The default options."""


def parse_pair(text: str) -> Pair:
    """Return two numbers written as 1.5,-2; ValueError for anything else."""
    across, up = (float(part) for part in text.split(","))
    return across, up


def _one_of(what: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise PaperError(f"{what} is one of {', '.join(known)}, not {value!a:.40}")
