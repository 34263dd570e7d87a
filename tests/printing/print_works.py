"""Functions for print jobs in tests. The module has few imports, since separate processes load it."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, BinaryIO

from cardgen.pages.paper import PaperError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def writes(text: str, file: BinaryIO, *, progress: Callable[[int, int], None]) -> None:
    """Write a file in two steps."""
    progress(1, 2)
    file.write(text.encode())
    progress(2, 2)


def waits(begun: Path, file: BinaryIO, *, progress: Callable[[int, int], None]) -> None:
    """Start a file, and sleep."""
    file.write(b"half")
    progress(1, 9)
    begun.touch()
    time.sleep(600)


def refuses(file: BinaryIO, *, progress: Callable[[int, int], None]) -> None:
    """Raise PaperError after a first page."""
    file.write(b"half")
    progress(1, 2)
    raise PaperError("a card does not fit", why="used-places", most=8)


def breaks(number: int, _file: BinaryIO, *, progress: Callable[[int, int], None]) -> None:
    """Raise OSError."""
    progress(1, 2)
    raise OSError(number, os.strerror(number))
