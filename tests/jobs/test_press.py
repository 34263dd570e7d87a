"""Print jobs: made one after the other beside the server, told how far they are, kept for a while, dropped."""

from __future__ import annotations

import gc
import os
import shutil
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from cardgen.paper import PaperError
from server.jobs import press as module
from server.jobs.press import KEPT, MOST_KEPT, MOST_WAITING, Press, PressError, PrintJob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

AT = datetime(2026, 3, 27, 12, tzinfo=UTC)


def writes(text: str, file: Path, *, tell: Callable[[int, int], None]) -> None:
    """Write a file in two steps; a job's work."""
    tell(1, 2)
    file.write_text(text)
    tell(2, 2)


def waits(begun: Path, file: Path, *, tell: Callable[[int, int], None]) -> None:
    """Begin a file, say so, and never end."""
    file.write_text("half")
    tell(1, 9)
    begun.touch()
    time.sleep(600)


def refuses(file: Path, *, tell: Callable[[int, int], None]) -> None:
    """Find that it cannot be printed after a first page."""
    file.write_text("half")
    tell(1, 2)
    raise PaperError("a card does not fit", why="used-places", most=8)


def breaks(number: int, _file: Path, *, tell: Callable[[int, int], None]) -> None:
    """Meet a disk that does not take it."""
    tell(1, 2)
    raise OSError(number, os.strerror(number))


@pytest.fixture
def press() -> Iterator[Press]:
    """Return a press that leaves nothing behind."""
    made = Press()
    yield made
    for game in ("7K3Q", "7K3R"):
        made.forget(game)


def job(what: str = "a", game: str = "7K3Q") -> PrintJob:
    """Return a job that is still to be started."""
    return PrintJob(game, "sheets.pdf", "application/pdf", what, AT)


def ended(one: PrintJob) -> PrintJob:
    """Wait until a job has ended."""
    until = time.monotonic() + 60
    while not one.ended:
        assert time.monotonic() < until
        time.sleep(0.01)
    return one


def at() -> datetime:
    """Return the time of these tests."""
    return AT


def test_a_file_is_made_kept_and_dropped(press: Press) -> None:
    """For a while; then there is no such job any more, nor its file."""
    made = ended(press.start(job(), (writes, ("all",)), at))
    assert (made.state, made.done, made.of, made.bytes, made.until) == ("done", 2, 2, 3, AT + KEPT)
    file = press.file(made)
    assert file.read_text() == "all"
    assert press.start(job(), (writes, ("other",)), at) is made
    assert press.find("7K3Q", made.id, AT + KEPT - timedelta(seconds=1)) is made
    assert press.find("7K3R", made.id, AT) is None
    assert press.find("7K3Q", made.id, AT + KEPT) is None
    assert not file.exists()


@pytest.mark.parametrize("left", ["nothing", "a folder that all may read"])
def test_a_folder_that_was_cleaned_away_is_made_anew(press: Press, left: str) -> None:
    """Some systems drop old temporary folders under a server that runs for weeks; the next print makes its own."""
    lost = ended(press.start(job(), (writes, ("all",)), at))
    folder = press.file(lost).parent
    shutil.rmtree(folder)
    if left != "nothing":
        folder.mkdir()
        folder.chmod(0o755)
    assert press.find("7K3Q", lost.id, AT) is None
    again = ended(press.start(job(), (writes, ("all",)), at))
    assert (again.state, press.file(again).read_text()) == ("done", "all")
    assert press.file(again).parent.stat().st_mode & 0o777 == 0o700
    assert press.file(again).parent != folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize(
    ("work", "words"),
    [
        ((refuses, ()), "a card does not fit"),
        ((breaks, (28,)), "The server's disk is full"),
        ((breaks, (13,)), "could not write the file: Permission denied"),
        ((os._exit, ()), "The printing broke off (TypeError"),
    ],
)
def test_what_fails_says_why_and_can_be_tried_again(press: Press, work: module.Work, words: str) -> None:
    """Nothing half written stays."""
    failed = ended(press.start(job(), work, at))
    assert failed.state == "failed"
    assert words in str(failed.problem)
    assert failed.cause == ({"why": "used-places", "most": 8} if work[0] is refuses else None)
    assert not press.file(failed).exists()
    assert press.start(job(), (writes, ("x",)), at) is not failed


def test_jobs_wait_their_turn_and_end_with_their_game(press: Press, tmp_path: Path) -> None:
    """One works, the others wait, more than so many are refused; a game's jobs go with it, in the middle of a page."""
    first = press.start(job(), (waits, (tmp_path / "begun",)), at)
    others = [press.start(job(str(n), "7K3R"), (writes, ("x",)), at) for n in range(MOST_WAITING - 1)]
    with pytest.raises(PressError, match="Wait until some of it is done"):
        press.start(job("more"), (writes, ("x",)), at)
    until = time.monotonic() + 60
    # The file is there when the job has told how far it is, but here that is heard a moment later.
    while not ((tmp_path / "begun").exists() and first.done):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert (first.state, first.done, first.of) == ("working", 1, 9)
    assert {other.state for other in others} == {"waiting"}
    for other in others[1:]:
        press.cancel(other)
    press.forget("7K3Q")
    assert press.of_game("7K3Q", AT) == []
    assert not press.file(ended(first)).exists()
    assert ended(others[0]).state == "done"
    assert press.of_game("7K3R", AT) == [others[0]]


def test_only_so_much_is_kept(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest goes first, by number and by bytes."""

    def here(work: Callable[..., None], *arguments: object, tell: object, stop: object) -> None:
        assert not stop.is_set()  # type: ignore[attr-defined]  # an event
        work(*arguments, tell=tell)

    monkeypatch.setattr(module, "run_telling", here)
    made = [ended(press.start(job(str(n)), (writes, ("x" * 10,)), at)) for n in range(MOST_KEPT + 2)]
    assert press.of_game("7K3Q", AT) == made[:1:-1]
    monkeypatch.setattr(module, "MOST_BYTES", 35)
    assert press.of_game("7K3Q", AT) == made[:-4:-1]
    assert [press.file(one).exists() for one in made].count(True) == 3


@pytest.mark.parametrize("closed", [True, False])
def test_nothing_stays_when_the_server_ends(*, closed: bool) -> None:
    """Not even the folder, which nobody else could read."""
    press = Press()
    folder = press.file(ended(press.start(job(), (writes, ("x",)), at))).parent
    assert folder.stat().st_mode & 0o077 == 0
    if closed:
        press.close()
        assert press.of_game("7K3Q", AT) == []
    del press
    gc.collect()
    assert not folder.exists()
