"""The PDF of all card sheets and their backs."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.units import mm

from cardgen.faces.back import Back, draw_back
from cardgen.faces.draw import draw_codes, draw_face
from cardgen.pages import marks
from cardgen.pages.layout import grid
from cardgen.pages.paper import new_canvas
from cardgen.strings import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face
    from cardgen.pages.layout import Grid, PageSetup, PrintedCard
    from cardgen.pages.paper import Progress
    from cardgen.strings import Wordings

_PLAIN_BACK = Back()

_BACK = "BACK"
"""The name of the form for backs. Other forms have the names of kinds, which are lower case."""


def write_sheets(
    out: BinaryIO,
    cards: Sequence[PrintedCard],
    faces: Mapping[str, Face],
    card: Geometry,
    setup: PageSetup,
    title: str,
    words: Wordings = ENGLISH,
    *,
    language: str,
    back: Back = _PLAIN_BACK,
    only: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the PDF of all card sheets; return the number of pages, including backs.

    `language` is that of the faces, in which there may be no `words`; `back` is drawn if the setup has backs. `only`
    writes a single page, exactly as it is in the whole document.
    """
    layout = grid(setup, card)
    canvas = new_canvas(out, layout.paper, words.sheets_title.format(title=title), language, setup.duplex_mode)
    sheet_pages = _Pages(canvas, layout, setup, faces, words, back)
    on_page: dict[int, list[PrintedCard]] = {}
    for printed in cards:
        on_page.setdefault(printed.page, []).append(printed)
    sheets = (max(on_page, default=0) + layout.sides - 1) // layout.sides
    pages = sheets * layout.sides
    for number in range(1, pages + 1) if only is None else [only]:
        sheet, side = divmod(number - 1, layout.sides)
        page = on_page.get(number - side, [])
        caption = words.sheet.format(number=sheet + 1, pages=sheets)
        if side:
            sheet_pages.backs(page, (title, words.backs_of.format(sheet=caption)))
        else:
            sheet_pages.fronts(page, title, caption)
        canvas.showPage()
        if progress:
            progress(number, pages)
    canvas.save()
    return pages


@dataclass
class _Pages:
    """Pages on a canvas. The face of each kind is drawn once, as a form."""

    canvas: Canvas
    layout: Grid
    setup: PageSetup
    faces: Mapping[str, Face]
    words: Wordings
    back: Back
    drawn: set[str] = field(default_factory=set)

    def fronts(self, page: Sequence[PrintedCard], title: str, caption: str) -> None:
        """Draw a page of fronts, with backs beside them if the paper is folded."""
        card = self.layout.card
        for kind in sorted({printed.card.kind for printed in page}):
            self._form(kind, partial(draw_face, self.canvas, self.faces[kind], card, self.setup.bleed))
        if self.layout.folded:
            self._form(_BACK, self._draw_back)
        envelopes = sorted({printed.envelope for printed in page})
        foot = [title, caption, marks.span(envelopes, self.words)]
        with self._page():
            for printed in page:
                with self._at(self.layout.front(printed.row, printed.column)):
                    self.canvas.doForm(printed.card.kind)
                    draw_codes(self.canvas, printed.payload, printed.code, card)
            if self.layout.folded:
                self._put_backs(page)
            marks.draw_margins(self.canvas, marks.fronts(self.layout, self.setup.marks, page, foot, self.words))

    def backs(self, page: Sequence[PrintedCard], foot: Sequence[str]) -> None:
        """Draw the page of backs of a page of fronts."""
        self._form(_BACK, self._draw_back)
        with self._page(back=True):
            self._put_backs(page)
            marks.draw_margins(self.canvas, marks.backs(self.layout, foot))

    def _put_backs(self, page: Sequence[PrintedCard]) -> None:
        for printed in page:
            with self._at(self.layout.back(printed.row, printed.column)):
                if self.layout.turn == "up":
                    # So the back is upright if the card is turned over like the page of a book.
                    self.canvas.translate(self.layout.card.width * mm, self.layout.card.height * mm)
                    self.canvas.rotate(180)
                self.canvas.doForm(_BACK)

    def _draw_back(self) -> None:
        draw_back(self.canvas, self.back, self.layout.card, self.setup.bleed)

    def _form(self, name: str, draw: Callable[[], None]) -> None:
        """Define a form of the card's size with its bleed, unless it is defined already."""
        if name in self.drawn:
            return
        bleed, card = self.setup.bleed, self.layout.card
        right, top = (card.width + bleed) * mm, (card.height + bleed) * mm
        self.canvas.beginForm(name, -bleed * mm, -bleed * mm, right, top)
        draw()
        self.canvas.endForm()
        self.drawn.add(name)

    @contextmanager
    def _page(self, *, back: bool = False) -> Iterator[None]:
        """Apply the setup's shift and scale to a page, and set its trim and bleed boxes."""
        across, up, right, rise = self.setup.transform(self.layout.paper, back=back)
        x0, y0, x1, y1 = self.layout.block(back=back)
        for bleed, set_box in ((0.0, self.canvas.setTrimBox), (self.setup.bleed, self.canvas.setBleedBox)):
            ends = ((x0 - bleed) * across + right, (y0 - bleed) * up + rise)
            set_box([side * mm for side in (*ends, (x1 + bleed) * across + right, (y1 + bleed) * up + rise)])
        self.canvas.saveState()
        self.canvas.transform(across, 0, 0, up, right * mm, rise * mm)
        yield
        self.canvas.restoreState()

    @contextmanager
    def _at(self, corner: tuple[float, float]) -> Iterator[None]:
        self.canvas.saveState()
        self.canvas.translate(corner[0] * mm, corner[1] * mm)
        yield
        self.canvas.restoreState()
