"""Paper, label formats, and PDF canvases."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Literal

from reportlab import rl_config
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from cardgen import fonts

MARGIN = 5.0
"""Width in millimetres of the edge that most printers cannot print on."""
Duplex = Literal["Simplex", "DuplexFlipLongEdge", "DuplexFlipShortEdge"]
Progress = Callable[[int, int], None]
"""Called after each page with the number of finished pages and that of all."""

# Write compressed streams as bytes: encoded as text they would be a quarter longer.
rl_config.useA85 = 0


class PaperError(ValueError):
    """The pages do not fit the paper.

    For programs, `why` is the cause in a word, with its `numbers`.
    """

    def __init__(self, message: str, why: str = "paper", **numbers: float) -> None:
        super().__init__(message)
        self.why, self.numbers = why, numbers


@dataclass(frozen=True)
class Paper:
    """A paper size in millimetres."""

    name: str
    width: float
    height: float

    @property
    def turned(self) -> Paper:
        """The same paper in landscape format if this is portrait, and vice versa."""
        return Paper(self.name, self.height, self.width)


PAPERS = {paper.name: paper for paper in (Paper("a4", 210.0, 297.0), Paper("letter", 215.9, 279.4))}


def new_canvas(out: BinaryIO, paper: Paper, title: str, language: str, duplex: Duplex | None = None) -> Canvas:
    """Return a canvas for a PDF with a title and a language that asks viewers not to scale it when printing.

    `duplex` is the preference for printers that print on both sides. The PDF contains no time and no random id, so the
    same pages give the same bytes.
    """
    fonts.use_fonts()
    # Without an initial font, the PDF would refer to Helvetica, which is not embedded.
    canvas = Canvas(
        out,
        pagesize=(paper.width * mm, paper.height * mm),
        pageCompression=1,
        initialFontName=fonts.TEXT,
        invariant=1,
        # Older versions do not have these viewer preferences.
        pdfVersion=(1, 7) if duplex else (1, 6),
        lang=language,
    )
    set_metadata(canvas, title)
    canvas.setViewerPreference("PrintScaling", "None")
    if duplex:
        canvas.setViewerPreference("Duplex", duplex)
    return canvas


def set_metadata(canvas: Canvas, title: str) -> None:
    """Set a PDF's title and author. The library's defaults are "anonymous" and "unspecified"."""
    canvas.setTitle(title)
    canvas.setAuthor("Haggle")
    canvas.setCreator("Haggle")
    canvas.setSubject(title)
    # Viewers and screen readers use the title instead of the file name.
    canvas.setViewerPreference("DisplayDocTitle", "true")


_NUMBER = r"\d{1,3}(?:\.\d{1,3})?"
_FREE = re.compile(
    rf"(?P<columns>\d\d?)x(?P<rows>\d\d?)/(?P<width>{_NUMBER})x(?P<height>{_NUMBER})"
    rf"(?:\+(?P<across>{_NUMBER})x(?P<down>{_NUMBER}))?(?:@(?P<left>{_NUMBER}),(?P<top>{_NUMBER}))?"
)
_ROUNDING = 0.05
"""Millimetres by which a format may exceed the paper, since makers round their figures."""


@dataclass(frozen=True)
class LabelFormat:
    """A sheet of labels. `across` and `down` are the gaps between them, `left` and `top` the sheet's margins.

    `cut` draws lines to cut along, for plain paper.
    """

    name: str
    columns: int
    rows: int
    width: float
    height: float
    across: float = 0.0
    down: float = 0.0
    left: float | None = None
    top: float | None = None
    paper: str | None = None
    cut: bool = False

    @property
    def size(self) -> int:
        """Labels on a sheet."""
        return self.columns * self.rows

    def corner(self, number: int, paper: Paper) -> tuple[float, float]:
        """Return the lower left corner of a label on the sheet; `number` counts from 0."""
        row, column = divmod(number, self.columns)
        left = self._rest(paper)[0] / 2 if self.left is None else self.left
        top = self._rest(paper)[1] / 2 if self.top is None else self.top
        x = left + column * (self.width + self.across)
        return x, paper.height - top - (row + 1) * self.height - row * self.down

    def check(self, paper: Paper) -> None:
        """Raise PaperError if the labels do not fit this paper."""
        if self.paper not in {None, paper.name}:
            message = f"labels {self.name} come on {self.paper} paper: choose that paper, or other labels"
            raise PaperError(message, why="label-paper")
        across, down = self._rest(paper)
        if across < (self.left or 0) - _ROUNDING or down < (self.top or 0) - _ROUNDING:
            wide, high = paper.width - across, paper.height - down
            raise PaperError(
                f"labels {self.name} take {wide:g} x {high:g} mm and do not fit {paper.name} paper: choose fewer or"
                " smaller ones",
                why="label-room",
            )

    def _rest(self, paper: Paper) -> tuple[float, float]:
        """Return the width and height of the paper that the labels leave free."""
        across = self.columns * self.width + (self.columns - 1) * self.across
        down = self.rows * self.height + (self.rows - 1) * self.down
        return paper.width - across, paper.height - down


CUT = LabelFormat("cut", 2, 4, 90.0, 62.0, cut=True)
"""Eight labels on plain paper."""
FORMATS = {
    one.name: one
    for one in (
        CUT,
        LabelFormat("l7120", 5, 7, 35.0, 35.0, 5.0, 5.0, paper="a4"),
        LabelFormat("l7651", 5, 13, 38.1, 21.2, 2.5, paper="a4"),
        LabelFormat("l7654", 4, 10, 45.7, 25.4, 2.5, paper="a4"),
        LabelFormat("l7159", 3, 8, 63.5, 33.9, 2.5, paper="a4"),
        LabelFormat("l7160", 3, 7, 63.5, 38.1, 2.5, paper="a4"),
        LabelFormat("l7163", 2, 7, 99.1, 38.1, 2.5, paper="a4"),
        LabelFormat("l7165", 2, 4, 99.1, 67.7, 2.5, paper="a4"),
        LabelFormat("3664", 3, 8, 70.0, 33.8, paper="a4"),
        LabelFormat("3666", 5, 13, 38.0, 21.2, paper="a4"),
        LabelFormat("5160", 3, 10, 66.675, 25.4, 3.175, paper="letter"),
        LabelFormat("5163", 2, 5, 101.6, 50.8, 4.7625, paper="letter"),
        LabelFormat("5164", 2, 3, 101.6, 84.667, 4.7625, paper="letter"),
    )
}
"""Formats by the product numbers of the best-known makers."""


def format_of(text: str) -> LabelFormat:
    """Return a format by its name or as COLUMNSxROWS/WIDTHxHEIGHT[+GAPxGAP][@LEFT,TOP]; else raise PaperError."""
    name = text.strip().lower()
    known = FORMATS.get(name)
    if known:
        return known
    free = _FREE.fullmatch(name)
    if not free:
        raise PaperError(
            f"'{text}' is not a label format: use one of {', '.join(FORMATS)}, or a grid such as 4x12/45.7x21.2+2.5x0",
            why="format",
        )
    given = {part: float(value) for part, value in free.groupdict().items() if value is not None}
    columns, rows = int(given.pop("columns")), int(given.pop("rows"))
    if not columns or not rows or not given["width"] or not given["height"]:
        raise PaperError(f"'{text}' has no labels: give each number of the grid at least 1", why="format")
    gaps = given.get("across", 0.0), given.get("down", 0.0)
    return LabelFormat(name, columns, rows, given["width"], given["height"], *gaps, given.get("left"), given.get("top"))


@dataclass(frozen=True)
class LabelStock:
    """Sheets of labels in a format; `skip` labels of the first sheet are used already."""

    format: LabelFormat = CUT
    skip: int = 0

    def check(self, paper: Paper) -> None:
        """Raise PaperError if the labels do not fit this paper, or all of the first sheet are used."""
        self.format.check(paper)
        if not 0 <= self.skip < self.format.size:
            raise PaperError(
                f"{self.skip} labels of the first sheet are used: a sheet of {self.format.name} has"
                f" {self.format.size}, so leave 0 to {self.format.size - 1} out",
                why="used-labels",
                most=self.format.size - 1,
            )


LABELS = LabelStock()
"""The default for labels."""
STICKERS = LabelStock(FORMATS["l7651"])
"""The default for stickers."""
