"""The photographs of all games, in a folder or an S3 bucket."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opentelemetry import trace

from server.storage.local import LocalFileStore
from server.storage.s3 import S3FileStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from server.storage.base import FileStore

FOLDER = "photos"
"""The folder of photographs in a data folder."""
SPOOL = "spool"
"""The folder of incoming request bodies in a data folder."""
RESERVE = 64_000_000
"""Bytes of the disk that photographs leave free for the database."""

_SUFFIX, _COPY = ".jpg", ".copy.jpg"

_tracer = trace.get_tracer("haggle")

# Other files are ignored.
_NAME = re.compile(r"([0-9A-Z]{4})/([^/.]+)(?:\.copy)?\.jpg")


class PhotoStore:
    """Photographs by the game's id and the id of their row. Methods raise StorageError, which is an OSError.

    `files` holds them. It also holds other files of a server, in folders whose names are not ids of games.
    """

    def __init__(self, files: FileStore) -> None:
        self.files = files

    @classmethod
    def in_folder(cls, folder: Path, reserve: int = RESERVE, own: str = "") -> PhotoStore:
        """Return the store in a data folder, which is created if it is missing; `own` is the server's folder in it."""
        return cls(LocalFileStore(folder / FOLDER / own, reserve))

    @classmethod
    def at(cls, url: str, own: str = "") -> PhotoStore:
        """Return the store at an address such as `s3://bucket/prefix`; `own` is the server's folder in it.

        The credentials come from the environment.
        """
        return cls(S3FileStore(f"{url.rstrip('/')}/{own}" if own else url))

    def put(self, game: str, photo: str, data: bytes) -> None:
        """Store a photograph durably. Raises StorageError, with a code of DISK_FULL if it is full."""
        with _tracer.start_as_current_span("photo", attributes={"haggle.act": "put"}) as span:
            span.set_attribute("haggle.bytes", len(data))
            self.files.put(_path(game, photo), data)

    def get(self, game: str, photo: str) -> bytes | None:
        """Return a photograph, or None if there is none."""
        with _tracer.start_as_current_span("photo", attributes={"haggle.act": "get"}):
            return self.files.get(_path(game, photo))

    def put_copy(self, game: str, photo: str, data: bytes) -> None:
        """Store a smaller copy of a photograph, which is deleted with the photograph. Errors as `put`."""
        self.files.put(_path(game, photo, _COPY), data)

    def get_copy(self, game: str, photo: str) -> bytes | None:
        """Return the smaller copy of a photograph, or None if there is none."""
        return self.files.get(_path(game, photo, _COPY))

    def local_path(self, game: str, photo: str) -> Path | None:
        """Return the path of a photograph on this machine, or None if there is none."""
        return self.files.local_path(_path(game, photo))

    def head(self, game: str, photo: str, size: int) -> bytes | None:
        """Return the first bytes of a photograph, or None if there is none."""
        return self.files.head(_path(game, photo), size)

    def delete(self, game: str, *photos: str) -> None:
        """Delete photographs of a game and their copies. Missing ones are ignored."""
        self.files.delete([_path(game, photo, suffix) for photo in photos for suffix in (_SUFFIX, _COPY)])

    def names(self) -> Iterator[tuple[str, str, datetime]]:
        """Yield game, photograph and modification time of each file, which may be a copy."""
        for path, modified in self.files.names():
            if found := _NAME.fullmatch(path):
                yield found[1], found[2], modified

    def delete_partial(self, before: datetime) -> None:
        """Delete partial files that were last written before a time."""
        self.files.delete_partial(before)

    def check(self) -> None:
        """Check that photographs can be stored. Raises StorageError."""
        self.files.check()


def _path(game: str, photo: str, suffix: str = _SUFFIX) -> str:
    return f"{game}/{photo}{suffix}"
