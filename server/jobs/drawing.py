"""Draws a file of a print run: light enough to be called in a process of its own."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pypdfium2

from cardgen.printing import write_part

if TYPE_CHECKING:
    from cardgen.printing import PrintRun

Edges = tuple[float, float, float, float]
"""What is cut off at the left, the bottom, the right and the top of a page, in points."""


def draw(run: PrintRun, name: str) -> bytes:
    """Return one file of a print run; PaperError or TextError if it cannot be drawn."""
    out = io.BytesIO()
    write_part(run, name, out)
    return out.getvalue()


def draw_image(run: PrintRun, name: str, page: int | None, width: int, cut: Edges = (0, 0, 0, 0)) -> bytes:
    """Return a page as a PNG of so many pixels' width, give or take one.

    Of the sheets it is this page, of the labels the first one; `cut` takes edges off.
    """
    out = io.BytesIO()
    write_part(run, name, out, only=page)
    with pypdfium2.PdfDocument(out.getvalue()) as document:
        sheet = document[0]
        shown = sheet.get_width() - cut[0] - cut[2]
        # Half a pixel less, since the sides are rounded up.
        image = sheet.render(scale=(width - 0.5) / shown, crop=cut).to_pil().convert("RGB")
    png = io.BytesIO()
    image.save(png, "PNG", compress_level=4)
    return png.getvalue()
