"""How much memory scanning one photograph takes, measured in a process of its own."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from cardgen.cards import Game

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_CHANNELS = 3
# Bytes of a pixel in colour.
_SMALLEST = 1_000_000
# Pixels.


def memory_ratio(data: bytes, game: Game | None) -> float | None:
    """Return the memory that scanning a file takes at its peak, as a multiple of its pixels' bytes in colour.

    None where the system does not tell (other than Linux), where the process fails, and for small pictures: what the
    readers take for any picture is then all there is.
    """
    if not _STATUS.exists():
        return None
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(_peak, data, game).result()
        except (BrokenProcessPool, OSError, RuntimeError):
            return None


def _peak(data: bytes, game: Game | None) -> float | None:
    from scanner import scan_photo  # noqa: PLC0415 - the process that only asks has its own

    blank = cv2.imencode(".jpg", np.full((600, 800), 128, dtype=np.uint8))[1].tobytes()
    # What any scan loads and keeps is no cost of this one.
    scan_photo(blank, game)
    _RESET.write_text("5", encoding="ascii")
    before = _kilobytes("VmRSS")
    result = scan_photo(data, game)
    if result.width * result.height < _SMALLEST:
        return None
    used = (_kilobytes("VmHWM") - before) * 1024 + len(data)
    return used / (result.width * result.height * _CHANNELS)


def _kilobytes(name: str) -> int:
    lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
