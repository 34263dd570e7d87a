"""Periodic tasks, each run by one process of a server."""

from __future__ import annotations

import threading
from datetime import timedelta

from server.api.idempotency import RESPONSE_AGE
from server.db.models import GameEvent, IdempotentResponse, PeriodicTask
from server.games.context import AppContext
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.web_app.background import PROMPT, Scheduler, delete_old_rows, once_for_all
from tests.context import Clock, new_game
from tests.players import set_game
from tests.waiting import LIMIT


def test_a_task_that_fails_or_hangs_does_not_delay_other_groups(context: AppContext) -> None:
    failed, done, hangs, goes_on = (threading.Semaphore(0) for _ in range(4))

    def fail(_: AppContext) -> None:
        failed.release()
        raise RuntimeError

    def hang(_: AppContext) -> None:
        hangs.release()
        goes_on.acquire(timeout=LIMIT)

    scheduler = Scheduler(context, ((0.01, fail), (0.01, lambda _: done.release())), ((0.01, hang),))
    scheduler.start()
    assert hangs.acquire(timeout=LIMIT)
    while done.acquire(blocking=False):
        pass
    for happened in (failed, done) * 3:
        assert happened.acquire(timeout=LIMIT)
    goes_on.release(100)
    scheduler.close()
    while done.acquire(blocking=False):
        pass
    assert not done.acquire(timeout=0.1), "a task runs after the end"


def test_one_process_runs_a_task_until_its_lease_expires(context: AppContext) -> None:
    done: list[str] = []
    here, there = (once_for_all(60.0, "a task", lambda _, who=who: done.append(who))[1] for who in ("here", "there"))
    for task in (here, there, here):
        task(context)
    assert done == ["here", "here"]
    with context.database.writing() as session:
        session.get_one(PeriodicTask, "a task").lease = context.clock() - timedelta(days=9999)
    for task in (there, here, there):
        task(context)
    assert done == ["here", "here", "there", "there"]


def test_games_close_automatically_at_their_deadline(context: AppContext, clock: Clock) -> None:
    game = new_game(context)
    set_game(context, game, deadline=clock())
    for _, task in PROMPT:
        task(context)
    with context.database.reading() as session:
        row = load_game(session, game)
        assert (row.state, row.closed) == (State.CLOSED, clock())


def test_old_idempotency_records_and_events_are_deleted(context: AppContext, clock: Clock) -> None:
    game = new_game(context)
    for key in ("old", "new"):
        with context.database.writing() as session:
            session.add(IdempotentResponse(caller="x", key=key, request="", status=201, body={}, at=clock()))
        clock.forward(seconds=1)
    clock.time += RESPONSE_AGE - timedelta(seconds=1)
    delete_old_rows(context)
    with context.database.reading() as session:
        assert [row.key for row in session.query(IdempotentResponse)] == ["new"]
        assert session.query(GameEvent).filter_by(game=game).count() == 0
