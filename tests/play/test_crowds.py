"""Many who write to one game at the same moment wait for each other, and keep nobody of another game waiting."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Self

import pytest
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from server.app.house import HouseConfig, create_house_app
from server.play.house import game_row
from server.store import crowds
from server.store.database import take_turn
from server.store.engines import KEPT_CONNECTIONS, MORE_CONNECTIONS
from server.store.faults import is_busy
from tests.house import as_organiser, new_game

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path

    from sqlalchemy.orm import Session

    from server.play.house import House

    Write = Callable[[House, str, int], None]

LIMIT = 60.0
ALL = KEPT_CONNECTIONS + MORE_CONNECTIONS
MANY = ALL + 15

pytestmark = pytest.mark.parametrize("place", ["festival"], indirect=True)


class _Crowd:
    """Many who write to a game that somebody holds alone, until `let_go`."""

    def __init__(self, house: House, write: Write) -> None:
        self._house = house
        self._write = write
        self._released = threading.Event()
        self._threads = ThreadPoolExecutor(MANY + 1)
        self.game = new_game(house)
        self.writers: list[Future[None]] = []

    def __enter__(self) -> Self:
        held = threading.Event()
        self._holder = self._threads.submit(self._hold, held)
        assert held.wait(LIMIT)
        write = self._write
        self.writers = [self._threads.submit(write, self._house, self.game, number) for number in range(MANY)]
        return self

    def __exit__(self, *_: object) -> None:
        self._released.set()
        self._threads.shutdown()

    def let_go(self) -> None:
        """Let them go on."""
        self._released.set()
        self._holder.result(LIMIT)

    def _hold(self, held: threading.Event) -> None:
        with self._house.database.writing() as session:
            game_row(session, self.game)
            held.set()
            assert self._released.wait(2 * LIMIT)


def _plainly(house: House, game: str, _: int) -> None:
    """Write as most do: the turn comes first."""
    with house.database.writing() as session:
        game_row(session, game).name += "."


def _once(house: House, game: str, number: int) -> None:
    """Write as those do who create something: they look for an earlier answer before."""

    def work(session: Session) -> None:
        take_turn(session, "answer", str(number))
        game_row(session, game).name += "."

    house.database.run(work)


def _connections(house: House) -> int:
    return house.database.engine.pool.checkedout()  # type: ignore[attr-defined, no-any-return]  # of a pool that counts


def _name(house: House, game: str) -> str:
    with house.database.reading() as session:
        return game_row(session, game).name


@pytest.mark.parametrize("write", [_plainly, _once])
def test_others_go_on_while_many_wait_for_one_game(house: House, write: Write) -> None:
    """No more than some of them have a connection; when it is their turn, all of them get it."""
    other = new_game(house)
    with _Crowd(house, write) as crowd:
        end = time.monotonic() + LIMIT
        # All, if nothing holds them back.
        while _connections(house) not in {crowds.MOST, ALL}:
            assert time.monotonic() < end
            time.sleep(0.01)
        for number in range(20):
            _plainly(house, other, number)
        crowd.let_go()
        for writer in crowd.writers:
            writer.result(LIMIT)
    assert _name(house, crowd.game).count(".") == MANY
    assert not house.database._crowds._places  # type: ignore[union-attr]  # machines share it


def test_who_waits_too_long_is_told_to_try_again(house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As where the database has no time: 503 and when; afterwards it works, and no place is lost."""
    monkeypatch.setattr(crowds, "SECONDS", 0.1)
    monkeypatch.setattr(crowds, "MOST", 1)
    organiser = as_organiser(create_house_app(HouseConfig(tmp_path), house))
    with _Crowd(house, _plainly) as crowd:
        for writer in crowd.writers:
            error = writer.exception(LIMIT)
            assert isinstance(error, PoolTimeoutError)
            assert is_busy(error)
        address = f"/api/v1/games/{crowd.game}"
        refused = organiser.patch(address, json={"name": "Evening"})
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
        crowd.let_go()
        assert organiser.patch(address, json={"name": "Evening"}).status_code == 200
    assert not house.database._crowds._places  # type: ignore[union-attr]  # machines share it
