"""It is known who scans, also to a process that does not."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select

from server.jobs.scanning import ScanPool
from server.play import scanners
from server.play.retention import forget_old
from server.play.scanners import ALIVE, BEAT, FORGOTTEN, Presence, scanning_places
from server.play.service import ScanService
from server.store.tables import Scanner
from tests.jobs.scan_jobs import obey

if TYPE_CHECKING:
    import pytest

    from server.play.house import House
    from tests.house import Clock

LIMIT = 60.0


def _places(house: House) -> int:
    with house.database.reading() as session:
        return scanning_places(session, house.clock())


def test_all_who_scan_are_counted_until_they_leave(house: House) -> None:
    """Each tells how many pictures it scans side by side; one that ends in order is gone at once."""
    assert _places(house) == 0
    here, there = Presence(house, 2), Presence(house, 3)
    here.tell()
    there.tell()
    assert _places(house) == 5
    here.leave()
    assert _places(house) == 3


def test_one_that_was_killed_is_gone_after_three_beats(house: House, clock: Clock) -> None:
    """Nobody takes its sign of life back: it grows old."""
    Presence(house, 2).tell()
    clock.forward(seconds=3 * BEAT)
    assert _places(house) == 2
    clock.forward(seconds=ALIVE.total_seconds() - 3 * BEAT)
    assert _places(house) == 0


def test_signs_are_renewed_now_and_then_and_old_ones_forgotten(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sign is one row however often it is given; of those who are long gone none is left."""
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


def test_a_sign_that_is_deleted_meanwhile_is_given_anew(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process took it for gone and deletes its row just when the next sign is due."""
    monkeypatch.setattr(scanners, "BEAT", 0.0)
    here = Presence(house, 2)
    here.tell()
    teller = threading.Thread(target=here.tell)
    with house.database.writing() as session:
        session.execute(delete(Scanner))
        teller.start()
        teller.join(0.3)
        assert teller.is_alive()
    teller.join(LIMIT)
    assert _places(house) == 2


def test_a_service_is_seen_from_its_start_to_its_end(house: House) -> None:
    """Whoever looks at the desk, or asks whether the server is well, sees it."""
    service = ScanService(house, ScanPool(None, workers=2, job=obey))
    service.start()
    deadline = time.monotonic() + LIMIT
    while not _places(house):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert _places(house) == 2
    service.close()
    assert _places(house) == 0
