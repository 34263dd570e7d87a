"""Each installation keeps its files in a folder of its own: others in the same place, and copies of it, are safe."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from server.app.house import HouseConfig, open_checked, open_house
from server.play.backup import back_up, restore
from server.play.house import House, now
from server.play.installation import installation
from server.play.intake import Where, accept
from server.play.kept import Kept
from server.play.retention import sweep
from server.store.files import PlaceError
from server.store.tables import Installation, Photo
from tests.buckets import a_bucket
from tests.engines.festival import Festival, place_or_skip
from tests.house import ORGANISER, Clock, new_game
from tests.jobs.scan_jobs import png

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=["folder", "s3"])
def config(festival: Festival, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[HouseConfig]:
    """Return a server with a shared database, whose pictures lie in a folder or in a bucket."""
    addresses = place_or_skip(festival)
    photos = a_bucket(festival) if request.param == "s3" else ""
    yield HouseConfig(tmp_path / "pictures", database=addresses.database, photos=photos)
    festival.postgres.drop(addresses.database)


def with_picture(house: House) -> tuple[str, str]:
    """Take in a picture; return its game and id."""
    photo = accept(house, Where(new_game(house)), png(1), ORGANISER)
    return photo.game, photo.id


def swept(house: House) -> int:
    """Let a house delete what belongs to nothing, two hours from now; return how many files that were."""
    return sweep(House(house.database, house.photos, Clock(now() + timedelta(hours=2))))


def test_two_servers_in_one_place_touch_only_their_own(config: HouseConfig, festival: Festival) -> None:
    """A server with another database, named by mistake or not, neither sees nor deletes the first one's pictures."""
    first = open_checked(config)
    picture = with_picture(first)
    second = open_checked(replace(config, database=festival.postgres.database()))
    assert list(second.photos.names()) == []
    assert swept(second) == 0
    assert first.photos.get(*picture)
    for house in (first, second):
        house.close()
    festival.postgres.drop(second.database.engine.url.render_as_string(hide_password=False))


def test_a_restored_copy_keeps_its_hands_off_the_original_s_pictures(
    config: HouseConfig, festival: Festival, tmp_path: Path
) -> None:
    """In the same place too: the copy has copies, and what the original takes in later stays."""
    original = open_checked(config)
    picture = with_picture(original)
    file = tmp_path / "b.zip"
    back_up(Kept(config.folder, config.database, config.photos), file, now())
    later = with_picture(original)
    database = festival.postgres.database()
    # A folder for the copy: a restore refuses one with other things in it.
    folder = config.folder if config.photos else tmp_path / "copy"
    restore(file, Kept(folder, database, config.photos))
    copy = open_checked(replace(config, database=database, folder=folder))
    assert copy.photos.get(*picture)
    assert swept(copy) == 0
    copy.photos.delete(*picture)
    assert original.photos.get(*picture)
    assert original.photos.get(*later)
    for house in (original, copy):
        house.close()
    festival.postgres.drop(database)


def test_what_a_restore_replaces_is_deleted(config: HouseConfig, tmp_path: Path) -> None:
    """The pictures of the games that are lost do not stay behind."""
    house = open_checked(config)
    kept = Kept(config.folder, config.database, config.photos)
    back_up(kept, tmp_path / "b.zip", now())
    lost = with_picture(house)
    house.close()
    restore(tmp_path / "b.zip", kept, overwrite=True)
    assert house.photos.get(*lost) is None
    open_checked(config).close()


def test_a_server_begins_once(config: HouseConfig, tmp_path: Path, festival: Festival) -> None:
    """In another place, where none of its pictures lies, it is refused in one line, unless somebody says otherwise."""
    open_checked(config).close()
    open_checked(config, begins=False).close()
    photos = a_bucket(festival) if config.photos else ""
    elsewhere = replace(config, folder=tmp_path / "elsewhere", photos=photos)
    for begins in (True, False):
        with pytest.raises(PlaceError, match="is not where the server of this database keeps its pictures") as told:
            open_checked(elsewhere, begins=begins)
        assert "\n" not in str(told.value)
    house = open_house(elsewhere)
    house.photos.files.put("owner", b"")
    house.close()
    open_checked(elsewhere).close()


def test_a_worker_never_begins_in_a_folder(festival: Festival, tmp_path: Path) -> None:
    """Where no server has begun a worker would take every picture for lost."""
    config = HouseConfig(tmp_path, database=place_or_skip(festival).database)
    with pytest.raises(PlaceError, match="start haggle serve first"):
        open_checked(config, begins=False)


def test_a_folder_with_games_is_no_place_for_a_shared_database(festival: Festival, tmp_path: Path) -> None:
    """Whoever names a new database by mistake is told where the games are."""
    open_house(HouseConfig(tmp_path)).close()
    with pytest.raises(PlaceError, match="has games of its own"):
        open_checked(HouseConfig(tmp_path, database=place_or_skip(festival).database))


def test_an_installation_of_an_earlier_version_goes_on_where_its_files_lie(config: HouseConfig) -> None:
    """It has no folder of its own: its pictures are found, and what belongs to nothing is swept."""
    open_house(config).close()
    house = open_house(config)
    with house.database.writing() as session:
        session.execute(update(Installation).values(folder=""))
    house.close()
    house = open_checked(config)
    picture, orphan = with_picture(house), with_picture(house)
    with house.database.writing() as session:
        session.delete(session.scalars(select(Photo).where(Photo.id == orphan[1])).one())
    assert swept(house) == 1
    assert house.photos.get(*picture)
    house.close()


def test_two_installations_of_an_earlier_version_keep_out_of_each_others_place(config: HouseConfig) -> None:
    """Both would take all files there for theirs: the mark says whose they are, unless an operator has emptied it."""
    open_house(config).close()
    house = open_house(config)
    with house.database.writing() as session:
        session.execute(update(Installation).values(folder=""))
    house.close()
    house = open_house(config)
    for secret, opens in ((b"another", False), (installation(house).secret, True)):
        house.photos.files.put("owner", hashlib.sha256(b"photographs of " + secret).hexdigest().encode())
        if opens:
            open_checked(config).close()
        else:
            with pytest.raises(PlaceError, match="of another server"):
                open_checked(config)
    house.close()
