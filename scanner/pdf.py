"""Pages of a PDF to grey pictures, for decks put on a flatbed."""

from __future__ import annotations

from contextlib import contextmanager
from math import isfinite, sqrt
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import pypdfium2

from scanner.photo import MAX_SIDE, PhotoError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scanner.result import Grey

DPI = 300
_POINTS_PER_INCH = 72
# PDFium is not safe in several threads at once.
_lock = Lock()


def count(data: bytes) -> int:
    """Return the number of pages. Raises PhotoError."""
    with _document(data) as document:
        return len(document)


def render(data: bytes, page: int, max_pixels: int) -> Grey:
    """Return a page (from 0) at 300 dots per inch, or at fewer where the paper is large. Raises PhotoError."""
    with _document(data) as document:
        if page >= len(document):
            raise PhotoError("no-such-page", f"The PDF has {len(document)} pages.")
        try:
            sheet = document[page]
            width, height = sheet.get_size()
            pixels_a_point = _pixels_a_point(width, height, max_pixels)
            pixels = sheet.render(scale=pixels_a_point, grayscale=True).to_numpy()
        except (pypdfium2.PdfiumError, ValueError, OverflowError):
            raise PhotoError("truncated", f"Page {page + 1} of the PDF is damaged. Scan it again.") from None
        # The pixels belong to the page's bitmap, which goes away with the document: copy them.
        return np.array(pixels, dtype=np.uint8).reshape(pixels.shape[:2])


def _pixels_a_point(width: float, height: float, max_pixels: int) -> float:
    """Return the scale for a page of so many points; ValueError for one that cannot be paper."""
    if min(width, height) <= 0 or not isfinite(width * height):
        raise ValueError("the page has no size")
    return min(DPI / _POINTS_PER_INCH, sqrt(max_pixels / (width * height)), MAX_SIDE / max(width, height))


@contextmanager
def _document(data: bytes) -> Iterator[pypdfium2.PdfDocument]:
    with _lock:
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError:
            raise PhotoError(
                "not-a-picture", "This PDF cannot be opened: it is damaged or has a password. Send a picture instead."
            ) from None
        try:
            yield document
        finally:
            document.close()
