"""Jobs for scan workers whose behaviour depends on the bytes of the photograph."""

from __future__ import annotations

import io
import os
import re
import signal
import time
from typing import TYPE_CHECKING

import cv2
import numpy as np
from PIL import Image

from scanner import PhotoError, ScanResult
from server.games.photos.scan_pool import HEADROOM, ScannedPage
from tests.fake_scan_pool import scan_result_of

if TYPE_CHECKING:
    from cardgen.cards import PrintedGame

RECURSIVE_PDF = b"""%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>> endobj
4 0 obj <</Length 5>>stream
/X Do
endstream endobj
5 0 obj <</Type/XObject/Subtype/Form/BBox[0 0 500 500]/Resources<</XObject<</X 5 0 R>>>>/Length 12>>stream
/X Do /X Do
endstream endobj
trailer <</Size 6/Root 1 0 R>>
"""
"""A page with a form that draws itself twice."""


def obey(photo: bytes, game: PrintedGame | None, page: int | None = None) -> ScannedPage:  # noqa: ARG001 - a job gets the game
    """Sleep, crash, refuse, allocate memory, or return a result whose width is the number of bytes."""
    if photo.startswith(b"sleep "):
        time.sleep(float(photo.split()[1]))
    if photo == b"hang":
        re.match(r"(a+)+b", "a" * 60)
    if photo == b"crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if photo == b"refuse":
        raise PhotoError("truncated", "The picture is damaged.")
    if photo == b"mistake":
        raise ValueError("of Zebedee")
    if photo == b"memory":
        raise MemoryError
    if photo.startswith(b"take ") and b"refuse" not in photo:
        np.ones(int(HEADROOM * float(photo.split()[1])), dtype=np.uint8)
    if photo.startswith(b"take and refuse "):
        taken = np.ones(int(HEADROOM * float(photo.split()[3])), dtype=np.uint8)
        raise PhotoError("truncated", f"The picture is damaged after {taken.size} bytes.")
    if photo == b"too large for OpenCV":
        cv2.copyMakeBorder(np.zeros((1, 1), dtype=np.uint8), 0, 2**16, 0, 2**15, cv2.BORDER_CONSTANT)
    return ScannedPage(ScanResult(width=len(photo), height=1, codes=()), pages=(page or 0) + 1)


def slow(photo: bytes, game: PrintedGame | None, page: int | None = None) -> ScannedPage:
    """Sleep for a minute for every photograph of a game."""
    if game is not None:
        time.sleep(60.0)
    return obey(photo, game, page)


CRASH, REFUSE, SLEEP = 250, 251, 252
"""Numbers of pictures (`png`) for which `moody` fails or sleeps."""


def moody(photo: bytes, game: PrintedGame | None, page: int | None = None) -> ScannedPage:
    """Crash, refuse or sleep, depending on the picture's number."""
    if game is not None:
        with Image.open(io.BytesIO(photo)) as image:
            number = image.getpixel((0, 0))
        if number == SLEEP:
            time.sleep(60.0)
        obey({CRASH: b"crash", REFUSE: b"refuse"}.get(number, photo), game, page)
    return obey(photo, game, page)


def png(number: int) -> bytes:
    """Return a small picture that is different for each number."""
    out = io.BytesIO()
    Image.new("L", (32, 32), number % 256).resize((32 + number // 256, 32)).save(out, "PNG")
    return out.getvalue()


def read_pixels(photo: bytes, game: PrintedGame | None, page: int | None = None) -> ScannedPage:
    """Return the result in a picture of `tests.fake_scan_pool`."""
    return obey(photo, game, page) if game is None else ScannedPage(scan_result_of(photo), 1)
