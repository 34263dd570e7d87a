"""Print jobs: made one after the other beside the server, seen by all processes, kept for a while, dropped."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from server.db.models import PrintJob
from server.games.lifecycle.commands import delete_game
from server.games.lifecycle.states import State
from server.printing import print_runner as module
from server.printing.print_runner import (
    FOLDER,
    KEPT,
    MOST_KEPT,
    MOST_WAITING,
    PRINTS,
    PrintQueueFullError,
    PrintRunner,
    new_job,
    path_of,
)
from server.workers.lease_queue import LEASE, TRIES
from server.workers.process_pool import WorkerProcessError
from tests import waiting
from tests.context import ORGANISER, new_game
from tests.workers.print_works import breaks, refuses, waits, writes
from tests.workers.test_queue import BOTH, OVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from server.games.context import AppContext
    from server.printing.print_runner import Work
    from tests.context import Clock


def does(work: Work) -> Callable[[PrintJob], Work]:
    """Return a planner of one piece of work for all jobs."""
    return lambda _: work


ALL = does((writes, ("all",)))


@pytest.fixture
def game(context: AppContext) -> str:
    """Return a game."""
    return new_game(context, State.DRAFT)


@pytest.fixture
def press(context: AppContext) -> Iterator[PrintRunner]:
    """Return the press of one process; what it has in hand ends with the test."""
    yield context.press
    context.press.close()


@pytest.fixture
def other(context: AppContext) -> Iterator[PrintRunner]:
    """Return the press of another process."""
    made = PrintRunner(context.database, context.photos.files, context.clock)
    yield made
    made.close()


@pytest.fixture
def _made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make prints in a thread of this process, which saves a second each."""

    def here(work: Callable[..., None], *arguments: object, progress: object, stop: object) -> None:
        assert not stop.is_set()  # type: ignore[attr-defined]  # an event
        work(*arguments, progress=progress)

    monkeypatch.setattr(module, "run_with_progress", here)


def job(game: str, clock: Clock, what: str = "a") -> PrintJob:
    """Return a job that is still to be started."""
    return new_job(game, "sheets.pdf", "application/pdf", what, {}, clock())


def until(press: PrintRunner, one: PrintJob, wanted: Callable[[PrintJob], bool]) -> PrintJob:
    """Wait until a job is as wanted, and return it as it is then."""
    found: list[PrintJob | None] = []

    def is_so() -> bool:
        found[:] = [press.find(one.game, one.id)]
        return found[0] is not None and wanted(found[0])

    waiting.until(is_so)
    assert found[0]
    return found[0]


def ended(press: PrintRunner, one: PrintJob) -> PrintJob:
    """Wait until a job has ended."""
    return until(press, one, lambda found: found.state in {"done", "failed"})


def text_of(press: PrintRunner, one: PrintJob) -> str | None:
    """Return what a job's file says, None where there is none."""
    found = press.opened(one)
    return None if found is None else b"".join(found.pieces).decode()


def files(context: AppContext) -> list[str]:
    """Return the names of all files of prints."""
    return [path for path, _ in context.photos.files.names(FOLDER)]


@BOTH
def test_a_file_is_made_kept_and_dropped(
    context: AppContext, press: PrintRunner, other: PrintRunner, game: str, clock: Clock
) -> None:
    """Every process sees it, for a while; then there is no such job any more, nor its file."""
    started = press.start(job(game, clock), ALL)
    made = ended(other, started)
    assert (made.state, made.done, made.of, made.bytes, made.until) == ("done", 2, 2, 3, clock() + KEPT)
    assert text_of(press, made) == text_of(other, made) == "all"
    assert other.start(job(game, clock), does((writes, ("other",)))).id == made.id
    clock.forward(seconds=KEPT.total_seconds() - 1)
    assert press.find(game, made.id)
    assert press.find("7K3R", made.id) is None
    clock.forward(seconds=1)
    assert press.find(game, made.id) is None
    assert files(context) == [path_of(made)]
    other.resume(ALL)
    assert files(context) == []
    assert not list(context.photos.names())


@pytest.mark.usefixtures("_made_here")
def test_prints_are_private_and_no_photographs(
    context: AppContext, press: PrintRunner, game: str, clock: Clock
) -> None:
    """A sweep of photographs leaves them alone; only this server's user may read them."""
    made = ended(press, press.start(job(game, clock), ALL))
    context.photos.put(game, "1f", b"jpeg")
    assert [(one, photo) for one, photo, _ in context.photos.names()] == [(game, "1f")]
    folder = context.photos.files._place
    file = folder / path_of(made)
    assert [place.stat().st_mode & 0o077 for place in (file, file.parent, folder)] == [0, 0, 0]


@pytest.mark.usefixtures("_made_here")
def test_a_file_that_is_lost_is_made_anew(context: AppContext, press: PrintRunner, game: str, clock: Clock) -> None:
    """A backup keeps rows without their files."""
    lost = ended(press, press.start(job(game, clock), ALL))
    context.photos.files.delete([path_of(lost)])
    again = ended(press, press.start(job(game, clock), ALL))
    assert (again.state, text_of(press, again)) == ("done", "all")
    context.photos.files.delete([path_of(again)])
    assert text_of(press, again) is None
    assert press.of_game(game) == []


@pytest.mark.usefixtures("_made_here")
@pytest.mark.parametrize(
    ("work", "words"),
    [
        ((refuses, ()), "a card does not fit"),
        ((breaks, (28,)), "The server's disk is full"),
        ((breaks, (13,)), "could not write the file: Permission denied"),
        ((sorted, ()), "Printing failed (TypeError"),
        (None, "There is no such print run."),
    ],
)
def test_what_fails_says_why_and_can_be_tried_again(
    context: AppContext, press: PrintRunner, game: str, clock: Clock, work: module.Work | None, words: str
) -> None:
    """Nothing half written stays; a print run may have been taken back meanwhile, so that nothing can be planned."""

    def plan(_: PrintJob) -> Work:
        if work is None:
            raise WorkerProcessError("There is no such print run.")
        return work

    failed = ended(press, press.start(job(game, clock), plan))
    assert failed.state == "failed"
    assert words in str(failed.problem)
    assert failed.cause == ({"why": "used-places", "most": 8} if work and work[0] is refuses else None)
    assert files(context) == []
    assert press.start(job(game, clock), ALL).id != failed.id


def test_jobs_wait_their_turn_and_end_with_their_game(
    context: AppContext, press: PrintRunner, other: PrintRunner, game: str, clock: Clock, tmp_path: Path
) -> None:
    """One works, the others wait, more than so many are refused; any process cancels, in the middle of a page."""
    second = new_game(context, State.DRAFT)
    first = press.start(job(game, clock), does((waits, (tmp_path / "begun",))))
    until(other, first, lambda found: found.state == "working" and (found.done, found.of) == (1, 9))
    begun = [press.start(job(second, clock, str(n)), ALL) for n in range(MOST_WAITING - 1)]
    with pytest.raises(PrintQueueFullError, match="Wait until one is done"):
        other.start(job(second, clock, "more"), ALL)
    assert {found.state for found in other.of_game(second)} == {"waiting"}
    for one in begun[1:]:
        other.cancel(one)
    delete_game(context, game, ORGANISER)
    assert other.of_game(game) == []
    # The press that made it goes on with what waits.
    assert ended(press, begun[0]).state == "done"
    assert [found.id for found in press.of_game(second)] == [begun[0].id]
    assert files(context) == [path_of(press.of_game(second)[0])]


@pytest.mark.usefixtures("_made_here")
def test_only_so_much_is_kept(
    context: AppContext, press: PrintRunner, game: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest goes first, by number and by bytes."""
    made = []
    for number in range(MOST_KEPT + 2):
        made.append(ended(press, press.start(job(game, clock, str(number)), does((writes, ("x" * 10,))))))
        clock.forward(seconds=1)
    press.resume(ALL)
    assert [one.id for one in press.of_game(game)] == [one.id for one in made[:1:-1]]
    monkeypatch.setattr(module, "MOST_BYTES", 35)
    press.resume(ALL)
    assert [one.id for one in press.of_game(game)] == [one.id for one in made[:-4:-1]]
    assert len(files(context)) == 3


def test_a_server_that_ends_gives_back_what_it_makes(
    context: AppContext, press: PrintRunner, other: PrintRunner, game: str, clock: Clock, tmp_path: Path
) -> None:
    """Another process goes on, or the same server after its next start. What is done stays."""
    started = press.start(job(game, clock), does((waits, (tmp_path / "begun",))))
    until(other, started, lambda found: found.state == "working" and found.done == 1)
    press.close()
    found = other.find(game, started.id)
    assert found
    assert (found.state, found.attempts, found.done) == ("waiting", 0, 0)
    assert files(context) == []
    other.resume(ALL)
    assert text_of(press, ended(other, started)) == "all"


def claimed(context: AppContext, seconds: float) -> PrintJob:
    """Claim the job that waits longest, as a process does that is killed or falls asleep with it."""
    with context.database.writing() as session:
        found = PRINTS.claim(session, seconds)
    assert found
    return found


@BOTH
@pytest.mark.usefixtures("_made_here")
def test_a_job_of_a_killed_process_is_taken_up_again(
    context: AppContext, other: PrintRunner, game: str, clock: Clock
) -> None:
    """When its lease is over. Where the first process was only asleep, it changes nothing of what the second made."""
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
def test_a_job_is_left_to_a_process_that_lives(
    context: AppContext, other: PrintRunner, game: str, clock: Clock
) -> None:
    """As long as its lease holds, whatever this server's clock says."""
    with context.database.writing() as session:
        session.add(job(game, clock))
    claimed(context, LEASE)
    clock.forward(days=1)
    other.resume(ALL)
    assert other.of_game(game)[0].state == "working"


def test_a_laptop_that_sleeps_goes_on_with_its_own_job(
    context: AppContext, press: PrintRunner, game: str, clock: Clock, tmp_path: Path
) -> None:
    """Its lease is over then, and it renews it before anything is taken for dead, even on the last attempt."""
    started = press.start(job(game, clock), does((waits, (tmp_path / "begun",))))
    found = until(press, started, lambda found: found.state == "working" and found.done == 1)
    for _ in range(2):
        with context.database.writing() as session:
            row = session.get_one(PrintJob, started.id)
            row.lease, row.attempts = clock() - timedelta(days=9999), TRIES
        press.resume(ALL)
    again = press.find(game, started.id)
    assert again
    assert (again.state, again.token) == ("working", found.token)


def test_a_job_that_makes_no_progress_ends(
    press: PrintRunner, game: str, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not renewed for ever, and says why it has failed."""
    monkeypatch.setattr(module, "STALL_TIMEOUT", 1.0)
    failed = ended(press, press.start(job(game, clock), does((waits, (tmp_path / "begun",)))))
    assert failed.state == "failed"
    assert "made no progress" in str(failed.problem)


@pytest.mark.usefixtures("_made_here")
def test_a_job_that_ends_every_process_fails(context: AppContext, other: PrintRunner, game: str, clock: Clock) -> None:
    """It is begun three times and no more."""
    with context.database.writing() as session:
        session.add(job(game, clock))
    for _ in range(TRIES):
        claimed(context, OVER)
    other.resume(ALL)
    failed = other.of_game(game)[0]
    assert (failed.state, failed.problem) == ("failed", "The server stopped in the middle of this. Print it again.")
    clock.forward(seconds=KEPT.total_seconds())
    other.resume(ALL)
    assert other.of_game(game) == []


@pytest.mark.usefixtures("_made_here")
def test_files_that_belong_to_nothing_are_swept(
    context: AppContext, press: PrintRunner, game: str, clock: Clock
) -> None:
    """Those of processes that were killed, and of games that were deleted meanwhile; not what is kept."""
    made = ended(press, press.start(job(game, clock), ALL))
    for orphan in (f"{FOLDER}/{game}/{made.id}-7", f"{FOLDER}/GONE/1f-1"):
        context.photos.files.put(orphan, b"x")
    times = dict(context.photos.files.names(FOLDER))
    assert press.sweep(min(times.values()) - timedelta(minutes=1)) == 0
    assert press.sweep(max(times.values())) == 2
    assert files(context) == [path_of(made)]
