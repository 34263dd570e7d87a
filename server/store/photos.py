"""Keeps photographs by name: in a folder, or in anything that speaks S3. Each is there whole, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obstore.exceptions import NotFoundError
from obstore.store import LocalStore, from_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from obstore.store import ObjectStore

FOLDER = "photos"
"""The photographs' folder in a data folder."""


class PhotoStore:
    """Photographs by the id of their row and the game's id."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    @classmethod
    def in_folder(cls, folder: Path) -> PhotoStore:
        """Return the store in a data folder, made if it is not there. Only its owner may look into it."""
        place = folder / FOLDER
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        return cls(LocalStore(place))

    @classmethod
    def at(cls, url: str) -> PhotoStore:
        """Return the store at an address such as `s3://bucket/prefix`; its credentials are in the environment."""
        return cls(from_url(url))

    def put(self, game: str, photo: str, data: bytes) -> None:
        """Keep a photograph; OSError if there is no room for it. The same name again replaces it."""
        self._store.put(_path(game, photo), data)

    def get(self, game: str, photo: str) -> bytes | None:
        """Return a photograph; None if it is not there (any more)."""
        try:
            return bytes(self._store.get(_path(game, photo)).bytes())
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
                game, _, photo = found["path"].partition("/")
                yield game, photo.removesuffix(_SUFFIX), found["last_modified"]


_SUFFIX = ".jpg"


def _path(game: str, photo: str) -> str:
    return f"{game}/{photo}{_SUFFIX}"
