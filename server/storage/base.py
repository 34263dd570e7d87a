"""Files by name, wherever they are kept. Each is there whole, or not at all."""

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
"""How names of the files of `Files.check` begin."""
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Codes of errors that say that there is no room."""


class StorageError(OSError):
    """A place for files does not do what it should. `strerror` says it in one line, for whoever runs the server.

    `errno` is one of FULL where there is no room. Whether a file is there is not known then.
    """

    def __str__(self) -> str:
        return str(self.strerror)


@dataclass(frozen=True)
class Opened:
    """A file's size in bytes, and its bytes piece by piece. `pieces` raises PlaceError where they stop coming."""

    size: int
    pieces: Iterator[bytes]


class FileStore(Protocol):
    """Files by names such as `7K3Q/1f.jpg`. All of it raises PlaceError where the place does not do what it should."""

    def put(self, path: str, *data: bytes | memoryview) -> None:
        """Keep a file, given in pieces. When this returns, it is there to stay. The same name again replaces it."""

    def get(self, path: str) -> bytes | None:
        """Return a file; None if it is not there (any more)."""

    def head(self, path: str, size: int) -> bytes | None:
        """Return the first bytes of a file; None if it is not there (any more)."""

    def at_hand(self, path: str) -> Path | None:
        """Return where any process of this machine can read a file itself; None if only this object gets at it."""

    def opened(self, path: str) -> Opened | None:
        """Return a file to be read piece by piece; None if it is not there (any more)."""

    def delete(self, paths: Sequence[str]) -> None:
        """Forget files; of one that is gone already nothing is said."""

    def names(self, under: str | None = None) -> Iterator[tuple[str, datetime]]:
        """Yield the names of all files, or of those in a folder, and when they were written."""

    def draft(self, path: str) -> contextlib.AbstractContextManager[Path]:
        """Give a place on this machine where a large file can be written, to be kept with `keep`. Else it goes."""

    def room(self) -> None:
        """Look whether there is room for more, as far as that can be known; PlaceError with a code of FULL if not."""

    def keep(self, path: str, draft: Path) -> None:
        """Keep what was written in a draft, as `put`."""

    def clear_halves(self, before: datetime) -> None:
        """Delete what was written in part before then and never finished."""

    def check(self) -> None:
        """Write, list, read and delete a file, for whoever starts a server."""


def listed(store: ObjectStore, under: str | None) -> Iterator[tuple[str, datetime]]:
    """Yield names and times of what a store lists."""
    for page in store.list(under):
        for found in page:
            yield found["path"], found["last_modified"]
