"""Print jobs: large files that are made in the background, one at a time, and kept for a while.

Jobs are rows of a leased queue (`server.workers.lease_queue`), and finished files are in the storage of photographs, in
a folder of their own. So every process can list, cancel and deliver the jobs of all processes, and another process
continues if one is killed.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, select

from cardgen.fonts import TextError
from cardgen.pages.paper import PaperError
from server.db.errors import DATABASE_FAILURES, log_summary
from server.db.models import PrintJob
from server.db.session import advisory_lock
from server.printing.render import cause_of, write_file
from server.storage.base import DISK_FULL, StorageError
from server.workers.lease_queue import LEASE, Queue
from server.workers.process_pool import WorkCancelledError, WorkerProcessError, run_with_progress

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.session import Database
    from server.storage.base import FileStore, OpenedFile

Work = tuple["Callable[..., object]", tuple[Any, ...]]
"""A function for `write_file` and its arguments, for a separate process."""
FOLDER = "prints"
"""The folder of finished files. No game has this id."""
RETENTION = timedelta(minutes=30)
"""The time for which a finished file is kept."""
MAX_WAITING = 6
"""Unfinished jobs of all processes."""
MAX_FILES = 12
"""Number of kept files; the oldest ones are deleted first."""
MAX_BYTES = 4_000_000_000
"""Total size of kept files."""


class PrintState(StrEnum):
    """The states of a print job."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"


PRINTS = Queue(PrintJob, PrintState.WORKING, (PrintJob.created, PrintJob.id))
_UNFINISHED = (PrintState.WAITING, PrintState.WORKING)
_NEWEST = PrintJob.created.desc(), PrintJob.id.desc()
_INTERRUPTED = "The server stopped while working on this. Print it again."
_UNEXPECTED = (
    "The server made a mistake while printing. Print it again; if it happens again, the reason is in the server's log."
)

_RENEWAL_INTERVAL = 1.0
"""Seconds between renewals of the claim, which also record progress and notice cancellation."""
_CLOSE_TIMEOUT = 5.0
"""Seconds to wait for the thread when the server stops."""
_log = logging.getLogger(__name__)


class PrintQueueFullError(Exception):
    """An error for too many unfinished jobs; the message is one line."""


@dataclass
class _CurrentJob:
    """The job that is being made, its progress, and the signal to stop it."""

    job: PrintJob
    stop: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    done: int = 0
    of: int = 0
    problem: str | None = None

    def report(self, done: int, number: int) -> None:
        """Record the job's progress."""
        self.done, self.of = done, number


class PrintRunner:
    """The print jobs of a server. Each process makes one at a time.

    A `planner` returns the work for a job, or raises WorkerProcessError if it cannot be made any more.
    """

    def __init__(self, database: Database, files: FileStore, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._files = files
        self._clock = clock
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._wanted = self._closed = False
        self._planner: Callable[[PrintJob], Work] = _no_plan
        self._current: _CurrentJob | None = None

    def start(self, job: PrintJob, planner: Callable[[PrintJob], Work]) -> PrintJob:
        """Start a new job and return it, or an existing one of equal game, name and `digest`, which has the same file.

        Raises PrintQueueFullError.
        """
        self._prune()
        found = self._insert(job)
        if found.state == PrintState.DONE and self._files.head(path_of(found), 1) is None:
            # The file is missing, for example after a backup was restored.
            self._delete_rows([found])
            found = self._insert(job)
        self._start_thread(planner)
        return found

    def resume(self, planner: Callable[[PrintJob], Work]) -> None:
        """Continue waiting jobs and those of dead processes, and delete expired ones."""
        with self._lock:
            current = self._current
        with self._database.writing() as session:
            if current:
                # Renewed first, since the lease has expired if this machine was suspended.
                self._renew(session, current)
            PRINTS.fail_expired(session, problem=_INTERRUPTED, until=self._clock() + RETENTION)
            waits = PRINTS.has_waiting(session)
        self._prune()
        if waits:
            self._start_thread(planner)

    def of_game(self, game: str) -> list[PrintJob]:
        """Return a game's jobs, newest first."""
        at = self._clock()
        return [job for job in self._rows(game) if job.until is None or at < job.until]

    def find(self, game: str, job: str) -> PrintJob | None:
        """Return a job of a game; None if it does not exist or has expired."""
        return next((one for one in self.of_game(game) if one.id == job), None)

    def open(self, job: PrintJob) -> OpenedFile | None:
        """Return the file of a finished job; None if it does not exist any more."""
        found = self._files.open(path_of(job))
        if found is None:
            self._delete_rows([job])
        return found

    def cancel(self, job: PrintJob) -> None:
        """Cancel a job, or delete its file. The process that makes it notices within a second."""
        self._delete([job])

    def delete_of_game(self, game: str) -> None:
        """Cancel all jobs of a game and delete its files, even if its rows have been deleted already."""
        self._delete_rows(self._rows(game))
        with contextlib.suppress(OSError):
            # If deleting fails, the files are swept later.
            self._files.delete([path for path, _ in self._files.names(f"{FOLDER}/{game}")])

    def sweep(self, before: datetime) -> int:
        """Delete files without a job from before a time; return their number."""
        old = [path for path, modified in self._files.names(FOLDER) if modified <= before]
        kept = set(map(path_of, self._rows())) if old else set()
        orphans = [path for path in old if path not in kept]
        self._files.delete(orphans)
        return len(orphans)

    def close(self) -> None:
        """Stop, and return the current job to the queue for another process."""
        with self._lock:
            self._closed = True
            thread, current = self._thread, self._current
        if current:
            current.stop.set()
        if thread:
            thread.join(_CLOSE_TIMEOUT)

    def _start_thread(self, planner: Callable[[PrintJob], Work]) -> None:
        """Start the thread that makes waiting jobs, if it is not running."""
        with self._lock:
            self._wanted, self._planner = True, planner
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="haggle-print", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        """Make waiting jobs, one at a time."""
        while True:
            with self._lock:
                if self._closed or not self._wanted:
                    self._thread = None
                    return
                self._wanted = False
            try:
                while not self._ends() and (job := self._claim()):
                    self._make(_CurrentJob(job))
            except DATABASE_FAILURES as error:
                # The job can be claimed again after its lease expires.
                _log.error("a print job is delayed: %s", log_summary(error))
            except Exception:  # noqa: BLE001 - the next job follows after any error
                _log.exception("a print job failed")

    def _ends(self) -> bool:
        with self._lock:
            return self._closed

    def _make(self, current: _CurrentJob) -> None:
        """Make a job's file, while another thread records its progress and notices cancellation."""
        with self._lock:
            self._current = current
        watch = threading.Thread(target=self._watch, args=(current,), name="haggle-print-watch", daemon=True)
        watch.start()
        try:
            values = self._made(current)
        finally:
            current.ended.set()
            watch.join()
            with self._lock:
                self._current = None
        with self._database.writing() as session:
            if values is None:
                PRINTS.release(session, current.job, done=0, of=0)
                return
            state = PrintState.FAILED if values.get("problem") else PrintState.DONE
            # The token stays, since it is part of the file's name.
            values |= {
                "done": current.done,
                "of": current.of,
                "until": self._clock() + RETENTION,
                "token": current.job.token,
            }
            kept = PRINTS.finish(session, current.job, state=state, **values)
        if not kept:
            # The job was cancelled, or its game deleted. If deleting the file fails, it is swept later.
            with contextlib.suppress(OSError):
                self._files.delete([path_of(current.job)])

    def _made(self, current: _CurrentJob) -> dict[str, Any] | None:
        """Return the values for the row of a finished or failed job; None if it is to be released."""
        path = path_of(current.job)
        try:
            work = self._planner(current.job)
            with self._files.draft(path) as file:
                run_with_progress(write_file, *work, file, progress=current.report, stop=current.stop)
                if not current.stop.is_set():
                    size = file.stat().st_size
                    self._files.put_draft(path, file)
                    return {"bytes": size}
        except WorkCancelledError:
            pass
        except (PaperError, TextError) as error:
            return {"problem": str(error), "cause": cause_of(error)}
        except WorkerProcessError as error:
            return {"problem": str(error)}
        except OSError as error:
            return {"problem": _storage_problem(error)}
        except DATABASE_FAILURES:
            raise
        except Exception:  # noqa: BLE001 - the job fails with any error
            _log.exception("a print job failed")
            return {"problem": _UNEXPECTED}
        return {"problem": current.problem} if current.problem else None

    def _watch(self, current: _CurrentJob) -> None:
        """Record a job's progress, renew its lease, and stop it if it was cancelled."""
        while not current.ended.wait(_RENEWAL_INTERVAL):
            try:
                self._files.check_space()
                with self._database.writing() as session:
                    held = self._renew(session, current)
            except DATABASE_FAILURES:
                # Tried again in a moment.
                continue
            except StorageError as error:
                current.problem, held = _storage_problem(error), False
            if not held:
                current.stop.set()

    def _prune(self) -> None:
        """Delete expired jobs, and the oldest ones beyond the limits."""
        at, room = self._clock(), MAX_BYTES
        due = []
        for index, job in enumerate(job for job in self._rows() if job.state not in _UNFINISHED):
            room -= job.bytes or 0
            if index >= MAX_FILES or room < 0 or (job.until is not None and at >= job.until):
                due.append(job)
        self._delete(due)

    def _insert(self, job: PrintJob) -> PrintJob:
        """Insert a job's row and return it, or an existing job with the same content. Errors as `start`."""
        alike = (PrintJob.game == job.game) & (PrintJob.name == job.name) & (PrintJob.digest == job.digest)
        with self._database.writing() as session:
            # With the lock, the second of two concurrent requests sees the first one.
            advisory_lock(session, "print jobs")
            same = session.scalar(select(PrintJob).where(alike, PrintJob.state != PrintState.FAILED).limit(1))
            if same is not None:
                return same
            open_ = select(func.count()).select_from(PrintJob).where(PrintJob.state.in_(_UNFINISHED))
            if (session.scalar(open_) or 0) >= MAX_WAITING:
                raise PrintQueueFullError(
                    "Too many files are being printed right now. Wait until one is done, or cancel one."
                )
            session.add(job)
        return job

    def _rows(self, game: str | None = None) -> list[PrintJob]:
        """Return the jobs of a game, or of all games, newest first."""
        of_game = [] if game is None else [PrintJob.game == game]
        with self._database.reading() as session:
            return list(session.scalars(select(PrintJob).where(*of_game).order_by(*_NEWEST)))

    def _claim(self) -> PrintJob | None:
        with self._database.writing() as session:
            return PRINTS.claim(session, LEASE)

    def _renew(self, session: Session, current: _CurrentJob) -> bool:
        """Renew a claim and record its job's progress; False if the claim was lost."""
        PRINTS.renew(session, [current.job.token], LEASE, done=current.done, of=current.of)
        return PRINTS.holds(session, current.job)

    def _delete_rows(self, jobs: list[PrintJob]) -> None:
        """Delete jobs' rows. The processes that make them notice and stop."""
        with self._database.writing() as session:
            session.execute(delete(PrintJob).where(PrintJob.id.in_([job.id for job in jobs])))

    def _delete(self, jobs: list[PrintJob]) -> None:
        if jobs:
            self._delete_rows(jobs)
            with contextlib.suppress(OSError):
                # If deleting fails, the files are swept later.
                self._files.delete([path_of(job) for job in jobs])


def path_of(job: PrintJob) -> str:
    """Return the path of a job's file. Each attempt has its own, so none deletes the file of a later one."""
    return f"{FOLDER}/{job.game}/{job.id}-{job.token}"


def _no_plan(_: PrintJob) -> Work:
    raise WorkerProcessError("No planner was set.")


def _storage_problem(error: OSError) -> str:
    if error.errno in DISK_FULL:
        return "The server's disk is full: make room and print again."
    return f"The server could not write the file: {error.strerror or error}."
