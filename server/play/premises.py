"""Whose a place for pictures is: nobody keeps pictures where another server has its own, or looks where none are.

A server sweeps files that no row of its database knows, and takes a picture that it does not find for lost.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.play.installation import installation
from server.store.database import DATABASE, take_turn
from server.store.files import PlaceError
from server.store.photos import FOLDER
from server.store.tables import Installation, Photo

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy.orm import Session

    from server.play.house import House
    from server.store.photos import PhotoStore

OWNER = "owner"
"""The file that says whose all others are."""
_BY_HAND = b""
# What somebody has made there who knows that the place is the right one.
_SOME = 20
# Pictures that are looked for; a few may be lost.
_WAYS = "with --data, or a place that machines share with HAGGLE_PHOTOS_URL"


def move_in(house: House) -> None:
    """Say that this server's photographs lie in its bucket; PlaceError where those of another server do.

    Another database makes another server, also an empty one that was named by mistake.
    """
    files = house.photos.files
    found = files.get(OWNER)
    if found not in (None, _BY_HAND, _name(house)):
        raise PlaceError(
            errno.EINVAL,
            "HAGGLE_PHOTOS_URL names a place with the pictures of another server, whose database is another one: "
            f"name another prefix, or empty the file {OWNER} there if all of it belongs to this one",
        )
    place = _Place(
        "the place that HAGGLE_PHOTOS_URL names",
        "with HAGGLE_PHOTOS_URL",
        OWNER,
        read=lambda: files.get(OWNER),
        write=lambda data: files.put(OWNER, data),
        has=lambda path: files.head(path, 1) is not None,
    )
    _begin(house, place)


def move_into_folder(house: House, folder: Path, *, begins: bool) -> None:
    """Say that the photographs of a server whose database is elsewhere lie in its data folder; PlaceError.

    That is so for a folder that says it already. `begins`: a server may also begin in a folder that has no games of its
    own, unless its pictures lie elsewhere.
    """
    # By the system's own means: what the store works with does not outlive a fork of this process.
    file = folder / FOLDER / OWNER

    def read() -> bytes | None:
        return file.read_bytes() if file.is_file() else None

    def write(data: bytes) -> None:
        file.write_bytes(data)
        file.chmod(0o600)

    try:
        found = read()
        if begins and found is None:
            # Before anything is written into the database.
            _look_round(folder)
        if (begins and found in (None, _BY_HAND)) or found == _name(house):
            place = _Place(str(folder), _WAYS, str(file), read, write, lambda path: (folder / FOLDER / path).exists())
            _begin(house, place)
            return
    except OSError as error:
        if isinstance(error, PlaceError):
            raise
        raise PlaceError(error.errno or errno.EIO, f"{file}: {error.strerror}") from error
    if found in (None, _BY_HAND):
        raise PlaceError(
            errno.EINVAL,
            f"no server that uses this database has begun in {folder}: start haggle serve first, which begins there, "
            f"or name its folder {_WAYS}",
        )
    raise PlaceError(
        errno.EINVAL,
        f"{folder} has the pictures of another server, whose database is another one: name a folder {_WAYS}",
    )


@dataclass(frozen=True)
class _Place:
    """Where photographs lie: its name, how another one is named, its file that says whose it is, and what it can do."""

    name: str
    ways: str
    file: str
    read: Callable[[], bytes | None]
    write: Callable[[bytes], None]
    has: Callable[[str], bool]


def _begin(house: House, place: _Place) -> None:
    """Say that this server's pictures lie there, unless they lie elsewhere: PlaceError."""
    name = _name(house)
    if place.read() == name and installation(house).placed is not None:
        return
    with house.database.writing() as session:
        # Of servers that start at once, one after the other.
        take_turn(session, "premises")
        row = session.scalars(select(Installation).execution_options(populate_existing=True)).one()
        found = place.read()
        if found is None:
            _see_that_none_is_elsewhere(session, row, place)
        if found != name:
            place.write(name)
        row.placed = row.placed or house.clock()


def _see_that_none_is_elsewhere(session: Session, row: Installation, place: _Place) -> None:
    kept = select(Photo.game, Photo.id).where(Photo.erased.is_(None)).order_by(Photo.created.desc()).limit(_SOME)
    known = [f"{game}/{photo}.jpg" for game, photo in session.execute(kept)]
    if known and not any(place.has(path) for path in known):
        raise PlaceError(
            errno.EINVAL,
            f"none of the pictures that the database knows lies in {place.name}: name their place {place.ways}",
        )
    if not known and row.placed is not None:
        raise PlaceError(
            errno.EINVAL,
            f"a server that uses this database has begun in another place than {place.name}: name that one "
            f"{place.ways}, or make an empty file {place.file} if it is gone for good",
        )


def _look_round(folder: Path) -> None:
    if (folder / DATABASE).exists():
        raise PlaceError(
            errno.EINVAL,
            f"{folder} has games of its own in {DATABASE}: haggle backup them without HAGGLE_DATABASE_URL, and haggle"
            " restore them with it into a new folder, or name a new folder with --data",
        )


def _name(house: House) -> bytes:
    return hashlib.sha256(b"photographs of " + installation(house).secret).hexdigest().encode()


def move_out(photos: PhotoStore) -> None:
    """Leave it to the server that begins next to say whose all of it is: it may have another database from now on."""
    # What cannot be deleted now is told then.
    with contextlib.suppress(OSError):
        photos.files.delete([OWNER])
