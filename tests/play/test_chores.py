"""What a server does by itself: at the start and then every so often, whatever one chore does to the others."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from server.play.chores import CHORES, Chores
from server.play.house import game_row
from server.play.states import State
from tests.house import new_game

if TYPE_CHECKING:
    from server.play.house import House
    from tests.house import Clock

LIMIT = 20.0


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


def test_a_deadline_passes_by_itself(house: House, clock: Clock) -> None:
    """A game whose deadline has passed is closed in the database without anybody looking at it."""
    game = new_game(house)
    with house.database.writing() as session:
        game_row(session, game).deadline = clock()
    for _, chore in CHORES:
        chore(house)
    with house.database.reading() as session:
        row = game_row(session, game)
        assert (row.state, row.closed) == (State.CLOSED, clock())
