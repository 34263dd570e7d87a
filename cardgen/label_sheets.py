"""Labels on their sheets: one after the other, with lines to cut along where the paper is plain."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.units import mm

from cardgen.paper import PaperError, new_canvas

if TYPE_CHECKING:
    from collections.abc import Callable

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.formats import Format, Stock
    from cardgen.setup import Setup

    Draw = Callable[[Canvas, int], None]

_SLACK = 1e-6
_EDGE = 0.8
"""White at a label's edge, or the end of a band, in millimetres: where labels reach the paper's edge, it may leave."""


def check_labels(stock: Stock, setup: Setup) -> None:
    """Raise PaperError if labels do not lie on the setup's paper, or its shift and scale move some off it."""
    paper, label, size = setup.paper, stock.format, stock.format.size
    stock.check(paper)
    edge = 0.0 if label.cut else _EDGE
    left, top = label.corner(0, paper)
    right, bottom = label.corner(size - 1, paper)
    across, up, move, rise = setup.drift(paper)
    x0, x1 = across * (left + edge) + move, across * (right + label.width - edge) + move
    y0, y1 = up * (bottom + edge) + rise, up * (top + label.height - edge) + rise
    if x0 < -_SLACK or y0 < -_SLACK or x1 > paper.width + _SLACK or y1 > paper.height + _SLACK:
        raise PaperError("shift and scale move labels off the paper: choose a smaller shift or scale", why="off-paper")


def write_labels_on(
    out: BinaryIO,
    stock: Stock,
    setup: Setup,
    title: str,
    language: str,
    count: int,
    draw: Draw,
    *,
    only: int | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> int:
    """Write a PDF of so many labels; return the number of pages. PaperError if they do not lie on the paper.

    `draw` draws the label of a number from 0 with the origin in its lower left corner; `only` and `tell` as in
    `write_part`. A printer that drifts is met as for cards, by the set-up's shift and scale.
    """
    check_labels(stock, setup)
    size = stock.format.size
    pages = -(-(count + stock.skip) // size)
    canvas = new_canvas(out, setup.paper, title, language)
    for page in range(1, pages + 1) if only is None else [only]:
        first = (page - 1) * size - stock.skip
        canvas.saveState()
        across, up, right, rise = setup.drift(setup.paper)
        canvas.transform(across, 0, 0, up, right * mm, rise * mm)
        for place in range(max(0, -first), min(size, count - first)):
            x, y = stock.format.corner(place, setup.paper)
            canvas.saveState()
            canvas.translate(x * mm, y * mm)
            if stock.format.cut:
                _cut_here(canvas, stock.format)
            draw(canvas, first + place)
            canvas.restoreState()
        canvas.restoreState()
        canvas.showPage()
        if tell:
            tell(page, pages)
    canvas.save()
    return pages


def _cut_here(canvas: Canvas, label: Format) -> None:
    canvas.setStrokeGray(0.6)
    canvas.setLineWidth(0.25)
    canvas.setDash(2, 2)
    canvas.rect(0, 0, label.width * mm, label.height * mm)
    canvas.setDash()
