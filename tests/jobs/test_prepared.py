"""What is asked for each photograph: SQLite prepares it once, since that takes longer than to do it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event

from server.jobs import queue
from tests.house import new_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from server.play.house import House


def _scan_one(house: House) -> None:
    """Do with the next photograph what a scan does."""
    mine = queue.claim(house.database, house.clock(), ahead=True)
    assert mine
    with house.database.writing() as session:
        assert queue.note_begun(session, [mine])
        assert queue.finish(session, mine, reading(["red-001"]).model_dump_json(), house.clock())


@pytest.mark.parametrize("envelopes", [(None, None), (1, 2)], ids=["organisers'", "players'"])
def test_no_statement_of_a_scan_is_prepared_twice(house: House, envelopes: tuple[int | None, ...]) -> None:
    """Not even where an index of some rows might do, which SQLite would look into anew for each value."""
    game = new_game(house)
    for envelope in envelopes:
        add_photo(house, game, envelope=envelope)
    prepared = set[int]()

    def note(action: int, *_: object) -> int:
        prepared.add(action)
        return sqlite3.SQLITE_OK

    # SQLite asks once for each thing that a statement would do, when it prepares it.
    house.database.engine.dispose()
    event.listen(house.database.engine, "connect", lambda connection, _: connection.set_authorizer(note))
    _scan_one(house)
    assert {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_INSERT} <= prepared
    prepared.clear()
    _scan_one(house)
    # The driver prepares the ends of transactions each time.
    assert prepared <= {sqlite3.SQLITE_TRANSACTION}
