"""A backup of a server that runs holds what was there at one moment, and puts it back."""

from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
import threading
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from server.play.backup import BackupError, back_up, restore
from server.play.installation import installation
from server.play.intake import Where, accept
from server.play.retention import erase_due
from server.store.database import DATABASE
from server.store.tables import Base, Photo
from tests.house import ORGANISER, Clock, new_game, new_house
from tests.jobs.scan_jobs import png

if TYPE_CHECKING:
    from pathlib import Path

    from server.play.house import House


def content(house: House) -> dict[str, list[Any]]:
    """Return all rows of all tables."""
    with house.database.reading() as session:
        return {
            table.name: sorted(map(repr, session.execute(select(table)).all())) for table in Base.metadata.sorted_tables
        }


def check_whole(house: House) -> int:
    """Check that every picture that should be there is, and is the one that came; return how many."""
    with house.database.reading() as session:
        rows = session.scalars(select(Photo).where(Photo.erased.is_(None))).all()
    for row in rows:
        data = house.photos.get(row.game, row.id)
        assert data is not None
        assert hashlib.sha256(data).hexdigest() == row.digest
    return len(rows)


def test_a_backup_brings_everything_back(house: House, clock: Clock, tmp_path: Path) -> None:
    """Games, secrets and pictures come back as they were, into a folder that nobody else can read."""
    installation(house)
    game = new_game(house, keep_hours=1)
    for number in range(5):
        accept(house, Where(game), png(number), ORGANISER)
    before = content(house)
    made = back_up(tmp_path / "data", tmp_path / "b.zip", clock())
    assert (made.games, made.photos, made.gone) == (1, 5, 0)
    assert (tmp_path / "b.zip").stat().st_mode & 0o077 == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["b.zip", "data"]
    put = restore(tmp_path / "b.zip", tmp_path / "new")
    assert (put.games, put.photos) == (1, 5)
    other = new_house(tmp_path / "new", clock)
    assert content(other) == before
    assert check_whole(other) == 5
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0
    assert (tmp_path / "new" / DATABASE).stat().st_mode & 0o077 == 0
    other.database.close()


def test_a_backup_under_load_matches_itself(house: House, clock: Clock, tmp_path: Path) -> None:
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
        made = back_up(tmp_path / "data", file, clock())
        restore(file, tmp_path / f"new-{number}")
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


def test_a_restore_reaches_who_has_the_folder_open(house: House, clock: Clock, tmp_path: Path) -> None:
    """A server that runs goes on with what was restored, and what came later is gone."""
    game = new_game(house)
    kept = accept(house, Where(game), png(1), ORGANISER)
    back_up(tmp_path / "data", tmp_path / "b.zip", clock())
    before = content(house)
    later = accept(house, Where(game), png(2), ORGANISER)
    house.photos.delete(game, kept.id)
    restore(tmp_path / "b.zip", tmp_path / "data", overwrite=True)
    assert content(house) == before
    assert check_whole(house) == 1
    again = accept(house, Where(game), png(2), ORGANISER)
    assert again.id != later.id


def test_a_backup_refuses_to_overwrite(house: House, clock: Clock, tmp_path: Path) -> None:
    """Neither a file nor a folder with games is replaced unless that is said; other folders never are."""
    new_game(house)
    file, folder = tmp_path / "b.zip", tmp_path / "data"
    back_up(folder, file, clock())
    with pytest.raises(BackupError, match="--overwrite"):
        back_up(folder, file, clock())
    back_up(folder, file, clock(), overwrite=True)
    before = content(house)
    with pytest.raises(BackupError, match="--overwrite"):
        restore(file, folder)
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("Dear Ada")
    with pytest.raises(BackupError, match="other things"):
        restore(file, other, overwrite=True)
    with pytest.raises(BackupError, match="holds no"):
        back_up(other, tmp_path / "c.zip", clock())
    assert content(house) == before
    assert [found.name for found in other.iterdir()] == ["letter.txt"]


def test_a_damaged_backup_changes_nothing(house: House, clock: Clock, tmp_path: Path) -> None:
    """A file that is cut, changed or something else is told of in one line, and what was there stays."""
    game = new_game(house)
    for number in range(3):
        accept(house, Where(game), png(number), ORGANISER)
    file, folder = tmp_path / "b.zip", tmp_path / "data"
    back_up(folder, file, clock())
    before, whole = content(house), file.read_bytes()
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
            restore(file, folder, overwrite=True)
        assert "\n" not in str(error.value), name
        assert content(house) == before, name
    with pytest.raises(BackupError, match="nothing was restored"):
        restore(tmp_path / "nowhere.zip", folder, overwrite=True)


def test_a_folder_that_nobody_serves_can_be_backed_up(house: House, clock: Clock, tmp_path: Path) -> None:
    """A backup needs no server; a database that is damaged is told of, and no backup is made of it."""
    accept(house, Where(new_game(house)), png(1), ORGANISER)
    house.database.close()
    made = back_up(tmp_path / "data", tmp_path / "b.zip", clock())
    assert (made.games, made.photos) == (1, 1)
    (tmp_path / "data" / DATABASE).write_bytes(b"Dear Ada" * 1000)
    with pytest.raises(BackupError, match="no backup was made") as error:
        back_up(tmp_path / "data", tmp_path / "c.zip", clock())
    assert "\n" not in str(error.value)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["b.zip", "data"]


def test_a_picture_deleted_meanwhile_is_marked(house: House, clock: Clock, tmp_path: Path) -> None:
    """Where a picture is gone though its row is in the copy, the backup says so and is whole all the same."""
    game = new_game(house)
    photos = [accept(house, Where(game), png(number), ORGANISER).id for number in range(2)]
    house.photos.delete(game, photos[0])
    made = back_up(tmp_path / "data", tmp_path / "b.zip", clock())
    assert (made.photos, made.gone) == (1, 1)
    restore(tmp_path / "b.zip", tmp_path / "new")
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
