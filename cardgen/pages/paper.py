"""Paper, and the PDF that is printed on it."""

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
"""Printers leave about this much of each edge white, in millimetres."""
Duplex = Literal["Simplex", "DuplexFlipLongEdge", "DuplexFlipShortEdge"]
Progress = Callable[[int, int], None]
"""Called after each page with the number of finished pages and that of all."""

# Compressed streams stay bytes: as letters they would be a quarter longer, and take time.
rl_config.useA85 = 0


class PaperError(ValueError):
    """What is to be printed does not fit the paper.

    For programs, `why` names the cause in a word, and `numbers` are those that belong to it.
    """

    def __init__(self, message: str, why: str = "paper", **numbers: float) -> None:
        super().__init__(message)
        self.why, self.numbers = why, numbers


@dataclass(frozen=True)
class Paper:
    """A size of paper in millimetres."""

    name: str
    width: float
    height: float

    @property
    def turned(self) -> Paper:
        """The same paper lying on its other side: landscape, where this is portrait."""
        return Paper(self.name, self.height, self.width)


PAPERS = {paper.name: paper for paper in (Paper("a4", 210.0, 297.0), Paper("letter", 215.9, 279.4))}


def new_canvas(out: BinaryIO, paper: Paper, title: str, language: str, duplex: Duplex | None = None) -> Canvas:
    """Return a canvas for a PDF that says its title and language, and asks viewers not to scale it when printing.

    `duplex` is what it asks of a printer that can print on both sides, None if nothing.
    The PDF bears no time and no chance, so that the same pages are the same bytes.
    """
    fonts.use_fonts()
    # Without a first font of ours, the PDF would name Helvetica, which is not embedded.
    canvas = Canvas(
        out,
        pagesize=(paper.width * mm, paper.height * mm),
        pageCompression=1,
        initialFontName=fonts.TEXT,
        invariant=1,
        # Older ones know neither wish that follows.
        pdfVersion=(1, 7) if duplex else (1, 6),
        lang=language,
    )
    name_pdf(canvas, title)
    canvas.setViewerPreference("PrintScaling", "None")
    if duplex:
        canvas.setViewerPreference("Duplex", duplex)
    return canvas


def name_pdf(canvas: Canvas, title: str) -> None:
    """Say in a PDF's properties what it is and who made it; the library beneath says "anonymous" and "unspecified"."""
    canvas.setTitle(title)
    canvas.setAuthor("Haggle")
    canvas.setCreator("Haggle")
    canvas.setSubject(title)
    # Readers name the window, and read aloud, by the title, not by the file's name.
    canvas.setViewerPreference("DisplayDocTitle", "true")


_NUMBER = r"\d{1,3}(?:\.\d{1,3})?"
_FREE = re.compile(
    rf"(?P<columns>\d\d?)x(?P<rows>\d\d?)/(?P<width>{_NUMBER})x(?P<height>{_NUMBER})"
    rf"(?:\+(?P<across>{_NUMBER})x(?P<down>{_NUMBER}))?(?:@(?P<left>{_NUMBER}),(?P<top>{_NUMBER}))?"
)
_ROUNDING = 0.05
"""Millimetres by which a format may stand out, since makers round their figures."""


@dataclass(frozen=True)
class LabelFormat:
    """A sheet of labels. `across` and `down` are the gaps between them; `left` and `top` the sheet's margins.

    `cut` is for plain paper: its labels have lines to cut along.
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
        """Return the lower left corner of the label with this number from 0 on a sheet, from the sheet's own."""
        row, column = divmod(number, self.columns)
        left = self._rest(paper)[0] / 2 if self.left is None else self.left
        top = self._rest(paper)[1] / 2 if self.top is None else self.top
        x = left + column * (self.width + self.across)
        return x, paper.height - top - (row + 1) * self.height - row * self.down

    def check(self, paper: Paper) -> None:
        """Raise PaperError if the labels do not lie on this paper."""
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
        """Return what the labels leave of the paper in width and height."""
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
"""Formats by the number that the best known makers sell them under; others make the same sizes."""


def format_of(text: str) -> LabelFormat:
    """Return a format by its name, or a free grid: COLUMNSxROWS/WIDTHxHEIGHT[+GAPxGAP][@LEFT,TOP]; PaperError."""
    name = text.strip().lower()
    known = FORMATS.get(name)
    if known:
        return known
    free = _FREE.fullmatch(name)
    if not free:
        raise PaperError(
            f"'{text}' is no format of labels: use one of {', '.join(FORMATS)}, or a grid such as 4x12/45.7x21.2+2.5x0",
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
    """What labels are printed on: a format, of whose first sheet `skip` labels are used already."""

    format: LabelFormat = CUT
    skip: int = 0

    def check(self, paper: Paper) -> None:
        """Raise PaperError if nothing can be printed on it."""
        self.format.check(paper)
        if not 0 <= self.skip < self.format.size:
            raise PaperError(
                f"{self.skip} labels of the first sheet are used: a sheet of {self.format.name} has"
                f" {self.format.size}, so leave 0 to {self.format.size - 1} out",
                why="used-labels",
                most=self.format.size - 1,
            )


LABELS = LabelStock()
"""What labels are printed on where nobody asks for other ones."""
STICKERS = LabelStock(FORMATS["l7651"])
"""What stickers are printed on where nobody asks for other ones."""
