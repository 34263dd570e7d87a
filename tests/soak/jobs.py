"""Fake scans of a soak test, controlled by the pixels of photos."""

from __future__ import annotations

import io
import json
import os
import signal
import time

import numpy as np
from PIL import Image

from cardgen.cards import PrintedGame
from scanner import PhotoError
from server.games.photos.scan_pool import HEADROOM, ScannedPage
from tests.fake_scan_pool import scan_result_of

UNLUCKY = {"crashed", "too-slow"}
"""Reasons for failures of valid photos: their scan process was killed or suspended three times."""
POISONS = {
    "segfault": {"crashed"},
    # Like libraries that abort the process when memory is exhausted.
    "abort": {"too-many-pixels"},
    "hang": {"too-slow"},
    "eat": {"too-many-pixels"},
    "damaged": {"truncated"},
}
"""What a poisoned photo does to its scan process, and the resulting reason."""


def read_pixels_or_fail(photo: bytes, game: PrintedGame | None, page: int | None = None) -> ScannedPage:  # noqa: ARG001 - a job's form
    """Read a photo's pixels, or do what they say: crash, hang, use memory, fail."""
    if game is None:
        # The warm-up call.
        return ScannedPage(scan_result_of(_NOTHING), 1)
    with Image.open(io.BytesIO(photo)) as image:
        evil = json.loads(np.asarray(image).tobytes()).get("do")
    if evil == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if evil == "abort":
        os.abort()
    if evil == "hang":
        time.sleep(3600.0)
    if evil == "eat":
        eaten = []
        while True:
            eaten.append(np.ones(HEADROOM // 20, dtype=np.uint8))
    if evil == "damaged":
        raise PhotoError("truncated", "The picture is damaged.")
    return ScannedPage(scan_result_of(photo), 1)


def _nothing() -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.frombuffer(b'{"cards": [], "labels": []}'.ljust(64), dtype=np.uint8).reshape(1, 64)).save(
        out, "PNG"
    )
    return out.getvalue()


_NOTHING = _nothing()
