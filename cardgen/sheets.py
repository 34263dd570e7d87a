"""Cards on paper: the PDF of all sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.units import mm

from cardgen.faces import draw_codes, draw_face
from cardgen.layout import grid
from cardgen.marks import draw_envelopes, draw_foot, draw_marks, span
from cardgen.paper import new_canvas
from cardgen.wordings import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardgen.cards import Geometry
    from cardgen.faces import Face
    from cardgen.layout import PrintedCard
    from cardgen.setup import Setup
    from cardgen.wordings import Wordings


def write_sheets(
    out: BinaryIO,
    cards: Sequence[PrintedCard],
    faces: Mapping[str, Face],
    card: Geometry,
    setup: Setup,
    title: str,
    words: Wordings = ENGLISH,
    *,
    only: int | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> int:
    """Write the PDF of all card sheets, in the order of the cards; return the number of pages.

    `only` writes this page alone, as it is among all of them; `tell` hears of each page that is done, and their number.
    """
    layout = grid(setup.paper, card)
    canvas = new_canvas(out, setup.paper, words.sheets_title.format(title=title))
    drawn: set[str] = set()
    pages = -(-len(cards) // layout.size)
    for number in range(1, pages + 1) if only is None else [only]:
        page = cards[(number - 1) * layout.size : number * layout.size]
        for kind in sorted({printed.card.kind for printed in page} - drawn):
            canvas.beginForm(kind)
            draw_face(canvas, faces[kind], card)
            canvas.endForm()
            drawn.add(kind)
        draw_marks(canvas, layout, card)
        for printed in page:
            canvas.saveState()
            x = layout.left + (printed.column - 1) * card.width
            y = layout.bottom + (layout.rows - printed.row) * card.height
            canvas.translate(x * mm, y * mm)
            canvas.doForm(printed.card.kind)
            draw_codes(canvas, printed.payload, printed.code, card)
            canvas.restoreState()
        draw_envelopes(canvas, layout, card, page, words)
        envelopes = sorted({printed.envelope for printed in page})
        said = "  ·  ".join((title, words.sheet.format(number=number, pages=pages), span(envelopes, words)))
        draw_foot(canvas, layout, said, words.ruler, setup.paper)
        canvas.showPage()
        if tell:
            tell(number, pages)
    canvas.save()
    return pages
