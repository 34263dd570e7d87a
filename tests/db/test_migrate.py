"""Migrations on both databases: from empty and older schemas, and under load."""

from __future__ import annotations

import secrets
import shutil
import threading
from collections.abc import Iterator
from contextlib import aclosing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, Table, column, func, insert, select, text

from server.db import migrate
from server.db.migrate import open_at, open_in_folder, run_migrations, schema_status, upgrade
from server.db.models import (
    AuditEntry,
    Base,
    Deck,
    Envelope,
    GameEvent,
    IdempotentResponse,
    PeriodicTask,
    Photo,
    PrintJob,
    ProvisionalScore,
    ReviewDecision,
    ServerConfig,
    WorkerHeartbeat,
)
from server.db.session import DATABASE, WRITES, Database, DatabaseError
from server.games.context import AppContext
from server.games.events import Audience, Broker, Event, publish_event
from server.games.lifecycle.commands import change_state
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, State
from server.games.photos import scan_queue
from server.games.server_config import load_server_config
from server.storage.photo_store import PhotoStore
from tests.context import ORGANISER, Clock, new_context, new_game
from tests.engines.cluster import Cluster, or_skip
from tests.readings import add_photo, reading
from tests.waiting import run

FIRST, BEFORE = "0001", "0011"
"""The first schema version, and the previous one."""
OLD_TABLES = {
    "game_events": "changes",
    "idempotent_responses": "answers",
    "periodic_tasks": "chores",
    "provisional_scores": "checks",
    "review_decisions": "rulings",
    "server_config": "installation",
    "worker_heartbeats": "scanners",
}
OLD_COLUMNS = {
    ("envelopes", "submitted_at"): "claimed",
    ("envelopes", "submitted_cards"): "claim",
    ("envelopes", "token_version"): "token",
    ("photos", "image_deleted_at"): "erased",
    ("photos", "scan_result"): "reading",
    ("print_jobs", "digest"): "what",
    ("print_jobs", "request"): "asked",
    ("server_config", "session_epoch"): "epoch",
    ("server_config", "storage_claimed_at"): "placed",
    ("worker_heartbeats", "started_at"): "begun",
}
"""Older names of tables and columns by their current names."""
MIGRATIONS = Path(migrate.__file__).with_name("migrations")


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Provide the address of a database without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / DATABASE}"
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    url = or_skip(lambda: cluster.postgres).empty_database()
    yield url
    cluster.postgres.drop(url)


@pytest.fixture
def database(empty: str) -> Iterator[Database]:
    """Provide a database without tables."""
    database = Database(empty)
    yield database
    database.close()


def _to(database: Database, revision: str) -> None:
    with database.engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        run_migrations(connection, revision)


def _names(table: Table, old: MetaData) -> tuple[str, dict[str, str]]:
    """Return the older name of a table, and those of its existing columns by their current names."""
    name = table.name if table.name in old.tables else OLD_TABLES.get(table.name, table.name)
    there = set(old.tables[name].columns.keys()) if name in old.tables else set()
    today = [one.name for one in table.columns]
    names = {one: one if one in there else OLD_COLUMNS.get((table.name, one), one) for one in today}
    return name, {one: before for one, before in names.items() if before in there}


def _rows(connection: Connection, old: MetaData) -> dict[str, Any]:
    """Return the rows of all tables, reduced to columns of the older schema."""
    found = {}
    for table in Base.metadata.sorted_tables:
        if columns := [table.c[name] for name in _names(table, old)[1]]:
            found[table.name] = connection.execute(select(*columns).order_by(*table.primary_key)).all()
    return found


def _play_game(context: AppContext) -> str:
    """Play a game, so that tables have rows; return its id."""
    at, row = context.clock(), load_server_config(context.database)
    game = new_game(context, State.PUBLISHED)
    add_photo(context, game, reading(["red-001"], [1]), image_deleted_at=at)
    add_photo(context, game, envelope=1)
    with context.database.writing() as session:
        session.get_one(ServerConfig, row.id).storage_claimed_at = at
        seat = session.get_one(Envelope, (game, 1))
        seat.submitted_at, seat.submitted_cards, seat.token_version = at, ["red-001"], 3
        deck = Deck(id="d" * 32, game=game, envelope=1, state="handed-in", cards=["red-001"], created=at)
        session.add(deck)
        session.flush()
        score = {"digest": "", "mode": "full", "spent": True, "answer": {}, "at": at}
        session.add(ProvisionalScore(game=game, envelope=1, deck=deck.id, **score))
        session.add(ReviewDecision(game=game, item="missing:2", decision={}, reason="", who="Olga", at=at))
        session.add(IdempotentResponse(caller="", key="", request="", status=201, body={}, at=at))
        session.add(PeriodicTask(name="sweep", token="", lease=at))
        session.add(WorkerHeartbeat(id="w", machine="", slots=1, started_at=at, seen=at))
        named = {"name": "sheets.pdf", "media": "application/pdf", "digest": "digest", "request": {"run": 1}}
        session.add(PrintJob(game=game, created=at, **named))
    return game


def test_migrations_create_the_expected_tables(database: Database) -> None:
    assert upgrade(database)
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    assert not upgrade(database)
    now = schema_status(database)
    assert (now.version, now.known) == (now.newest, True)
    # The file of a migration has the name of its schema version.
    steps = ScriptDirectory(str(MIGRATIONS))
    forms = [step.revision for step in steps.walk_revisions()]
    assert forms == sorted(forms, reverse=True)
    assert now.newest == steps.get_current_head() == forms[0]
    assert {Path(step.path).name.partition("_")[0] for step in steps.walk_revisions()} == set(forms)


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_databases_without_unicode_are_refused(cluster: Cluster, encoding: str) -> None:
    postgres = or_skip(lambda: cluster.postgres)
    url = postgres.url("other")
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE other ENCODING {encoding} TEMPLATE template0")
    try:
        with pytest.raises(DatabaseError, match=f"{encoding}.*createdb --encoding UTF8"):
            open_at(url)
        database = Database(url)
        assert schema_status(database).version is None
        database.close()
    finally:
        postgres.drop(url)


@pytest.mark.parametrize("revision", [FIRST, BEFORE])
def test_migrations_keep_all_data(database: Database, tmp_path: Path, clock: Clock, revision: str) -> None:
    other = AppContext(open_in_folder(tmp_path / "other"), PhotoStore.in_folder(tmp_path / "other"), clock)
    game = _play_game(other)
    _to(database, revision)
    old, before = _copied(other.database, database)
    assert not {"games", "photos", *OLD_TABLES} & {name for name, rows in before.items() if not rows}
    assert upgrade(database)
    with database.engine.connect() as connection:
        assert _rows(connection, old) == before
    context = AppContext(database, other.photos, clock)
    with database.writing() as session:
        change_state(session, load_game(session, game), Act.UNPUBLISH, ORGANISER, clock(), "to see that it goes on")
    add_photo(context, game)
    other.database.close()


def _copied(source: Database, target: Database) -> tuple[MetaData, dict[str, Any]]:
    """Copy all rows into tables of an older schema; return these, and the rows with the columns they have."""
    old = MetaData()
    old.reflect(target.engine)
    with source.engine.connect() as reading, target.engine.begin() as writing:
        rows = _rows(reading, old)
        for table in Base.metadata.sorted_tables:
            name, names = _names(table, old)
            older = sqlalchemy.table(name, *(column(names[one], table.c[one].type) for one in names))
            for row in rows.get(table.name, ()):
                writing.execute(older.insert().values({names[one]: value for one, value in row._asdict().items()}))
        _advance_sequences(writing)
    return old, rows


def _advance_sequences(connection: Connection) -> None:
    """Advance PostgreSQL's sequences after rows with explicit ids."""
    if connection.dialect.name == "postgresql":
        for name in ("audit", "changes"):
            highest = connection.scalar(select(func.max(column("id"))).select_from(sqlalchemy.table(name))) or 1
            connection.execute(select(func.setval(f"{name}_id_seq", highest)))


def _add_as_before(database: Database, game: str, at: datetime) -> str:
    """Add a photo like a server of the first version, without new columns; return its id."""
    photo = secrets.token_hex(16)
    row = {"id": photo, "game": game, "source": "organiser", "place": 1, "name": "", "digest": photo, "size": 1}
    with database.writing() as session:
        values = row | {"state": "waiting", "attempts": 0, "created": at}
        session.execute(insert(Base.metadata.tables["photos"]).values(values))
    return photo


@pytest.mark.parametrize("revision", [FIRST, BEFORE])
def test_servers_write_while_two_others_upgrade(
    database: Database, empty: str, clock: Clock, tmp_path: Path, revision: str
) -> None:
    other = new_context(tmp_path / "other", clock)
    game = new_game(other)
    _to(database, revision)
    _copied(other.database, database)
    other.database.close()
    done, stop, upgraded = list[str](), threading.Event(), list[bool]()

    def write() -> None:
        while not stop.is_set() or len(done) < 5:
            done.append(_add_as_before(database, game, clock()))

    def run_upgrade() -> None:
        other = Database(empty)
        upgraded.append(upgrade(other))
        other.close()

    writer, others = threading.Thread(target=write), [threading.Thread(target=run_upgrade) for _ in range(3)]
    for thread in (writer, *others):
        thread.start()
    for thread in others:
        thread.join()
    stop.set()
    writer.join()
    assert sorted(upgraded) == [False, False, True]
    with database.reading() as session:
        assert set(session.scalars(select(Photo.id))) == set(done)


def test_waiting_photos_are_scanned_after_an_upgrade(database: Database, clock: Clock, tmp_path: Path) -> None:
    other = new_context(tmp_path / "other", clock)
    game = new_game(other)
    _to(database, "0007")
    _copied(other.database, database)
    other.database.close()
    common = {"game": game, "place": 1, "name": "", "digest": "", "size": 1, "created": clock()}
    own = {"envelope": None, "lease": None, "attempts": 0, "begun": None, "source": "organiser", "state": "waiting"}
    lost = {"source": "player", "envelope": 1, "state": "scanning", "lease": clock() - timedelta(days=9999)}
    rows = [common | own | {"id": "a"}, common | own | lost | {"id": "b", "attempts": 5, "begun": 1}]
    photos = Base.metadata.tables["photos"]
    older = sqlalchemy.table(
        "photos", *(column(name, photos.c[name].type) for name in {*rows[0]} - {"begun"}), column("begun")
    )
    with database.writing() as session:
        session.execute(insert(older), rows)
    assert upgrade(database)
    with database.writing() as session:
        claims = [scan_queue.claim(session, clock()) for _ in range(3)]
    assert [photo and (photo.id, photo.attempts) for photo in claims] == [("b", 2), ("a", 1), None]


def test_a_newer_schema_is_not_changed(database: Database, empty: str) -> None:
    upgrade(database)
    with database.engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseError, match="newer version"):
        upgrade(Database(empty))
    now = schema_status(database)
    assert (now.version, now.known) == ("9999", False)


_REBUILD = """
from alembic import op

revision, down_revision = "9999", "{before}"


def upgrade():
    with op.batch_alter_table("games") as games:
        games.alter_column("name", nullable=True)
    {then}
"""


def _add_migration(folder: Path, monkeypatch: pytest.MonkeyPatch, then: str = "pass") -> None:
    """Add a migration that rebuilds the table of games."""
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    before = ScriptDirectory(str(MIGRATIONS)).get_current_head()
    (folder / "versions" / "9999_rebuild.py").write_text(_REBUILD.format(before=before, then=then))
    monkeypatch.setattr(migrate, "_MIGRATIONS", folder)


def test_rebuilding_a_table_keeps_referring_rows(
    empty: str, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(empty)
    upgrade(database)
    _play_game(AppContext(database, PhotoStore.in_folder(tmp_path), clock))
    tables = MetaData()
    tables.reflect(database.engine)
    with database.engine.connect() as connection:
        before = _rows(connection, tables)
    _add_migration(tmp_path / "migrations", monkeypatch)
    assert upgrade(database)
    assert schema_status(database).version == "9999"
    with database.engine.connect() as connection:
        assert _rows(connection, tables) == before
        if not database.is_shared:
            assert connection.scalar(text("PRAGMA foreign_keys")) == 1
    database.close()


def test_a_migration_that_breaks_references_is_rolled_back(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_in_folder(tmp_path)
    game = _play_game(AppContext(database, PhotoStore.in_folder(tmp_path), clock))
    before = schema_status(database).version
    _add_migration(tmp_path / "migrations", monkeypatch, then="op.execute('DELETE FROM games')")
    with pytest.raises(DatabaseError, match=r"was not upgraded and is unchanged: .* refer to rows of games"):
        open_in_folder(tmp_path)
    assert schema_status(database).version == before
    with database.reading() as session:
        assert load_game(session, game)
    database.close()


def test_postgresql_sorts_like_sqlite_and_has_64_bit_ids(cluster: Cluster, clock: Clock, tmp_path: Path) -> None:
    """Texts are sorted by code points for any locale of the server."""
    database = open_at(or_skip(lambda: cluster.postgres).empty_database())
    collations = text(
        "SELECT table_name, column_name, collation_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND data_type IN ('character varying', 'text')"
    )
    with database.reading() as session:
        found = [row for row in session.execute(collations) if row[0] != "alembic_version"]
    assert len(found) > 30
    assert {row[2] for row in found} == {"C"}
    context = AppContext(database, PhotoStore.in_folder(tmp_path), clock)
    with database.writing() as session:
        for table in (AuditEntry, GameEvent):
            session.execute(select(func.setval(f"{table.__tablename__}_id_seq", 2**33)))
    audience = Audience(new_game(context), "organiser")
    with database.reading() as session:
        assert (session.scalar(select(func.min(AuditEntry.id))) or 0) > 2**33

    async def first_change() -> Event | None:
        async with aclosing(Broker(database, period=0.02).events(audience)) as stream:
            assert await anext(stream) == Event("start")
            with database.writing() as session:
                publish_event(session, audience.game, context.clock(), "queue")
            return await anext(stream)

    assert run(first_change()) == Event("queue")
    database.close()
