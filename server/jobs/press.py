"""Print jobs: files that take long are made beside the server, one after the other, and kept for a while.

They live in this process alone. When the server ends they are gone, and are asked for again.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import tempfile
import threading
import weakref
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cardgen.paper import PaperError
from cardgen.texts import TextError
from server.jobs.apart import ApartError, StoppedError, run_telling
from server.jobs.drawing import cause_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

State = Literal["waiting", "working", "done", "failed"]
Work = tuple["Callable[..., object]", tuple[Any, ...]]
"""A function and its arguments, for a process of its own. It gets the file to write and `tell` besides."""

MOST_WAITING = 6
"""Jobs that are not done yet."""
MOST_KEPT = 12
"""Files that are kept; the oldest goes first."""
MOST_BYTES = 4_000_000_000
"""Of all kept files together."""
KEPT = timedelta(minutes=30)
"""A file is kept so long after it was made."""


class PressError(Exception):
    """No job can be taken now; the message says why in one line."""


@dataclass
class PrintJob:
    """A file that is being made, or was. `what` is another text for everything that looks otherwise."""

    game: str
    name: str
    media: str
    what: str
    created: datetime
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: State = "waiting"
    done: int = 0
    of: int = 0
    bytes: int | None = None
    problem: str | None = None
    cause: dict[str, Any] | None = None
    until: datetime | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def ended(self) -> bool:
        """Whether nothing happens to it any more."""
        return self.state in {"done", "failed"}


class Press:
    """The print jobs of this process. Jobs of a game go with it."""

    def __init__(self) -> None:
        self._jobs: dict[str, PrintJob] = {}
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._folder: Path | None = None
        self._gone: Callable[[], object] | None = None

    def start(self, job: PrintJob, work: Work, clock: Callable[[], datetime]) -> PrintJob:
        """Have a file made; return its job, or the one that makes or has made the same. PressError."""
        with self._lock:
            self._tidy(clock())
            same = next((one for one in self._jobs.values() if _alike(one, job)), None)
            if same is not None:
                return same
            if sum(not one.ended for one in self._jobs.values()) >= MOST_WAITING:
                raise PressError("Much is being printed right now. Wait until some of it is done, or cancel it.")
            if self._folder is None or not _private(self._folder):
                # For this user alone, since codes are secret; it goes when the server ends. Systems that clean up
                # their temporary files may have taken it before.
                self._folder = Path(tempfile.mkdtemp(prefix="haggle-print-"))
                self._gone = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
            self._jobs[job.id] = job
            arguments = (job, self.file(job), work, clock)
            threading.Thread(target=self._make, args=arguments, name="haggle-print", daemon=True).start()
        return job

    def of_game(self, game: str, at: datetime) -> list[PrintJob]:
        """Return a game's jobs, the newest first."""
        with self._lock:
            self._tidy(at)
            return [job for job in reversed(self._jobs.values()) if job.game == game]

    def find(self, game: str, job: str, at: datetime) -> PrintJob | None:
        """Return a job of a game; None if there is none, or no longer."""
        return next((one for one in self.of_game(game, at) if one.id == job), None)

    def file(self, job: PrintJob) -> Path:
        """Return where a job's file lies while it is kept."""
        assert self._folder is not None, "it was started here"  # noqa: S101 - for the type
        return self._folder / job.id

    def cancel(self, job: PrintJob) -> None:
        """End a job, or drop what it has made."""
        with self._lock:
            self._drop(job)

    def forget(self, game: str) -> None:
        """End all jobs of a game, and drop what they have made."""
        with self._lock:
            for job in [job for job in self._jobs.values() if job.game == game]:
                self._drop(job)

    def close(self) -> None:
        """End all jobs, and drop all that was made: the server ends."""
        with self._lock:
            for job in list(self._jobs.values()):
                self._drop(job)
            if self._gone is not None:
                self._gone()
            self._folder = self._gone = None

    def _make(self, job: PrintJob, file: Path, work: Work, clock: Callable[[], datetime]) -> None:
        """Make a job's file when its turn comes."""

        def tell(done: int, number: int) -> None:
            job.done, job.of = done, number

        # One after the other: a process takes a core for as long as it works.
        with self._turn:
            try:
                if not job.stop.is_set():
                    job.state = "working"
                    function, arguments = work
                    run_telling(function, *arguments, file, tell=tell, stop=job.stop)
                    job.bytes = file.stat().st_size
            except StoppedError:
                pass
            except (PaperError, TextError) as error:
                job.problem, job.cause = str(error), cause_of(error)
            except ApartError as error:
                job.problem = str(error)
            except OSError as error:
                job.problem = _of_disk(error)
            except Exception as error:  # noqa: BLE001 - whatever it is, the job ends and says so
                job.problem = f"The printing broke off ({type(error).__name__}: {error})."
        job.until = clock() + KEPT
        with self._lock:
            state: State = "done" if job.bytes is not None and job.problem is None else "failed"
            if job.stop.is_set() or state == "failed":
                file.unlink(missing_ok=True)
            job.state = state

    def _tidy(self, at: datetime) -> None:
        """Drop what is kept long enough, the oldest of too much, and what has lost its file."""
        ended = [job for job in self._jobs.values() if job.ended]
        room = MOST_BYTES
        for place, job in enumerate(reversed(ended)):
            room -= job.bytes or 0
            lost = job.state == "done" and not self.file(job).exists()
            if lost or place >= MOST_KEPT or room < 0 or (job.until is not None and at >= job.until):
                self._drop(job)

    def _drop(self, job: PrintJob) -> None:
        job.stop.set()
        if self._jobs.pop(job.id, None) is not None and job.ended:
            self.file(job).unlink(missing_ok=True)


def _private(folder: Path) -> bool:
    """Return whether a folder is there still, and nobody else's."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def _alike(one: PrintJob, other: PrintJob) -> bool:
    return one.state != "failed" and (one.game, one.name, one.what) == (other.game, other.name, other.what)


def _of_disk(error: OSError) -> str:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return "The server's disk is full: make room and print again."
    return f"The server could not write the file: {error.strerror or error}."
