"""The readers that are measured side by side. Each takes grey pixels and gives texts with the places where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner import passes
from scanner.readers import Pyzbar, Zxing, available

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scanner.readers import Found
    from scanner.result import Grey, Quad

    Reads = list[tuple[str, Quad]]

SECONDS = 4.0
"""The time that our own search may take, as in the scanner's default limits."""


def peers() -> dict[str, Callable[[Grey], Reads]]:
    """Return every reader of this machine by its name, ours first."""
    readers: dict[str, Callable[[Grey], Reads]] = {
        "haggle": lambda grey: _read(passes.run(grey, SECONDS)[0].codes),
        "zxing-cpp": lambda grey: _read(Zxing()(grey)),
    }
    if "pyzbar" in available():
        readers["pyzbar"] = lambda grey: _read(Pyzbar()(grey))
    readers["opencv"] = lambda grey: _opencv(cv2.QRCodeDetector(), grey)
    readers["opencv-aruco"] = lambda grey: _opencv(cv2.QRCodeDetectorAruco(), grey)
    return readers


def _read(found: Sequence[Found]) -> Reads:
    return [(one.text, one.quad) for one in found if one.text is not None]


def _opencv(detector: cv2.QRCodeDetector | cv2.QRCodeDetectorAruco, grey: Grey) -> Reads:
    try:
        _, texts, quads, _ = detector.detectAndDecodeMulti(grey)
    except (cv2.error, UnicodeDecodeError):
        # On some codes OpenCV fails instead of finding nothing; it then read nothing.
        return []
    if not len(texts):
        return []
    return [(text, np.asarray(quad, dtype=np.float64)) for text, quad in zip(texts, quads, strict=True) if text]
