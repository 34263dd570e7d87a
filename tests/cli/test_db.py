"""`haggle db`: the schema version, upgrades, and errors in one line."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest
from sqlalchemy import text

from server.db.migrate import run_migrations, schema_status
from server.db.session import DATABASE, WRITES, Database
from tests.engines.cluster import or_skip

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import CommandResult, Haggle, Refused
    from tests.engines.cluster import Cluster


@pytest.fixture
def db(haggle: Haggle, tmp_path: Path) -> Callable[..., CommandResult]:
    """Return a function that runs `haggle db` on the test's folder."""
    return lambda *words: haggle("db", "--data", tmp_path, *words)


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_old_schemas_are_upgraded_and_newer_ones_refused(
    engine: str,
    request: pytest.FixtureRequest,
    db: Callable[..., CommandResult],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`status` changes nothing, and a second `upgrade` neither; newer schemas are refused in one line."""
    url = f"sqlite:///{tmp_path / DATABASE}"
    if engine == "postgresql":
        cluster: Cluster = request.getfixturevalue("cluster")
        url = or_skip(lambda: cluster.postgres).empty_database()
        monkeypatch.setenv("HAGGLE_DATABASE_URL", url)
    database = Database(url)
    writing = database.engine.connect().execution_options(**{WRITES: True})
    with writing as connection, connection.begin():
        run_migrations(connection, "0001")
    assert db("status", "--json").document["state"] == "older"
    assert "Schema version 0001: older than" in db("status").out
    assert "migrated from schema version 0001" in db("upgrade").out
    assert "already" in db("upgrade").out
    assert db("status", "--json").document["state"] == "current"
    assert schema_status(database).version == schema_status(database).newest
    with database.engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    assert db("status", "--json").document["state"] == "newer"
    output = db("upgrade")
    assert (output.code, "newer version of Haggle" in output.err) == (2, True)


def test_tables_are_created_in_an_empty_database(
    cluster: Cluster, db: Callable[..., CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HAGGLE_DATABASE_URL", or_skip(lambda: cluster.postgres).empty_database())
    assert db("status", "--json").document["state"] == "empty"
    db("upgrade")
    assert db("status", "--json").document["state"] == "current"


def test_a_folder_without_a_database_is_refused(tmp_path: Path, refused: Refused) -> None:
    assert "there is no haggle.db" in refused("db", "--data", tmp_path, "upgrade")
    assert not (tmp_path / DATABASE).exists()


@pytest.mark.parametrize(
    ("address", "message", "commands"),
    [
        (
            "postgresql://u:s3cret@127.0.0.1:1/games",
            "postgresql://u:***@127.0.0.1:1/games",
            "db status|games|password|serve",
        ),
        ("postgresql://haggle:s3cret@127.0.0.1:{port}/nowhere", "nowhere", "db status"),
        ("postgresql://nobody:s3cret@127.0.0.1:{port}/postgres", "nobody", "db status"),
        ("postgresql://u:s3cret@127.0.0.1:port/games", "not a PostgreSQL address", "db status"),
        ("mysql://u:s3cret@127.0.0.1/games", "not a PostgreSQL address", "db status|games|password|serve"),
        ("s3cret", "not a PostgreSQL address", "db status"),
    ],
)
def test_connection_errors_are_one_line_without_the_password(
    cluster: Cluster, address: str, message: str, commands: str, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    port = or_skip(lambda: cluster.postgres).port
    monkeypatch.setenv("HAGGLE_DATABASE_URL", address.format(port=port))
    for command in commands.split("|"):
        monkeypatch.setattr(sys, "stdin", io.StringIO("a new password\n"))
        result = refused(*command.split())
        assert message in result
        assert "s3cret" not in result
        assert "haggle.db" not in result


def test_a_wrong_password_is_not_printed(
    cluster: Cluster, db: Callable[..., CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres = or_skip(lambda: cluster.postgres)
    url = postgres.empty_database()
    rules = postgres.folder / "data" / "pg_hba.conf"
    before = rules.read_text()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'")
        rules.write_text(f"host all guarded 127.0.0.1/32 scram-sha-256\n{before}")
        connection.execute("SELECT pg_reload_conf()")
        try:
            monkeypatch.setenv("HAGGLE_DATABASE_URL", url.replace("haggle@", "guarded:s3cret@"))
            output = db("status")
        finally:
            rules.write_text(before)
            connection.execute("SELECT pg_reload_conf()")
    assert output.code == 2
    assert "password authentication failed" in output.err
    assert "s3cret" not in output.err
