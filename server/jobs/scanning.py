"""Scans photographs in worker processes, so that a decoder that crashes, hangs or eats memory costs one photograph.

The pool is Pebble's. A worker's memory is bounded (`server.jobs.memory`), and each scan has a time limit. Whatever ends
a worker, another one takes its place while the others go on.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import threading
from concurrent.futures import CancelledError
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, cast

from pebble import ProcessExpired, ProcessPool

from server.jobs.cores import usable_cores
from server.jobs.scan_worker import CRASHED, TOO_LARGE, UNOPENED, Failure, answer, prepare, read_cards

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pebble import ProcessFuture

    from cardgen.cards import Game
    from scanner.result import ScanResult
    from server.jobs.keeping import Kept
    from server.jobs.scan_worker import Job, Page

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
        game: Game | None,
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
        self._scans: set[ProcessFuture[Page | Kept | Failure]] = set()
        self._closed = False

    def start(self) -> None:
        """Start the workers and return at once; they warm up by themselves."""
        with self._lock:
            self._running()

    def scan(self, photo: bytes) -> ScanResult:
        """Return what a worker reads in the bytes of a picture file of one page. Raises ScanError."""
        return cast("Page", self._scan(photo, self._game, None, keep=False)).result

    def scan_page(self, photo: bytes, page: int) -> Page:
        """Return what a worker reads on a page (from 0) of a file of any number of pages. Raises ScanError."""
        return cast("Page", self._scan(photo, self._game, page, keep=False))

    def scan_for(self, game: Game, photo: bytes | Path, seconds: float | None = None) -> Kept:
        """Return what is to be kept of a picture file of one page, of a game that need not be the pool's.

        A path costs less than bytes, which go through a pipe: the worker reads the file itself, and ScanError
        `unopened` says that it could not. `seconds` is how long this scan may take, where that is less than the pool
        allows.
        """
        return cast("Kept", self._scan(photo, game, None, keep=True, seconds=seconds))

    def _scan(
        self,
        photo: bytes | Path,
        game: Game | None,
        page: int | None,
        *,
        keep: bool,
        seconds: float | None = None,
    ) -> Page | Kept:
        if not self._idle.acquire(timeout=self._patience):
            raise _busy()
        scan: ProcessFuture[Page | Kept | Failure] | None = None
        try:
            limit = min(seconds or self._seconds, self._seconds)
            with self._lock:
                # The worker ends itself at the limit. Pebble's own limit is for a file that cannot be read, and goes by
                # a clock that jumps when the machine has slept.
                scan = self._running().schedule(
                    answer, (self._job, photo, game, page, limit), {"keep": keep}, timeout=limit + _READING
                )
                self._scans.add(scan)
            found: Page | Kept | Failure = scan.result()
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
