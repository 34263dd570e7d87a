"""What stands round the cards of a sheet: crop marks, whose cards they are, what the sheet is, and a ruler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.units import mm

from cardgen import texts
from cardgen.faces import INK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.layout import Grid, PrintedCard
    from cardgen.paper import Paper
    from cardgen.wordings import Wordings


def draw_marks(canvas: Canvas, layout: Grid, card: Geometry) -> None:
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


def span(envelopes: Sequence[int], words: Wordings) -> str:
    """Return whose cards a page holds, in words; the numbers are sorted."""
    if len(envelopes) == 1:
        return f"{words.envelope} {envelopes[0]}"
    return words.span.format(envelopes=words.envelopes, first=envelopes[0], last=envelopes[-1])


def draw_envelopes(canvas: Canvas, layout: Grid, card: Geometry, page: Sequence[PrintedCard], words: Wordings) -> None:
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


def draw_foot(canvas: Canvas, layout: Grid, words: str, caption: str, paper: Paper) -> None:
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
