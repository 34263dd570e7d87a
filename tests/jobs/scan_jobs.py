"""Jobs for scan workers that misbehave as the bytes of their photograph tell them to."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

from scanner import PhotoError, ScanResult

if TYPE_CHECKING:
    from cardgen.cards import Game


def obey(photo: bytes, game: Game) -> ScanResult:  # noqa: ARG001 - a job gets the game
    """Sleep, die, refuse, or return a picture that is as wide as the photograph has bytes."""
    if photo.startswith(b"sleep "):
        time.sleep(float(photo.split()[1]))
    if photo == b"crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if photo == b"refuse":
        raise PhotoError("truncated", "The picture is damaged.")
    if photo == b"memory":
        raise MemoryError
    return ScanResult(width=len(photo), height=1, codes=())
