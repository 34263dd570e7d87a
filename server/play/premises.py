"""Whose a place for pictures is: nobody keeps pictures where another server has its own, or looks where none are.

A server sweeps files that no row of its database knows, and takes a picture that it does not find for lost.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.play.installation import installation
from server.store.database import DATABASE
from server.store.files import PlaceError
from server.store.photos import FOLDER
from server.store.tables import Photo

if TYPE_CHECKING:
    from pathlib import Path

    from server.play.house import House
    from server.store.photos import PhotoStore

OWNER = "owner"
"""The file that says whose all others are."""
_SOME = 20
# Pictures that are looked for; a few may be lost.
_WAYS = "with --data, or a place that machines share with HAGGLE_PHOTOS_URL"


def move_in(house: House) -> None:
    """Say that this server's photographs lie in its bucket; PlaceError where those of another server do.

    Another database makes another server, also an empty one that was named by mistake.
    """
    name = _name(house)
    found = house.photos.files.get(OWNER)
    if found is None:
        house.photos.files.put(OWNER, name)
    elif found != name:
        raise PlaceError(
            errno.EINVAL,
            "HAGGLE_PHOTOS_URL names a place with the pictures of another server, whose database is another one: "
            f"name another prefix, or delete the file {OWNER} there if all of it belongs to this one",
        )


def move_into_folder(house: House, folder: Path, *, begins: bool) -> None:
    """Say that the photographs of a server whose database is elsewhere lie in its data folder; PlaceError.

    That is so for a folder that says it already. `begins`: a server may also begin in a folder that has no games of its
    own, unless the database knows pictures that are not there.
    """
    # By the system's own means: what the store works with does not outlive a fork of this process.
    file = folder / FOLDER / OWNER
    try:
        found = file.read_bytes() if file.is_file() else None
        if found is None and begins:
            _look_round(house, folder)
            file.write_bytes(_name(house))
            file.chmod(0o600)
            return
    except OSError as error:
        if isinstance(error, PlaceError):
            raise
        raise PlaceError(error.errno or errno.EIO, f"{file}: {error.strerror}") from error
    if found is None:
        raise PlaceError(
            errno.EINVAL, f"no server that uses this database has begun in {folder}: name its folder {_WAYS}"
        )
    if found != _name(house):
        raise PlaceError(
            errno.EINVAL,
            f"{folder} has the pictures of another server, whose database is another one: name a folder {_WAYS}",
        )


def _look_round(house: House, folder: Path) -> None:
    if (folder / DATABASE).exists():
        raise PlaceError(
            errno.EINVAL,
            f"{folder} has games of its own in {DATABASE}: haggle backup them without HAGGLE_DATABASE_URL, and haggle"
            " restore them with it into a new folder, or name a new folder with --data",
        )
    with house.database.reading() as session:
        kept = select(Photo.game, Photo.id).where(Photo.erased.is_(None)).order_by(Photo.created.desc()).limit(_SOME)
        known = [folder / FOLDER / game / f"{photo}.jpg" for game, photo in session.execute(kept)]
    if known and not any(file.exists() for file in known):
        raise PlaceError(
            errno.EINVAL, f"none of the pictures that the database knows lies in {folder}: name their folder {_WAYS}"
        )


def _name(house: House) -> bytes:
    return hashlib.sha256(b"photographs of " + installation(house).secret).hexdigest().encode()


def move_out(photos: PhotoStore) -> None:
    """Leave it to the server that begins next to say whose all of it is: it may have another database from now on."""
    # What cannot be deleted now is told then.
    with contextlib.suppress(OSError):
        photos.files.delete([OWNER])
