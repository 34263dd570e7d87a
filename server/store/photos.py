"""Keeps photographs by name: in a folder, or in anything that speaks S3. Each is there whole, or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from typing import TYPE_CHECKING

from obstore.exceptions import BaseError, NotFoundError
from obstore.store import LocalStore, from_url

from server.observe.tracing import span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from obstore.store import ObjectStore

FOLDER = "photos"
"""The photographs' folder in a data folder."""
RESERVE = 64_000_000
"""Bytes on the disk that photographs leave free, so that the database can go on."""
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Codes of errors that say that a disk is full."""

_SUFFIX = ".jpg"
_CODE = re.compile(r"\(os error (\d+)\)")
_HALF = re.compile(r"#\d+$")
# How files end that are still being written, or whose writer was killed.


class PhotoStore:
    """Photographs by the id of their row and the game's id."""

    def __init__(self, store: ObjectStore, folder: Path | None = None, reserve: int = RESERVE) -> None:
        """Take a store; `folder` is where it keeps its files on this machine, if it does."""
        self._store = store
        self._folder = folder
        self._reserve = reserve

    @classmethod
    def in_folder(cls, folder: Path, reserve: int = RESERVE) -> PhotoStore:
        """Return the store in a data folder, made if it is not there. Only its owner may look into it."""
        place = folder / FOLDER
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        return cls(LocalStore(place), place, reserve)

    @classmethod
    def at(cls, url: str) -> PhotoStore:
        """Return the store at an address such as `s3://bucket/prefix`; its credentials are in the environment."""
        return cls(from_url(url))

    def put(self, game: str, photo: str, data: bytes) -> None:
        """Keep a photograph; OSError if that fails, with a code of NO_ROOM where the disk is full.

        When this returns, the photograph is on the disk. The same name again replaces it.
        """
        if self._folder and shutil.disk_usage(self._folder).free < self._reserve + len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        try:
            with span("photo", act="put", bytes=len(data)):
                self._store.put(_path(game, photo), data)
        except BaseError as error:
            code = _CODE.search(str(error))
            raise OSError(int(code[1]) if code else errno.EIO, "a photograph cannot be kept") from error
        if self._folder:
            file = self._folder / _path(game, photo)
            for place in (file, file.parent, self._folder):
                _sync(place)

    def get(self, game: str, photo: str) -> bytes | None:
        """Return a photograph; None if it is not there (any more)."""
        try:
            with span("photo", act="get"):
                return bytes(self._store.get(_path(game, photo)).bytes())
        except (FileNotFoundError, NotFoundError):
            return None

    def head(self, game: str, photo: str, size: int) -> bytes | None:
        """Return the first bytes of a photograph; None if it is not there (any more)."""
        try:
            return bytes(self._store.get_range(_path(game, photo), start=0, length=size))
        except (FileNotFoundError, NotFoundError):
            return None

    def delete(self, game: str, photo: str) -> None:
        """Forget a photograph; nothing happens if it is gone already."""
        try:
            self._store.delete(_path(game, photo))
        except (FileNotFoundError, NotFoundError):
            return

    def names(self) -> Iterator[tuple[str, str, datetime]]:
        """Yield game, photograph and time of all that is kept."""
        for page in self._store.list():
            for found in page:
                path = found["path"]
                yield path.partition("/")[0], _photo(path), found["last_modified"]

    def clear_halves(self, before: datetime) -> None:
        """Delete what was written in part before then and never finished."""
        for file in self._folder.glob("*/*") if self._folder else ():
            # Another process may sweep at the same time.
            with contextlib.suppress(FileNotFoundError):
                if _HALF.search(file.name) and file.stat().st_mtime < before.timestamp():
                    file.unlink()


def _path(game: str, photo: str) -> str:
    return f"{game}/{photo}{_SUFFIX}"


def _photo(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(_SUFFIX)


def _sync(place: Path) -> None:
    """Wait until a file, or a folder's list of files, is on the disk. Windows does that for files alone."""
    if os.name == "nt" and place.is_dir():
        return
    descriptor = os.open(place, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
