"""Jobs of a soak's scan processes, which the pixels of a picture determine."""

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
from tests.killable import scan_result_of

UNLUCKY = {"crashed", "too-slow"}
"""Why a picture that can be read fails as well: at three tries its reader was killed or stopped."""
POISONS = {
    "segfault": {"crashed"},
    # As libraries end their process where they get no memory.
    "abort": {"too-many-pixels"},
    "hang": {"too-slow"},
    "eat": {"too-many-pixels"},
    "damaged": {"truncated"},
}
"""What a picture may do to its reader, and the reason with which it fails then."""


def read_or_suffer(photo: bytes, game: PrintedGame | None, page: int | None = None) -> ScannedPage:  # noqa: ARG001 - a job's form
    """Read a picture's pixels, or do what they say: die, hang, eat memory, refuse."""
    if game is None:
        # The warming up.
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
