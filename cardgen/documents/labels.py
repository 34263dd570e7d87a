"""Envelope labels: number, a line for a name, the scanner's code, and the join link with a code to type instead.

There is a large layout, and a small one for formats in which it does not fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import ge
from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.units import mm

from cardgen import fonts
from cardgen.faces.face import GOLD, INK, WHITE
from cardgen.pages.paper import LABELS, PaperError, new_canvas
from cardgen.qr import fill_operators, matrix
from cardgen.strings import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.pages.layout import PageSetup
    from cardgen.pages.paper import LabelFormat, LabelStock, Progress
    from cardgen.strings import Wordings

    Draw = Callable[[Canvas, int], None]


QUIET = 2
"""Width of the quiet zone in modules; the label around it is white too."""
LARGE = (90.0, 60.0)
"""Least width and height of the large layout in millimetres."""
SMALL = (60.0, 33.0)
"""Least width and height of a label in millimetres, so that its codes can be read."""
_BAND = 11.0
_SIDE = 5.0
_MARGIN = 2.0
_CODE = 28.0
_CAPTION = 2.2
_SLACK = 1e-6
_FINEST, _FINEST_TYPED = 4.5, (5.5, 6.5)
"""The smallest text in points, and the smallest of the two lines that somebody types."""
_TYPED_FONTS = (fonts.TEXT, fonts.STRONG)
_EDGE = 0.8
"""White edge of a label in millimetres, which may be moved off the paper."""


@dataclass(frozen=True)
class Label:
    """A label. `payload` is the text of the scanner's code, `link` the join link, None if there is no server.

    `code` can be typed instead of the link; it is left out where there is no room.
    """

    envelope: int
    payload: str
    link: str | None
    code: str | None = None

    @property
    def host(self) -> str:
        """The server in the link."""
        address, _, _ = (self.link or "").partition("/j#")
        return address.partition("://")[2]


def write_labels(
    out: BinaryIO,
    labels: Sequence[Label],
    setup: PageSetup,
    title: str,
    game: str,
    words: Wordings = ENGLISH,
    *,
    name: str = "",
    stock: LabelStock = LABELS,
    only: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the PDF of all labels; return the number of pages. PaperError if the format is too small.

    `title` is the edition's, `name` the game's own if it has one.
    """
    size = stock.format
    if size.width < SMALL[0] or size.height < SMALL[1]:
        raise PaperError(
            f"labels {size.name} are {size.width:g} x {size.height:g} mm: an envelope's label needs"
            f" {SMALL[0]:g} x {SMALL[1]:g} mm, such as l7160, 5163, or cut for plain paper",
            why="small-labels",
            width=SMALL[0],
            height=SMALL[1],
        )
    drawn = _draw_large if size.width >= LARGE[0] and size.height >= LARGE[1] else _draw_small
    both = words.game_of.format(title=title, game=game)
    caption = words.game.format(game=game)
    names = (name, both if drawn is _draw_large else caption) if _can_print(name) else (title, caption)

    def draw(canvas: Canvas, number: int) -> None:
        drawn(canvas, labels[number], size, names, words)

    document = words.labels_title.format(title=both)
    return write_labels_on(out, stock, setup, document, words.language, len(labels), draw, only=only, progress=progress)


def write_labels_on(
    out: BinaryIO,
    stock: LabelStock,
    setup: PageSetup,
    title: str,
    language: str,
    count: int,
    draw: Draw,
    *,
    only: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Write a PDF of `count` labels; return the number of pages. PaperError if they do not fit the paper.

    `draw` draws a label by its number, from 0, with the origin in the lower left corner. The setup's shift and scale
    are applied as for cards.
    """
    check_labels(stock, setup)
    size = stock.format.size
    pages = -(-(count + stock.skip) // size)
    canvas = new_canvas(out, setup.paper, title, language)
    for page in range(1, pages + 1) if only is None else [only]:
        first = (page - 1) * size - stock.skip
        canvas.saveState()
        across, up, right, rise = setup.transform(setup.paper)
        canvas.transform(across, 0, 0, up, right * mm, rise * mm)
        for index in range(max(0, -first), min(size, count - first)):
            x, y = stock.format.corner(index, setup.paper)
            canvas.saveState()
            canvas.translate(x * mm, y * mm)
            if stock.format.cut:
                _cut_here(canvas, stock.format)
            draw(canvas, first + index)
            canvas.restoreState()
        canvas.restoreState()
        canvas.showPage()
        if progress:
            progress(page, pages)
    canvas.save()
    return pages


def check_labels(stock: LabelStock, setup: PageSetup) -> None:
    """Raise PaperError if labels do not fit the setup's paper, or its shift and scale move some off it."""
    paper, label, size = setup.paper, stock.format, stock.format.size
    stock.check(paper)
    edge = 0.0 if label.cut else _EDGE
    left, top = label.corner(0, paper)
    right, bottom = label.corner(size - 1, paper)
    across, up, move, rise = setup.transform(paper)
    x0, x1 = across * (left + edge) + move, across * (right + label.width - edge) + move
    y0, y1 = up * (bottom + edge) + rise, up * (top + label.height - edge) + rise
    if x0 < -_SLACK or y0 < -_SLACK or x1 > paper.width + _SLACK or y1 > paper.height + _SLACK:
        raise PaperError("shift and scale move labels off the paper: choose a smaller shift or scale", why="off-paper")


def draw_code(canvas: Canvas, text: str, x: float, y: float, side: float, *, alphanumeric: bool = True) -> None:
    """Draw a code with its quiet zone in a square of `side` millimetres with the lower left corner (x, y)."""
    modules = matrix(text, alphanumeric=alphanumeric)
    count = len(modules)
    module = side / (count + 2 * QUIET)
    canvas.saveState()
    canvas.setFillGray(0)
    canvas.translate((x + QUIET * module) * mm, (y + QUIET * module) * mm)
    canvas.scale(module * mm, module * mm)
    canvas.addLiteral(fill_operators(modules))
    canvas.restoreState()


def _cut_here(canvas: Canvas, label: LabelFormat) -> None:
    canvas.setStrokeGray(0.6)
    canvas.setLineWidth(0.25)
    canvas.setDash(2, 2)
    canvas.rect(0, 0, label.width * mm, label.height * mm)
    canvas.setDash()


def _draw_large(canvas: Canvas, label: Label, size: LabelFormat, names: tuple[str, str], words: Wordings) -> None:
    top = size.height - _BAND
    _draw_band(canvas, size, names)
    canvas.setFillColor(INK)
    canvas.setFont(fonts.STRONG, 7)
    canvas.drawString(_SIDE * mm, (top - 5.2) * mm, words.envelope.upper(), charSpace=0.9)
    canvas.setFont(fonts.DISPLAY, 34)
    canvas.drawString(_SIDE * mm, (top - 16.6) * mm, str(label.envelope))
    _name_line(canvas, 33.0, size.width - _SIDE, top - 14.0, words)
    side = min(_CODE, top - 18.0)
    draw_code(canvas, label.payload, size.width - _SIDE - side + 2, _MARGIN, side)
    _words(canvas, size.width - _SIDE - side - 0.5, 10.5, words.scanner, right=True)
    if label.link is not None:
        draw_code(canvas, label.link, _SIDE - 2, _MARGIN, side, alphanumeric=False)
        left = _SIDE + side - 1.6
        _words(canvas, left, 28.0, words.join)
        if code := _typed(label, size.width - _SIDE - side - left, words):
            for text, font, points, y in zip(code.texts, _TYPED_FONTS, code.sizes, (18.6, 15.3), strict=True):
                canvas.setFont(font, points)
                canvas.drawString(left * mm, y * mm, text)


def _draw_small(canvas: Canvas, label: Label, size: LabelFormat, names: tuple[str, str], words: Wordings) -> None:
    """Draw the line for a name and below it both codes, the join link at the left, with the number between them."""
    line = size.height - 7.0
    _name_line(canvas, _MARGIN + 0.6, size.width - _MARGIN - 0.6, line, words)
    side = min(_CODE, line - 3.6 - 0.6 - _CAPTION, (size.width - 16.0) / 2)
    foot = (line - 3.6 - side - _CAPTION) / 2 + _CAPTION
    draw_code(canvas, label.payload, size.width - side - 1.0, foot, side)
    _caption(canvas, words.scanner[0], size.width - 1.0 - side / 2, foot, side)
    left = _MARGIN + 0.6
    if label.link is not None:
        draw_code(canvas, label.link, 1.0, foot, side, alphanumeric=False)
        _caption(canvas, words.join[0], 1.0 + side / 2, foot, side)
        left = 1.0 + side
    middle, room = (left + size.width - side - 1.0) / 2, (size.width - side - 1.0 - left - 0.6) * mm
    canvas.setFillColor(INK)
    number = str(label.envelope)
    code = _typed(label, room / mm, words)
    # The code to type has its place below the number and the names.
    raised, share = (5.5, 0.42) if code else (0.0, 0.5)
    high = min(30.0, 30.0 * room / fonts.width(number, fonts.DISPLAY, 30.0), side * share * mm)
    base = foot + side / 2 - 1.0 + raised
    canvas.setFont(fonts.DISPLAY, high)
    canvas.drawCentredString(middle * mm, base * mm, number)
    for text, font, place in ((names[1], fonts.TEXT, base - 4.0), (names[0], fonts.STRONG, base - 7.0)):
        small = max(_FINEST, fonts.fitting_size(text, font, 6.5, room))
        canvas.setFont(font, small)
        canvas.drawCentredString(middle * mm, place * mm, fonts.shortened(text, font, small, room))
    if code:
        for text, font, points, place in zip(code.texts, _TYPED_FONTS, code.sizes, (10.9, 13.8), strict=True):
            canvas.setFont(font, points)
            canvas.drawCentredString(middle * mm, (base - place) * mm, text)


@dataclass(frozen=True)
class _TypedCode:
    """The two lines with the server and the code to type, and their sizes in points."""

    texts: tuple[str, str]
    sizes: tuple[float, float]


def _typed(label: Label, room: float, words: Wordings) -> _TypedCode | None:
    """Return the lines for typing in `room` millimetres, None if there are none or they would be too small to read."""
    if not label.link or not label.code:
        return None
    texts = (words.type_at.format(host=label.host), label.code)
    sizes = tuple(
        fonts.fitting_size(text, font, most, room * mm)
        for text, font, most in zip(texts, _TYPED_FONTS, (7.0, 8.5), strict=True)
    )
    return _TypedCode(texts, (sizes[0], sizes[1])) if all(map(ge, sizes, _FINEST_TYPED)) else None


def _can_print(name: str) -> bool:
    """Return whether there is a name and the fonts have its characters."""
    try:
        fonts.check_characters(name, fonts.STRONG)
    except fonts.TextError:
        return False
    return bool(name)


def _caption(canvas: Canvas, text: str, middle: float, foot: float, room: float) -> None:
    """Draw the caption of a code."""
    canvas.setFillColor(INK)
    canvas.setFont(fonts.STRONG, min(6.0, 6.0 * room * mm / fonts.width(text, fonts.STRONG, 6.0)))
    canvas.drawCentredString(middle * mm, (foot - 1.75) * mm, text)


def _name_line(canvas: Canvas, left: float, right: float, y: float, words: Wordings) -> None:
    canvas.setLineWidth(0.5)
    canvas.setStrokeColor(INK)
    canvas.line(left * mm, y * mm, right * mm, y * mm)
    canvas.setFillColor(INK)
    canvas.setFont(fonts.TEXT, 7)
    canvas.drawString(left * mm, (y - 3.2) * mm, words.name)


def _draw_band(canvas: Canvas, size: LabelFormat, names: tuple[str, str]) -> None:
    canvas.setFillColor(INK)
    canvas.rect(0, (size.height - _BAND) * mm, size.width * mm, _BAND * mm, stroke=0, fill=1)
    canvas.setFillColor(GOLD)
    canvas.rect(0, (size.height - _BAND - 0.7) * mm, size.width * mm, 0.7 * mm, stroke=0, fill=1)
    canvas.setFillColor(WHITE)
    canvas.setFont(fonts.DISPLAY, 17)
    canvas.drawString(_SIDE * mm, (size.height - 7.6) * mm, "Haggle")
    room = (size.width - 2 * _SIDE - 2) * mm - fonts.width("Haggle", fonts.DISPLAY, 17)
    for name, font, y in ((names[0], fonts.STRONG, 5.2), (names[1], fonts.TEXT, 8.4)):
        # Spaced letters, as wide as those of 8 points.
        text = fonts.shortened(name, font, 8, room)
        canvas.setFont(font, 7)
        canvas.drawRightString((size.width - _SIDE) * mm, (size.height - y) * mm, text, charSpace=0.3)


def _words(canvas: Canvas, x: float, y: float, lines: Sequence[str], *, right: bool = False) -> None:
    """Draw a heading and lines below it that begin at `x`, or end there if `right`."""
    draw = canvas.drawRightString if right else canvas.drawString
    canvas.setFillColor(INK)
    for number, line in enumerate(lines):
        canvas.setFont(fonts.TEXT if number else fonts.STRONG, 7.0)
        draw(x * mm, y * mm - number * 7.0 * fonts.LEADING, line)
