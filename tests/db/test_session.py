"""Database sessions: writers in turn, and errors without secrets."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from server.db.errors import is_busy
from server.db.migrate import open_at, open_in_folder
from server.db.models import Game
from server.db.session import Database, DatabaseError, new_engine
from server.games.context import AppContext
from server.games.lifecycle.repository import load_game
from tests.context import new_game
from tests.engines.cluster import Cluster, or_skip
from tests.waiting import LIMIT


def test_errors_of_statements_contain_no_keys(context: AppContext) -> None:
    game = new_game(context)
    with context.database.reading() as session:
        row = load_game(session, game)
        values = {column.key: getattr(row, column.key) for column in Game.__table__.columns}
    with pytest.raises(IntegrityError) as error, context.database.writing() as session:
        session.add(Game(**values))
    result = str(error.value)
    assert "INSERT INTO games" in result
    assert repr(values["key"]) not in result
    assert values["seed"] not in result


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
def test_errors_of_addresses_contain_no_password(rest: str, where: str) -> None:
    with pytest.raises(DatabaseError) as error:
        open_at(f"postgresql://{rest.format('secret')}")
    assert str(error.value).startswith(f"postgresql://{where}: ")
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("rest", ["haggle:pass@word@127.0.0.1/games", "haggle:pass@word/s@127.0.0.1/games"])
def test_an_at_sign_in_a_password_is_reported(rest: str) -> None:
    with pytest.raises(DatabaseError, match="write @ in a password as %40") as error:
        Database.at(f"postgresql://{rest}")
    assert "word@" not in str(error.value)
    assert "word/" not in str(error.value)
    Database.at("postgresql://haggle:pass%40word@127.0.0.1/games").close()


def test_statements_are_not_prepared(cluster: Cluster) -> None:
    """A newer version may change the type of a column while this one runs."""
    engine = new_engine(or_skip(cluster.postgres.empty_database))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE kept (number integer)"))
    with engine.connect() as connection:
        for _ in range(8):
            connection.execute(text("SELECT number FROM kept")).all()
            connection.commit()
        with engine.begin() as other:
            other.execute(text("ALTER TABLE kept ALTER number TYPE bigint"))
        assert connection.execute(text("SELECT number FROM kept")).all() == []
    engine.dispose()


def test_writers_of_a_process_never_find_the_database_locked(tmp_path: Path) -> None:
    """They wait for each other in the process, so even a busy timeout of 0 is enough."""
    database = open_in_folder(tmp_path)
    with database.writing() as session:
        session.execute(text("CREATE TABLE marks (mark TEXT)"))

    @event.listens_for(database.engine, "connect")
    def impatient(connection: object, _record: object) -> None:
        connection.execute("PRAGMA busy_timeout=0")  # type: ignore[attr-defined]  # the driver's own type

    database.engine.dispose()

    def write(_number: int) -> None:
        for _ in range(5):
            with database.writing() as session:
                session.execute(text("INSERT INTO marks VALUES ('here')"))
                time.sleep(0.002)

    with ThreadPoolExecutor(12) as threads:
        assert len(list(threads.map(write, range(12)))) == 12
    with database.reading() as session:
        assert session.scalar(text("SELECT count(*) FROM marks")) == 60
    database.close()


def test_waiting_for_a_writer_has_a_time_limit(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.db.session.BUSY_SECONDS", 0.05)
    busy: list[bool] = []

    def late() -> None:
        try:
            with context.database.writing():
                busy.append(False)
        except PoolTimeoutError as error:
            busy.append(is_busy(error))

    # Nested turns are one turn, which lasts until the end of the outer one, even if the inner one fails.
    with context.database.writing():
        with pytest.raises(ValueError, match="inner"), context.database.writing():
            raise ValueError("inner")
        thread = threading.Thread(target=late)
        thread.start()
        thread.join(LIMIT)
    assert busy == [True]
    with context.database.writing():
        pass
