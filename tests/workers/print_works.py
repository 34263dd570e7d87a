"""What print jobs of the tests do. It stands by itself, since their processes load it, and little else."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from cardgen.pages.paper import PaperError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def writes(text: str, file: Path, *, progress: Callable[[int, int], None]) -> None:
    """Write a file in two steps; a job's work."""
    progress(1, 2)
    file.write_text(text)
    progress(2, 2)


def waits(begun: Path, file: Path, *, progress: Callable[[int, int], None]) -> None:
    """Begin a file, say so, and never end."""
    file.write_text("half")
    progress(1, 9)
    begun.touch()
    time.sleep(600)


def refuses(file: Path, *, progress: Callable[[int, int], None]) -> None:
    """Find that it cannot be printed after a first page."""
    file.write_text("half")
    progress(1, 2)
    raise PaperError("a card does not fit", why="used-places", most=8)


def breaks(number: int, _file: Path, *, progress: Callable[[int, int], None]) -> None:
    """Meet a disk that does not take it."""
    progress(1, 2)
    raise OSError(number, os.strerror(number))
