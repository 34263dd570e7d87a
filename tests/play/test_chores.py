"""What a server does by itself, and who scans: known to all processes of a server."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from sqlalchemy import delete, func, select

from server.jobs.scanning import ScanPool
from server.play import scanners
from server.play.chores import PROMPT, Chores, once_for_all
from server.play.house import House, game_row
from server.play.retention import forget_old
from server.play.scanners import ALIVE, BEAT, FORGOTTEN, Presence, scanning_places
from server.play.service import ScanService
from server.play.states import State
from server.store.tables import Chore, Scanner
from tests.house import Clock, new_game
from tests.jobs.scan_jobs import obey
from tests.players import set_game
from tests.waiting import LIMIT, until


def test_a_chore_that_fails_or_hangs_keeps_no_other_group_waiting(house: House) -> None:
    failed, done, hangs, goes_on = (threading.Semaphore(0) for _ in range(4))

    def fail(_: House) -> None:
        failed.release()
        raise RuntimeError

    def hang(_: House) -> None:
        hangs.release()
        goes_on.acquire(timeout=LIMIT)

    chores = Chores(house, ((0.01, fail), (0.01, lambda _: done.release())), ((0.01, hang),))
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


def test_one_process_does_a_chore_for_all_until_it_misses_its_turn(house: House) -> None:
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
    game = new_game(house)
    set_game(house, game, deadline=clock())
    for _, chore in PROMPT:
        chore(house)
    with house.database.reading() as session:
        row = game_row(session, game)
        assert (row.state, row.closed) == (State.CLOSED, clock())


def _places(house: House) -> int:
    with house.database.reading() as session:
        return scanning_places(session, house.clock())


def test_all_who_scan_are_counted_until_they_leave_or_are_killed(house: House, clock: Clock) -> None:
    here, there = Presence(house, 2), Presence(house, 3)
    here.tell()
    there.tell()
    assert _places(house) == 5
    here.leave()
    clock.forward(seconds=3 * BEAT)
    assert _places(house) == 3
    clock.forward(seconds=ALIVE.total_seconds() - 3 * BEAT)
    assert _places(house) == 0


def test_signs_of_life_are_renewed_and_old_ones_forgotten(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanners, "BEAT", 0.0)
    here, gone = Presence(house, 1), Presence(house, 4)
    gone.tell()
    clock.time += FORGOTTEN + timedelta(seconds=1)
    for _ in range(3):
        here.tell()
    assert _places(house) == 1
    forget_old(house)
    with house.database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Scanner)) == 1
    # Another process takes it for gone and deletes its row just when the next sign is due.
    teller = threading.Thread(target=here.tell)
    with house.database.writing() as session:
        session.execute(delete(Scanner))
        teller.start()
        teller.join(0.1)
        assert teller.is_alive()
    teller.join(LIMIT)
    assert _places(house) == 1


def test_a_service_is_seen_from_its_start_to_its_end(house: House) -> None:
    service = ScanService(house, ScanPool(None, workers=1, job=obey))
    service.start()
    until(lambda: _places(house) == 1)
    service.close()
    assert _places(house) == 0
