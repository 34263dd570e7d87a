"""Images of cards, rendered from PDF so that they look exactly as printed."""

from __future__ import annotations

from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

import pypdfium2
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from cardgen import fonts
from cardgen.faces.back import draw_back
from cardgen.faces.draw import draw_codes, draw_face
from cardgen.pages.paper import set_metadata

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PIL.Image import Image

    from cardgen.cards import Geometry
    from cardgen.faces.back import Back
    from cardgen.faces.face import Face

POINTS_PER_INCH = 72

_BATCH = 24
"""Cards in one PDF, so that memory use does not grow with their number."""


def face_images(
    cards: Iterable[tuple[Face, str, str]], card: Geometry, dpi: float, bleed: float = 0.0
) -> Iterator[Image]:
    """Yield the face of each card, given as (face, payload, short code), as an RGB image.

    `bleed` is the part beyond the cut, in millimetres.
    """
    rest = iter(cards)
    while batch := list(islice(rest, _BATCH)):
        pdf = BytesIO()
        canvas = card_canvas(pdf, card, bleed)
        over = bleed * mm
        drawn: set[str] = set()
        for face, payload, short in batch:
            if face.kind not in drawn:
                canvas.beginForm(face.kind, -over, -over, card.width * mm + over, card.height * mm + over)
                draw_face(canvas, face, card, bleed)
                canvas.endForm()
                drawn.add(face.kind)
            canvas.translate(over, over)
            canvas.doForm(face.kind)
            draw_codes(canvas, payload, short, card)
            canvas.showPage()
        canvas.save()
        yield from page_images(pdf.getvalue(), dpi)


def back_image(back: Back, card: Geometry, dpi: float, bleed: float = 0.0) -> Image:
    """Return the back of the cards as an RGB image; `bleed` is the part beyond the cut, in millimetres."""
    pdf = BytesIO()
    canvas = card_canvas(pdf, card, bleed)
    canvas.translate(bleed * mm, bleed * mm)
    draw_back(canvas, back, card, bleed)
    canvas.save()
    return next(page_images(pdf.getvalue(), dpi))


def card_canvas(out: BytesIO, card: Geometry, bleed: float, title: str = "", language: str = "") -> Canvas:
    """Return a canvas whose pages are cards with their bleed, with the page boxes that print shops need."""
    fonts.use_fonts()
    width, height, over = (card.width + 2 * bleed) * mm, (card.height + 2 * bleed) * mm, bleed * mm
    # Print shops often need old versions; this is the oldest one with a language and a displayed title.
    canvas = Canvas(
        out,
        pagesize=(width, height),
        pageCompression=1,
        initialFontName=fonts.TEXT,
        invariant=1,
        pdfVersion=(1, 4),
        lang=language or None,
    )
    set_metadata(canvas, title)
    canvas.setTrimBox([over, over, width - over, height - over])
    canvas.setBleedBox([0, 0, width, height])
    return canvas


def page_images(pdf: bytes, dpi: float) -> Iterator[Image]:
    """Yield each page of a PDF as an RGB image."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            yield page.render(scale=dpi / POINTS_PER_INCH).to_pil().convert("RGB")
    finally:
        document.close()
