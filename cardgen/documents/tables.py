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
_SIZE, _HEAD, _SUBHEAD, _SMALL = 9.0, 18.0, 13.0, 7.5
_STEP = _SIZE * fonts.LEADING
_PADDING = 1.5 * mm
_ROW_PADDING = 1.1 * mm
_CUT = 10 * mm
"""Space between two sections on a page, with the cutting line in its middle."""
_LANES = 8 * mm
"""Space between two parts of a table side by side."""
_GREY, _STRIPE = HexColor("#6a6f7d"), HexColor("#f4efe3")


@dataclass(frozen=True)
class TableRow:
    """A row of a table. `void` strikes out the last column; `strong` marks the sum."""

    cells: tuple[str, ...]
    void: bool = False
    strong: bool = False


@dataclass(frozen=True)
class TableColumn:
    """A column: its heading, its width in millimetres (0 for the rest, None to fit its text), and its alignment.

    A column to `tick` has a box in each row except for the sum.
    """

    heading: str
    width: float | None
    right: bool = False
    tick: bool = False


@dataclass(frozen=True)
class TableSection:
    """A table with a heading. `continued` is the heading of its pages after the first.

    `foot` is on all of them, instead of the document's. A section begins a page, unless it and the one before are
    `slips`: then it is on the same page if it fits there as a whole, below a line to cut along. `beside` is at the
    right of the heading. The rows fill `lanes` side by side.
    """

    heading: str
    continued: str
    notes: tuple[str, ...]
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    foot: str = ""
    slip: bool = False
    beside: str = ""
    lanes: int = 1


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
    sheets = _laid_out(document, paper)
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


@dataclass(frozen=True)
class _Table:
    """A section with its text broken into lines. `spaces` are the columns and their widths, in each lane of `width`."""

    section: TableSection
    width: float
    spaces: tuple[tuple[TableColumn, float], ...]
    cells: tuple[list[list[str]], ...]
    heights: tuple[float, ...]

    def height(self) -> float:
        """Return the height of the table on one page, in a single lane."""
        return -self.start([], 0, _MARGIN, first=True) + sum(self.heights)

    def start(self, sheet: list[Drawing], y: float, left: float, *, first: bool) -> float:
        """Add the headings below y to a page, those of the columns to the first lane; return the top of the rows."""
        section = self.section
        size = _SUBHEAD if section.slip else _HEAD
        full = section.lanes * (self.width + _LANES) - _LANES
        heading, beside = (section.heading, section.beside) if first else (section.continued, "")
        beside = _known(beside, fonts.TEXT)
        base = y - size * fonts.LEADING
        sheet.append(partial(_write, fonts.TEXT, _SIZE, _GREY, left + full, base, beside, right=True))
        for line in _wrapped(heading, fonts.STRONG, size, full - fonts.width(beside, fonts.TEXT, _SIZE) - 5 * mm):
            y -= size * fonts.LEADING
            sheet.append(partial(_write, fonts.STRONG, size, INK, left, y, line))
        y -= 1.5 * mm
        for note in section.notes if first else ():
            for line in _wrapped(note, fonts.TEXT, _SIZE, full):
                y -= _STEP
                sheet.append(partial(_write, fonts.TEXT, _SIZE, _GREY, left, y, line))
        y -= 5 * mm if section.slip else 7 * mm
        self.head(sheet, y, left)
        return float(y - 1.6 * mm)

    def head(self, sheet: list[Drawing], y: float, left: float) -> None:
        """Add the headings of the columns."""
        x = left
        for column, space in self.spaces:
            end = x + space - _PADDING if column.right else x + _PADDING
            heading = _known(column.heading, fonts.STRONG)
            sheet.append(partial(_write, fonts.STRONG, _SMALL, _GREY, end, y, heading, right=column.right))
            x += space
        sheet.append(partial(_draw_rule, left, y - 1.6 * mm, self.width))


def _laid_out(document: TableDocument, paper: Paper) -> list[tuple[str, list[Drawing]]]:
    """Return the foot and the drawings of each page. Rows are not split; each page has the headings of the columns."""
    sheets: list[tuple[str, list[Drawing]]] = []
    top = paper.height * mm - _BAND - 6 * mm
    y, after_slip = 0.0, False
    for section in document.sections:
        table = _measured(section, paper.width * mm - 2 * _MARGIN)
        if section.slip and after_slip and y - _CUT - table.height() >= _FOOT:
            sheets[-1][1].append(partial(_draw_cut, y - _CUT / 2, paper.width * mm))
            y -= _CUT
        else:
            sheets.append((section.foot or document.foot, []))
            y = top
        y = rows_from = table.start(sheets[-1][1], y, _MARGIN, first=True)
        left, lane = _MARGIN, 0
        for number, (row, cells, high) in enumerate(zip(section.rows, table.cells, table.heights, strict=True)):
            if y - high < _FOOT:
                lane = (lane + 1) % section.lanes
                left = _MARGIN + lane * (table.width + _LANES)
                if lane:
                    y = rows_from
                    table.head(sheets[-1][1], y + 1.6 * mm, left)
                else:
                    sheets.append((section.foot or document.foot, []))
                    y = rows_from = table.start(sheets[-1][1], top, left, first=False)
            y -= high
            striped = number % 2 == 1 and not row.strong
            sheets[-1][1].append(partial(_draw_row, row, cells, table.spaces, (left, y, high), striped))
        after_slip = section.slip
    return sheets


def _measured(section: TableSection, width: float) -> _Table:
    """Break the text of a section into lines."""
    lane = (width + _LANES) / section.lanes - _LANES
    widths = _widths(section, lane)
    cells = tuple(_cells(row, section.columns, widths) for row in section.rows)
    heights = tuple(max(map(len, row)) * _STEP + 2 * _ROW_PADDING for row in cells)
    return _Table(section, lane, tuple(zip(section.columns, widths, strict=True)), cells, heights)


def _widths(section: TableSection, width: float) -> list[float]:
    """Return the columns' widths; those of width 0 share the rest."""
    widths = [
        _fitting(section, index) if column.width is None else column.width * mm
        for index, column in enumerate(section.columns)
    ]
    rest = (width - sum(widths)) / max(1, widths.count(0))
    return [one or rest for one in widths]


def _fitting(section: TableSection, index: int) -> float:
    """Return the width at which the heading and all cells of a column need no second line."""
    column = section.columns[index]
    least = max(fonts.width(column.heading, fonts.STRONG, _SMALL), _SIZE if column.tick else 0)
    cells = (fonts.width(row.cells[index], fonts.STRONG if row.strong else fonts.TEXT, _SIZE) for row in section.rows)
    return float(max(least, *cells) + 2 * _PADDING)


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
    box: tuple[float, float, float],
    striped: bool,  # noqa: FBT001 - bound by position
    canvas: Canvas,
) -> None:
    """Draw a row in a box, given by its left and lower edge and its height."""
    x, y, high = box
    if striped:
        canvas.setFillColor(_STRIPE)
        canvas.rect(x, y, sum(space for _, space in columns), high, stroke=0, fill=1)
    font = fonts.STRONG if row.strong else fonts.TEXT
    colour = _GREY if row.void else INK
    for index, (lines, (column, space)) in enumerate(zip(cells, columns, strict=True)):
        end = x + space - _PADDING if column.right else x + _PADDING
        base = y + high - _ROW_PADDING - _SIZE * 0.95
        for number, line in enumerate(lines):
            _write(font, _SIZE, colour, end, base - number * _STEP, line, canvas, right=column.right)
            if row.void and index == len(cells) - 1:
                middle = base - number * _STEP + _SIZE * 0.28
                canvas.setStrokeColor(_GREY)
                canvas.setLineWidth(0.5)
                canvas.line(end, middle, end + fonts.width(line, font, _SIZE), middle)
        if column.tick and not row.strong:
            _draw_box(canvas, x + _PADDING, y + high - _ROW_PADDING - _SIZE)
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


def _draw_rule(x: float, y: float, width: float, canvas: Canvas) -> None:
    canvas.setStrokeColor(GOLD)
    canvas.setLineWidth(0.8)
    canvas.line(x, y, x + width, y)


def _draw_cut(y: float, width: float, canvas: Canvas) -> None:
    """Draw a line to cut along, from edge to edge of the page."""
    canvas.saveState()
    canvas.setStrokeColor(_GREY)
    canvas.setLineWidth(0.5)
    canvas.setDash(2, 3)
    canvas.line(0, y, width, y)
    canvas.restoreState()


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
