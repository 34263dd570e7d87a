"""Cards on paper: the grid, crop marks, the ruler, and the PDF of all sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from cardgen import texts
from cardgen.faces import INK, draw_codes, draw_face
from cardgen.wordings import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardgen.cards import CardId, Geometry
    from cardgen.faces import Face
    from cardgen.wordings import Wordings

_MARGIN = 5.0
"""Printers leave about this much of each edge white, in millimetres."""
_FOOT = 9.5
"""Wanted below the cards, for the line of words and the ruler, in millimetres."""


class PaperError(ValueError):
    """A card does not fit the paper."""


@dataclass(frozen=True)
class Paper:
    """A size of paper in millimetres."""

    name: str
    width: float
    height: float


PAPERS = {paper.name: paper for paper in (Paper("a4", 210.0, 297.0), Paper("letter", 215.9, 279.4))}


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
    columns = int((paper.width - 2 * _MARGIN) // card.width)
    rows = int((paper.height - 2 * _MARGIN) // card.height)
    if columns < 1 or rows < 1:
        raise PaperError(f"a card of {card.width:g} x {card.height:g} mm does not fit {paper.name} paper")
    rest = paper.height - rows * card.height
    # In the middle of the page, but higher where the foot needs the room.
    bottom = max(rest / 2, min(_FOOT, rest - _MARGIN))
    return Grid(columns, rows, (paper.width - columns * card.width) / 2, bottom)


def write_sheets(
    out: BinaryIO,
    cards: Sequence[PrintedCard],
    faces: Mapping[str, Face],
    card: Geometry,
    paper: Paper,
    title: str,
    words: Wordings = ENGLISH,
    *,
    only: int | None = None,
) -> int:
    """Write the PDF of all card sheets, in the order of the cards; return the number of pages.

    `only` writes this page alone, as it is among all of them.
    """
    layout = grid(paper, card)
    canvas = new_canvas(out, paper, words.sheets_title.format(title=title))
    drawn: set[str] = set()
    pages = -(-len(cards) // layout.size)
    for number in range(1, pages + 1) if only is None else [only]:
        page = cards[(number - 1) * layout.size : number * layout.size]
        for kind in sorted({printed.card.kind for printed in page} - drawn):
            canvas.beginForm(kind)
            draw_face(canvas, faces[kind], card)
            canvas.endForm()
            drawn.add(kind)
        _draw_marks(canvas, layout, card)
        for printed in page:
            canvas.saveState()
            x = layout.left + (printed.column - 1) * card.width
            y = layout.bottom + (layout.rows - printed.row) * card.height
            canvas.translate(x * mm, y * mm)
            canvas.doForm(printed.card.kind)
            draw_codes(canvas, printed.payload, printed.code, card)
            canvas.restoreState()
        _draw_envelopes(canvas, layout, card, page, words)
        envelopes = sorted({printed.envelope for printed in page})
        said = "  ·  ".join((title, words.sheet.format(number=number, pages=pages), _span(envelopes, words)))
        _draw_foot(canvas, layout, said, words.ruler, paper)
        canvas.showPage()
    canvas.save()
    return pages


def new_canvas(out: BinaryIO, paper: Paper, title: str) -> Canvas:
    """Return a canvas for a PDF that says its title and asks viewers not to scale it when printing.

    The PDF bears no time and no chance, so that the same pages are the same bytes.
    """
    texts.use_fonts()
    # Without a first font of ours, the PDF would name Helvetica, which is not embedded.
    canvas = Canvas(
        out, pagesize=(paper.width * mm, paper.height * mm), pageCompression=1, initialFontName=texts.TEXT, invariant=1
    )
    canvas.setTitle(title)
    canvas.setCreator("Haggle")
    canvas.setViewerPreference("PrintScaling", "None")
    return canvas


def _draw_marks(canvas: Canvas, layout: Grid, card: Geometry) -> None:
    """Draw crop marks: ticks in the margins at every cut, and fine crosses where cuts meet inside."""
    xs = [(layout.left + n * card.width) * mm for n in range(layout.columns + 1)]
    ys = [(layout.bottom + n * card.height) * mm for n in range(layout.rows + 1)]
    gap, tick, arm = 1.2 * mm, 3.6 * mm, 1.1 * mm
    # The ticks at the foot end above its words.
    foot = min(tick, ys[0] - gap - _foot_line(layout) - 2.6 * mm)
    lines = [(x, y, x, y + long) for x in xs for y, long in ((ys[0] - gap, -foot), (ys[-1] + gap, tick))]
    lines += [(x, y, x + way * tick, y) for y in ys for x, way in ((xs[0] - gap, -1), (xs[-1] + gap, 1))]
    canvas.setLineWidth(0.25)
    canvas.setStrokeColor(INK)
    canvas.lines(lines)
    canvas.setStrokeGray(0.6)
    canvas.lines([(x - arm, y, x + arm, y) for x in xs for y in ys])
    canvas.lines([(x, y - arm, x, y + arm) for x in xs for y in ys])


def _span(envelopes: Sequence[int], words: Wordings) -> str:
    """Return whose cards a page holds, in words; the numbers are sorted."""
    if len(envelopes) == 1:
        return f"{words.envelope} {envelopes[0]}"
    return words.span.format(envelopes=words.envelopes, first=envelopes[0], last=envelopes[-1])


def _draw_envelopes(canvas: Canvas, layout: Grid, card: Geometry, page: Sequence[PrintedCard], words: Wordings) -> None:
    """Write beside each row whose envelopes its cards belong to: the cards themselves must not tell."""
    canvas.setFillColor(INK)
    for row in range(1, layout.rows + 1):
        numbers = [str(printed.envelope) for printed in page if printed.row == row]
        if numbers:
            canvas.saveState()
            middle = layout.bottom + (layout.rows - row + 0.5) * card.height
            canvas.translate((layout.left - 3.2) * mm, middle * mm)
            canvas.rotate(90)
            canvas.setFont(texts.TEXT, 7)
            word = words.envelope if len(set(numbers)) == 1 else words.envelopes
            said = numbers[0] if len(set(numbers)) == 1 else ", ".join(numbers)
            canvas.drawCentredString(0, 0, f"{word} {said}")
            canvas.restoreState()


def _foot_line(layout: Grid) -> float:
    """Return the height of the foot's words on the page in points: where printers still print."""
    return float(max(layout.bottom / 2 - 1.6, 4.6) * mm)


def _draw_foot(canvas: Canvas, layout: Grid, words: str, caption: str, paper: Paper) -> None:
    """Write what the sheet is, and draw a ruler that shows whether the printer kept the size."""
    y = _foot_line(layout)
    left, right = layout.left * mm + 2 * mm, (paper.width - layout.left) * mm - 2 * mm
    canvas.setFillColor(INK)
    canvas.setFont(texts.TEXT, 7)
    canvas.drawString(left, y, words)
    canvas.drawRightString(right - 52 * mm, y, caption)
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(0.4)
    start, middle = right - 50 * mm, y + 0.8 * mm
    ticks = [(start + n * 10 * mm, middle - 0.9 * mm, start + n * 10 * mm, middle + 0.9 * mm) for n in range(6)]
    canvas.lines([(start, middle, right, middle), *ticks])
