"""What a scan worker's process runs. It imports the scanner only there, so that the server itself stays small."""

from __future__ import annotations

import contextlib
import io
import os
import signal
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from server.jobs.keeping import kept_of
from server.jobs.memory import bound_memory, keep_memory
from server.store.stripping import is_foreign

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from pathlib import Path

    from cardgen.cards import Game
    from scanner.result import ScanResult

    Job = Callable[[bytes, Game | None, int | None], "Page"]


@dataclass(frozen=True)
class Page:
    """What was read on a page, how many pages its file has, and the page as a JPEG where it was asked for."""

    result: ScanResult
    pages: int
    picture: bytes | None = None


@dataclass(frozen=True)
class Failure:
    """Why a photograph was not scanned: a slug for programs and a sentence for people."""

    reason: str
    message: str


NICE = 10
"""How much a scan stands back where others want the processor too."""

_TOO_LARGE = Failure("too-many-pixels", "The picture needs too much memory. Take it at a lower resolution.")
_NO_MEMORY = -4
# OpenCV's code for memory that it did not get.
_QUALITY = 95
_LATE = 5.0
# Seconds after which this process ends itself when it should have been ended by the server: that was killed.
_ERRORS = 2
# Where a process writes what went wrong.


def work(pipe: Connection, job: Job, game: Game | None, seconds: float) -> None:
    """Say that the worker is ready, then answer photographs until the other end of the pipe is closed.

    It closes when the server has ended, in whatever way. `game` is that of photographs that come without one; of those
    that bring theirs, what is kept is answered. `seconds` is how long one may take before the server ends this process.
    """
    # Ctrl-C reaches every process of the terminal; the server ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        # Whoever waits for an answer of the server comes before who waits for a scan.
        os.nice(NICE)
    keep_memory()
    _warm_up(job, game)
    bound_memory()
    with contextlib.suppress(EOFError, OSError):
        pipe.send_bytes(b"")
        while True:
            page, of, file = pipe.recv()
            if file is None:
                photo = pipe.recv_bytes()
            else:
                photo, why = _read(file)
                # Before the scan begins: a slow disk takes nothing from its time.
                pipe.send_bytes(why.encode())
                if why:
                    continue
            with _ended_after(seconds + _LATE):
                answer = _answer(photo, job, of or game, page)
            pipe.send(kept_of(answer.result, answer.picture) if of and isinstance(answer, Page) else answer)


def read_cards(photo: bytes, game: Game | None, page: int | None = None) -> Page:
    """Scan a page (from 0) of a file. Raises PhotoError, without a page also for a file of several."""
    from scanner import PhotoError, scan_photo  # noqa: PLC0415 - loads OpenCV, only in the worker
    from scanner.photo import page_count  # noqa: PLC0415 - as above

    pages = page_count(photo)
    if page is None and pages > 1:
        raise PhotoError("several-pages", f"The file has {pages} pages. Send each page as a picture of its own.")
    return Page(scan_photo(photo, game, page=page or 0), pages)


def read_and_develop(photo: bytes, game: Game | None, page: int | None = None) -> Page:
    """Scan a file of one page; a format that is not kept as it comes is also turned into a JPEG. Raises PhotoError."""
    read = read_cards(photo, game, page)
    return replace(read, picture=_developed(photo)) if is_foreign(photo) else read


def _developed(photo: bytes) -> bytes:
    """Return a picture as a JPEG of the same size, upright and without metadata."""
    from PIL import Image  # noqa: PLC0415 - only in the worker

    from scanner.photo import load  # noqa: PLC0415 - loads OpenCV, only in the worker

    jpeg = io.BytesIO()
    if photo[4:8] == b"ftyp":
        # Its decoder has turned it upright.
        Image.open(io.BytesIO(photo)).convert("RGB").save(jpeg, "JPEG", quality=_QUALITY)
    else:
        Image.fromarray(load(photo)).save(jpeg, "JPEG", quality=_QUALITY)
    return jpeg.getvalue()


def _read(file: Path) -> tuple[bytes, str]:
    """Return what is in a file, and "", or why it could not be read."""
    try:
        return file.read_bytes(), ""
    except OSError as error:
        return b"", error.strerror or type(error).__name__
    except MemoryError:
        return b"", "too large"


def _answer(photo: bytes, job: Job, game: Game | None, page: int | None) -> Page | Failure:
    import cv2  # noqa: PLC0415 - only in the worker

    from scanner import PhotoError  # noqa: PLC0415 - loads OpenCV, only in the worker

    try:
        with silenced():
            return job(photo, game, page)
    except PhotoError as error:
        return Failure(error.reason, str(error))
    except MemoryError:
        return _TOO_LARGE
    except cv2.error as error:
        if error.code == _NO_MEMORY:
            return _TOO_LARGE
        raise


@contextlib.contextmanager
def silenced() -> Iterator[None]:
    """Keep to itself what decoders write to standard error: libtiff has a line for each thing that it finds wrong.

    It holds for the whole process. What Python raises is shown as ever, since that comes later.
    """
    try:
        kept = os.dup(_ERRORS)
    except OSError:  # there is no standard error
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, _ERRORS)
        yield
    finally:
        os.dup2(kept, _ERRORS)
        os.close(kept)
        os.close(nowhere)


@contextlib.contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """Let the system end this process after so many seconds, whatever it does then. Windows cannot do that.

    A decoder that hangs never looks whether the server is still there, and would run for ever without it.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def _warm_up(job: Job, game: Game | None) -> None:
    """Scan an empty picture, and a made-up deck, so that all is loaded and made before the first photograph comes."""
    from PIL import Image  # noqa: PLC0415 - only in the worker

    from scanner.warming import warm_up  # noqa: PLC0415 - loads OpenCV, only in the worker

    blank = io.BytesIO()
    Image.new("L", (64, 64), 255).save(blank, "PNG")
    with contextlib.suppress(Exception):
        # What is wrong here shows with the first photograph, where somebody is told.
        job(blank.getvalue(), game, None)
        warm_up(game)
