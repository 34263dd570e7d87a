"""What a scan worker's process runs. It imports the scanner only there, so that the server itself stays small."""

from __future__ import annotations

import contextlib
import io
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from cardgen.cards import Game
    from scanner.result import ScanResult


@dataclass(frozen=True)
class Failure:
    """Why a photograph was not scanned: a slug for programs and a sentence for people."""

    reason: str
    message: str


def work(pipe: Connection, job: Callable[[bytes, Game], ScanResult], game: Game) -> None:
    """Say that the worker is ready, then answer photographs until the other end of the pipe is closed.

    It closes when the server has ended, in whatever way.
    """
    # Ctrl-C reaches every process of the terminal; the server ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _warm_up(job, game)
    with contextlib.suppress(EOFError, OSError):
        pipe.send_bytes(b"")
        while True:
            photo = pipe.recv_bytes()
            pipe.send(_answer(photo, job, game))


def read_cards(photo: bytes, game: Game) -> ScanResult:
    """Scan the one picture in a file. Raises PhotoError, also for a file of several pages."""
    from scanner import PhotoError, scan_photo  # noqa: PLC0415 - loads OpenCV, only in the worker
    from scanner.photo import page_count  # noqa: PLC0415 - as above

    pages = page_count(photo)
    if pages > 1:
        raise PhotoError("several-pages", f"The file has {pages} pages. Send each page as a picture of its own.")
    return scan_photo(photo, game)


def _answer(photo: bytes, job: Callable[[bytes, Game], ScanResult], game: Game) -> ScanResult | Failure:
    from scanner import PhotoError  # noqa: PLC0415 - loads OpenCV, only in the worker

    try:
        return job(photo, game)
    except PhotoError as error:
        return Failure(error.reason, str(error))
    except MemoryError:
        return Failure("too-many-pixels", "The picture needs too much memory. Take it at a lower resolution.")


def _warm_up(job: Callable[[bytes, Game], ScanResult], game: Game) -> None:
    """Scan an empty picture, so that all libraries are loaded before the first photograph comes."""
    from PIL import Image  # noqa: PLC0415 - only in the worker

    blank = io.BytesIO()
    Image.new("L", (64, 64), 255).save(blank, "PNG")
    with contextlib.suppress(Exception):
        # What is wrong here shows with the first photograph, where somebody is told.
        job(blank.getvalue(), game)
