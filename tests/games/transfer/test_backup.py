"""Backups of a running server, and restoring them."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import sqlite3
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, select, text
from sqlalchemy.exc import OperationalError

from server.cli.main import main
from server.db import copy
from server.db.models import AuditEntry, Base, Envelope, GameEvent, Photo, ServerConfig
from server.db.session import DATABASE, Database
from server.games.context import AppContext
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.photos.retention import delete_expired_images
from server.games.photos.upload import PhotoTarget, accept
from server.games.server_config import load_server_config
from server.games.transfer.backup import BackupError, DataLocation, back_up, restore
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.context import ORGANISER, Clock, new_game
from tests.engines.cluster import Cluster, on_postgresql, services_or_skip
from tests.played_game import counted_game
from tests.scan_jobs import png
from tests.soak.environments import SmallDisk

BOTH = pytest.mark.parametrize("backend", ["single", "cluster"], indirect=True)


def location_of(backend: str, request: pytest.FixtureRequest, folder: Path) -> DataLocation:
    """Return a new location of data."""
    if backend == "single":
        return DataLocation(folder)
    engines: Cluster = request.getfixturevalue("cluster")
    addresses = services_or_skip(engines)
    return DataLocation(folder, addresses.database, addresses.photos)


@pytest.fixture
def location(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> DataLocation:
    """Return the location of the test's data."""
    return location_of(backend, request, tmp_path / "data")


@contextlib.contextmanager
def open_location(location: DataLocation, clock: Clock) -> Iterator[AppContext]:
    """Provide an application context at a location."""
    context = open_context(AppConfig(location.folder, database=location.database, photos=location.photos))
    yield AppContext(context.database, context.photos, clock)
    context.database.close()


@pytest.fixture
def context(location: DataLocation, clock: Clock) -> Iterator[AppContext]:
    """Provide an empty application context at `location`."""
    with open_location(location, clock) as context:
        yield context


def content(context: AppContext) -> dict[str, list[Any]]:
    """Return all rows of all tables, except the folder of the installation's files, which a restore changes."""
    folder = ServerConfig.__table__.c.folder
    with context.database.reading() as session:
        tables = {
            table.name: select(*[column for column in table.columns if column is not folder])
            for table in Base.metadata.sorted_tables
        }
        return {name: sorted(map(repr, session.execute(rows).all())) for name, rows in tables.items()}


def check_whole(context: AppContext) -> int:
    """Check that every photo exists and has its original contents; return their number."""
    with context.database.reading() as session:
        rows = session.scalars(select(Photo).where(Photo.image_deleted_at.is_(None))).all()
    for row in rows:
        data = context.photos.get(row.game, row.id)
        assert data is not None
        assert hashlib.sha256(data).hexdigest() == row.digest
    return len(rows)


def add_pictures(context: AppContext, game: str, *numbers: int) -> list[str]:
    return [accept(context, PhotoTarget(game), png(number), ORGANISER).id for number in numbers]


def test_a_backup_restores_everything(
    context: AppContext, location: DataLocation, clock: Clock, tmp_path: Path
) -> None:
    load_server_config(context.database)
    game = new_game(context)
    photos = add_pictures(context, game, *range(5))
    before = content(context)
    made = back_up(location, tmp_path / "b.zip", clock())
    assert (made.games, made.photos, made.gone) == (1, 5, 0)
    assert {file.name for file in tmp_path.iterdir()} - {"data"} == {"b.zip"}
    new = DataLocation(tmp_path / "new")
    # Leftovers of a restore that was killed.
    new.folder.mkdir(mode=0o700)
    (new.folder / DATABASE).touch(mode=0o600)
    put = restore(tmp_path / "b.zip", new)
    assert (put.games, put.photos) == (1, 5)
    with open_location(new, clock) as other:
        assert content(other) == before
        assert check_whole(other) == 5
    context.photos.delete(game, photos[0])
    made = back_up(location, tmp_path / "c.zip", clock())
    assert (made.photos, made.gone) == (4, 1), "a picture that is gone though its row is in the copy"
    restore(tmp_path / "c.zip", DataLocation(tmp_path / "other"))
    for private in ("b.zip", "other", f"other/{DATABASE}"):
        assert (tmp_path / private).stat().st_mode & 0o077 == 0
    with open_location(DataLocation(tmp_path / "other"), clock) as other:
        with other.database.reading() as session:
            assert [session.get_one(Photo, photo).image_deleted_at for photo in photos[:2]] == [clock(), None]
        assert delete_expired_images(other) == 0


def test_a_backup_under_load_is_consistent(
    context: AppContext, location: DataLocation, clock: Clock, tmp_path: Path
) -> None:
    """Photos are added and deleted meanwhile. Each row in the backup has its file and vice versa."""
    game = new_game(context)
    # A backup without any of its pictures would be refused.
    add_pictures(context, game, 60_000)
    over = threading.Event()
    failures: list[BaseException] = []

    def load(first: int) -> None:
        try:
            for number in range(first, 60_000, 2):
                (photo,) = add_pictures(context, game, number)
                if number % 3 == 0:
                    with context.database.writing() as session:
                        session.delete(session.get_one(Photo, photo))
                    context.photos.delete(game, photo)
                if over.is_set():
                    return
        except BaseException as error:  # noqa: BLE001 - raised below
            failures.append(error)

    threads = [threading.Thread(target=load, args=(first,)) for first in range(2)]
    for thread in threads:
        thread.start()
    counts = []
    try:
        for number in range(3):
            made = back_up(location, tmp_path / f"{number}.zip", clock())
            restore(tmp_path / f"{number}.zip", DataLocation(tmp_path / f"new-{number}"))
            with open_location(DataLocation(tmp_path / f"new-{number}"), clock) as other:
                counts.append(check_whole(other))
            assert counts[-1] == made.photos
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert not failures
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_backups_finish_while_a_server_writes(
    context: AppContext, location: DataLocation, clock: Clock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even with a hundred commits a second and a large database."""
    game = new_game(context)
    add_pictures(context, game, 1)
    with context.database.writing() as session:
        session.execute(text("CREATE TABLE ballast (data BLOB)"))
        for _ in range(30):
            session.execute(text("INSERT INTO ballast VALUES (zeroblob(1000000))"))
    begun, over = threading.Event(), threading.Event()

    def write() -> None:
        with contextlib.closing(sqlite3.connect(location.folder / DATABASE, isolation_level=None)) as server:
            server.execute("PRAGMA synchronous=OFF")
            while not over.wait(0.01):
                server.execute("UPDATE games SET players = players + 1")
                begun.set()

    def run(*arguments: str | Path) -> tuple[int, str]:
        code = 0
        try:
            main(list(map(str, arguments)))
        except SystemExit as ended:
            code = int(ended.code or 0)
        return code, "".join(capsys.readouterr())

    file, new = tmp_path / "b.zip", DataLocation(tmp_path / "new")
    writer = threading.Thread(target=write)
    writer.start()
    assert begun.wait(60)
    try:
        assert run("backup", "--data", location.folder, file) == (0, f"{file}: games: 1, pictures: 1\n")
    finally:
        over.set()
        writer.join()
    code, output = run("backup", "--data", location.folder, file)
    assert (code, output.count("\n")) == (2, 1)
    assert run("restore", "--data", new.folder, file) == (0, f"{new.folder}: games: 1, pictures: 1\n")
    with open_location(new, clock) as other, other.database.reading() as session:
        assert load_game(session, game).players > 6


@BOTH
def test_a_restore_excludes_running_servers(
    context: AppContext, location: DataLocation, clock: Clock, tmp_path: Path
) -> None:
    """A running server would delete photos whose rows are not restored yet."""
    game = new_game(context)
    (first,) = add_pictures(context, game, 1)
    back_up(location, tmp_path / "b.zip", clock())
    before = content(context)
    (later,) = add_pictures(context, game, 2)
    context.photos.delete(game, first)
    with pytest.raises(BackupError, match="stop them all, then restore; nothing was restored"):
        restore(tmp_path / "b.zip", location, overwrite=True)
    assert context.photos.get(game, first) is None
    with context.database.reading() as session:
        assert session.get(Photo, later)
    context.database.close()
    shared = f"{location.database}?options=-c%20lock_timeout%3D100"
    starting = Database(shared if location.database else f"sqlite:///{location.folder / DATABASE}?timeout=0.1")
    refused = []

    def start(_done: int, _of: int) -> None:
        with pytest.raises(OperationalError, match="lock") as error, starting.reading() as session:
            session.scalar(select(Photo.id))
        refused.append(error)

    restore(tmp_path / "b.zip", location, overwrite=True, report=start)
    assert len(refused) == 1
    with starting.reading() as session:
        assert session.scalar(select(Photo.id))
    starting.close()
    with open_location(location, clock) as started:
        assert content(started) == before
        assert check_whole(started) == 1
        assert later not in add_pictures(started, game, 2)


def test_nothing_is_overwritten_by_default(
    context: AppContext, location: DataLocation, clock: Clock, tmp_path: Path
) -> None:
    new_game(context)
    file, other = tmp_path / "b.zip", tmp_path / "other"
    back_up(location, file, clock())
    with pytest.raises(BackupError, match="--overwrite"):
        back_up(location, file, clock())
    back_up(location, file, clock(), overwrite=True)
    before = content(context)
    with pytest.raises(BackupError, match="--overwrite"):
        restore(file, location)
    other.mkdir()
    (other / "letter.txt").write_text("Dear Ada")
    with pytest.raises(BackupError, match="something other than"):
        restore(file, DataLocation(other), overwrite=True)
    with pytest.raises(BackupError, match="holds no"):
        back_up(DataLocation(other), tmp_path / "c.zip", clock())
    assert content(context) == before
    assert [found.name for found in other.iterdir()] == ["letter.txt"]


def test_damaged_backups_are_refused_without_changes(
    context: AppContext, location: DataLocation, clock: Clock, tmp_path: Path
) -> None:
    add_pictures(context, new_game(context), 1, 2)
    before = content(context)
    context.database.close()
    file = tmp_path / "b.zip"
    made = back_up(location, file, clock())
    assert (made.games, made.photos) == (1, 2), "a folder that no server uses"
    whole, middle = file.read_bytes(), file.stat().st_size // 2
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("letter.txt", "Dear Ada")
    changed = whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :]
    for data in (file.read_bytes(), b"", whole[:-100], changed, b"Dear Ada"):
        file.write_bytes(data)
        with pytest.raises(BackupError, match="nothing was restored") as error:
            restore(file, location, overwrite=True)
        assert "\n" not in str(error.value)
        with open_location(location, clock) as same:
            assert content(same) == before
    with pytest.raises(BackupError, match="nothing was restored"):
        restore(tmp_path / "nowhere.zip", location, overwrite=True)
    (location.folder / DATABASE).write_bytes(b"Dear Ada" * 1000)
    with pytest.raises(BackupError, match="no backup was made") as error:
        back_up(location, tmp_path / "c.zip", clock())
    assert "\n" not in str(error.value)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["b.zip", "data"]


@pytest.mark.parametrize(("backend", "other"), [("single", "cluster"), ("cluster", "single")], indirect=["backend"])
def test_a_backup_can_be_restored_on_another_backend(
    context: AppContext,
    location: DataLocation,
    other: str,
    clock: Clock,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    """All rows of games in all states are restored, and new ids continue after the old ones."""
    load_server_config(context.database)
    for state in State:
        if state not in {State.FROZEN, State.PUBLISHED}:
            new_game(context, state)
    counted, opened = counted_game(context, published=True), new_game(context)
    (photo,) = add_pictures(context, opened, 1)
    # JSON null and SQL NULL are different on some databases.
    nulls = select(func.count()).select_from(Envelope).where(Envelope.submitted_cards.is_(None))
    with context.database.writing() as session:
        newest = session.scalar(select(func.max(GameEvent.id))) or 0
        session.execute(delete(GameEvent).where(GameEvent.id > newest - 3))
        unclaimed = session.scalar(nulls)
    before = content(context)
    back_up(location, tmp_path / "b.zip", clock())
    new = location_of(other, request, tmp_path / "new")
    restore(tmp_path / "b.zip", new)
    with open_location(new, clock) as moved:
        assert content(moved) == before
        assert moved.photos.get(opened, photo) == context.photos.get(opened, photo)
        with moved.database.writing() as session:
            assert session.scalar(nulls) == unclaimed
            change = GameEvent(game=counted, topic="game", envelope=None, at=clock())
            entry = AuditEntry(game=counted, at=clock(), who="Olga", action="-", subject="-", reason="")
            session.add_all([change, entry])
            session.flush()
            assert change.id > newest
            assert session.scalar(select(func.count()).where(AuditEntry.id == entry.id)) == 1
        with pytest.raises(BackupError, match="holds games"):
            restore(tmp_path / "b.zip", new)


@on_postgresql
def test_database_errors_are_reported_without_a_password(
    context: AppContext, location: DataLocation, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_game(context)
    file = tmp_path / "b.zip"
    wrong = replace(location, database="postgresql://haggle:s3cret@127.0.0.1:1/none")
    with pytest.raises(BackupError, match="no backup was made") as making:
        back_up(wrong, file, clock())
    assert not file.exists()
    back_up(location, file, clock())
    with pytest.raises(BackupError, match="nothing was restored") as restoring:
        restore(file, wrong)
    for error in (making, restoring):
        assert "s3cret" not in str(error.value)
        assert "\n" not in str(error.value)
    new_game(context)
    before = content(context)
    context.database.close()

    def breaks(_connection: object, _last_event: int) -> None:
        raise OSError(5, "the cable was pulled")

    monkeypatch.setattr(copy, "_set_sequences", breaks)
    with pytest.raises(BackupError, match="the cable was pulled; nothing was restored"):
        restore(file, location, overwrite=True)
    assert content(context) == before


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[SmallDisk]:
    """Provide a disk of two megabytes, mounted at `tmp_path / "stick"`."""
    (tmp_path / "stick").mkdir()
    disk = SmallDisk(tmp_path / "stick", 2)
    if not disk.there:
        pytest.skip("small disks are for root")
    yield disk
    disk.close()


def test_a_full_disk_is_reported(
    context: AppContext, location: DataLocation, clock: Clock, tmp_path: Path, stick: SmallDisk
) -> None:
    """For backups and restores; existing data is unchanged."""
    photo = accept(context, PhotoTarget(new_game(context)), png(1), ORGANISER)
    back_up(location, tmp_path / "b.zip", clock())
    file = tmp_path / "stick" / "b.zip"
    file.write_bytes(b"of before")
    named = f"the disk of {tmp_path / 'stick'} is full: make room there"
    for room in ("none", "for the database"):
        if room == "none":
            stick.fill()
            with pytest.raises(BackupError, match=named) as putting_back:
                restore(tmp_path / "b.zip", DataLocation(tmp_path / "stick" / "new"))
            shutil.rmtree(tmp_path / "stick" / "new")
        else:
            context.photos.put(photo.game, photo.id, bytes(3_000_000))
        with pytest.raises(BackupError, match=named) as error:
            back_up(location, file, clock(), overwrite=True)
        assert "\n" not in str(error.value)
        assert "the previous one is kept" in str(error.value)
        assert str(location) not in str(error.value)
        stick.empty()
        assert file.read_bytes() == b"of before"
    file.unlink()
    back_up(location, tmp_path / "c.zip", clock())
    # The database is unpacked beside the folder, where there is room.
    with pytest.raises(BackupError, match=f"the disk of {tmp_path / 'stick'}.* is full") as putting_pictures_back:
        restore(tmp_path / "c.zip", DataLocation(tmp_path / "stick"))
    for error in (putting_back, putting_pictures_back):
        assert ".zip" not in str(error.value)
        assert str(error.value).endswith("nothing was restored")
