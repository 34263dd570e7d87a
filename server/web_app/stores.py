"""The stores of a server: its database and its photographs, in a data folder or shared with other machines."""

from __future__ import annotations

import errno
import hashlib
import logging
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.db.migrate import open_at, open_in_folder
from server.db.models import ServerConfig
from server.db.session import DATABASE, advisory_lock, now
from server.games.context import AppContext
from server.games.server_config import load_server_config
from server.storage.base import StorageError
from server.storage.photo_store import FOLDER, PhotoStore

if TYPE_CHECKING:
    from server.web_app.settings import AppConfig

MARKER = "owner"
"""The file that marks a photo store as used by a server."""
MAX_CLOCK_DIFFERENCE = 5
"""Seconds between the clocks of this machine and the database above which a warning is logged."""
_log = logging.getLogger(__name__)


def open_context(config: AppConfig) -> AppContext:
    """Open the database and the photo store; a missing data folder is created.

    Raises DatabaseError, or StorageError for an invalid address of photos. Whether the photo store can be reached is
    not checked; `context.photos.check` does that.
    """
    database = open_at(config.database) if config.database else open_in_folder(config.folder)
    # Beside their own database, files need no folder; elsewhere, other servers may store theirs too.
    subfolder = load_server_config(database).folder if config.database or config.photos else ""
    if config.photos:
        photos = PhotoStore.at(config.photos, subfolder)
    else:
        photos = PhotoStore.in_folder(config.folder, config.reserve, subfolder)
    context = AppContext(database, photos)
    _compare_clocks(context)
    return context


def _compare_clocks(context: AppContext) -> None:
    """Log a warning if this machine's clock differs from the database's, which decides on deadlines."""
    difference = (now() - context.time()).total_seconds()
    if abs(difference) > MAX_CLOCK_DIFFERENCE:
        direction = "ahead of" if difference > 0 else "behind"
        _log.warning(
            "this machine's clock is %.0f s %s the database's: synchronise it by NTP", abs(difference), direction
        )


def open_checked(config: AppConfig, *, may_claim: bool = True) -> AppContext:
    """Open the games as `open_context` does, and check that the photo store works and is ours; StorageError.

    With `may_claim`, an unused folder is claimed for a database that is elsewhere.
    """
    context = open_context(config)
    try:
        context.photos.check()
        if config.database or config.photos:
            _claim_photo_store(context, config, may_claim=may_claim or bool(config.photos))
    except BaseException:
        context.close()
        raise
    return context


def _claim_photo_store(context: AppContext, config: AppConfig, *, may_claim: bool) -> None:
    """Check that the photo store belongs to this server, or claim it if that is allowed; StorageError."""
    if _is_claimed(context, config):
        return
    if not config.photos and (config.folder / DATABASE).exists():
        raise StorageError(
            errno.EINVAL,
            f"{config.folder} has games of its own in {DATABASE}: haggle backup them without HAGGLE_DATABASE_URL, and "
            "haggle restore them with it into a new folder, or name a new folder with --data",
        )
    with context.database.writing() as session:
        # Servers that start at the same time do this one after another.
        advisory_lock(session, "place")
        row = session.scalars(select(ServerConfig)).one()
        if _is_claimed(context, config):
            return
        if row.storage_claimed_at is not None or not may_claim:
            raise StorageError(
                errno.EINVAL,
                f"{_photo_location(config)} is not where the server of this database keeps its pictures: start haggle "
                "serve first, which claims it, or name the right place with --data or HAGGLE_PHOTOS_URL. If its "
                f"pictures are gone for good, make an empty file {'/'.join(filter(None, (row.folder, MARKER)))} there",
            )
        context.photos.files.put(MARKER, b"")
        row.storage_claimed_at = now()


def _is_claimed(context: AppContext, config: AppConfig) -> bool:
    """Return whether the photo store is marked as used; StorageError if it is marked by another server."""
    files = context.photos.files
    if config.photos:
        marker = files.get(MARKER)
    else:
        # Read directly, since obstore starts threads, which a later fork of this process would lose.
        file = files.local_path(MARKER)
        marker = file.read_bytes() if file else None
    # Servers set up by earlier versions have no subfolder; their markers identify them instead.
    server = load_server_config(context.database)
    own_marker = hashlib.sha256(b"photographs of " + server.secret).hexdigest().encode()
    if marker and not server.folder and marker != own_marker:
        raise StorageError(
            errno.EINVAL,
            f"{_photo_location(config)} has the pictures of another server with another database: name another place "
            f"with --data or HAGGLE_PHOTOS_URL, or empty the file {MARKER} there if all of it belongs to this one",
        )
    return marker is not None


def _photo_location(config: AppConfig) -> str:
    return config.photos or str(config.folder / FOLDER)
