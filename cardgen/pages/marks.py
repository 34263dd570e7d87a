"""Cutting marks and text in the margins of a sheet, computed as data and then drawn.

Lengths are in millimetres from the page's lower left corner. Lines are interrupted where there is text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportlab.lib.units import mm

from cardgen import fonts
from cardgen.faces.face import INK
from cardgen.pages.paper import MARGIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.pages.layout import Grid, Marks, PrintedCard
    from cardgen.strings import Wordings

_SIZE = 7.0
_RISE, _FALL = 0.72, 0.22
"""Height of letters above and below their baseline, as a share of their size."""
_TICK_FROM, _TICK_TO = 1.2, 3.6
"""Start and end of a tick, beyond the cut and its bleed."""
_ARM = 1.1
_CLEAR = 0.6
"""Free space around text."""
_SHORTEST = 0.8
_RULER = 50.0
_FOOT_WIDTH = 185.0
_DOTS = "…"
_BETWEEN = "  ·  "

Box = tuple[float, float, float, float]
"""Left, bottom, right and top."""
Line = tuple[float, float, float, float]
"""Horizontal or vertical, from its left or lower end to the other."""


@dataclass(frozen=True)
class MarginNote:
    """Text in the margin. `x` and `y` are the left end of its baseline, or the lower end if it is `upright`."""

    text: str
    x: float
    y: float
    size: float = _SIZE
    upright: bool = False

    @property
    def box(self) -> Box:
        """The area of the text."""
        long, rise, fall = _long(self.text, self.size), self.size * _RISE / mm, self.size * _FALL / mm
        if self.upright:
            return self.x - rise, self.y, self.x + fall, self.y + long
        return self.x, self.y - fall, self.x + long, self.y + rise


@dataclass(frozen=True)
class Margins:
    """The margins of a page: text, the left end of the ruler, and lines to cut and fold along.

    `crosses` are fainter, since they reach onto the cards.
    """

    notes: tuple[MarginNote, ...]
    ruler: tuple[float, float] | None = None
    cuts: tuple[Line, ...] = ()
    crosses: tuple[Line, ...] = ()
    folds: tuple[Line, ...] = ()

    def boxes(self) -> list[Box]:
        """Return the areas of text and ruler."""
        return [note.box for note in self.notes] + ([_ruler_box(self.ruler)] if self.ruler else [])


def fronts(layout: Grid, marks: Marks, page: Sequence[PrintedCard], texts: Sequence[str], words: Wordings) -> Margins:
    """Return the margins of a page of fronts.

    `texts` are the parts of the footer, the most important last. Instructions for folding are added if there is space.
    """
    y, left, right = _foot_line(layout), *_foot_ends(layout)
    ruler = (right - _RULER, y + 0.8)
    caption = MarginNote(words.ruler, ruler[0] - 2.0 - _long(words.ruler, _SIZE), y)
    room = caption.x - 3.0 - left
    notes = (*_rows(layout, page, words), caption, MarginNote(_foot(layout, texts, room, words), left, y))
    bare = Margins(notes, ruler)
    boxes = bare.boxes()
    folds = _fold(layout)
    return Margins(
        notes,
        ruler,
        tuple(_without(_cut_lines(layout, marks), boxes)),
        tuple(_crosses(layout)) if marks == "crop" else (),
        tuple(_without(folds, boxes)),
    )


def backs(layout: Grid, texts: Sequence[str]) -> Margins:
    """Return the margins of a page of backs: only text, since the marks for cutting are on the fronts.

    If the paper is turned about a horizontal axis, the footer is at the top.
    """
    left, right = _foot_ends(layout)
    y = _foot_line(layout)
    if layout.turn == "up":
        y = layout.paper.height - y - _SIZE * (_RISE - _FALL) / mm
    return Margins((MarginNote(_shortened(texts, right - left), left, y),))


def draw_margins(canvas: Canvas, margins: Margins) -> None:
    """Draw the margins of a page."""
    canvas.setLineWidth(0.25)
    canvas.setStrokeColor(INK)
    canvas.lines(_points(margins.cuts))
    canvas.setStrokeGray(0.6)
    canvas.lines(_points(margins.crosses))
    canvas.setDash(4, 3)
    canvas.setStrokeGray(0.35)
    canvas.lines(_points(margins.folds))
    canvas.setDash()
    canvas.setFillColor(INK)
    for note in margins.notes:
        canvas.setFont(fonts.TEXT, note.size)
        canvas.saveState()
        canvas.translate(note.x * mm, note.y * mm)
        if note.upright:
            canvas.rotate(90)
        canvas.drawString(0, 0, note.text)
        canvas.restoreState()
    if margins.ruler:
        x, y = margins.ruler
        canvas.setStrokeColor(INK)
        canvas.setLineWidth(0.4)
        ticks = [(x + n * 10, y - 0.9, x + n * 10, y + 0.9) for n in range(6)]
        canvas.lines(_points([(x, y, x + _RULER, y), *ticks]))


def span(envelopes: Sequence[int], words: Wordings) -> str:
    """Return sorted envelope numbers in words."""
    if len(envelopes) == 1:
        return f"{words.envelope} {envelopes[0]}"
    return words.span.format(envelopes=words.envelopes, first=envelopes[0], last=envelopes[-1])


def _rows(layout: Grid, page: Sequence[PrintedCard], words: Wordings) -> Iterator[MarginNote]:
    """Yield the envelope numbers beside each row, since they must not be on the cards."""
    edge = layout.block()[0] - layout.bleed
    x = max(edge - 3.2, MARGIN + _SIZE * _RISE / mm)
    for row in range(1, layout.rows + 1):
        numbers = [printed.envelope for printed in page if printed.row == row]
        if numbers:
            middle = layout.front(row, 1)[1] + layout.card.height / 2
            text = _belonging(numbers, words, layout.card.height - 2 * _CLEAR)
            yield MarginNote(text, x, middle - _long(text, _SIZE) / 2, upright=True)


def _belonging(numbers: Sequence[int], words: Wordings, room: float) -> str:
    """Return the envelope numbers of a row's cards, card by card, or as a range if that is too long."""
    distinct = sorted(set(numbers))
    if len(distinct) == 1:
        return f"{words.envelope} {distinct[0]}"
    full = f"{words.envelopes} {', '.join(map(str, numbers))}"
    return full if _long(full, _SIZE) <= room else span(distinct, words)


def _foot_line(layout: Grid) -> float:
    """Return the baseline of the footer, within the printable area."""
    return max((layout.block()[1] - layout.bleed) / 2 - 1.6, MARGIN - 0.4)


def _foot_ends(layout: Grid) -> tuple[float, float]:
    """Return the left and right end of the footer."""
    left, _, right, _ = layout.block()
    middle = layout.paper.width / 2
    half = max((right - left) / 2 - 2, _FOOT_WIDTH / 2)
    half = min(half, middle - MARGIN - 1)
    return middle - half, middle + half


def _foot(layout: Grid, texts: Sequence[str], room: float, words: Wordings) -> str:
    """Return the footer. Instructions for folding follow the title, shortened or left out if space is short."""
    for fold in (words.fold, words.fold_short) if layout.folded else ():
        text = _BETWEEN.join([texts[0], fold, *texts[1:]])
        if _long(text, _SIZE) <= room:
            return text
    return _shortened(texts, room)


def _shortened(texts: Sequence[str], room: float) -> str:
    """Return the parts as one line, shortened from the start if it is too long."""
    first, *rest = texts
    text = _BETWEEN.join(texts)
    while _long(text, _SIZE) > room:
        first = first[:-1]
        if not first and len(rest) > 1:
            first, *rest = rest
        text = _BETWEEN.join([first.rstrip() + _DOTS, *rest])
    return text


def _cut_lines(layout: Grid, marks: Marks) -> list[Line]:
    """Return ticks in the margins at every cut, or lines from edge to edge of the paper."""
    if marks == "none":
        return []
    xs, ys = layout.cuts()
    width, height = layout.paper.width, layout.paper.height
    if marks == "lines":
        return [(x, 0.0, x, height) for x in xs] + [(0.0, y, width, y) for y in ys]
    left, bottom, right, top = layout.block()
    start, end = layout.bleed + _TICK_FROM, layout.bleed + _TICK_TO
    below, above = (max(bottom - end, 0.0), bottom - start), (top + start, min(top + end, height))
    before, after = (max(left - end, 0.0), left - start), (right + start, min(right + end, width))
    lines = [(x, y0, x, y1) for x in xs for y0, y1 in (below, above)]
    return lines + [(x0, y, x1, y) for y in ys for x0, x1 in (before, after)]


def _crosses(layout: Grid) -> Iterator[Line]:
    """Yield fine crosses where cuts meet. If there is a gap between cards, they stay within it."""
    xs, ys = layout.cuts()
    inner = min(_ARM, layout.gap / 2)
    # Without a gap, cards share their cuts. With a gap, cuts alternate between left (lower) and right (upper) sides.
    for i, x in enumerate(xs):
        for k, y in enumerate(ys):
            if not layout.gap:
                yield x - _ARM, y, x + _ARM, y
                yield x, y - _ARM, x, y + _ARM
                continue
            yield (x - inner, y, x, y) if i % 2 == 0 else (x, y, x + inner, y)
            yield (x, y - inner, x, y) if k % 2 == 0 else (x, y, x, y + inner)


def _fold(layout: Grid) -> list[Line]:
    if not layout.folded or layout.axis is None:
        return []
    if layout.turn == "across":
        return [(layout.axis, 0.0, layout.axis, layout.paper.height)]
    return [(0.0, layout.axis, layout.paper.width, layout.axis)]


def _without(lines: Iterable[Line], boxes: Sequence[Box]) -> Iterator[Line]:
    """Yield the parts of lines outside of the boxes, unless they are too short."""
    for line in lines:
        pieces = [line]
        for x0, y0, x1, y1 in boxes:
            clear = (x0 - _CLEAR, y0 - _CLEAR, x1 + _CLEAR, y1 + _CLEAR)
            pieces = [rest for piece in pieces for rest in _split(piece, clear)]
        yield from (piece for piece in pieces if piece[2] - piece[0] + piece[3] - piece[1] >= _SHORTEST)


def _split(line: Line, box: Box) -> Iterator[Line]:
    x0, y0, x1, y1 = line
    left, bottom, right, top = box
    if x1 <= left or x0 >= right or y1 <= bottom or y0 >= top:
        yield line
    elif x0 == x1:
        yield from (piece for piece in ((x0, y0, x0, bottom), (x0, top, x0, y1)) if piece[1] < piece[3])
    else:
        yield from (piece for piece in ((x0, y0, left, y0), (right, y0, x1, y0)) if piece[0] < piece[2])


def _ruler_box(place: tuple[float, float]) -> Box:
    x, y = place
    return x, y - 0.9, x + _RULER, y + 0.9


def _long(text: str, size: float) -> float:
    return fonts.width(text, fonts.TEXT, size) / float(mm)


def _points(lines: Iterable[Line]) -> list[Line]:
    return [(x0 * mm, y0 * mm, x1 * mm, y1 * mm) for x0, y0, x1, y1 in lines]
