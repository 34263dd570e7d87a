"""The database tells what went wrong, and no secret with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import IntegrityError

from server.play.house import game_row
from server.store.tables import Game
from tests.house import Clock, new_game, new_house

if TYPE_CHECKING:
    from pathlib import Path


def test_a_failed_statement_tells_no_key(tmp_path: Path) -> None:
    """What is written into the log of a statement that failed holds none of its values."""
    house = new_house(tmp_path, Clock())
    game = new_game(house)
    with house.database.reading() as session:
        row = game_row(session, game)
        values = {column.key: getattr(row, column.key) for column in Game.__table__.columns}
    with pytest.raises(IntegrityError) as error, house.database.writing() as session:
        session.add(Game(**values))
    house.database.close()
    told = str(error.value)
    assert "INSERT INTO games" in told
    assert repr(values["key"]) not in told
    assert values["seed"] not in told
