"""Stickers with a card's code and name, for people who own tarot decks and chips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from reportlab.lib.units import mm

from cardgen import fonts
from cardgen.documents.labels import QUIET, draw_code, write_labels_on
from cardgen.faces.face import INK
from cardgen.pages.paper import PaperError
from cardgen.strings import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reportlab.pdfgen.canvas import Canvas

    from cardgen.pages.layout import PageSetup
    from cardgen.pages.paper import LabelFormat, LabelStock, Progress
    from cardgen.strings import Wordings

_MARGIN = 0.8
"""White edge of a sticker in millimetres, since sheets are not fed accurately."""
_FINEST = 0.45
"""Side of the smallest module, in millimetres, that can be read in a photograph of a whole deck."""
_MODULES = 21 + 2 * QUIET
_LARGEST = 26.0
_STRIP = 6.5
"""Height of the text below a code, in millimetres."""
_BESIDE = 10.0
"""Least width of the text beside a code, in millimetres."""


@dataclass(frozen=True)
class Sticker:
    """A sticker: the text of its code, the short code, and the card's name."""

    payload: str
    code: str
    name: str


def write_stickers(
    out: BinaryIO,
    stickers: Sequence[Sticker],
    stock: LabelStock,
    setup: PageSetup,
    title: str,
    words: Wordings = ENGLISH,
    *,
    language: str,
    only: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the PDF of all stickers; return the number of pages.

    PaperError for a format that is too small, TextError for a name that does not fit; `language` is that of the names,
    in which there may be no `words`.
    """
    side, beside = _measures(stock.format)

    def draw(canvas: Canvas, number: int) -> None:
        _draw(canvas, stickers[number], stock.format, side, beside=beside)

    name = words.stickers_title.format(title=title)
    return write_labels_on(out, stock, setup, name, language, len(stickers), draw, only=only, progress=progress)


def _measures(size: LabelFormat) -> tuple[float, bool]:
    """Return the side of the code with its quiet zone in millimetres, and True if the text is beside it."""
    beside = min(size.height - 2 * _MARGIN, size.width - 2 * _MARGIN - _BESIDE, _LARGEST)
    under = min(size.height - 2 * _MARGIN - _STRIP, size.width - 2 * _MARGIN, _LARGEST)
    side = max(beside, under)
    if side < _FINEST * _MODULES:
        width, height = (round(_FINEST * _MODULES + rest + 2 * _MARGIN) for rest in (_BESIDE, 0.0))
        raise PaperError(
            f"stickers {size.name} are {size.width:g} x {size.height:g} mm: a code and its words need about"
            f" {width} x {height} mm",
            why="small-labels",
            width=width,
            height=height,
        )
    return side, beside >= under


def _draw(canvas: Canvas, sticker: Sticker, size: LabelFormat, side: float, *, beside: bool) -> None:
    canvas.setFillColor(INK)
    if beside:
        left = _MARGIN + side + 0.6
        _words(canvas, sticker, (left, size.width - _MARGIN), (_MARGIN + 1.0, size.height - _MARGIN - 1.0))
        draw_code(canvas, sticker.payload, _MARGIN, (size.height - side) / 2, side)
    else:
        foot = (size.height - side - _STRIP) / 2
        _words(canvas, sticker, (_MARGIN, size.width - _MARGIN), (foot, foot + _STRIP), centred=True)
        draw_code(canvas, sticker.payload, (size.width - side) / 2, foot + _STRIP, side)


def _words(
    canvas: Canvas,
    sticker: Sticker,
    across: tuple[float, float],
    down: tuple[float, float],
    *,
    centred: bool = False,
) -> None:
    """Draw the name, and below it the short code, in a box given in millimetres."""
    room, high = (across[1] - across[0]) * mm, (down[1] - down[0]) * mm
    small = 5.6
    deep = high - small * fonts.LEADING
    sizes = [9.0 - step / 4 for step in range(17)]
    size, lines = fonts.fit(sticker.name, fonts.STRONG, sizes, lambda _: (0, room), deep)
    last = lines[-1].y + small * fonts.LEADING + 0.6
    top = down[1] * mm - (0 if centred else (high - last) / 2)
    rows = [(line.text, fonts.STRONG, size, line.y) for line in lines]
    for text, font, points, y in (*rows, (sticker.code, fonts.TEXT, small, last)):
        canvas.setFont(font, points)
        if centred:
            canvas.drawCentredString((across[0] + across[1]) / 2 * mm, top - y, text)
        else:
            canvas.drawString(across[0] * mm, top - y, text)
