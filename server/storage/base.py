"""The interface of file stores. A file is stored completely or not at all."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from obstore.store import ObjectStore

PIECE = 1_000_000
"""Bytes of a file that are read at a time."""
PROBE = "check"
"""The prefix of the names of files that `FileStore.check` writes."""
DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""The error codes of a full disk."""


class StorageError(OSError):
    """A file store failed. `strerror` says why in one line, for the administrator.

    `errno` is one of DISK_FULL for a full disk. It is not known whether the file exists.
    """

    def __str__(self) -> str:
        return str(self.strerror)


@dataclass(frozen=True)
class OpenedFile:
    """The size of a file in bytes, and its content in pieces. `pieces` raises StorageError if reading fails."""

    size: int
    pieces: Iterator[bytes]


class FileStore(Protocol):
    """Files with names such as `7K3Q/1f.jpg`. All methods raise StorageError if the store fails."""

    def put(self, path: str, data: bytes) -> None:
        """Store a file durably. A file of the same name is replaced."""

    def get(self, path: str) -> bytes | None:
        """Return a file, or None if there is none."""

    def head(self, path: str, size: int) -> bytes | None:
        """Return the first bytes of a file, or None if there is none."""

    def local_path(self, path: str) -> Path | None:
        """Return the path of a file on this machine, or None if there is none."""

    def open(self, path: str) -> OpenedFile | None:
        """Open a file for reading in pieces; return None if there is none."""

    def delete(self, paths: Sequence[str]) -> None:
        """Delete files. Missing ones are ignored."""

    def names(self, under: str | None = None) -> Iterator[tuple[str, datetime]]:
        """Yield the name and modification time of all files, or of those in a folder."""

    def draft(self, path: str) -> contextlib.AbstractContextManager[Path]:
        """Give a temporary path on this machine for a large file, which is deleted unless `put_draft` stores it."""

    def check_space(self) -> None:
        """Check for free space, if that is possible. Raises StorageError with a code of DISK_FULL."""

    def put_draft(self, path: str, draft: Path) -> None:
        """Store a draft, as `put`."""

    def delete_partial(self, before: datetime) -> None:
        """Delete partial files that were last written before a time."""

    def check(self) -> None:
        """Check at the start of a server that the store can be used."""


def listed(store: ObjectStore, under: str | None) -> Iterator[tuple[str, datetime]]:
    """Yield the name and modification time of each file of a store."""
    for page in store.list(under):
        for found in page:
            yield found["path"], found["last_modified"]
