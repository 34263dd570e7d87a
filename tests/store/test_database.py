"""The database tells what went wrong, and no secret with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from server.play.house import game_row
from server.store.database import Database, DatabaseError
from server.store.engines import engine_at
from server.store.tables import Game
from tests.engines.festival import or_skip
from tests.house import Clock, new_game, new_house

if TYPE_CHECKING:
    from pathlib import Path

    from tests.engines.festival import Festival


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


@pytest.mark.parametrize(
    ("rest", "where"),
    [
        ("haggle:{}@127.0.0.1:1/games", "haggle:***@127.0.0.1:1/games"),
        ("haggle:{}#1/2@127.0.0.1:1/games", "haggle:***@127.0.0.1:1/games"),
        ("haggle@127.0.0.1:1/games?password={}", "haggle@127.0.0.1:1/games"),
        ("127.0.0.1:1/games?user=haggle&password={}", "127.0.0.1:1/games"),
        ("haggle@127.0.0.1:1/games?sslmode=verify-full&sslpassword={}", "haggle@127.0.0.1:1/games"),
    ],
)
def test_an_address_is_told_without_its_password(rest: str, where: str) -> None:
    """Wherever in the address it stands: the line that says that nobody answers there names user, host and name."""
    with pytest.raises(DatabaseError) as told:
        Database.at(f"postgresql://{rest.format('secret')}")
    assert str(told.value).startswith(f"postgresql://{where}: ")
    assert "secret" not in str(told.value)


@pytest.mark.parametrize("rest", ["haggle:pass@word@127.0.0.1/games", "haggle:pass@word/s@127.0.0.1/games"])
def test_a_password_with_an_at_is_not_taken_for_a_host(rest: str) -> None:
    """It has to be written otherwise, which is told without a word of it, before anything is looked for."""
    with pytest.raises(DatabaseError, match="write @ in a password as %40") as told:
        Database.named(f"postgresql://{rest}")
    assert "word@" not in str(told.value)
    assert "word/" not in str(told.value)
    Database.named("postgresql://haggle:pass%40word@127.0.0.1/games").close()


def test_no_statement_is_kept_prepared(festival: Festival) -> None:
    """A newer version may change a column's type while this one runs: what it has asked for often still works."""
    engine = engine_at(or_skip(festival.postgres.empty_database))
    with engine.connect() as connection, connection.begin():
        connection.execute(text("CREATE TABLE kept (number integer)"))
    with engine.connect() as connection:
        for _ in range(8):
            connection.execute(text("SELECT number FROM kept")).all()
            connection.commit()
        with engine.begin() as other:
            other.execute(text("ALTER TABLE kept ALTER number TYPE bigint"))
        assert connection.execute(text("SELECT number FROM kept")).all() == []
    engine.dispose()
