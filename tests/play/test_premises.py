"""Where a database is shared, pictures in a folder are guarded from other servers, and from a look elsewhere."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from server.app.house import HouseConfig, open_checked, open_house
from server.play.backup import BackupError, back_up, restore
from server.play.house import House
from server.play.intake import Where, accept
from server.play.kept import Kept
from server.store.files import PlaceError
from server.store.tables import Installation
from tests.engines.festival import Festival, place_or_skip
from tests.house import ORGANISER, Clock, new_game, new_house
from tests.jobs.scan_jobs import png

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def config(festival: Festival, tmp_path: Path) -> HouseConfig:
    """Return a server whose database is shared, and whose pictures lie in a folder."""
    return HouseConfig(tmp_path / "pictures", database=place_or_skip(festival).database)


def begun(config: HouseConfig, clock: Clock) -> House:
    """Begin a server there; a game of it has a picture."""
    house = open_checked(config)
    accept(House(house.database, house.photos, clock), Where(new_game(house)), png(1), ORGANISER)
    return house


def test_a_folder_with_games_of_its_own_is_no_place_for_a_shared_database(
    config: HouseConfig, clock: Clock, tmp_path: Path
) -> None:
    """A laptop's folder keeps its pictures though its server is started with a new database by mistake."""
    laptop = new_house(tmp_path / "laptop", clock)
    accept(laptop, Where(new_game(laptop)), png(1), ORGANISER)
    with pytest.raises(PlaceError, match="has games of its own") as error:
        open_checked(replace(config, folder=tmp_path / "laptop"))
    assert "\n" not in str(error.value)
    assert len(list(laptop.photos.names())) == 1
    back_up(Kept(tmp_path / "laptop"), tmp_path / "b.zip", clock())
    with pytest.raises(BackupError, match="games of its own"):
        restore(tmp_path / "b.zip", Kept(tmp_path / "laptop", config.database))
    restore(tmp_path / "b.zip", Kept(config.folder, config.database))
    open_checked(config).close()
    laptop.database.close()


def test_a_server_begins_again_in_its_own_folder_alone(config: HouseConfig, clock: Clock, tmp_path: Path) -> None:
    """Another folder in which none of the pictures lies is refused, as is one whose pictures another server has."""
    begun(config, clock).close()
    open_checked(config).close()
    open_checked(config, begins=False).close()
    elsewhere = replace(config, folder=tmp_path / "elsewhere")
    with pytest.raises(PlaceError, match="none of the pictures"):
        open_checked(elsewhere)
    (config.folder / "photos" / "owner").write_bytes(b"another one")
    with pytest.raises(PlaceError, match="pictures of another server"):
        open_checked(config)


@pytest.mark.parametrize("pictures", ["folder", "s3"])
def test_an_empty_place_is_no_second_one(
    config: HouseConfig, clock: Clock, tmp_path: Path, festival: Festival, pictures: str
) -> None:
    """Before the first picture too a server begins in no other place; somebody who knows better makes an empty file."""
    other = replace(config, folder=tmp_path / "elsewhere")
    if pictures == "s3":
        config, other = (replace(config, photos=festival.s3.url()) for _ in range(2))
    open_checked(config).close()
    with pytest.raises(PlaceError, match="has begun in another place than") as error:
        open_checked(other)
    assert "\n" not in str(error.value)
    open_checked(config).close()
    house = open_house(other)
    house.photos.files.put("owner", b"")
    house.close()
    begun(other, clock).close()
    open_checked(other).close()


def test_of_two_that_begin_at_once_one_does(config: HouseConfig, tmp_path: Path) -> None:
    """Two servers in one new folder both begin; of two in different ones the second is refused."""

    def begin(folder: str) -> str:
        try:
            open_checked(replace(config, folder=tmp_path / folder)).close()
        except PlaceError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor() as threads:
        said = list(threads.map(begin, ["a", "b", "a", "b"]))
    assert [bool(one) for one in said] in ([False, True] * 2, [True, False] * 2)


def test_a_place_of_before_is_taken_for_what_it_is(config: HouseConfig, tmp_path: Path) -> None:
    """A version before noted in the folder alone where it had begun: the database notes it with the next start."""
    house = open_checked(config)
    with house.database.writing() as session:
        session.execute(update(Installation).values(placed=None))
    house.close()
    open_checked(config).close()
    with pytest.raises(PlaceError, match="has begun in another place"):
        open_checked(replace(config, folder=tmp_path / "elsewhere"))


def test_a_restore_begins_in_its_own_place(
    config: HouseConfig, clock: Clock, tmp_path: Path, festival: Festival
) -> None:
    """A backup of a server that has a place says nothing of the one where it is put back."""
    open_checked(config).close()
    back_up(Kept(config.folder, config.database), tmp_path / "b.zip", clock())
    again = HouseConfig(tmp_path / "again", database=place_or_skip(festival).database)
    restore(tmp_path / "b.zip", Kept(again.folder, again.database))
    open_checked(again).close()


def test_a_worker_never_begins_a_place(config: HouseConfig, clock: Clock, tmp_path: Path) -> None:
    """Where no server has begun a worker would take every picture for lost: it is refused, and nothing is changed."""
    with pytest.raises(PlaceError, match="start haggle serve first, which begins there, or name its folder"):
        open_checked(config, begins=False)
    begun(config, clock).close()
    with pytest.raises(PlaceError, match="start haggle serve first, which begins there, or name its folder"):
        open_checked(replace(config, folder=tmp_path / "elsewhere"), begins=False)


def test_a_backup_from_the_wrong_folder_is_none(config: HouseConfig, clock: Clock, tmp_path: Path) -> None:
    """Where none of the pictures is there, nothing is written; a good backup of before stays."""
    begun(config, clock).close()
    file = tmp_path / "b.zip"
    assert back_up(Kept(config.folder, config.database), file, clock()).photos == 1
    good = file.read_bytes()
    with pytest.raises(BackupError, match="none of the pictures is there"):
        back_up(Kept(tmp_path / "elsewhere", config.database), file, clock(), overwrite=True)
    assert file.read_bytes() == good
