"""Scans photographs in worker processes, so that a decoder that crashes, hangs or eats memory costs one photograph.

The pool is Pebble's. A worker's memory is bounded (`server.workers.memory`), and each scan has a time limit.
Whatever ends a worker, another one takes its place while the others go on.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import signal
import threading
import traceback
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, cast

from pebble import ProcessExpired, ProcessPool

from server.games.photos.image import is_foreign
from server.games.photos.readings import kept_of
from server.workers.memory import bound_memory, keep_memory
from server.workers.process_pool import usable_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pebble import ProcessFuture

    from cardgen.cards import PrintedGame
    from scanner.result import ScanResult
    from server.games.photos.readings import StoredReading

    Job = Callable[[bytes, PrintedGame | None, int | None], "ScannedPage"]


@dataclass(frozen=True)
class ScannedPage:
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

# OpenCV's code for memory that it did not get.
_NO_MEMORY = -4

_QUALITY = 95

# Where a process writes what went wrong.
_ERRORS = 2


def prepare(job: Job, game: PrintedGame | None) -> None:
    """Make a worker's process ready: it gives way to others, has its libraries loaded and its memory bounded."""
    # A decoder that hangs is ended without being asked.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # Whoever waits for an answer of the server comes before who waits for a scan.
    os.nice(NICE)
    keep_memory()
    _warm_up(job, game)
    bound_memory()


def answer(
    job: Job, photo: bytes | Path, game: PrintedGame | None, page: int | None, seconds: float, *, keep: bool
) -> ScannedPage | StoredReading | Failure:
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


def read_cards(photo: bytes, game: PrintedGame | None, page: int | None = None) -> ScannedPage:
    """Scan a page (from 0) of a file. Raises PhotoError, without a page also for a file of several."""
    from scanner import PhotoError, scan_photo  # noqa: PLC0415 - loads OpenCV, only in the worker
    from scanner.image.load import page_count  # noqa: PLC0415 - as above

    pages = page_count(photo)
    if page is None and pages > 1:
        raise PhotoError("several-pages", f"The file has {pages} pages. Send each page as a picture of its own.")
    return ScannedPage(scan_photo(photo, game, page=page or 0), pages)


def read_and_develop(photo: bytes, game: PrintedGame | None, page: int | None = None) -> ScannedPage:
    """Scan a file of one page; a format that is not kept as it comes is also turned into a JPEG. Raises PhotoError."""
    read = read_cards(photo, game, page)
    return replace(read, picture=_developed(photo)) if is_foreign(photo) else read


def _developed(photo: bytes) -> bytes:
    """Return a picture as a JPEG of the same size, upright and without metadata."""
    from PIL import Image  # noqa: PLC0415 - only in the worker

    from scanner.image.load import load  # noqa: PLC0415 - loads OpenCV, only in the worker

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


def _warm_up(job: Job, game: PrintedGame | None) -> None:
    """Scan an empty picture, and a made-up deck, so that all is loaded and made before the first photograph comes."""
    from PIL import Image  # noqa: PLC0415 - only in the worker

    from scanner.scan import warm_up  # noqa: PLC0415 - loads OpenCV, only in the worker

    blank = io.BytesIO()
    Image.new("L", (64, 64), 255).save(blank, "PNG")
    with contextlib.suppress(Exception):
        # What is wrong here shows with the first photograph, where somebody is told.
        job(blank.getvalue(), game, None)
        warm_up(game)


_SPAWN = multiprocessing.get_context("spawn")

# Seconds that a worker may take to read a file, beside the scan.
_READING = 60.0


class ScanError(Exception):
    """A photograph was not scanned. `reason` is a slug for programs, the message a sentence for people.

    Reasons: those of `scanner.PhotoError`, `several-pages`, and from here `busy`, `crashed`, `too-slow`, `unopened`. A
    worker that reaches its memory limit gives `too-many-pixels`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class ScanPool:
    """A few worker processes that scan photographs.

    `workers` is their number (default: one for each usable core). A photograph waits at most `patience` seconds for a
    worker, and its scan may take `seconds`. `job` is what a worker does with a photograph. Processes start at `start`,
    or with the first scan.
    """

    def __init__(
        self,
        game: PrintedGame | None,
        *,
        workers: int | None = None,
        patience: float = 20.0,
        seconds: float = 25.0,
        job: Job = read_cards,
    ) -> None:
        self.size = max(1, workers or usable_cores())
        """How many photographs are scanned side by side."""
        self._game = game
        self._job = job
        self._seconds = seconds
        self._patience = patience
        self._idle = threading.BoundedSemaphore(self.size)
        self._lock = threading.Lock()
        self._pool: ProcessPool | None = None
        self._scans: set[ProcessFuture[ScannedPage | StoredReading | Failure]] = set()
        self._closed = False

    def start(self) -> None:
        """Start the workers and return at once; they warm up by themselves."""
        with self._lock:
            self._running()

    def scan(self, photo: bytes) -> ScanResult:
        """Return what a worker reads in the bytes of a picture file of one page. Raises ScanError."""
        return cast("ScannedPage", self._scan(photo, self._game, None, keep=False)).result

    def scan_page(self, photo: bytes, page: int) -> ScannedPage:
        """Return what a worker reads on a page (from 0) of a file of any number of pages. Raises ScanError."""
        return cast("ScannedPage", self._scan(photo, self._game, page, keep=False))

    def scan_for(self, game: PrintedGame, photo: bytes | Path, seconds: float | None = None) -> StoredReading:
        """Return what is to be kept of a picture file of one page, of a game that need not be the pool's.

        A path costs less than bytes, which go through a pipe: the worker reads the file itself, and ScanError
        `unopened` says that it could not. `seconds` is how long this scan may take, where that is less than the pool
        allows.
        """
        return cast("StoredReading", self._scan(photo, game, None, keep=True, seconds=seconds))

    def _scan(
        self,
        photo: bytes | Path,
        game: PrintedGame | None,
        page: int | None,
        *,
        keep: bool,
        seconds: float | None = None,
    ) -> ScannedPage | StoredReading:
        if not self._idle.acquire(timeout=self._patience):
            raise _busy()
        scan: ProcessFuture[ScannedPage | StoredReading | Failure] | None = None
        try:
            limit = min(seconds or self._seconds, self._seconds)
            with self._lock:
                # The worker ends itself at the limit. Pebble's own limit is for a file that cannot be read, and goes by
                # a clock that jumps when the machine has slept.
                scan = self._running().schedule(
                    answer, (self._job, photo, game, page, limit), {"keep": keep}, timeout=limit + _READING
                )
                self._scans.add(scan)
            found: ScannedPage | StoredReading | Failure = scan.result()
        except TimeoutError:
            raise _unread() from None
        except ProcessExpired as error:
            if error.exitcode == -signal.SIGALRM:
                raise _late() from None
            # Libraries that get no memory abort: PDFium does.
            raise (_too_large() if error.exitcode == -signal.SIGABRT else _crashed()) from None
        except (CancelledError, RuntimeError):
            # The pool was closed, or a worker died between two scans.
            raise _crashed() from None
        finally:
            if scan is not None:
                self._scans.discard(scan)
            self._idle.release()
        if isinstance(found, Failure):
            raise ScanError(found.reason, found.message)
        return found

    def close(self) -> None:
        """End all workers for good, also those in mid-scan."""
        with self._lock:
            self._closed = True
            for scan in tuple(self._scans):
                scan.cancel()  # type: ignore[no-untyped-call]  # it has no annotations
            if self._pool:
                self._pool.stop()  # type: ignore[no-untyped-call]  # as above
                self._pool.join()

    def _running(self) -> ProcessPool:
        """Return the pool, a new one if the last one broke; ScanError if it was closed."""
        if self._closed:
            raise ScanError("busy", "The server is shutting down. Try again in a moment.")
        if self._pool is None or not self._pool.active:
            if self._pool:
                self._pool.join()
            setup = (self._job, self._game)
            self._pool = ProcessPool(self.size, initializer=prepare, initargs=setup, context=_SPAWN)
            with without_interrupts():
                # With the first task they would start as well, but by then somebody waits.
                self._pool.schedule(int)
        return self._pool


@contextlib.contextmanager
def without_interrupts() -> Iterator[None]:
    """Let processes and threads that start in this block never see Ctrl-C, not even while they load their modules.

    It goes to every process of a terminal; the server stops its own.
    """
    # The tracker lets SIGINT through again when it starts, so it has to run before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _busy() -> ScanError:
    return ScanError("busy", "Many pictures are being read right now. Wait a few seconds and try again.")


def _late() -> ScanError:
    return ScanError("too-slow", "Reading this picture took too long. Send a smaller picture, or take another one.")


def _unread() -> ScanError:
    return ScanError(UNOPENED, "The file of the picture could not be read in time.")


def _too_large() -> ScanError:
    return ScanError(TOO_LARGE.reason, TOO_LARGE.message)


def _crashed() -> ScanError:
    return ScanError(
        CRASHED, "The program that reads pictures stopped on this one. Try again, or take another picture."
    )
