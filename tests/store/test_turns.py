"""Writers of one process wait for each other without SQLite's sleeps."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from server.store.database import Database
from server.store.faults import is_busy
from server.store.turns import Turns

if TYPE_CHECKING:
    from pathlib import Path

WRITERS = 12
EACH = 5
LIMIT = 60.0


def test_no_writer_finds_the_database_taken_by_another(tmp_path: Path) -> None:
    """Each begins when the one before has ended: whoever would not wait at all still gets in."""
    database = Database.in_folder(tmp_path)
    with database.writing() as session:
        session.execute(text("CREATE TABLE marks (mark TEXT)"))

    @event.listens_for(database.engine, "connect")
    def impatient(connection: object, _record: object) -> None:
        connection.execute("PRAGMA busy_timeout=0")  # type: ignore[attr-defined]  # the driver's own type

    database.engine.dispose()
    failed: list[Exception] = []

    def write() -> None:
        try:
            for _ in range(EACH):
                with database.writing() as session:
                    session.execute(text("INSERT INTO marks VALUES ('here')"))
                    time.sleep(0.002)
        except Exception as error:  # noqa: BLE001 - told below
            failed.append(error)

    threads = [threading.Thread(target=write) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    with database.reading() as session:
        assert session.scalar(text("SELECT count(*) FROM marks")) == WRITERS * EACH
    database.close()
    assert failed == []


def test_a_turn_that_never_ends_keeps_nobody_for_ever() -> None:
    """After its time whoever waits is told to try again, and has taken nothing from whoever comes next."""
    turns = Turns(seconds=0.05)
    told: list[bool] = []

    def late() -> None:
        try:
            with turns.turn():
                told.append(False)
        except PoolTimeoutError as error:
            told.append(is_busy(error))

    with turns.turn():
        thread = threading.Thread(target=late)
        thread.start()
        thread.join(LIMIT)
    assert told == [True]
    with turns.turn():
        told.append(True)


def test_a_turn_within_a_turn_is_the_same() -> None:
    """Nobody waits for themselves; the outer one holds to its end, also when the inner one breaks."""
    turns = Turns(seconds=LIMIT)
    seen: list[bool] = []
    with turns.turn():
        with pytest.raises(ValueError, match="inner"), turns.turn():
            raise ValueError("inner")
        thread = threading.Thread(target=lambda: seen.append(turns._lock.locked()))
        thread.start()
        thread.join(LIMIT)
    assert seen == [True]
