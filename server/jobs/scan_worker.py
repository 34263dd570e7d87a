"""What a scan worker's process runs. It imports the scanner only there, so that the server itself stays small."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import traceback
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from server.jobs.keeping import kept_of
from server.jobs.memory import bound_memory, keep_memory
from server.store.stripping import is_foreign

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cardgen.cards import Game
    from scanner.result import ScanResult
    from server.jobs.keeping import Kept

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


CRASHED = "crashed"
"""The reason where a worker died. Another attempt may succeed; after any other failure it would fail the same way."""
UNOPENED = "unopened"
"""The reason where a worker could not read a photograph's file itself."""
NICE = 10
"""How much a scan stands back where others want the processor too."""

TOO_LARGE = Failure("too-many-pixels", "The picture needs too much memory. Take it at a lower resolution.")
_NO_MEMORY = -4
# OpenCV's code for memory that it did not get.
_QUALITY = 95
_ERRORS = 2
# Where a process writes what went wrong.


def prepare(job: Job, game: Game | None) -> None:
    """Make a worker's process ready: it gives way to others, has its libraries loaded and its memory bounded."""
    # A decoder that hangs is ended without being asked.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # Whoever waits for an answer of the server comes before who waits for a scan.
    os.nice(NICE)
    keep_memory()
    _warm_up(job, game)
    bound_memory()


def answer(
    job: Job, photo: bytes | Path, game: Game | None, page: int | None, seconds: float, *, keep: bool
) -> Page | Kept | Failure:
    """Do a worker's job with a photograph, given as bytes or as its file; with `keep` return what is to be kept.

    `seconds` is how long it may take once the file has been read. Raises nothing, since not every exception can be
    sent to the server.
    """
    try:
        data = photo if isinstance(photo, bytes) else photo.read_bytes()
    except OSError as error:
        return Failure(UNOPENED, error.strerror or type(error).__name__)
    try:
        with _ended_after(seconds), silenced():
            found = job(data, game, page)
        return kept_of(found.result, found.picture) if keep else found
    except MemoryError:
        return TOO_LARGE
    except Exception as error:  # noqa: BLE001 - whatever it is, the server learns of it
        return _failure(error)


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


def _failure(error: Exception) -> Failure:
    import cv2  # noqa: PLC0415 - only in the worker

    from scanner import PhotoError  # noqa: PLC0415 - loads OpenCV, only in the worker

    if isinstance(error, PhotoError):
        return Failure(error.reason, str(error))
    if isinstance(error, cv2.error) and error.code == _NO_MEMORY:
        return TOO_LARGE
    traceback.print_exception(error)
    return Failure(CRASHED, "The program that reads pictures failed on this one. Take another picture.")


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
    """Let the system end this process after so many seconds, whatever it does then.

    A decoder that hangs never looks whether the server is still there, and would run for ever after it was killed.
    """
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
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
