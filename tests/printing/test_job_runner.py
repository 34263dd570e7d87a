"""Print jobs: they are made one at a time, are visible to all processes, and expire after a while."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from server.db.models import PrintJob
from server.games.lifecycle.commands import delete_game
from server.games.lifecycle.states import State
from server.printing import job_runner as module
from server.printing.job_runner import (
    FOLDER,
    MAX_FILES,
    MAX_WAITING,
    PRINTS,
    RETENTION,
    PrintQueueFullError,
    PrintRunner,
    path_of,
)
from server.workers.lease_queue import LEASE, MAX_ATTEMPTS
from server.workers.process_pool import WorkerProcessError
from tests import waiting
from tests.context import ORGANISER, new_game
from tests.games.photos.test_scan_queue import BOTH, OVER
from tests.printing.print_works import breaks, refuses, waits, writes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from server.games.context import AppContext
    from server.printing.job_runner import Work
    from tests.context import Clock


def does(work: Work) -> Callable[[PrintJob], Work]:
    """Return a planner of one piece of work for all jobs."""
    return lambda _: work


ALL = does((writes, ("all",)))


@pytest.fixture
def game(context: AppContext) -> str:
    """Return a new game."""
    return new_game(context, State.DRAFT)


@pytest.fixture
def runner(context: AppContext) -> Iterator[PrintRunner]:
    """Return the print runner of this process, and close it after the test."""
    yield context.print_runner
    context.print_runner.close()


@pytest.fixture
def other(context: AppContext) -> Iterator[PrintRunner]:
    """Return the runner of another process."""
    made = PrintRunner(context.database, context.photos.files, context.clock)
    yield made
    made.close()


@pytest.fixture
def _made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make files in a thread of this process, which saves a second each."""

    def here(work: Callable[..., None], *arguments: object, progress: object, stop: object) -> None:
        assert not stop.is_set()  # type: ignore[attr-defined]  # an event
        work(*arguments, progress=progress)

    monkeypatch.setattr(module, "run_with_progress", here)


def job(game: str, clock: Clock, what: str = "a") -> PrintJob:
    """Return a job that is not started yet."""
    return PrintJob(game=game, name="sheets.pdf", media="application/pdf", digest=what, request={}, created=clock())


def until(runner: PrintRunner, one: PrintJob, wanted: Callable[[PrintJob], bool]) -> PrintJob:
    """Wait until a condition is true for a job, and return the job."""
    found: list[PrintJob | None] = []

    def is_so() -> bool:
        found[:] = [runner.find(one.game, one.id)]
        return found[0] is not None and wanted(found[0])

    waiting.until(is_so)
    assert found[0]
    return found[0]


def ended(runner: PrintRunner, one: PrintJob) -> PrintJob:
    """Wait until a job has ended."""
    return until(runner, one, lambda found: found.state in {"done", "failed"})


def text_of(runner: PrintRunner, one: PrintJob) -> str | None:
    """Return the content of a job's file, or None if there is none."""
    found = runner.open(one)
    return None if found is None else b"".join(found.pieces).decode()


def files(context: AppContext) -> list[str]:
    """Return the paths of the files of all print jobs."""
    return [path for path, _ in context.photos.files.names(FOLDER)]


@BOTH
def test_a_file_is_created_and_deleted_after_its_expiry(
    context: AppContext, runner: PrintRunner, other: PrintRunner, game: str, clock: Clock
) -> None:
    """All processes see the job until it expires; then its row and its file are deleted."""
    started = runner.start(job(game, clock), ALL)
    made = ended(other, started)
    assert (made.state, made.done, made.of, made.bytes, made.until) == ("done", 2, 2, 3, clock() + RETENTION)
    assert text_of(runner, made) == text_of(other, made) == "all"
    assert other.start(job(game, clock), does((writes, ("other",)))).id == made.id
    clock.forward(seconds=RETENTION.total_seconds() - 1)
    assert runner.find(game, made.id)
    assert runner.find("7K3R", made.id) is None
    clock.forward(seconds=1)
    assert runner.find(game, made.id) is None
    assert files(context) == [path_of(made)]
    other.resume(ALL)
    assert files(context) == []
    assert not list(context.photos.names())


@pytest.mark.usefixtures("_made_here")
def test_files_are_private_and_separate_from_photographs(
    context: AppContext, runner: PrintRunner, game: str, clock: Clock
) -> None:
    """Only this server's user may read them, and they are not listed as photographs."""
    made = ended(runner, runner.start(job(game, clock), ALL))
    context.photos.put(game, "1f", b"jpeg")
    assert [(one, photo) for one, photo, _ in context.photos.names()] == [(game, "1f")]
    folder = context.photos.files._root
    file = folder / path_of(made)
    assert [place.stat().st_mode & 0o077 for place in (file, file.parent, folder)] == [0, 0, 0]


@pytest.mark.usefixtures("_made_here")
def test_a_missing_file_is_made_again(context: AppContext, runner: PrintRunner, game: str, clock: Clock) -> None:
    """A backup contains rows without their files."""
    lost = ended(runner, runner.start(job(game, clock), ALL))
    context.photos.files.delete([path_of(lost)])
    again = ended(runner, runner.start(job(game, clock), ALL))
    assert (again.state, text_of(runner, again)) == ("done", "all")
    context.photos.files.delete([path_of(again)])
    assert text_of(runner, again) is None
    assert runner.of_game(game) == []


@pytest.mark.usefixtures("_made_here")
@pytest.mark.parametrize(
    ("work", "words"),
    [
        ((refuses, ()), "a card does not fit"),
        ((breaks, (28,)), "The server's disk is full"),
        ((breaks, (13,)), "could not write the file: Permission denied"),
        ((repr, ()), "The server made a mistake while printing."),
        (None, "There is no such print run."),
    ],
)
def test_failed_jobs_have_a_reason_and_can_be_started_again(
    context: AppContext, runner: PrintRunner, game: str, clock: Clock, work: module.Work | None, words: str
) -> None:
    """No partial file is kept. A planner fails if its print run was deleted meanwhile."""

    def plan(_: PrintJob) -> Work:
        if work is None:
            raise WorkerProcessError("There is no such print run.")
        return work

    failed = ended(runner, runner.start(job(game, clock), plan))
    assert failed.state == "failed"
    assert words in str(failed.problem)
    assert failed.cause == ({"why": "used-places", "most": 8} if work and work[0] is refuses else None)
    assert files(context) == []
    assert runner.start(job(game, clock), ALL).id != failed.id


@pytest.mark.usefixtures("_made_here")
def test_an_unexpected_error_of_a_job_is_logged(
    runner: PrintRunner, game: str, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    """Its message, which may quote names, is not part of the problem that is shown."""

    def mistake(*_: object, **__: object) -> None:
        raise ValueError("of Zebedee")

    failed = ended(runner, runner.start(job(game, clock), does((mistake, ()))))
    assert "Zebedee" not in str(failed.problem)
    assert [one.exc_info[0] for one in caplog.records if one.exc_info] == [ValueError]


def test_jobs_wait_for_others_and_are_cancelled_with_their_game(
    context: AppContext, runner: PrintRunner, other: PrintRunner, game: str, clock: Clock, tmp_path: Path
) -> None:
    """One job runs and the others wait, up to a limit. Any process can cancel jobs, even running ones."""
    second = new_game(context, State.DRAFT)
    first = runner.start(job(game, clock), does((waits, (tmp_path / "begun",))))
    until(other, first, lambda found: found.state == "working" and (found.done, found.of) == (1, 9))
    begun = [runner.start(job(second, clock, str(n)), ALL) for n in range(MAX_WAITING - 1)]
    with pytest.raises(PrintQueueFullError, match="Wait until one is done"):
        other.start(job(second, clock, "more"), ALL)
    assert {found.state for found in other.of_game(second)} == {"waiting"}
    for one in begun[1:]:
        other.cancel(one)
    delete_game(context, game, ORGANISER)
    assert other.of_game(game) == []
    # The process that made it continues with the jobs that wait.
    assert ended(runner, begun[0]).state == "done"
    assert [found.id for found in runner.of_game(second)] == [begun[0].id]
    assert files(context) == [path_of(runner.of_game(second)[0])]


@pytest.mark.usefixtures("_made_here")
def test_the_number_and_size_of_files_are_limited(
    context: AppContext, runner: PrintRunner, game: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest ones are deleted first, by number and by size."""
    made = []
    for number in range(MAX_FILES + 2):
        made.append(ended(runner, runner.start(job(game, clock, str(number)), does((writes, ("x" * 10,))))))
        clock.forward(seconds=1)
    runner.resume(ALL)
    assert [one.id for one in runner.of_game(game)] == [one.id for one in made[:1:-1]]
    monkeypatch.setattr(module, "MAX_BYTES", 35)
    runner.resume(ALL)
    assert [one.id for one in runner.of_game(game)] == [one.id for one in made[:-4:-1]]
    assert len(files(context)) == 3


def test_a_server_that_stops_releases_its_job(
    context: AppContext, runner: PrintRunner, other: PrintRunner, game: str, clock: Clock, tmp_path: Path
) -> None:
    """Another process continues it, or the same server after its next start."""
    started = runner.start(job(game, clock), does((waits, (tmp_path / "begun",))))
    until(other, started, lambda found: found.state == "working" and found.done == 1)
    runner.close()
    found = other.find(game, started.id)
    assert found
    assert (found.state, found.attempts, found.done) == ("waiting", 0, 0)
    assert files(context) == []
    other.resume(ALL)
    assert text_of(runner, ended(other, started)) == "all"


def claimed(context: AppContext, seconds: float) -> PrintJob:
    """Claim the oldest job, like a process that is then killed or suspended."""
    with context.database.writing() as session:
        found = PRINTS.claim(session, seconds)
    assert found
    return found


@BOTH
@pytest.mark.usefixtures("_made_here")
def test_a_job_of_a_killed_process_is_made_by_another_one(
    context: AppContext, other: PrintRunner, game: str, clock: Clock
) -> None:
    """It is claimed after its lease has expired. If the first process was only suspended, it changes nothing."""
    with context.database.writing() as session:
        session.add(job(game, clock))
    late = claimed(context, OVER)
    other.resume(ALL)
    made = ended(other, late)
    assert (made.state, made.attempts) == ("done", 2)
    with context.database.writing() as session:
        assert not PRINTS.holds(session, late)
        assert not PRINTS.finish(session, late, state="failed")
    assert path_of(late) != path_of(made)
    assert text_of(other, made) == "all"


@pytest.mark.usefixtures("_made_here")
def test_a_job_is_not_claimed_while_its_lease_is_valid(
    context: AppContext, other: PrintRunner, game: str, clock: Clock
) -> None:
    """Regardless of this server's clock."""
    with context.database.writing() as session:
        session.add(job(game, clock))
    claimed(context, LEASE)
    clock.forward(days=1)
    other.resume(ALL)
    assert other.of_game(game)[0].state == "working"


def test_a_suspended_laptop_continues_its_own_job(
    context: AppContext, runner: PrintRunner, game: str, clock: Clock, tmp_path: Path
) -> None:
    """It renews its expired lease before expired jobs fail, even on the last attempt."""
    started = runner.start(job(game, clock), does((waits, (tmp_path / "begun",))))
    found = until(runner, started, lambda found: found.state == "working" and found.done == 1)
    for _ in range(2):
        with context.database.writing() as session:
            row = session.get_one(PrintJob, started.id)
            row.lease, row.attempts = clock() - timedelta(days=9999), MAX_ATTEMPTS
        runner.resume(ALL)
    again = runner.find(game, started.id)
    assert again
    assert (again.state, again.token) == ("working", found.token)


@pytest.mark.usefixtures("_made_here")
def test_a_job_that_kills_every_process_fails(context: AppContext, other: PrintRunner, game: str, clock: Clock) -> None:
    """It is tried three times."""
    with context.database.writing() as session:
        session.add(job(game, clock))
    for _ in range(MAX_ATTEMPTS):
        claimed(context, OVER)
    other.resume(ALL)
    failed = other.of_game(game)[0]
    assert (failed.state, failed.problem) == ("failed", "The server stopped while working on this. Print it again.")
    clock.forward(seconds=RETENTION.total_seconds())
    other.resume(ALL)
    assert other.of_game(game) == []


@pytest.mark.usefixtures("_made_here")
def test_files_without_a_job_are_deleted(context: AppContext, runner: PrintRunner, game: str, clock: Clock) -> None:
    """Those of processes that were killed, and of deleted games; not those of existing jobs."""
    made = ended(runner, runner.start(job(game, clock), ALL))
    for orphan in (f"{FOLDER}/{game}/{made.id}-7", f"{FOLDER}/GONE/1f-1"):
        context.photos.files.put(orphan, b"x")
    times = dict(context.photos.files.names(FOLDER))
    assert runner.sweep(min(times.values()) - timedelta(minutes=1)) == 0
    assert runner.sweep(max(times.values())) == 2
    assert files(context) == [path_of(made)]
