"""Pages of a PDF to grey pictures, for decks put on a flatbed."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import pypdfium2

from scanner.photo import PhotoError

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
        sheet = document[page]
        width, height = sheet.get_size()
        scale = min(DPI / _POINTS_PER_INCH, (max_pixels / max(width * height, 1.0)) ** 0.5)
        try:
            pixels = sheet.render(scale=scale, grayscale=True).to_numpy()
        except pypdfium2.PdfiumError:
            raise PhotoError("truncated", f"Page {page + 1} of the PDF is damaged. Scan it again.") from None
        # The pixels belong to the page's bitmap, which goes away with the document: copy them.
        return np.array(pixels, dtype=np.uint8).reshape(pixels.shape[:2])


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
