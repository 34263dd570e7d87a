"""Scans photographs in worker processes, so that a decoder that crashes, hangs or needs too much memory costs one scan.

The pool is Pebble's. The memory of a worker and the time of a scan are limited. Workers that
end are replaced.
"""

from __future__ import annotations

import contextlib
import io
import logging
import multiprocessing
import os
import signal
import threading
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from pebble import ProcessExpired, ProcessPool

from server.games.photos.image import is_foreign
from server.games.photos.readings import stored_reading
from server.observability.logs import failure
from server.operating_system import (
    TIME_LIMIT_EXIT,
    interrupts_blocked,
    limit_memory_growth,
    lower_priority,
    time_limit,
)
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
    """The result of a page, the number of pages in its file, and the page as a JPEG if it was converted."""

    result: ScanResult
    pages: int
    image: bytes | None = None


class ScanError(Exception):
    """A photograph was not scanned. `reason` is a slug for programs, the message a sentence for people.

    Reasons are those of `scanner.PhotoError`, and `several-pages`, `busy`, `crashed`, `too-slow`, `unopened`. A worker
    that reaches its memory limit gives `too-many-pixels`. `trace` is for the log, if a mistake of the program is the
    reason.
    """

    def __init__(self, reason: str, message: str, trace: tuple[str, ...] = ()) -> None:
        # All arguments, since workers send errors to the server.
        super().__init__(reason, message, trace)
        self.reason = reason
        self.trace = trace

    def __str__(self) -> str:
        return str(self.args[1])


CRASHED = "crashed"
"""The reason if a worker died. Another attempt may succeed, unlike after any other failure."""
UNOPENED = "unopened"
"""The reason if a worker could not read the file itself."""
NICE = 10
"""Niceness of worker processes."""
HEADROOM = 1_200_000_000
"""Bytes that a scan may allocate. Photographs of 64 megapixels need up to 1.1 GB."""

# OpenCV's error code for insufficient memory.
_NO_MEMORY = -4

_JPEG_QUALITY = 95
_STDERR = 2

# Pebble's annotations know the contexts of POSIX alone.
_SPAWN: Any = multiprocessing.get_context("spawn")
_log = logging.getLogger(__name__)

# Seconds that a worker may take to read a file, besides the scan.
_READ_SECONDS = 60.0


def init_worker(job: Job, game: PrintedGame | None) -> None:
    """Initialize a worker process: lower its priority, load its libraries and limit its memory."""
    # Ends a decoder that hangs.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # Requests come before scans.
    lower_priority(NICE)
    _warm_up(job, game)
    limit_memory_growth(HEADROOM)


def run_job(
    job: Job, photo: bytes | Path, game: PrintedGame | None, page: int | None, seconds: float, *, stored: bool
) -> ScannedPage | StoredReading:
    """Do a worker's job with a photograph, given as bytes or as a file; with `stored` return the form that is stored.

    `seconds` is the time limit once the file has been read. All exceptions become ScanError, since not every one can be
    pickled.
    """
    try:
        data = photo if isinstance(photo, bytes) else photo.read_bytes()
    except OSError as error:
        raise ScanError(UNOPENED, error.strerror or type(error).__name__) from None
    try:
        with time_limit(seconds), silence_stderr():
            found = job(data, game, page)
        return stored_reading(found.result, found.image) if stored else found
    except MemoryError:
        failed = _too_large()
    except Exception as error:  # noqa: BLE001 - the server reports any failure
        failed = _scan_error(error)
    # Not above: with the first error, the worker would keep all that the scan has allocated.
    raise failed


def read_cards(photo: bytes, game: PrintedGame | None, page: int | None = None) -> ScannedPage:
    """Scan a page (from 0) of a file. Raises PhotoError, also for a file of several pages if no page is given."""
    from scanner import PhotoError, scan_photo  # noqa: PLC0415 - loads OpenCV, only in the worker
    from scanner.image.load import page_count  # noqa: PLC0415 - as above

    pages = page_count(photo)
    if page is None and pages > 1:
        raise PhotoError("several-pages", f"The file has {pages} pages. Send each page as a picture of its own.")
    return ScannedPage(scan_photo(photo, game, page=page or 0), pages)


def read_and_convert(photo: bytes, game: PrintedGame | None, page: int | None = None) -> ScannedPage:
    """Scan a file of one page, and convert it to JPEG unless it is stored as it was sent. Raises PhotoError."""
    read = read_cards(photo, game, page)
    return replace(read, image=_as_jpeg(photo)) if is_foreign(photo) else read


def _as_jpeg(photo: bytes) -> bytes:
    """Return a picture as a JPEG of the same size, upright and without metadata."""
    from PIL import Image  # noqa: PLC0415 - only in the worker

    from scanner.image.load import load  # noqa: PLC0415 - loads OpenCV, only in the worker

    jpeg = io.BytesIO()
    if photo[4:8] == b"ftyp":
        # Its decoder has rotated it.
        Image.open(io.BytesIO(photo)).convert("RGB").save(jpeg, "JPEG", quality=_JPEG_QUALITY)
    else:
        Image.fromarray(load(photo)).save(jpeg, "JPEG", quality=_JPEG_QUALITY)
    return jpeg.getvalue()


def _scan_error(error: Exception) -> ScanError:
    import cv2  # noqa: PLC0415 - only in the worker

    from scanner import PhotoError  # noqa: PLC0415 - loads OpenCV, only in the worker

    if isinstance(error, PhotoError):
        return ScanError(error.reason, str(error))
    if isinstance(error, cv2.error) and error.code == _NO_MEMORY:
        return _too_large()
    # The server logs it, since logs are not set up in this process.
    trace = tuple(failure(error))
    return ScanError(CRASHED, "The program that reads pictures failed on this one. Take another picture.", trace)


@contextlib.contextmanager
def silence_stderr() -> Iterator[None]:
    """Discard what decoders of the whole process write to standard error: libtiff writes a line for each defect."""
    try:
        kept = os.dup(_STDERR)
    except OSError:
        # There is no standard error.
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, _STDERR)
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)
        os.close(nowhere)


def _warm_up(job: Job, game: PrintedGame | None) -> None:
    """Scan an empty picture and a simulated deck, so that everything is loaded before the first photograph."""
    from PIL import Image  # noqa: PLC0415 - only in the worker

    from scanner.scan import warm_up  # noqa: PLC0415 - loads OpenCV, only in the worker

    blank = io.BytesIO()
    Image.new("L", (64, 64), 255).save(blank, "PNG")
    with contextlib.suppress(Exception):
        # The first photograph will report the same problem.
        job(blank.getvalue(), game, None)
        warm_up(game)


class _Pool(ProcessPool):
    """A pool that kills its workers before it removes the locks that they open when they start.

    Otherwise workers that are still starting print tracebacks. Pebble's `stop` does both in one step, and its workers
    have no public names.
    """

    def _stop_pool(self) -> None:
        if self._pool_manager_loop is not None:
            self._pool_manager_loop.join()
        for worker in self._pool_manager.worker_manager.workers.values():
            worker.kill()
            worker.join()
        super()._stop_pool()  # type: ignore[no-untyped-call]  # it has no annotations


class ScanPool:
    """A pool of worker processes that scan photographs.

    `workers` is their number, by default that of the usable cores. A scan may take `seconds`; further ones wait for a
    worker. `job` is the function that scans. Processes start with `start` or the first scan.
    """

    def __init__(
        self,
        game: PrintedGame | None,
        *,
        workers: int | None = None,
        seconds: float = 25.0,
        job: Job = read_cards,
    ) -> None:
        self.size = max(1, workers or usable_cores())
        """The number of photographs that are scanned at a time."""
        self._game = game
        self._job = job
        self._seconds = seconds
        self._lock = threading.Lock()
        self._pool: _Pool | None = None
        self._scans: set[ProcessFuture[ScannedPage | StoredReading]] = set()
        self._closed = False

    def start(self) -> None:
        """Start the workers, and return while they warm up."""
        with self._lock:
            self._running()

    def scan(self, photo: bytes) -> ScanResult:
        """Scan a file of one page. Raises ScanError."""
        return cast("ScannedPage", self._scan(photo, self._game, None, stored=False)).result

    def scan_page(self, photo: bytes, page: int) -> ScannedPage:
        """Scan a page (from 0) of a file. Raises ScanError."""
        return cast("ScannedPage", self._scan(photo, self._game, page, stored=False))

    def scan_for(self, game: PrintedGame, photo: bytes | Path, seconds: float | None = None) -> StoredReading:
        """Scan a file of one page for any game, and return the result in the form that is stored. Raises ScanError.

        A path costs less than bytes, since the worker reads the file; ScanError `unopened` if it cannot. `seconds` is a
        time limit below that of the pool.
        """
        return cast("StoredReading", self._scan(photo, game, None, stored=True, seconds=seconds))

    def _scan(
        self,
        photo: bytes | Path,
        game: PrintedGame | None,
        page: int | None,
        *,
        stored: bool,
        seconds: float | None = None,
    ) -> ScannedPage | StoredReading:
        scan: ProcessFuture[ScannedPage | StoredReading] | None = None
        try:
            limit = min(seconds or self._seconds, self._seconds)
            with self._lock:
                # The worker ends itself at the limit. Pebble's own is for files that cannot
                # be read: its clock jumps after the machine was suspended.
                scan = self._running().schedule(
                    run_job, (self._job, photo, game, page, limit), {"stored": stored}, timeout=limit + _READ_SECONDS
                )
                self._scans.add(scan)
            return scan.result()
        except ScanError as error:
            if error.trace:
                _log.error("a scan failed: %s", "; ".join(error.trace))
            raise
        except TimeoutError:
            raise ScanError(UNOPENED, "The file of the picture could not be read in time.") from None
        except ProcessExpired as error:
            if error.exitcode == TIME_LIMIT_EXIT:
                message = "Reading this picture took too long. Send a smaller picture, or take another one."
                raise ScanError("too-slow", message) from None
            # Libraries such as PDFium abort without memory.
            raise (_too_large() if error.exitcode == -signal.SIGABRT else _crashed()) from None
        except (CancelledError, RuntimeError):
            # The pool was closed, or a worker died between two scans.
            raise _crashed() from None
        finally:
            if scan is not None:
                self._scans.discard(scan)

    def close(self) -> None:
        """End all workers, also those that are scanning."""
        with self._lock:
            self._closed = True
            for scan in tuple(self._scans):
                scan.cancel()  # type: ignore[no-untyped-call]  # it has no annotations
            if self._pool:
                self._pool.stop()  # type: ignore[no-untyped-call]  # as above
                self._pool.join()

    def _running(self) -> _Pool:
        """Return the pool, a new one if it broke. Raises ScanError if it was closed."""
        if self._closed:
            raise ScanError("busy", "The server is shutting down. Try again in a moment.")
        if self._pool is None or not self._pool.active:
            if self._pool:
                self._pool.join()
            setup = (self._job, self._game)
            self._pool = _Pool(self.size, initializer=init_worker, initargs=setup, context=_SPAWN)
            with interrupts_blocked():
                # Pebble starts its processes with the first task.
                self._pool.schedule(int)
        return self._pool


def _too_large() -> ScanError:
    return ScanError("too-many-pixels", "The picture needs too much memory. Take it at a lower resolution.")


def _crashed() -> ScanError:
    return ScanError(
        CRASHED, "The program that reads pictures stopped on this one. Try again, or take another picture."
    )
