"""PDF pages as pixels, so that a PNG face is exactly what the sheet prints."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pypdfium2
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from cardgen import texts
from cardgen.faces import draw_codes, draw_face

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PIL.Image import Image

    from cardgen.cards import Geometry
    from cardgen.faces import Face

POINTS_PER_INCH = 72


def face_images(cards: Iterable[tuple[Face, str, str]], card: Geometry, dpi: float) -> Iterator[Image]:
    """Yield the face of each card, given as (face, payload, short code), as an RGB picture of `dpi` dots an inch."""
    pdf = BytesIO()
    texts.use_fonts()
    canvas = Canvas(pdf, pagesize=(card.width * mm, card.height * mm), pageCompression=0, initialFontName=texts.TEXT)
    drawn: set[str] = set()
    for face, payload, short in cards:
        if face.kind not in drawn:
            canvas.beginForm(face.kind)
            draw_face(canvas, face, card)
            canvas.endForm()
            drawn.add(face.kind)
        canvas.doForm(face.kind)
        draw_codes(canvas, payload, short, card)
        canvas.showPage()
    canvas.save()
    yield from page_images(pdf.getvalue(), dpi)


def page_images(pdf: bytes, dpi: float) -> Iterator[Image]:
    """Yield each page of a PDF as an RGB picture of `dpi` dots an inch."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            yield page.render(scale=dpi / POINTS_PER_INCH).to_pil().convert("RGB")
    finally:
        document.close()
