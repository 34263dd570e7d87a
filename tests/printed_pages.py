"""Reads printed pages, with libraries other than those that print: PDFium for pixels and zxing-cpp for codes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import zxingcpp

from cardgen.pages.raster import page_images

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MM_PER_INCH = 25.4


@dataclass(frozen=True)
class SeenCode:
    """A code on a page: its text, centre (from the page's top left) and side in millimetres, and orientation."""

    text: str
    x: float
    y: float
    side: float
    orientation: int


def codes_of(image: np.ndarray, dpi: float) -> list[SeenCode]:
    """Return all QR codes in the pixels of a page."""
    seen = []
    # BarcodeFormat.QRCode includes Micro QR, of which there are false detections.
    for code in zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2)):
        place = code.position
        corners = np.array(
            [(p.x, p.y) for p in (place.top_left, place.top_right, place.bottom_right, place.bottom_left)], float
        )
        side = np.mean([np.hypot(*(corners[n] - corners[n - 1])) for n in range(4)])
        x, y = corners.mean(axis=0)
        scale = MM_PER_INCH / dpi
        seen.append(SeenCode(code.text, x * scale, y * scale, side * scale, code.orientation))
    return seen


def catalogue(pdf: bytes) -> str:
    """Return the source of a PDF's document catalogue and viewer preferences."""

    def entry(name: bytes, text: bytes) -> bytes:
        number = re.search(rb"/" + name + rb" (\d+) 0 R", text)
        assert number, name
        found = re.search(rb"\n" + number[1] + rb" 0 obj\n(.*?)endobj", pdf, re.DOTALL)
        assert found
        return found[1]

    root = entry(b"Root", pdf)
    return (root + entry(b"ViewerPreferences", root)).decode("latin-1")


def pages(pdf: Path, dpi: float) -> Iterator[np.ndarray]:
    """Yield the pages of a PDF as RGB arrays."""
    for image in page_images(pdf.read_bytes(), dpi):
        yield np.asarray(image)
