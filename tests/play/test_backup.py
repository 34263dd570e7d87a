"""A backup of a server that runs holds what was there at one moment, and puts it back."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import subprocess
import sys
import threading
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, func, select, text
from sqlalchemy.exc import OperationalError

from server.app.house import HouseConfig, open_house
from server.play.backup import BackupError, back_up, restore
from server.play.house import House, game_row
from server.play.installation import installation
from server.play.intake import Where, accept
from server.play.kept import Kept
from server.play.retention import erase_due
from server.play.states import State
from server.store import copying
from server.store.database import DATABASE, Database
from server.store.tables import AuditEntry, Base, Change, Envelope, Installation, Photo
from tests.engines.festival import place_or_skip
from tests.house import ORGANISER, Clock, new_game, new_house
from tests.jobs.scan_jobs import png
from tests.played import counted_game
from tests.soak.grounds import SmallDisk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.engines.festival import Festival


@pytest.fixture
def kept(place: str, request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    """Return where the test's house keeps its games."""
    return kept_at(place, request, tmp_path / "data")


@pytest.fixture
def house(kept: Kept, clock: Clock) -> Iterator[House]:
    """Give an empty house at that place."""
    with at(kept, clock) as house:
        yield house


def kept_at(place: str, request: pytest.FixtureRequest, folder: Path) -> Kept:
    """Return a new place for games."""
    if place == "laptop":
        return Kept(folder)
    engines: Festival = request.getfixturevalue("festival")
    addresses = place_or_skip(engines)
    return Kept(folder, addresses.database, addresses.photos)


@contextlib.contextmanager
def at(kept: Kept, clock: Clock) -> Iterator[House]:
    """Give the house at a place."""
    house = open_house(HouseConfig(kept.folder, database=kept.database, photos=kept.photos))
    yield House(house.database, house.photos, clock)
    house.database.close()


def content(house: House) -> dict[str, list[Any]]:
    """Return all rows of all tables, but for the folder of the installation's files: a restore makes a new one."""
    with house.database.reading() as session:
        columns = {
            table.name: [column for column in table.columns if column is not Installation.__table__.c.folder]
            for table in Base.metadata.sorted_tables
        }
        return {name: sorted(map(repr, session.execute(select(*those)).all())) for name, those in columns.items()}


def check_whole(house: House) -> int:
    """Check that every picture that should be there is, and is the one that came; return how many."""
    with house.database.reading() as session:
        rows = session.scalars(select(Photo).where(Photo.erased.is_(None))).all()
    for row in rows:
        data = house.photos.get(row.game, row.id)
        assert data is not None
        assert hashlib.sha256(data).hexdigest() == row.digest
    return len(rows)


def test_a_backup_brings_everything_back(house: House, kept: Kept, clock: Clock, tmp_path: Path) -> None:
    """Games, secrets and pictures come back as they were, into a folder that nobody else can read."""
    installation(house)
    game = new_game(house, keep_hours=1)
    for number in range(5):
        accept(house, Where(game), png(number), ORGANISER)
    before = content(house)
    made = back_up(kept, tmp_path / "b.zip", clock())
    assert (made.games, made.photos, made.gone) == (1, 5, 0)
    assert (tmp_path / "b.zip").stat().st_mode & 0o077 == 0
    assert {file.name for file in tmp_path.iterdir()} - {"data"} == {"b.zip"}
    put = restore(tmp_path / "b.zip", Kept(tmp_path / "new"))
    assert (put.games, put.photos) == (1, 5)
    other = new_house(tmp_path / "new", clock)
    assert content(other) == before
    assert check_whole(other) == 5
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0
    assert (tmp_path / "new" / DATABASE).stat().st_mode & 0o077 == 0
    other.database.close()


def test_a_backup_under_load_matches_itself(house: House, kept: Kept, clock: Clock, tmp_path: Path) -> None:
    """While pictures come in and go, each row of the backup has its picture, and no picture came in between."""
    game = new_game(house)
    over = threading.Event()
    failures: list[BaseException] = []

    def load(first: int) -> None:
        try:
            for number in range(first, 60_000, 2):
                photo = accept(house, Where(game), png(number), ORGANISER)
                if number % 3 == 0:
                    with house.database.writing() as session:
                        session.delete(session.get_one(Photo, photo.id))
                    house.photos.delete(game, photo.id)
                if over.is_set():
                    return
        except BaseException as error:  # noqa: BLE001 - told below
            failures.append(error)

    threads = [threading.Thread(target=load, args=(first,)) for first in range(2)]
    for thread in threads:
        thread.start()
    counts = []
    for number in range(6):
        file = tmp_path / f"{number}.zip"
        made = back_up(kept, file, clock())
        restore(file, Kept(tmp_path / f"new-{number}"))
        other = new_house(tmp_path / f"new-{number}", clock)
        counts.append(check_whole(other))
        assert counts[-1] == made.photos
        other.database.close()
    over.set()
    for thread in threads:
        thread.join()
    assert not failures
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_a_backup_ends_while_a_server_writes(house: House, kept: Kept, tmp_path: Path) -> None:
    """A hundred commits a second keep no backup of a large database from its end, and wait for none."""
    game = new_game(house)
    with house.database.writing() as session:
        session.execute(text("CREATE TABLE ballast (data BLOB)"))
        for _ in range(30):
            session.execute(text("INSERT INTO ballast VALUES (zeroblob(1000000))"))
    over = threading.Event()

    def write() -> None:
        with contextlib.closing(sqlite3.connect(kept.folder / DATABASE, isolation_level=None)) as server:
            server.execute("PRAGMA synchronous=OFF")
            while not over.wait(0.01):
                server.execute("UPDATE games SET players = players + 1")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        command = [sys.executable, "-m", "server", "backup", "--data", kept.folder, tmp_path / "b.zip"]
        subprocess.run(command, check=True, timeout=120)
    finally:
        over.set()
        writer.join()
    restore(tmp_path / "b.zip", Kept(tmp_path / "new"))
    other = new_house(tmp_path / "new", Clock())
    with other.database.reading() as session:
        assert game_row(session, game).players > 6
    other.database.close()


@pytest.mark.parametrize("place", ["laptop", "festival"], indirect=True)
def test_a_restore_wants_servers_stopped(house: House, kept: Kept, clock: Clock, tmp_path: Path) -> None:
    """A server that runs would delete pictures whose rows are still to come: nothing is restored until it has ended."""
    game = new_game(house)
    first = accept(house, Where(game), png(1), ORGANISER)
    back_up(kept, tmp_path / "b.zip", clock())
    before = content(house)
    later = accept(house, Where(game), png(2), ORGANISER)
    house.photos.delete(game, first.id)
    with pytest.raises(BackupError, match="stop them all, then restore; nothing was restored"):
        restore(tmp_path / "b.zip", kept, overwrite=True)
    assert house.photos.get(game, first.id) is None
    with house.database.reading() as session:
        assert session.get(Photo, later.id)
    house.database.close()
    restore(tmp_path / "b.zip", kept, overwrite=True)
    with at(kept, clock) as started:
        assert content(started) == before
        assert check_whole(started) == 1
        assert accept(started, Where(game), png(2), ORGANISER).id != later.id


@pytest.mark.parametrize("place", ["laptop", "festival"], indirect=True)
def test_no_server_gets_at_the_games_during_a_restore(house: House, kept: Kept, clock: Clock, tmp_path: Path) -> None:
    """One that is started meanwhile cannot look which pictures belong to nothing."""
    accept(house, Where(new_game(house)), png(1), ORGANISER)
    back_up(kept, tmp_path / "b.zip", clock())
    house.database.close()
    starting = Database(
        f"{kept.database}?options=-c%20lock_timeout%3D100"
        if kept.database
        else f"sqlite:///{kept.folder / DATABASE}?timeout=0.1"
    )
    refused = []

    def start(_done: int, _of: int) -> None:
        with pytest.raises(OperationalError, match="lock") as error:
            starting.look(select(Photo.id))
        refused.append(error)

    restore(tmp_path / "b.zip", kept, overwrite=True, tell=start)
    assert len(refused) == 1
    assert starting.look(select(Photo.id))
    starting.close()


def test_a_backup_refuses_to_overwrite(house: House, kept: Kept, clock: Clock, tmp_path: Path) -> None:
    """Neither a file nor a folder with games is replaced unless that is said; other folders never are."""
    new_game(house)
    file = tmp_path / "b.zip"
    back_up(kept, file, clock())
    with pytest.raises(BackupError, match="--overwrite"):
        back_up(kept, file, clock())
    back_up(kept, file, clock(), overwrite=True)
    before = content(house)
    with pytest.raises(BackupError, match="--overwrite"):
        restore(file, kept)
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("Dear Ada")
    with pytest.raises(BackupError, match="other things"):
        restore(file, Kept(other), overwrite=True)
    with pytest.raises(BackupError, match="holds no"):
        back_up(Kept(other), tmp_path / "c.zip", clock())
    assert content(house) == before
    assert [found.name for found in other.iterdir()] == ["letter.txt"]


def test_a_restore_that_was_killed_can_begin_again(house: House, kept: Kept, clock: Clock, tmp_path: Path) -> None:
    """The empty database that it leaves in a new folder is no games that would be lost."""
    new_game(house)
    back_up(kept, tmp_path / "b.zip", clock())
    new = Kept(tmp_path / "new")
    new.folder.mkdir()
    (new.folder / DATABASE).touch()
    assert restore(tmp_path / "b.zip", new).games == 1


def test_a_damaged_backup_changes_nothing(house: House, kept: Kept, clock: Clock, tmp_path: Path) -> None:
    """A file that is cut, changed or something else is told of in one line, and what was there stays."""
    game = new_game(house)
    for number in range(3):
        accept(house, Where(game), png(number), ORGANISER)
    file = tmp_path / "b.zip"
    back_up(kept, file, clock())
    before, whole = content(house), file.read_bytes()
    house.database.close()
    with zipfile.ZipFile(tmp_path / "none.zip", "w") as archive:
        archive.writestr("letter.txt", "Dear Ada")
    middle = len(whole) // 2
    damaged = {
        "empty": b"",
        "cut": whole[:-100],
        "changed": whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :],
        "text": b"Dear Ada",
        "other": (tmp_path / "none.zip").read_bytes(),
    }
    for name, data in damaged.items():
        file.write_bytes(data)
        with pytest.raises(BackupError, match="nothing was restored") as error:
            restore(file, kept, overwrite=True)
        assert "\n" not in str(error.value), name
        assert content(house) == before, name
        house.database.close()
    with pytest.raises(BackupError, match="nothing was restored"):
        restore(tmp_path / "nowhere.zip", kept, overwrite=True)


def test_a_folder_that_nobody_serves_can_be_backed_up(house: House, kept: Kept, clock: Clock, tmp_path: Path) -> None:
    """A backup needs no server; a database that is damaged is told of, and no backup is made of it."""
    accept(house, Where(new_game(house)), png(1), ORGANISER)
    house.database.close()
    made = back_up(kept, tmp_path / "b.zip", clock())
    assert (made.games, made.photos) == (1, 1)
    (tmp_path / "data" / DATABASE).write_bytes(b"Dear Ada" * 1000)
    with pytest.raises(BackupError, match="no backup was made") as error:
        back_up(kept, tmp_path / "c.zip", clock())
    assert "\n" not in str(error.value)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["b.zip", "data"]


def test_a_picture_deleted_meanwhile_is_marked(house: House, kept: Kept, clock: Clock, tmp_path: Path) -> None:
    """Where a picture is gone though its row is in the copy, the backup says so and is whole all the same."""
    game = new_game(house)
    photos = [accept(house, Where(game), png(number), ORGANISER).id for number in range(2)]
    house.photos.delete(game, photos[0])
    made = back_up(kept, tmp_path / "b.zip", clock())
    assert (made.photos, made.gone) == (1, 1)
    restore(tmp_path / "b.zip", Kept(tmp_path / "new"))
    other = new_house(tmp_path / "new", clock)
    with other.database.reading() as session:
        assert [session.get_one(Photo, photo).erased for photo in photos] == [clock(), None]
    assert erase_due(other) == 0
    other.database.close()


def test_the_commands_say_what_they_did(house: House, tmp_path: Path) -> None:
    """`haggle backup` and `haggle restore` end with one line each, and with exit code 2 where they cannot."""
    accept(house, Where(new_game(house)), png(1), ORGANISER)

    def run(*arguments: str | Path) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-m", "server", *arguments], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    file = tmp_path / "b.zip"
    assert run("backup", "--data", tmp_path / "data", file) == (0, f"{file}: games: 1, photographs: 1\n")
    code, said = run("backup", "--data", tmp_path / "data", file)
    assert (code, said.count("\n")) == (2, 1)
    assert run("restore", "--data", tmp_path / "new", file) == (0, f"{tmp_path / 'new'}: games: 1, photographs: 1\n")
    with sqlite3.connect(tmp_path / "new" / DATABASE) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize(("place", "other"), [("laptop", "festival"), ("festival", "laptop")], indirect=["place"])
def test_a_game_moves_between_a_laptop_and_machines(
    house: House, kept: Kept, other: str, clock: Clock, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Every row of games in every state comes over whatever the engines are, and numbers go on behind the old ones."""
    installation(house)
    for state in State:
        if state not in {State.FROZEN, State.PUBLISHED}:
            new_game(house, state)
    counted, opened = counted_game(house, published=True), new_game(house)
    photo = accept(house, Where(opened), png(1), ORGANISER).id
    with house.database.writing() as session:
        newest = session.scalar(select(func.max(Change.id))) or 0
        session.execute(delete(Change).where(Change.id > newest - 3))
        # Null, as JSON and as none, are told apart by some engines and queries.
        nulls = session.scalars(select(Envelope).where(Envelope.claim.is_(None))).all()
    before = content(house)
    back_up(kept, tmp_path / "b.zip", clock())
    new = kept_at(other, request, tmp_path / "new")
    restore(tmp_path / "b.zip", new)
    with at(new, clock) as moved:
        assert content(moved) == before
        assert moved.photos.get(opened, photo) == house.photos.get(opened, photo)
        with moved.database.writing() as session:
            assert len(session.scalars(select(Envelope).where(Envelope.claim.is_(None))).all()) == len(nulls)
            change = Change(game=counted, topic="game", envelope=None, at=clock())
            entry = AuditEntry(game=counted, at=clock(), who="Olga", action="-", subject="-", reason="")
            session.add_all([change, entry])
            session.flush()
            assert change.id > newest
            assert session.scalar(select(func.count()).where(AuditEntry.id == entry.id)) == 1
        with pytest.raises(BackupError, match="holds games"):
            restore(tmp_path / "b.zip", new)


@pytest.mark.parametrize("place", ["festival"], indirect=True)
def test_a_restore_that_breaks_off_leaves_the_old_games(
    house: House, kept: Kept, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where machines share a database all rows are replaced in one step, or none."""
    new_game(house)
    back_up(kept, tmp_path / "b.zip", clock())
    new_game(house)
    before = content(house)
    house.database.close()

    def breaks(_connection: object, _given: int) -> None:
        raise OSError(5, "the cable was pulled")

    monkeypatch.setattr(copying, "_go_on", breaks)
    with pytest.raises(BackupError, match="the cable was pulled; nothing was restored"):
        restore(tmp_path / "b.zip", kept, overwrite=True)
    assert content(house) == before


@pytest.mark.parametrize("place", ["festival"], indirect=True)
def test_engines_that_do_not_answer_are_told_of(house: House, kept: Kept, clock: Clock, tmp_path: Path) -> None:
    """One line says which address does not answer; no password is in it, and no file is left."""
    new_game(house)
    wrong = replace(kept, database="postgresql://haggle:s3cret@127.0.0.1:1/none")
    with pytest.raises(BackupError, match="no backup was made") as error:
        back_up(wrong, tmp_path / "b.zip", clock())
    assert "s3cret" not in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "b.zip").exists()
    back_up(kept, tmp_path / "b.zip", clock())
    with pytest.raises(BackupError, match="nothing was restored") as error:
        restore(tmp_path / "b.zip", wrong)
    assert "s3cret" not in str(error.value)


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[SmallDisk]:
    """Give a disk of two megabytes, `tmp_path / "stick"`."""
    (tmp_path / "stick").mkdir()
    disk = SmallDisk(tmp_path / "stick", 2)
    if not disk.there:
        pytest.skip("small disks are for root")
    yield disk
    disk.close()


@pytest.mark.parametrize("room", ["none", "for the database"])
def test_a_full_stick_is_named(
    house: House, kept: Kept, clock: Clock, tmp_path: Path, stick: SmallDisk, room: str
) -> None:
    """A backup that has no room says where there is none and what to do, and leaves the one of before."""
    photo = accept(house, Where(new_game(house)), png(1), ORGANISER)
    file = tmp_path / "stick" / "b.zip"
    file.write_bytes(b"of before")
    if room == "none":
        stick.fill()
    else:
        house.photos.put(photo.game, photo.id, bytes(3_000_000))
    with pytest.raises(BackupError, match=f"the disk of {tmp_path / 'stick'} is full: make room there") as error:
        back_up(kept, file, clock(), overwrite=True)
    assert "\n" not in str(error.value)
    assert "the one of before is kept" in str(error.value)
    assert str(kept) not in str(error.value)
    stick.empty()
    assert [found.name for found in file.parent.iterdir()] == ["b.zip"]
    assert file.read_bytes() == b"of before"


@pytest.mark.parametrize(("folder", "full"), [("stick/new", "stick"), ("stick", "stick")])
def test_a_full_disk_is_named_where_games_are_put_back(
    house: House, kept: Kept, clock: Clock, tmp_path: Path, stick: SmallDisk, folder: str, full: str
) -> None:
    """Whether the database has no room there or a picture has none: the backup, which is only read, is not blamed."""
    photo = accept(house, Where(new_game(house)), png(1), ORGANISER)
    if folder == "stick":
        # The database is unpacked beside it, on a disk with room.
        house.photos.put(photo.game, photo.id, bytes(3_000_000))
    back_up(kept, tmp_path / "b.zip", clock())
    if folder != "stick":
        stick.fill()
    with pytest.raises(BackupError, match=f"the disk of {tmp_path / full}.* is full: make room there") as error:
        restore(tmp_path / "b.zip", Kept(tmp_path / folder))
    assert "b.zip" not in str(error.value)
    assert str(error.value).endswith("nothing was restored")
