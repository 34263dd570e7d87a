"""What a server does by itself, and who scans: known to all processes of a server."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from sqlalchemy import delete, func, select

from server.db.models import PeriodicTask, WorkerHeartbeat
from server.games.context import AppContext
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.photos import scan_service
from server.games.photos.retention import delete_old_rows
from server.games.photos.scan_pool import ScanPool
from server.games.photos.scan_service import ALIVE, HEARTBEAT, RETENTION, Heartbeat, ScanService, scanning_places
from server.web_app.background import PROMPT, Scheduler, once_for_all
from tests.context import Clock, new_game
from tests.players import set_game
from tests.waiting import LIMIT, until
from tests.workers.scan_jobs import obey


def test_a_chore_that_fails_or_hangs_keeps_no_other_group_waiting(context: AppContext) -> None:
    failed, done, hangs, goes_on = (threading.Semaphore(0) for _ in range(4))

    def fail(_: AppContext) -> None:
        failed.release()
        raise RuntimeError

    def hang(_: AppContext) -> None:
        hangs.release()
        goes_on.acquire(timeout=LIMIT)

    chores = Scheduler(context, ((0.01, fail), (0.01, lambda _: done.release())), ((0.01, hang),))
    chores.start()
    assert hangs.acquire(timeout=LIMIT)
    while done.acquire(blocking=False):
        pass
    for happened in (failed, done) * 3:
        assert happened.acquire(timeout=LIMIT)
    goes_on.release(100)
    chores.close()
    while done.acquire(blocking=False):
        pass
    assert not done.acquire(timeout=0.1), "a chore is done after the end"


def test_one_process_does_a_chore_for_all_until_it_misses_its_turn(context: AppContext) -> None:
    done: list[str] = []
    here, there = (once_for_all(60.0, "a chore", lambda _, who=who: done.append(who))[1] for who in ("here", "there"))
    for chore in (here, there, here):
        chore(context)
    assert done == ["here", "here"]
    with context.database.writing() as session:
        session.get_one(PeriodicTask, "a chore").lease = context.clock() - timedelta(days=9999)
    for chore in (there, here, there):
        chore(context)
    assert done == ["here", "here", "there", "there"]


def test_a_deadline_passes_by_itself(context: AppContext, clock: Clock) -> None:
    game = new_game(context)
    set_game(context, game, deadline=clock())
    for _, chore in PROMPT:
        chore(context)
    with context.database.reading() as session:
        row = load_game(session, game)
        assert (row.state, row.closed) == (State.CLOSED, clock())


def _places(context: AppContext) -> int:
    with context.database.reading() as session:
        return scanning_places(session, context.clock())


def test_all_who_scan_are_counted_until_they_leave_or_are_killed(context: AppContext, clock: Clock) -> None:
    here, there = Heartbeat(context, 2), Heartbeat(context, 3)
    here.send()
    there.send()
    assert _places(context) == 5
    here.stop()
    clock.forward(seconds=3 * HEARTBEAT)
    assert _places(context) == 3
    clock.forward(seconds=ALIVE.total_seconds() - 3 * HEARTBEAT)
    assert _places(context) == 0


def test_signs_of_life_are_renewed_and_old_ones_forgotten(
    context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan_service, "HEARTBEAT", 0.0)
    here, gone = Heartbeat(context, 1), Heartbeat(context, 4)
    gone.send()
    clock.time += RETENTION + timedelta(seconds=1)
    for _ in range(3):
        here.send()
    assert _places(context) == 1
    delete_old_rows(context)
    with context.database.reading() as session:
        assert session.scalar(select(func.count()).select_from(WorkerHeartbeat)) == 1
    # Another process takes it for gone and deletes its row just when the next sign is due.
    teller = threading.Thread(target=here.send)
    with context.database.writing() as session:
        session.execute(delete(WorkerHeartbeat))
        teller.start()
        teller.join(0.1)
        assert teller.is_alive()
    teller.join(LIMIT)
    assert _places(context) == 1


def test_a_service_is_seen_from_its_start_to_its_end(context: AppContext) -> None:
    service = ScanService(context, ScanPool(None, workers=1, job=obey))
    service.start()
    until(lambda: _places(context) == 1)
    service.close()
    assert _places(context) == 0
