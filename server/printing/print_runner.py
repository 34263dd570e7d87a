"""Print jobs: files that take long are made beside the server, one after the other, and kept for a while.

Their rows are leased (`server.workers.lease_queue`). Finished files lie where photographs lie, in their own folder. So
every process of a server shows, cancels and hands out what any of them makes, and what a process leaves behind that was
killed is made by another one.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, select

from cardgen.fonts import TextError
from cardgen.pages.paper import PaperError
from server.db.errors import TROUBLE, told
from server.db.models import PrintJob
from server.db.session import take_turn
from server.printing.render import cause_of
from server.storage.base import FULL, StorageError
from server.workers.lease_queue import LEASE, Queue
from server.workers.process_pool import WorkCancelledError, WorkerProcessError, run_with_progress

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.session import Database
    from server.storage.base import FileStore, Opened

Work = tuple["Callable[..., object]", tuple[Any, ...]]
"""A function and its arguments, for a process of its own. It gets the file to write and `progress` besides."""
FOLDER = "prints"
"""Where finished files lie: in a folder that no game can have."""
KEPT = timedelta(minutes=30)
"""A file is kept so long after it was made."""

MOST_WAITING = 6
"""Jobs that are not done yet, of all processes together."""
MOST_KEPT = 12
"""Files that are kept; the oldest goes first."""
MOST_BYTES = 4_000_000_000
"""Of all kept files together."""
LONGEST = 300.0
"""Seconds for which a claim is renewed while its job makes no progress. What takes more hangs, and is ended."""

PRINTS = Queue(PrintJob, "working", (PrintJob.created, PrintJob.id))
_OPEN = ("waiting", "working")
_NEWEST = PrintJob.created.desc(), PrintJob.id.desc()
_BROKEN = "The server stopped in the middle of this. Print it again."
_HANGS = "The printing made no progress for five minutes. Print it again."

# Seconds between two looks whether a job is still wanted. So often its claim is renewed, and says how far it is.
_LOOK = 1.0
_ENDING = 5.0
_log = logging.getLogger(__name__)


class PrintQueueFullError(Exception):
    """No job can be taken now; the message says why in one line."""


def new_job(game: str, name: str, media: str, what: str, asked: dict[str, Any], at: datetime) -> PrintJob:
    """Return a job that is still to be started. `what` is another text for everything that looks otherwise."""
    return PrintJob(
        id=secrets.token_hex(8),
        game=game,
        name=name,
        media=media,
        digest=what,
        request=asked,
        state="waiting",
        done=0,
        of=0,
        attempts=0,
        created=at,
    )


@dataclass
class _Hand:
    """A job in hand: how far it is, and whether it shall stop."""

    job: PrintJob
    stop: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    done: int = 0
    of: int = 0
    moved: float = field(default_factory=time.monotonic)
    problem: str | None = None

    def report(self, done: int, number: int) -> None:
        """Record the job's progress."""
        if (done, number) != (self.done, self.of):
            self.done, self.of, self.moved = done, number, time.monotonic()

    @property
    def hangs(self) -> bool:
        """Whether the job has made no progress for too long."""
        return time.monotonic() - self.moved > LONGEST


class PrintRunner:
    """The print jobs of a server. This process makes one at a time; others may make more. Jobs of a game go with it.

    A `planner` says what is to be done for a job, from what was asked for; ApartError where that is possible no more.
    """

    def __init__(self, database: Database, files: FileStore, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._files = files
        self._clock = clock
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._wanted = self._closed = False
        self._planner: Callable[[PrintJob], Work] = _no_plan
        self._hand: _Hand | None = None

    def start(self, job: PrintJob, planner: Callable[[PrintJob], Work]) -> PrintJob:
        """Have a file made; return its job, or the one that makes or has made the same. PressError."""
        self._tidy()
        found = self._enter(job)
        if found.state == "done" and self._files.head(path_of(found), 1) is None:
            # Its row came from a backup, or somebody has cleaned up.
            self._forget_rows([found])
            found = self._enter(job)
        self._wake(planner)
        return found

    def take_up(self, planner: Callable[[PrintJob], Work]) -> None:
        """Make what waits or whose process is gone, and drop what was kept long enough."""
        with self._lock:
            hand = self._hand
        with self._database.writing() as session:
            if hand:
                # First: where this machine has slept, its own claim looks as if its process were dead.
                self._renew(session, hand)
            PRINTS.fail_expired(session, problem=_BROKEN, until=self._clock() + KEPT)
            waits = PRINTS.has_waiting(session)
        self._tidy()
        if waits:
            self._wake(planner)

    def of_game(self, game: str) -> list[PrintJob]:
        """Return a game's jobs, the newest first."""
        at = self._clock()
        return [job for job in self._rows(game) if job.until is None or at < job.until]

    def find(self, game: str, job: str) -> PrintJob | None:
        """Return a job of a game; None if there is none, or no longer."""
        return next((one for one in self.of_game(game) if one.id == job), None)

    def opened(self, job: PrintJob) -> Opened | None:
        """Return the file of a job that is done; None if it is not there any more."""
        found = self._files.opened(path_of(job))
        if found is None:
            self._forget_rows([job])
        return found

    def cancel(self, job: PrintJob) -> None:
        """End a job, or drop what it has made. Where it is made, that is seen within a second."""
        self._drop([job])

    def forget(self, game: str) -> None:
        """End all jobs of a game, and drop what they have made, also where its rows are gone already."""
        self._forget_rows(self._rows(game))
        with contextlib.suppress(OSError):
            # What cannot be deleted now is swept later.
            self._files.delete([path for path, _ in self._files.names(f"{FOLDER}/{game}")])

    def sweep(self, before: datetime) -> int:
        """Delete files from before then that belong to no job; return how many."""
        old = [path for path, modified in self._files.names(FOLDER) if modified <= before]
        kept = set(map(path_of, self._rows())) if old else set()
        orphans = [path for path in old if path not in kept]
        self._files.delete(orphans)
        return len(orphans)

    def close(self) -> None:
        """Give back what this process has in hand: the server ends, and another one goes on."""
        with self._lock:
            self._closed = True
            thread, hand = self._thread, self._hand
        if hand:
            hand.stop.set()
        if thread:
            thread.join(_ENDING)

    def _wake(self, planner: Callable[[PrintJob], Work]) -> None:
        """See to it that this process makes what waits."""
        with self._lock:
            self._wanted, self._planner = True, planner
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="haggle-print", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        """Make one job after the other: a process takes a core for as long as it works."""
        while True:
            with self._lock:
                if self._closed or not self._wanted:
                    self._thread = None
                    return
                self._wanted = False
            try:
                while not self._ends() and (job := self._claim()):
                    self._make(_Hand(job))
            except TROUBLE as error:
                # The job's lease runs out; then it is put back.
                _log.error("a print has to wait: %s", told(error))
            except Exception:  # noqa: BLE001 - whatever it is, the next job has its turn
                _log.exception("a print broke off")

    def _ends(self) -> bool:
        with self._lock:
            return self._closed

    def _make(self, hand: _Hand) -> None:
        """Make a job's file, while a thread beside it says how far it is and looks whether it is still wanted."""
        with self._lock:
            self._hand = hand
        watch = threading.Thread(target=self._watch, args=(hand,), name="haggle-print-watch", daemon=True)
        watch.start()
        try:
            values = self._made(hand)
        finally:
            hand.ended.set()
            watch.join()
            with self._lock:
                self._hand = None
        with self._database.writing() as session:
            if values is None:
                PRINTS.release(session, hand.job, done=0, of=0)
                return
            state = "failed" if values.get("problem") else "done"
            # The token names the file.
            values |= {"done": hand.done, "of": hand.of, "until": self._clock() + KEPT, "token": hand.job.token}
            kept = PRINTS.finish(session, hand.job, state=state, **values)
        if not kept:
            # It was cancelled, or its game deleted. What cannot be deleted now is swept later.
            with contextlib.suppress(OSError):
                self._files.delete([path_of(hand.job)])

    def _made(self, hand: _Hand) -> dict[str, Any] | None:
        """Return what a job's row says of its end; None if it is to be given back."""
        path = path_of(hand.job)
        try:
            function, arguments = self._planner(hand.job)
            with self._files.draft(path) as file:
                run_with_progress(function, *arguments, file, progress=hand.report, stop=hand.stop)
                if not hand.stop.is_set():
                    size = file.stat().st_size
                    self._files.keep(path, file)
                    return {"bytes": size}
        except WorkCancelledError:
            pass
        except (PaperError, TextError) as error:
            return {"problem": str(error), "cause": cause_of(error)}
        except WorkerProcessError as error:
            return {"problem": str(error)}
        except OSError as error:
            return {"problem": _of_place(error)}
        except TROUBLE:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the job ends and says so
            return {"problem": f"The printing broke off ({type(error).__name__}: {error})."}
        return {"problem": hand.problem} if hand.problem else None

    def _watch(self, hand: _Hand) -> None:
        """Say how far a job is, renew its lease, and stop it where nobody wants it any more."""
        while not hand.ended.wait(_LOOK):
            try:
                self._files.room()
                with self._database.writing() as session:
                    held = self._renew(session, hand)
                if hand.hangs:
                    hand.problem, held = _HANGS, False
            except TROUBLE:
                # It is asked again in a moment.
                continue
            except StorageError as error:
                hand.problem, held = _of_place(error), False
            if not held:
                hand.stop.set()

    def _tidy(self) -> None:
        """Drop what is kept long enough, and the oldest of too much."""
        at, room = self._clock(), MOST_BYTES
        due = []
        for place, job in enumerate(job for job in self._rows() if job.state not in _OPEN):
            room -= job.bytes or 0
            if place >= MOST_KEPT or room < 0 or (job.until is not None and at >= job.until):
                due.append(job)
        self._drop(due)

    def _enter(self, job: PrintJob) -> PrintJob:
        """Write a job's row; return it, or the one that makes or has made the same. PressError."""
        alike = (PrintJob.game == job.game) & (PrintJob.name == job.name) & (PrintJob.digest == job.digest)
        with self._database.writing() as session:
            # Of two that come at once the second sees the first.
            take_turn(session, "print jobs")
            same = session.scalar(select(PrintJob).where(alike, PrintJob.state != "failed").limit(1))
            if same is not None:
                return same
            open_ = select(func.count()).select_from(PrintJob).where(PrintJob.state.in_(_OPEN))
            if (session.scalar(open_) or 0) >= MOST_WAITING:
                raise PrintQueueFullError(
                    "Much is being printed right now. Wait until some of it is done, or cancel it."
                )
            session.add(job)
        return job

    def _rows(self, game: str | None = None) -> list[PrintJob]:
        """Return the jobs of a game, or of all, the newest first."""
        of_game = [] if game is None else [PrintJob.game == game]
        with self._database.reading() as session:
            return list(session.scalars(select(PrintJob).where(*of_game).order_by(*_NEWEST)))

    def _claim(self) -> PrintJob | None:
        with self._database.writing() as session:
            return PRINTS.claim(session, LEASE)

    def _renew(self, session: Session, hand: _Hand) -> bool:
        """Renew a claim, unless its job hangs, and say how far it is; False if it was lost."""
        if not hand.hangs:
            PRINTS.renew(session, [hand.job.token], LEASE, done=hand.done, of=hand.of)
        return PRINTS.holds(session, hand.job)

    def _forget_rows(self, jobs: list[PrintJob]) -> None:
        """Delete jobs' rows. Whoever makes one of them sees it soon and stops."""
        with self._database.writing() as session:
            session.execute(delete(PrintJob).where(PrintJob.id.in_([job.id for job in jobs])))

    def _drop(self, jobs: list[PrintJob]) -> None:
        if jobs:
            self._forget_rows(jobs)
            with contextlib.suppress(OSError):
                # What cannot be deleted now is swept later.
                self._files.delete([path_of(job) for job in jobs])


def path_of(job: PrintJob) -> str:
    """Return where a job's file lies. Another try writes another file: none deletes what a later one has made."""
    return f"{FOLDER}/{job.game}/{job.id}-{job.token}"


def _no_plan(_: PrintJob) -> Work:
    raise WorkerProcessError("Nobody says how this is made.")


def _of_place(error: OSError) -> str:
    if error.errno in FULL:
        return "The server's disk is full: make room and print again."
    return f"The server could not write the file: {error.strerror or error}."
