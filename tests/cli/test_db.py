"""`haggle db` says in which form tables are, and brings them up; what is wrong with an address is told in one line."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest
from sqlalchemy import text

from server.cli.main import main
from server.store.database import DATABASE, Database
from server.store.engines import WRITES
from server.store.upgrading import take_steps
from tests.engines.festival import or_skip

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.engines.festival import Festival


@pytest.fixture(params=["sqlite", "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """Return a database of the first form, where the commands look for one."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / DATABASE}"
    else:
        festival: Festival = request.getfixturevalue("festival")
        url = or_skip(lambda: festival.postgres).empty_database()
        monkeypatch.setenv("HAGGLE_DATABASE_URL", url)
    database = Database(url)
    with database.engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        take_steps(connection, "0001")
    yield database
    database.close()


def _haggle(tmp_path: Path, *arguments: str) -> None:
    main(["db", "--data", str(tmp_path), *arguments])


def _state(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    _haggle(tmp_path, "status", "--json")
    return str(json.loads(capsys.readouterr().out)["state"])


def test_tables_are_brought_up_once(kept: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To look changes nothing; the upgrade does it; again it says that nothing is to be done."""
    assert _state(tmp_path, capsys) == "older"
    _haggle(tmp_path, "status")
    assert "Form 0001: older than this version's" in capsys.readouterr().out
    _haggle(tmp_path, "upgrade")
    assert "brought from form 0001" in capsys.readouterr().out
    _haggle(tmp_path, "upgrade")
    assert "already" in capsys.readouterr().out
    assert _state(tmp_path, capsys) == "current"
    assert kept.standing().form == kept.standing().newest


def test_a_newer_form_is_told_and_left(kept: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The upgrade refuses it in one line."""
    with kept.engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert _state(tmp_path, capsys) == "newer"
    with pytest.raises(SystemExit) as ended:
        _haggle(tmp_path, "upgrade")
    assert ended.value.code == 2
    assert "newer version of Haggle" in capsys.readouterr().err


def test_an_empty_database_gets_its_tables(
    festival: Festival, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also before any server has begun on it."""
    monkeypatch.setenv("HAGGLE_DATABASE_URL", or_skip(lambda: festival.postgres).empty_database())
    assert _state(tmp_path, capsys) == "empty"
    _haggle(tmp_path, "upgrade")
    capsys.readouterr()
    assert _state(tmp_path, capsys) == "current"


def test_a_folder_without_games_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No database appears in it."""
    with pytest.raises(SystemExit):
        _haggle(tmp_path, "upgrade")
    assert "there is no haggle.db" in capsys.readouterr().err
    assert not (tmp_path / DATABASE).exists()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://u:s3cret@127.0.0.1:1/games", "postgresql://u:***@127.0.0.1:1/games"),
        ("postgresql://haggle:s3cret@127.0.0.1:{port}/nowhere", "nowhere"),
        ("postgresql://nobody:s3cret@127.0.0.1:{port}/postgres", "nobody"),
        ("postgresql://u:s3cret@127.0.0.1:port/games", "no address of a PostgreSQL"),
        ("mysql://u:s3cret@127.0.0.1/games", "no address of a PostgreSQL"),
        ("s3cret", "no address of a PostgreSQL"),
    ],
)
@pytest.mark.parametrize("command", [["db", "status"], ["games"], ["password"], ["serve"]])
def test_an_address_that_leads_nowhere_is_told_in_one_line(
    festival: Festival,
    address: str,
    said: str,
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By every command; without the password in it."""
    port = or_skip(lambda: festival.postgres).port
    monkeypatch.setenv("HAGGLE_DATABASE_URL", address.format(port=port))
    monkeypatch.setattr(sys, "stdin", io.StringIO("a new password\n"))
    with pytest.raises(SystemExit) as ended:
        main(command)
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert said in told
    assert told.count("\n") == 1
    assert "s3cret" not in told
    assert "haggle.db" not in told


def test_a_wrong_password_is_told_without_it(
    festival: Festival, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where PostgreSQL asks for one."""
    postgres = or_skip(lambda: festival.postgres)
    url = postgres.empty_database()
    rules = postgres.folder / "data" / "pg_hba.conf"
    before = rules.read_text()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'")
        rules.write_text(f"host all guarded 127.0.0.1/32 scram-sha-256\n{before}")
        connection.execute("SELECT pg_reload_conf()")
        try:
            monkeypatch.setenv("HAGGLE_DATABASE_URL", url.replace("haggle@", "guarded:s3cret@"))
            with pytest.raises(SystemExit):
                _haggle(tmp_path, "status")
        finally:
            rules.write_text(before)
            connection.execute("SELECT pg_reload_conf()")
    told = capsys.readouterr().err
    assert "password authentication failed" in told
    assert "s3cret" not in told
