"""Keeps photographs by name: in a folder, or in anything that speaks S3. Each is there whole, or not at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from server.observability.tracing import span
from server.storage.base import FULL
from server.storage.local import LocalFileStore
from server.storage.s3 import S3FileStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from server.storage.base import FileStore

FOLDER = "photos"
SPOOL = "spool"
"""Folder in a data folder for bodies of requests that are coming in."""
"""The photographs' folder in a data folder."""
RESERVE = 64_000_000
"""Bytes on the disk that photographs leave free, so that the database can go on."""
NO_ROOM = FULL
"""Codes of errors that say that a disk is full."""

_SUFFIX, _COPY = ".jpg", ".copy.jpg"

# Whatever else lies there is no photograph.
_NAME = re.compile(r"([0-9A-Z]{4})/([^/.]+)(?:\.copy)?\.jpg")


class PhotoStore:
    """Photographs by the id of their row and the game's id. What fails raises PlaceError, which is an OSError.

    `files` keeps them; other files of a server lie beside them, in folders that no game can have.
    """

    def __init__(self, files: FileStore) -> None:
        self.files = files

    @classmethod
    def in_folder(cls, folder: Path, reserve: int = RESERVE, own: str = "") -> PhotoStore:
        """Return the store in a data folder, made if it is not there; `own` is the installation's folder in it.

        Only its owner may look into it.
        """
        return cls(LocalFileStore(folder / FOLDER / own, reserve))

    @classmethod
    def at(cls, url: str, own: str = "") -> PhotoStore:
        """Return the store at an address such as `s3://bucket/prefix`; `own` is the installation's folder there.

        Its credentials are in the environment.
        """
        return cls(S3FileStore(f"{url.rstrip('/')}/{own}" if own else url))

    def put(self, game: str, photo: str, *data: bytes | memoryview) -> None:
        """Keep a photograph, given in pieces; OSError if that fails, with a code of NO_ROOM where the disk is full.

        When this returns, the photograph is on the disk. The same name again replaces it.
        """
        with span("photo", act="put", bytes=sum(map(len, data))):
            self.files.put(_path(game, photo), *data)

    def get(self, game: str, photo: str) -> bytes | None:
        """Return a photograph; None if it is not there (any more)."""
        with span("photo", act="get"):
            return self.files.get(_path(game, photo))

    def put_copy(self, game: str, photo: str, data: bytes) -> None:
        """Keep a smaller copy of a photograph beside it; errors as `put`. It is deleted with the photograph."""
        self.files.put(_path(game, photo, _COPY), data)

    def get_copy(self, game: str, photo: str) -> bytes | None:
        """Return the smaller copy of a photograph; None if there is none (any more)."""
        return self.files.get(_path(game, photo, _COPY))

    def at_hand(self, game: str, photo: str) -> Path | None:
        """Return where any process of this machine can read a photograph itself; None if it is to be got by `get`."""
        return self.files.at_hand(_path(game, photo))

    def head(self, game: str, photo: str, size: int) -> bytes | None:
        """Return the first bytes of a photograph; None if it is not there (any more)."""
        return self.files.head(_path(game, photo), size)

    def delete(self, game: str, *photos: str) -> None:
        """Forget photographs of a game and their copies; of one that is gone already nothing is said."""
        self.files.delete([_path(game, photo, suffix) for photo in photos for suffix in (_SUFFIX, _COPY)])

    def names(self) -> Iterator[tuple[str, str, datetime]]:
        """Yield game, photograph and time of each file that is kept: a photograph's, or its copy's."""
        for path, modified in self.files.names():
            if found := _NAME.fullmatch(path):
                yield found[1], found[2], modified

    def clear_halves(self, before: datetime) -> None:
        """Delete what was written in part before then and never finished."""
        self.files.clear_halves(before)

    def check(self) -> None:
        """See that photographs can be kept here; PlaceError says why not, in one line for whoever runs the server."""
        self.files.check()


def _path(game: str, photo: str, suffix: str = _SUFFIX) -> str:
    return f"{game}/{photo}{suffix}"
