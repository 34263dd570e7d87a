"""Documents with tables, such as results and packing lists.

The caller provides all text in its language. Lengths are in points, with y upwards, unless noted otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics

from cardgen import fonts
from cardgen.faces.face import GOLD, INK, WHITE
from cardgen.pages.paper import new_canvas

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.pages.paper import Paper, Progress

    Drawing = Callable[[Canvas], None]

_MARGIN, _BAND, _FOOT = 18 * mm, 15 * mm, 14 * mm
_SIZE, _HEAD, _SMALL = 9.0, 18.0, 7.5
_STEP = _SIZE * fonts.LEADING
_PADDING = 1.5 * mm
_GREY, _STRIPE = HexColor("#6a6f7d"), HexColor("#f4efe3")


@dataclass(frozen=True)
class TableRow:
    """A row of a table. `void` strikes out the last column; `strong` marks the sum."""

    cells: tuple[str, ...]
    void: bool = False
    strong: bool = False


@dataclass(frozen=True)
class TableColumn:
    """A column: its heading, its width in millimetres (0 for the rest), and its alignment.

    A column to `tick` has a box in each row except for the sum.
    """

    heading: str
    width: float
    right: bool = False
    tick: bool = False


@dataclass(frozen=True)
class TableSection:
    """A table on separate pages. `continued` is the heading of all pages after the first.

    `foot` is on all of them, instead of the document's.
    """

    heading: str
    continued: str
    notes: tuple[str, ...]
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    foot: str = ""


@dataclass(frozen=True)
class TableDocument:
    """A document. `foot` is on every page, with the page number `page`, such as "Page {page} of {pages}".

    `edition` is printed under the title: its name, or the game.
    """

    language: str
    title: str
    edition: str
    foot: str
    page: str
    sections: tuple[TableSection, ...]


def write_tables(
    out: BinaryIO,
    document: TableDocument,
    paper: Paper,
    *,
    only: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the PDF, or `only` a single page; return the number of pages.

    A character that the fonts lack is printed as a question mark.
    """
    fonts.use_fonts()
    sections = [(section.foot or document.foot, _laid_out(section, paper)) for section in document.sections]
    sheets = [(foot, sheet) for foot, laid_out in sections for sheet in laid_out]
    canvas = new_canvas(out, paper, document.title, document.language)
    for number, (foot, sheet) in enumerate(sheets, start=1):
        if only not in {None, number}:
            continue
        _draw_frame(canvas, document, paper, foot, document.page.format(page=number, pages=len(sheets)))
        for drawing in sheet:
            drawing(canvas)
        canvas.showPage()
        if progress:
            progress(number, len(sheets))
    canvas.save()
    return len(sheets)


def _laid_out(section: TableSection, paper: Paper) -> list[list[Drawing]]:
    """Return the drawings of each page. Rows are not split, and each page has the headings of the columns."""
    width = paper.width * mm - 2 * _MARGIN
    widths = _widths(section.columns, width)
    columns = list(zip(section.columns, widths, strict=True))
    sheets: list[list[Drawing]] = []
    y = 0.0
    rows = [(row, _cells(row, section.columns, widths)) for row in section.rows]
    for number, (row, cells) in enumerate(rows):
        high = max(len(lines) for lines in cells) * _STEP + 2 * _PADDING
        if not sheets or y - high < _FOOT:
            sheets.append([])
            y = _start(sheets[-1], section, widths, paper, first=len(sheets) == 1)
        y -= high
        sheets[-1].append(partial(_draw_row, row, cells, columns, (y, high), number % 2 == 1))
    if not sheets:
        sheets.append([])
        _start(sheets[0], section, widths, paper, first=True)
    return sheets


def _start(sheet: list[Drawing], section: TableSection, widths: Sequence[float], paper: Paper, *, first: bool) -> float:
    """Add the headings to a page; return the top of its table."""
    y = paper.height * mm - _BAND - 6 * mm
    width = paper.width * mm - 2 * _MARGIN
    for line in _wrapped(section.heading if first else section.continued, fonts.STRONG, _HEAD, width):
        y -= _HEAD * fonts.LEADING
        sheet.append(partial(_write, fonts.STRONG, _HEAD, INK, _MARGIN, y, line))
    y -= 1.5 * mm
    for note in section.notes if first else ():
        for line in _wrapped(note, fonts.TEXT, _SIZE, width):
            y -= _STEP
            sheet.append(partial(_write, fonts.TEXT, _SIZE, _GREY, _MARGIN, y, line))
    y -= 7 * mm
    x = _MARGIN
    for column, space in zip(section.columns, widths, strict=True):
        end = x + space - _PADDING if column.right else x + _PADDING
        sheet.append(
            partial(
                _write, fonts.STRONG, _SMALL, _GREY, end, y, _known(column.heading, fonts.STRONG), right=column.right
            )
        )
        x += space
    y -= 1.6 * mm
    sheet.append(partial(_rule, y, width))
    return float(y)


def _widths(columns: Sequence[TableColumn], width: float) -> list[float]:
    """Return the columns' widths; those of width 0 share the rest."""
    fixed = sum(column.width * mm for column in columns)
    open_ones = sum(not column.width for column in columns)
    return [column.width * mm if column.width else (width - fixed) / open_ones for column in columns]


def _cells(row: TableRow, columns: Sequence[TableColumn], widths: Sequence[float]) -> list[list[str]]:
    font = fonts.STRONG if row.strong else fonts.TEXT
    return [
        _wrapped(text, font, _SIZE, space - 2 * _PADDING)
        for text, _column, space in zip(row.cells, columns, widths, strict=True)
    ]


def _draw_row(
    row: TableRow,
    cells: Sequence[Sequence[str]],
    columns: Sequence[tuple[TableColumn, float]],
    box: tuple[float, float],
    striped: bool,  # noqa: FBT001 - bound by position
    canvas: Canvas,
) -> None:
    """Draw a row in a box, given by its lower edge and its height."""
    y, high = box
    if striped:
        canvas.setFillColor(_STRIPE)
        canvas.rect(_MARGIN, y, sum(space for _, space in columns), high, stroke=0, fill=1)
    font = fonts.STRONG if row.strong else fonts.TEXT
    colour = _GREY if row.void else INK
    x = _MARGIN
    for index, (lines, (column, space)) in enumerate(zip(cells, columns, strict=True)):
        end = x + space - _PADDING if column.right else x + _PADDING
        base = y + high - _PADDING - _SIZE * 0.95
        for number, line in enumerate(lines):
            _write(font, _SIZE, colour, end, base - number * _STEP, line, canvas, right=column.right)
            if row.void and index == len(cells) - 1:
                middle = base - number * _STEP + _SIZE * 0.28
                canvas.setStrokeColor(_GREY)
                canvas.setLineWidth(0.5)
                canvas.line(end, middle, end + fonts.width(line, font, _SIZE), middle)
        if column.tick and not row.strong:
            _draw_box(canvas, x + _PADDING, y + high - _PADDING - _SIZE)
        x += space


def _draw_box(canvas: Canvas, x: float, y: float) -> None:
    """Draw a checkbox as high as the letters."""
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(0.7)
    canvas.roundRect(x, y, _SIZE, _SIZE, 1.2)


def _draw_frame(canvas: Canvas, document: TableDocument, paper: Paper, foot: str, page: str) -> None:
    width, height = paper.width * mm, paper.height * mm
    canvas.setFillColor(INK)
    canvas.rect(0, height - _BAND, width, _BAND, stroke=0, fill=1)
    canvas.setFillColor(GOLD)
    canvas.rect(0, height - _BAND - 0.8 * mm, width, 0.8 * mm, stroke=0, fill=1)
    _write(fonts.DISPLAY, 20, WHITE, _MARGIN, height - 10.2 * mm, "Haggle", canvas)
    right = width - _MARGIN
    title = _wrapped(document.title, fonts.STRONG, _SIZE, right - _MARGIN - 40 * mm)
    shown = title[0] if len(title) == 1 else f"{title[0][:-1]}…"
    _write(fonts.STRONG, _SIZE, WHITE, right, height - 7.4 * mm, shown, canvas, right=True)
    _write(
        fonts.TEXT, _SIZE, WHITE, right, height - 11.4 * mm, _known(document.edition, fonts.TEXT), canvas, right=True
    )
    _write(fonts.TEXT, _SMALL, _GREY, _MARGIN, _FOOT / 2, _known(foot, fonts.TEXT), canvas)
    _write(fonts.TEXT, _SMALL, _GREY, right, _FOOT / 2, page, canvas, right=True)


def _rule(y: float, width: float, canvas: Canvas) -> None:
    canvas.setStrokeColor(GOLD)
    canvas.setLineWidth(0.8)
    canvas.line(_MARGIN, y, _MARGIN + width, y)


def _write(
    font: str, size: float, colour: HexColor, x: float, y: float, text: str, canvas: Canvas, *, right: bool = False
) -> None:
    """Draw a line of text that begins at x, or ends there if `right`."""
    canvas.setFillColor(colour)
    canvas.setFont(font, size)
    (canvas.drawRightString if right else canvas.drawString)(x, y, text)


def _wrapped(text: str, font: str, size: float, space: float) -> list[str]:
    """Break a text into lines of at most `space` points; longer words are broken anywhere."""
    lines = [""]
    # Not at no-break spaces, so that a French colon stays with its word.
    for word in filter(None, _known(text, font).replace("\n", " ").split(" ")):
        joined = f"{lines[-1]} {word}".strip()
        if fonts.width(joined, font, size) <= space:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for character in word:
            if lines[-1] and fonts.width(lines[-1] + character, font, size) > space:
                lines.append("")
            lines[-1] += character
    return lines


def _known(text: str, font: str) -> str:
    """Return a text with a question mark for each character that the font lacks."""
    glyphs = pdfmetrics.getFont(font).face.charToGlyph
    return "".join(c if ord(c) in glyphs or c.isspace() else "?" for c in text)
