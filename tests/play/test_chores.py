"""What a server does by itself: at the start and then every so often, whatever one chore does to the others."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING

from server.play.chores import PROMPT, Chores, once_for_all
from server.play.house import game_row
from server.play.states import State
from server.store.tables import Chore
from tests.house import new_game

if TYPE_CHECKING:
    from server.play.house import House
    from tests.house import Clock

LIMIT = 60.0


def test_a_chore_that_fails_leaves_the_others_alone(house: House) -> None:
    """Each is done at once and again later; one that fails is tried again, and the others have their turn."""
    failed, done = threading.Semaphore(0), threading.Semaphore(0)

    def fail(_: House) -> None:
        failed.release()
        raise RuntimeError

    chores = Chores(house, ((0.01, fail), (0.01, lambda _: done.release())))
    chores.start()
    for happened in (failed, done) * 3:
        assert happened.acquire(timeout=LIMIT)
    chores.close()
    while done.acquire(blocking=False):
        pass
    assert not done.acquire(timeout=0.1)


def test_a_chore_that_hangs_keeps_its_own_group_waiting(house: House) -> None:
    """While the place of pictures does not answer, games close at their deadlines all the same."""
    hangs, goes_on, done = threading.Event(), threading.Event(), threading.Semaphore(0)

    def hang(_: House) -> None:
        hangs.set()
        goes_on.wait(LIMIT)

    chores = Chores(house, ((0.01, lambda _: done.release()),), ((0.01, hang),))
    chores.start()
    assert hangs.wait(LIMIT)
    while done.acquire(blocking=False):
        pass
    assert [done.acquire(timeout=LIMIT) for _ in range(3)] == [True] * 3
    assert not goes_on.is_set()
    goes_on.set()
    chores.close()


def test_one_process_does_a_chore_for_all(house: House) -> None:
    """Until it has missed its turn: then another process goes on with it."""
    done: list[str] = []
    here, there = (once_for_all(60.0, "a chore", lambda _, who=who: done.append(who))[1] for who in ("here", "there"))
    for chore in (here, there, here):
        chore(house)
    assert done == ["here", "here"]
    with house.database.writing() as session:
        session.get_one(Chore, "a chore").lease = house.clock() - timedelta(days=9999)
    for chore in (there, here, there):
        chore(house)
    assert done == ["here", "here", "there", "there"]


def test_a_deadline_passes_by_itself(house: House, clock: Clock) -> None:
    """A game whose deadline has passed is closed in the database without anybody looking at it."""
    game = new_game(house)
    with house.database.writing() as session:
        game_row(session, game).deadline = clock()
    for _, chore in PROMPT:
        chore(house)
    with house.database.reading() as session:
        row = game_row(session, game)
        assert (row.state, row.closed) == (State.CLOSED, clock())
