"""Separate file folders of installations that share a photo store."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, update

from server.db.models import Photo, ServerConfig
from server.db.session import now
from server.games.context import AppContext
from server.games.photos.upload import PhotoTarget, accept
from server.games.server_config import load_server_config
from server.games.transfer.backup import DataLocation, back_up, restore
from server.storage.base import StorageError
from server.web_app.settings import AppConfig
from server.web_app.stores import open_checked, open_context
from tests.buckets import bucket_url
from tests.context import ORGANISER, Clock, delete_orphan_files, new_game
from tests.engines.cluster import Cluster, services_or_skip
from tests.scan_jobs import png


@pytest.fixture(params=["folder", "s3"])
def config(cluster: Cluster, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[AppConfig]:
    """Return a configuration with a shared database, and photos in a folder or in a bucket."""
    addresses = services_or_skip(cluster)
    photos = bucket_url(cluster) if request.param == "s3" else ""
    yield AppConfig(tmp_path / "pictures", database=addresses.database, photos=photos)
    cluster.postgres.drop(addresses.database)


def with_picture(context: AppContext) -> tuple[str, str]:
    photo = accept(context, PhotoTarget(new_game(context)), png(1), ORGANISER)
    return photo.game, photo.id


def swept(context: AppContext) -> int:
    """Delete orphaned files as of two hours from now; return their number."""
    return delete_orphan_files(AppContext(context.database, context.photos, Clock(now() + timedelta(hours=2))))


def test_installations_and_copies_only_touch_their_own_files(
    config: AppConfig, cluster: Cluster, tmp_path: Path
) -> None:
    original = open_checked(config)
    picture = with_picture(original)
    another = open_checked(replace(config, database=cluster.postgres.database()))
    assert list(another.photos.names()) == []
    assert swept(another) == 0
    location = DataLocation(config.folder, config.database, config.photos)
    back_up(location, tmp_path / "b.zip", now())
    later = with_picture(original)
    database = cluster.postgres.database()
    # Use a separate folder for the copy, since a restore refuses folders with other contents.
    folder = config.folder if config.photos else tmp_path / "copy"
    restore(tmp_path / "b.zip", DataLocation(folder, database, config.photos))
    copy = open_checked(replace(config, database=database, folder=folder))
    assert copy.photos.get(*picture)
    assert swept(copy) == 0
    copy.photos.delete(*picture)
    assert original.photos.get(*picture)
    assert original.photos.get(*later)
    for context in (original, another, copy):
        context.close()
    restore(tmp_path / "b.zip", location, overwrite=True)
    assert original.photos.get(*later) is None, "what a restore replaces is deleted"
    for context in (another, copy):
        cluster.postgres.drop(context.database.engine.url.render_as_string(hide_password=False))


def test_an_installation_has_one_photo_store(config: AppConfig, tmp_path: Path, cluster: Cluster) -> None:
    open_checked(config).close()
    open_checked(config, may_claim=False).close()
    photos = bucket_url(cluster) if config.photos else ""
    elsewhere = replace(config, folder=tmp_path / "elsewhere", photos=photos)
    for begins in (True, False):
        with pytest.raises(StorageError, match="is not where the server of this database keeps its pictures") as error:
            open_checked(elsewhere, may_claim=begins)
        assert "\n" not in str(error.value)
    # An operator overrides it.
    context = open_context(elsewhere)
    context.photos.files.put("owner", b"")
    context.close()
    open_checked(elsewhere).close()


def test_invalid_photo_stores_are_refused_at_the_start(cluster: Cluster, tmp_path: Path) -> None:
    shared = AppConfig(tmp_path, database=services_or_skip(cluster).database)
    with pytest.raises(StorageError, match="start haggle serve first"):
        open_checked(shared, may_claim=False)
    open_context(AppConfig(tmp_path)).close()
    with pytest.raises(StorageError, match="has games of its own"):
        open_checked(shared)


def test_an_installation_of_an_earlier_version_keeps_its_location(config: AppConfig) -> None:
    """It has no separate folder, so a marker file excludes other such installations."""
    open_context(config).close()
    context = open_context(config)
    with context.database.writing() as session:
        session.execute(update(ServerConfig).values(folder=""))
    context.close()
    context = open_checked(config)
    picture, orphan = with_picture(context), with_picture(context)
    with context.database.writing() as session:
        session.execute(delete(Photo).where(Photo.id == orphan[1]))
    assert swept(context) == 1
    assert context.photos.get(*picture)
    for secret, opens in ((b"another", False), (load_server_config(context.database).secret, True)):
        context.photos.files.put("owner", hashlib.sha256(b"photographs of " + secret).hexdigest().encode())
        if opens:
            open_checked(config).close()
        else:
            with pytest.raises(StorageError, match="of another server"):
                open_checked(config)
    context.close()
