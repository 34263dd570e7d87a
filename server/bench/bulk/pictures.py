"""So many picture files of which no two are the same: a few photographs, each again and again under other bytes."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_START = b"\xff\xd8"
_COMMENT = b"\xff\xfe"


def lay_out(photographs: Sequence[Path], number: int, folder: Path) -> list[Path]:
    """Write so many JPEG files into a folder, of these photographs in turn.

    Each has a comment of its own, which costs nothing to read: to the server it is a picture that it has not seen.
    """
    folder.mkdir()
    files = []
    for place in range(number):
        data = photographs[place % len(photographs)].read_bytes()
        text = f"picture {place + 1} of {number}".encode()
        if not data.startswith(_START):
            raise ValueError(f"{photographs[place % len(photographs)]} is no JPEG")
        file = folder / f"IMG_{place + 1}.jpg"
        file.write_bytes(_START + _COMMENT + (len(text) + 2).to_bytes(2, "big") + text + data[len(_START) :])
        files.append(file)
    return files


def copy_seconds(files: Sequence[Path], folder: Path) -> float:
    """Copy files one after the other, each flushed to the disk, and return how many seconds that took."""
    folder.mkdir()
    begun = time.perf_counter()
    for file in files:
        with (folder / file.name).open("wb") as copy:
            copy.write(file.read_bytes())
            copy.flush()
            os.fsync(copy.fileno())
    return time.perf_counter() - begun
