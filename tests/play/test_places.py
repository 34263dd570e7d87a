"""Each installation keeps its files in a folder of its own: others in the same place, and copies of it, are safe."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, update

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


@pytest.fixture(params=["folder", "s3"])
def config(festival: Festival, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[HouseConfig]:
    """Return a server with a shared database, whose pictures lie in a folder or in a bucket."""
    addresses = place_or_skip(festival)
    photos = a_bucket(festival) if request.param == "s3" else ""
    yield HouseConfig(tmp_path / "pictures", database=addresses.database, photos=photos)
    festival.postgres.drop(addresses.database)


def with_picture(house: House) -> tuple[str, str]:
    photo = accept(house, Where(new_game(house)), png(1), ORGANISER)
    return photo.game, photo.id


def swept(house: House) -> int:
    """Let a house delete what belongs to nothing, two hours from now; return how many files that were."""
    return sweep(House(house.database, house.photos, Clock(now() + timedelta(hours=2))))


def test_servers_and_copies_in_one_place_touch_only_their_own(
    config: HouseConfig, festival: Festival, tmp_path: Path
) -> None:
    original = open_checked(config)
    picture = with_picture(original)
    another = open_checked(replace(config, database=festival.postgres.database()))
    assert list(another.photos.names()) == []
    assert swept(another) == 0
    kept = Kept(config.folder, config.database, config.photos)
    back_up(kept, tmp_path / "b.zip", now())
    later = with_picture(original)
    database = festival.postgres.database()
    # A folder for the copy: a restore refuses one with other things in it.
    folder = config.folder if config.photos else tmp_path / "copy"
    restore(tmp_path / "b.zip", Kept(folder, database, config.photos))
    copy = open_checked(replace(config, database=database, folder=folder))
    assert copy.photos.get(*picture)
    assert swept(copy) == 0
    copy.photos.delete(*picture)
    assert original.photos.get(*picture)
    assert original.photos.get(*later)
    for house in (original, another, copy):
        house.close()
    restore(tmp_path / "b.zip", kept, overwrite=True)
    assert original.photos.get(*later) is None, "what a restore replaces is deleted"
    for house in (another, copy):
        festival.postgres.drop(house.database.engine.url.render_as_string(hide_password=False))


def test_a_server_begins_in_one_place(config: HouseConfig, tmp_path: Path, festival: Festival) -> None:
    open_checked(config).close()
    open_checked(config, begins=False).close()
    photos = a_bucket(festival) if config.photos else ""
    elsewhere = replace(config, folder=tmp_path / "elsewhere", photos=photos)
    for begins in (True, False):
        with pytest.raises(PlaceError, match="is not where the server of this database keeps its pictures") as told:
            open_checked(elsewhere, begins=begins)
        assert "\n" not in str(told.value)
    # An operator says otherwise.
    house = open_house(elsewhere)
    house.photos.files.put("owner", b"")
    house.close()
    open_checked(elsewhere).close()


def test_places_in_which_no_server_or_worker_begins(festival: Festival, tmp_path: Path) -> None:
    shared = HouseConfig(tmp_path, database=place_or_skip(festival).database)
    with pytest.raises(PlaceError, match="start haggle serve first"):
        open_checked(shared, begins=False)
    open_house(HouseConfig(tmp_path)).close()
    with pytest.raises(PlaceError, match="has games of its own"):
        open_checked(shared)


def test_an_installation_of_an_earlier_version_goes_on_where_its_files_lie(config: HouseConfig) -> None:
    """It has no folder of its own, so another such server is kept out of the place by a mark."""
    open_house(config).close()
    house = open_house(config)
    with house.database.writing() as session:
        session.execute(update(Installation).values(folder=""))
    house.close()
    house = open_checked(config)
    picture, orphan = with_picture(house), with_picture(house)
    with house.database.writing() as session:
        session.execute(delete(Photo).where(Photo.id == orphan[1]))
    assert swept(house) == 1
    assert house.photos.get(*picture)
    for secret, opens in ((b"another", False), (installation(house).secret, True)):
        house.photos.files.put("owner", hashlib.sha256(b"photographs of " + secret).hexdigest().encode())
        if opens:
            open_checked(config).close()
        else:
            with pytest.raises(PlaceError, match="of another server"):
                open_checked(config)
    house.close()
