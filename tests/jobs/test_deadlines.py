"""Deadlines: each is kept, whatever others run beside it."""

from __future__ import annotations

import threading
import time

import pytest

from server.jobs.deadlines import Deadlines
from tests.waiting import until

LONG = 600.0


def _keepers() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "haggle-deadlines"}


def test_what_takes_too_long_is_told_once() -> None:
    """Also where the one that runs beside it, and began before, has longer."""
    deadlines, late = Deadlines(), list[str]()
    with deadlines.within(LONG, lambda: late.append("long")):
        for name in ("first", "second"):
            with deadlines.within(0.05, lambda: late.append(name)):  # noqa: B023 - called inside the block
                until(lambda: name in late)  # noqa: B023 - as above
                time.sleep(0.1)
    assert late == ["first", "second"]


def test_what_ends_in_time_is_not_told() -> None:
    """However often, and by one thread for all: it ends where nothing is left to wait for."""
    before = _keepers()
    deadlines, late = Deadlines(), threading.Event()
    own = set[threading.Thread]()
    with deadlines.within(LONG, late.set):
        for _ in range(100):
            with deadlines.within(LONG, late.set):
                # Those of other tests may end meanwhile.
                own |= _keepers() - before
    assert len(own) == 1
    assert not late.is_set()
    with deadlines.within(0.05, late.set):
        assert late.wait(LONG)
    until(lambda: not any(thread.is_alive() for thread in own))


def test_nothing_is_told_after_the_end() -> None:
    """Who has left the block is sure of that: what is called just then is waited for."""
    deadlines, called, over = Deadlines(), threading.Event(), list[bool]()

    def slowly() -> None:
        called.set()
        time.sleep(0.2)
        over.append(True)

    with deadlines.within(0.01, slowly):
        assert called.wait(LONG)
    assert over


def test_a_mistake_costs_no_other_deadline(caplog: pytest.LogCaptureFixture) -> None:
    """It is logged, and the next one is kept."""
    deadlines, late = Deadlines(), threading.Event()

    def mistaken() -> None:
        raise IndexError

    with deadlines.within(0.01, mistaken), deadlines.within(0.1, late.set):
        assert late.wait(LONG)
    assert "IndexError" in caplog.text


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_whatever_ends_the_keeper_the_next_one_is_kept() -> None:
    """The thread that ends leaves its place to another."""
    deadlines, late = Deadlines(), threading.Event()
    before = _keepers()

    def end() -> None:
        raise SystemExit

    with deadlines.within(0.01, end):
        until(lambda: not _keepers() - before)
    with deadlines.within(0.01, late.set):
        assert late.wait(LONG)


def test_the_next_one_is_kept_where_no_thread_could_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that has no thread left for a moment refuses one deadline, and takes none from those that follow."""
    deadlines, late = Deadlines(), threading.Event()
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", _refuse)
        with pytest.raises(RuntimeError), deadlines.within(LONG, late.set):
            pass  # pragma: no cover - never begun
    with deadlines.within(0.05, late.set):
        assert late.wait(LONG)


def _refuse(_: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")
