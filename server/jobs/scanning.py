"""Scans photographs in worker processes, so that a crashing or hanging decoder costs one request and no more.

Each worker is a process of its own that answers one photograph at a time over a pipe. Its memory is bounded. One that
dies or takes too long is killed and a new one takes its place. Nothing is written to disk.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from server.jobs.budget import Budget
from server.jobs.cores import usable_cores
from server.jobs.deadlines import Deadlines
from server.jobs.interrupts import held_back
from server.jobs.scan_worker import Failure, read_cards, work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from cardgen.cards import Game
    from scanner.result import ScanResult
    from server.jobs.budget import Take
    from server.jobs.keeping import Kept
    from server.jobs.scan_worker import Job, Page

_SPAWN = multiprocessing.get_context("spawn")
_STARTING = 60.0
# Seconds that a process may take to load its libraries, on a slow machine.
UNOPENED = "unopened"
"""The reason where a worker could not read a photograph's file itself."""
_READING = 60.0
# Seconds that it may take to read it.
_ENDING = 2.0
# Seconds that a killed one may take to be gone.


class ScanError(Exception):
    """A photograph was not scanned. `reason` is a slug for programs, the message a sentence for people.

    Reasons: those of `scanner.PhotoError`, `several-pages`, and from here `busy`, `crashed`, `too-slow`, `unopened`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class ScanPool:
    """A few worker processes and a bounded number of photographs in hand.

    `workers` processes scan (default: one for each usable core). Photographs in hand are at most `places` and take
    `memory` bytes at most; where there is no more, nothing more of them is read. `patience` is how many seconds one
    may wait for memory, and then for a worker; `seconds` is how long a scan may take. `job` is what a worker does with
    a photograph. Processes start at `start`, or with the first scan.
    """

    def __init__(
        self,
        game: Game | None,
        *,
        workers: int | None = None,
        places: int = 160,
        memory: int = 800_000_000,
        patience: float = 20.0,
        seconds: float = 25.0,
        job: Job = read_cards,
    ) -> None:
        self._places = threading.BoundedSemaphore(places)
        self._memory = Budget(memory)
        self._patience = patience
        count = max(1, workers or usable_cores())
        deadlines = Deadlines()
        self._workers = [_Worker(game, job, seconds, deadlines) for _ in range(count)]
        # The worker used last comes first: it is warm, and its memory is there already.
        self._idle: queue.LifoQueue[_Worker] = queue.LifoQueue()
        for worker in reversed(self._workers):
            self._idle.put(worker)

    def start(self) -> None:
        """Start the workers and return at once; they warm up by themselves."""
        for worker in self._workers:
            worker.start()

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers that run."""
        return [pid for worker in self._workers if (pid := worker.pid) is not None]

    @property
    def size(self) -> int:
        """How many photographs are scanned side by side."""
        return len(self._workers)

    @contextlib.contextmanager
    def place(self) -> Iterator[Take]:
        """Hold a place for a photograph while it comes in and is scanned.

        The function that comes out is to be told how many bytes came in, each time some did: memory is held for those
        alone, so that a slow or stalled upload takes a place and what it has sent, whatever it announced. Both it and
        this raise ScanError `busy` if too much is in hand.
        """
        if not self._places.acquire(blocking=False):
            raise _busy()
        try:
            with self._memory.loan(self._patience) as take:
                yield partial(_taken, take)
        finally:
            self._places.release()

    def scan(self, photo: bytes) -> ScanResult:
        """Return what a worker reads in the bytes of a picture file of one page. Raises ScanError."""
        return cast("Page", self._scan(photo, None)).result

    def scan_page(self, photo: bytes, page: int) -> Page:
        """Return what a worker reads on a page (from 0) of a file of any number of pages. Raises ScanError."""
        return cast("Page", self._scan(photo, page))

    def scan_for(self, game: Game, photo: bytes | Path, begun: Callable[[], None] = lambda: None) -> Kept:
        """Return what is to be kept of a picture file of one page, of a game that need not be the pool's.

        A file's place costs less than its bytes, which go through a pipe: the worker reads it itself, and ScanError
        `unopened` says that it could not. `begun` is called once a worker has it in hand.
        """
        return cast("Kept", self._scan(photo, None, game, begun))

    def _scan(
        self, photo: bytes | Path, page: int | None, game: Game | None = None, begun: Callable[[], None] = lambda: None
    ) -> Page | Kept:
        try:
            worker = self._idle.get(timeout=self._patience)
        except queue.Empty:
            raise _busy() from None
        try:
            begun()
            return worker.scan(photo, page, game)
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        """End all workers for good, also those in mid-scan."""
        for worker in self._workers:
            worker.close()


class _Worker:
    """One process and our end of its pipe. One thread at a time uses it, whoever took it from the pool."""

    def __init__(self, game: Game | None, job: Job, seconds: float, deadlines: Deadlines) -> None:
        self._game = game
        self._job = job
        self._seconds = seconds
        self._deadlines = deadlines
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._ready = False
        self._closed = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process and self._process.is_alive() else None

    def start(self) -> Connection:
        """Start the process if none runs; return our end of the pipe."""
        if self._process and self._pipe and self._process.is_alive():
            return self._pipe
        if self._closed:
            raise ScanError("busy", "The server is shutting down. Try again in a moment.")
        self._stop()
        ours, theirs = _SPAWN.Pipe()
        told = (theirs, self._job, self._game, self._seconds)
        process = _SPAWN.Process(target=work, args=told, name="haggle-scan", daemon=True)
        with held_back():
            process.start()
        # Ours alone now: when the process dies, reading from the pipe ends instead of waiting for ever.
        theirs.close()
        self._process, self._pipe = process, ours
        return ours

    def scan(self, photo: bytes | Path, page: int | None, game: Game | None = None) -> Page | Kept:
        """Let the process scan a photograph; ScanError if it cannot, dies or takes too long.

        Of one that comes with its game, what is kept comes back.
        """
        late, heard = threading.Event(), False
        pipe = self.start()
        try:
            if not self._ready:
                with self._deadline(_STARTING, late):
                    pipe.recv_bytes()
                self._ready = True
            why = _opened(pipe, photo, page, game) if isinstance(photo, Path) else ""
            with self._deadline(self._seconds, late):
                if isinstance(photo, bytes):
                    pipe.send((page, game, None))
                    pipe.send_bytes(photo)
                answer: Page | Kept | Failure = Failure(UNOPENED, why) if why else pipe.recv()
            heard = not late.is_set()
        except (EOFError, OSError):
            raise _late() if late.is_set() else _crashed() from None
        finally:
            if not heard:
                self._renew()
        if isinstance(answer, Failure):
            raise ScanError(answer.reason, answer.message)
        return answer

    def close(self) -> None:
        """End the process for good. A thread that waits for its answer sees it die, and cleans up."""
        self._closed = True
        if process := self._process:
            process.kill()
            process.join(_ENDING)

    def _deadline(self, seconds: float, late: threading.Event) -> contextlib.AbstractContextManager[None]:
        """Kill the process after so many seconds: that ends every wait on the pipe, the one for writing included."""
        return self._deadlines.within(seconds, partial(self._expire, late))

    def _renew(self) -> None:
        """Put a new process in the place of one that is dead or about to be."""
        self._stop()
        if not self._closed:
            self.start()

    def _stop(self) -> None:
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        self._ready = False
        if process:
            process.kill()
            process.join(_ENDING)
        if pipe:
            pipe.close()

    def _expire(self, late: threading.Event) -> None:
        late.set()
        if self._process:
            self._process.kill()


def _opened(pipe: Connection, file: Path, page: int | None, game: Game | None) -> str:
    """Let a worker read a file; return why it could not, or "" if it did. ScanError if it takes too long."""
    pipe.send((page, game, file))
    # What goes there and back is so short that nothing else has to end a wait for the pipe.
    if not pipe.poll(_READING):
        raise ScanError(UNOPENED, f"not read within {_READING:.0f} seconds")
    return pipe.recv_bytes().decode()


def _taken(take: Take, size: int) -> None:
    try:
        take(size)
    except TimeoutError:
        raise _busy() from None


def _busy() -> ScanError:
    return ScanError("busy", "Many pictures are being read right now. Wait a few seconds and try again.")


def _late() -> ScanError:
    return ScanError("too-slow", "Reading this picture took too long. Try again, or send a smaller picture.")


def _crashed() -> ScanError:
    return ScanError(
        "crashed", "The program that reads pictures stopped on this one. Try again, or take another picture."
    )
